// $project, $addFields, $set, $unset, $replaceRoot, $replaceWith, $redact and $sample.
db.forms.drop();
db.forms.insert([
    {_id: 1, who: {first: "Jo", last: "May"}, vals: [{k: "a", v: 1}, {k: "b", v: 2}], level: 3, sub: {level: 5, x: 1, list: [{level: 1, y: 2}, {level: 9, y: 3}]}},
    {_id: 2, who: {first: "Al"}, vals: [], level: 8, sub: {level: 1}}
]);
assert.eq(db.forms.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, full: {$concat: ["$who.first", " ", "$who.last"]}, ks: "$vals.k", n: {$size: "$vals"}, who: {last: 1}}}]).toArray(), [{who: {last: "May"}, full: "Jo May", ks: ["a", "b"], n: 2}]);
assert.eq(db.forms.aggregate([{$addFields: {"who.init": {$substrCP: ["$who.first", 0, 1]}, "vals.z": 0}}, {$match: {_id: 1}}, {$project: {who: 1, vals: 1}}]).toArray(), [{_id: 1, who: {first: "Jo", last: "May", init: "J"}, vals: [{k: "a", v: 1, z: 0}, {k: "b", v: 2, z: 0}]}]);
assert.eq(db.forms.aggregate([{$set: {a: "$level", b: "$$REMOVE", level: {deep: {er: "$level"}}}}, {$unset: ["who", "vals", "sub"]}, {$sort: {_id: -1}}, {$limit: 1}]).toArray(), [{_id: 2, level: {deep: {er: 8}}, a: 8}]);
assert.eq(db.forms.aggregate([{$unset: "sub.list"}, {$match: {_id: 1}}, {$project: {sub: 1}}]).toArray(), [{_id: 1, sub: {level: 5, x: 1}}]);
assert.eq(db.forms.aggregate([{$sort: {_id: 1}}, {$replaceRoot: {newRoot: "$who"}}]).toArray(), [{first: "Jo", last: "May"}, {first: "Al"}]);
assert.eq(db.forms.aggregate([{$sort: {_id: 1}}, {$limit: 1}, {$replaceWith: {$arrayToObject: "$vals"}}]).toArray(), [{a: 1, b: 2}]);
assert.eq(db.forms.aggregate([{$match: {_id: 1}}, {$unwind: "$vals"}, {$replaceRoot: {newRoot: {$mergeObjects: [{_id: "$_id"}, "$vals"]}}}, {$sort: {v: -1}}]).toArray(), [{_id: 1, k: "b", v: 2}, {_id: 1, k: "a", v: 1}]);
assert.eq(db.forms.aggregate([{$match: {_id: 1}}, {$redact: {$cond: {if: {$lte: [{$ifNull: ["$level", 0]}, 5]}, then: "$$DESCEND", else: "$$PRUNE"}}}, {$project: {"sub.list": 1}}]).toArray(), [{_id: 1, sub: {list: [{level: 1, y: 2}]}}]);
assert.eq(db.forms.aggregate([{$redact: {$switch: {branches: [{case: {$gt: ["$level", 7]}, then: "$$KEEP"}], default: "$$PRUNE"}}}]).toArray()[0]._id, 2);
assert.eq(db.forms.aggregate([{$sample: {size: 10}}, {$count: "n"}]).toArray(), [{n: 2}]);
assert.eq(db.forms.aggregate([{$project: {vals: 0, sub: {list: 0}, who: 0}}, {$match: {level: 3}}]).toArray(), [{_id: 1, level: 3, sub: {level: 5, x: 1}}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$replaceRoot: {newRoot: "$level"}}], cursor: {}}), 40228);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$redact: "$level"}], cursor: {}}), 17053);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$sample: {size: -1}}], cursor: {}}), 28747);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$project: {}}], cursor: {}}), [40177, 51272]);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$addFields: {a: 1}, $set: {b: 1}}], cursor: {}}), 40323);
assert.commandFailedWithCode(db.runCommand({aggregate: "forms", pipeline: [{$teleport: {}}], cursor: {}}), 40324);
