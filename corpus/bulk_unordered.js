// The unordered bulk builder goes on after errors and does the rest.
db.luggage.drop();
assert.commandWorked(db.luggage.createIndex({tag: 1}, {unique: true}));
var bulk = db.luggage.initializeUnorderedBulkOp();
bulk.insert({_id: 1, tag: "AA", kg: 12.5});
bulk.insert({_id: 2, tag: "AA", kg: 10});
bulk.insert({_id: 3, tag: "BB", kg: NumberDecimal("7.25")});
bulk.insert({_id: 1, tag: "CC"});
bulk.find({tag: "BB"}).updateOne({$mul: {kg: 2}});
bulk.find({tag: "DD"}).upsert().updateOne({$min: {kg: 3}});
bulk.find({kg: {$type: "decimal"}}).update({$set: {heavy: true}});
assert.throws(function() {
    bulk.execute();
});
assert.eq(db.luggage.count(), 3);
assert.eq(db.luggage.findOne({_id: 1}), {_id: 1, tag: "AA", kg: 12.5});
assert.eq(db.luggage.findOne({tag: "DD"}, {_id: 0}), {tag: "DD", kg: 3});
assert.eq(db.luggage.find({tag: "BB", kg: NumberDecimal("14.50")}).count(), 1);

bulk = db.luggage.initializeUnorderedBulkOp();
bulk.find({}).remove();
bulk.insert({_id: 4, tag: "EE"});
bulk.insert({_id: 5, tag: "FF"});
assert.commandWorked(bulk.execute());
assert.throws(function() {
    bulk.execute();
});
assert.lte(db.luggage.count(), 2);
assert.throws(function() {
    db.luggage.initializeUnorderedBulkOp().execute();
});
