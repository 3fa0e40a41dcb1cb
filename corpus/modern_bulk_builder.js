// Block-scoped bulk building with for-of loops and computed keys.
db.stamps.drop();
const bulk = db.stamps.initializeUnorderedBulkOp();
for (const [i, land] of ["fr", "de", "it", "es"].entries()) {
    bulk.insert({_id: i, land, value: (i + 1) * 25, [`in_${land}`]: true});
}
bulk.find({value: {$gt: 50}}).update({$set: {rare: true}, $inc: {value: 5}});
bulk.find({land: "fr"}).updateOne([{$set: {value: {$multiply: ["$value", 3]}}}]);
bulk.find({land: "pt"}).upsert().update({$setOnInsert: {_id: 9, value: 0}});
bulk.execute();
assert.eq(db.stamps.find({rare: true}, {value: 1}).sort({_id: 1}).toArray(), [{_id: 2, value: 80}, {_id: 3, value: 105}]);
assert.eq(db.stamps.findOne({in_fr: true}).value, 75);
assert.eq(db.stamps.findOne({land: "pt"}), {_id: 9, land: "pt", value: 0});
let total = 0;
db.stamps.find().forEach((s) => { total += s.value; });
assert.eq(total, 310);
assert.eq(db.stamps.aggregate([{$sortByCount: {$gt: ["$value", 76]}}, {$sort: {_id: 1}}]).toArray(), [{_id: false, count: 3}, {_id: true, count: 2}]);
