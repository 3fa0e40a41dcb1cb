// Updates given as aggregation pipelines, with let variables and upserts.
db.meters.drop();
db.meters.insert([
    {_id: 1, reads: [3, 5, 7], unit: "kWh", limit: 10}, {_id: 2, reads: [], unit: "m3"}, {_id: 3, unit: "kWh", limit: 0, old: {a: 1, b: 2}}
]);
assert.eq(db.meters.update({_id: 1}, [{$set: {total: {$sum: "$reads"}}}, {$set: {over: {$gt: ["$total", "$limit"]}}}]).nModified, 1);
assert.eq(db.meters.findOne({_id: 1}), {_id: 1, reads: [3, 5, 7], unit: "kWh", limit: 10, total: 15, over: true});
assert.eq(db.meters.updateMany({}, [{$addFields: {mean: {$ifNull: [{$avg: "$reads"}, "none"]}}}]).modifiedCount, 3);
assert.eq(db.meters.find({mean: "none"}).itcount(), 2);
assert.eq(db.meters.updateOne({_id: 3}, [{$unset: ["old.a", "mean"]}, {$project: {limit: 0}}]).modifiedCount, 1);
assert.eq(db.meters.findOne({_id: 3}), {_id: 3, unit: "kWh", old: {b: 2}});
assert.eq(db.meters.updateOne({_id: 3}, [{$replaceWith: {$mergeObjects: ["$$ROOT", "$old", {z: {$literal: "$z"}}]}}]).modifiedCount, 1);
assert.eq(db.meters.findOne({_id: 3}), {_id: 3, unit: "kWh", old: {b: 2}, b: 2, z: "$z"});
assert.eq(db.meters.updateOne({_id: 2}, [{$replaceRoot: {newRoot: {_id: "$_id", list: {$range: [0, 6, 2]}}}}]).modifiedCount, 1);
assert.eq(db.meters.findOne({_id: 2}).list, [0, 2, 4]);
assert.writeOK(db.meters.update({_id: 4, kind: "new"}, [{$set: {made: {$concat: ["$kind", "-", {$toString: "$_id"}]}}}], {upsert: true}));
assert.eq(db.meters.findOne({_id: 4}), {_id: 4, kind: "new", made: "new-4"});
assert.commandWorked(db.runCommand({
    update: "meters",
    updates: [{q: {$expr: {$eq: ["$unit", "$$u"]}}, u: [{$set: {price: {$multiply: ["$$p", 2]}, tag: "$$u", c: "$$k"}}], multi: true, c: {k: 5}}],
    let: {u: "kWh", p: 0.25}
}));
assert.eq(db.meters.find({price: 0.5, tag: "kWh", c: 5}).itcount(), 2);
assert.eq(db.meters.findAndModify({query: {_id: 1}, update: [{$set: {reads: {$map: {input: "$reads", as: "r", in: {$subtract: ["$$r", 1]}}}}}], new: true}).reads, [2, 4, 6]);
assert.eq(db.meters.update({_id: 1}, [{$set: {reads: "$reads"}}]).nModified, 0);
assert.writeError(db.meters.update({_id: 1}, [{$set: {_id: 5}}]));
assert.writeError(db.meters.update({_id: 1}, [{$match: {a: 1}}]));
assert.writeError(db.meters.update({_id: 1}, [{$set: {x: {$divide: ["$limit", 0]}}}]));
