// Boolean, comparison and conditional expressions, with truthiness of odd values.
db.votes.drop();
db.votes.insert([{_id: 1, y: 1, n: 0}, {_id: 2, y: null, n: ""}, {_id: 3, n: []}, {_id: 4, y: false, n: NumberDecimal("0")}, {_id: 5, y: NaN, n: {}}]);
assert.eq(db.votes.aggregate([{$sort: {_id: 1}}, {$project: {a: {$and: ["$y", true]}, o: {$or: ["$y", "$n"]}, x: {$not: ["$n"]}}}]).toArray(), [
    {_id: 1, a: true, o: true, x: true}, {_id: 2, a: false, o: true, x: false}, {_id: 3, a: false, o: true, x: false}, {_id: 4, a: false, o: false, x: true}, {_id: 5, a: true, o: true, x: false}
]);
assert.eq(db.votes.aggregate([{$limit: 1}, {$project: {_id: 0, a: {$and: []}, o: {$or: []}, eq: {$eq: [1, NumberLong("1")]}, ne: {$ne: ["a", "A"]}, gt: {$gt: ["a", 1]}, lt: {$lt: [null, 0]}, cm: {$cmp: [[1, 2], [1, 3]]}, c2: {$cmp: [{a: 1}, {a: 1}]}}}]).toArray(), [{a: true, o: false, eq: true, ne: true, gt: true, lt: true, cm: -1, c2: 0}]);
assert.eq(db.votes.aggregate([{$sort: {_id: 1}}, {$project: {c: {$cond: ["$y", "yes", "no"]}, d: {$cond: {if: {$gt: ["$n", 0]}, then: {$type: "$n"}, else: "$$REMOVE"}}}}, {$limit: 3}]).toArray(), [{_id: 1, c: "yes"}, {_id: 2, c: "no", d: "string"}, {_id: 3, c: "no", d: "array"}]);
assert.eq(db.votes.aggregate([{$sort: {_id: 1}}, {$project: {_id: 0, v: {$ifNull: ["$y", "$q", "dflt"]}}}, {$skip: 1}, {$limit: 2}]).toArray(), [{v: "dflt"}, {v: "dflt"}]);
assert.eq(db.votes.aggregate([{$match: {_id: {$in: [1, 4]}}}, {$sort: {_id: 1}}, {$project: {s: {$switch: {branches: [{case: {$eq: ["$y", 1]}, then: "one"}, {case: {$eq: ["$y", false]}, then: {$concat: ["f", "alse"]}}], default: "other"}}}}]).toArray(), [{_id: 1, s: "one"}, {_id: 4, s: "false"}]);
assert.eq(db.votes.aggregate([{$match: {$expr: {$eq: [{$ifNull: ["$y", null]}, null]}}}, {$count: "n"}]).toArray(), [{n: 2}]);
assert.eq(db.votes.aggregate([{$match: {$expr: {$and: [{$or: [{$eq: ["$n", []]}, {$eq: ["$n", {}]}]}, {$not: [{$eq: ["$_id", 5]}]}]}}}]).toArray(), [{_id: 3, n: []}]);
assert.eq(db.votes.aggregate([{$group: {_id: {$gt: ["$y", null]}, n: {$sum: {$cond: [{$eq: [{$type: "$n"}, "string"]}, 10, 1]}}}}, {$sort: {_id: 1}}]).toArray(), [{_id: false, n: 11}, {_id: true, n: 3}]);
assert.eq(db.votes.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, r: {$let: {vars: {p: {$add: ["$y", 1]}, q: "$n"}, in: {$let: {vars: {p: {$multiply: ["$$p", 10]}}, in: {$subtract: ["$$p", "$$q"]}}}}}}}]).toArray(), [{r: 20}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "votes", pipeline: [{$project: {s: {$switch: {branches: [{case: false, then: 1}]}}}}], cursor: {}}), [40066, 40069, 4934200]);
assert.commandFailedWithCode(db.runCommand({aggregate: "votes", pipeline: [{$project: {s: {$cond: [1, 2]}}}], cursor: {}}), 16020);
assert.commandFailedWithCode(db.runCommand({aggregate: "votes", pipeline: [{$project: {s: {$ifNull: [1]}}}], cursor: {}}), 1257300);
assert.commandFailedWithCode(db.runCommand({aggregate: "votes", pipeline: [{$project: {s: "$$undefinedvar"}}], cursor: {}}), 17276);
