// The ordered bulk builder: every kind of operation, and stopping at the first error.
db.depot.drop();
var bulk = db.depot.initializeOrderedBulkOp();
bulk.insert({_id: 1, item: "bolt", qty: 100});
bulk.insert({_id: 2, item: "nut", qty: 200});
bulk.insert({_id: 3, item: "washer", qty: 300});
bulk.find({item: "bolt"}).updateOne({$inc: {qty: 5}});
bulk.find({qty: {$gte: 200}}).update({$set: {big: true}, $push: {log: "counted"}});
bulk.find({_id: 4}).upsert().updateOne({$setOnInsert: {item: "rivet"}, $set: {qty: 7}});
bulk.find({_id: 5}).upsert().replaceOne({item: "screw", qty: 9});
bulk.find({item: "washer"}).replaceOne({item: "washer", qty: 1});
bulk.find({qty: {$lt: 5}}).remove();
bulk.find({item: "nut"}).removeOne();
assert.commandWorked(bulk.execute({w: 1}));
assert.eq(db.depot.find().sort({_id: 1}).toArray(), [
    {_id: 1, item: "bolt", qty: 105}, {_id: 4, item: "rivet", qty: 7}, {_id: 5, item: "screw", qty: 9}
]);

bulk = db.depot.initializeOrderedBulkOp();
bulk.insert({_id: 10});
bulk.insert({_id: 1});
bulk.insert({_id: 11});
assert.throws(function() {
    bulk.execute();
});
assert.eq(db.depot.find({_id: {$gte: 10}}).itcount(), 1);

bulk = db.depot.initializeOrderedBulkOp();
bulk.find({item: "BOLT"}).collation({locale: "en", strength: 1}).update({$set: {seen: 1}});
bulk.find({_id: 4}).arrayFilters([{"e.k": 1}]).updateOne({$set: {"list.$[e].v": 2}});
bulk.find({_id: 5}).update([{$set: {half: {$divide: ["$qty", 2]}}}]);
assert.throws(function() {
    bulk.execute();
});
assert.eq(db.depot.findOne({_id: 1}).seen, 1);
