// bulkWrite with each of its six operation kinds and with failing items.
db.ledger.drop();
var res = db.ledger.bulkWrite([
    {insertOne: {document: {_id: 1, acct: "cash", sum: 100}}},
    {insertOne: {document: {_id: 2, acct: "bank", sum: 5000, lines: [{n: 1, v: 10}, {n: 2, v: 20}]}}},
    {updateOne: {filter: {_id: 1}, update: {$inc: {sum: -30}}}},
    {updateMany: {filter: {sum: {$gt: 0}}, update: {$set: {open: true}, $currentDate: {at: {$type: "timestamp"}}}}},
    {updateOne: {filter: {_id: 2}, update: {$set: {"lines.$[l].v": 99}}, arrayFilters: [{"l.n": {$gte: 2}}]}},
    {updateOne: {filter: {_id: 3}, update: {$set: {acct: "till"}}, upsert: true}},
    {replaceOne: {filter: {_id: 4}, replacement: {acct: "safe", sum: NumberLong("9000000000")}, upsert: true}},
    {updateMany: {filter: {acct: "BANK"}, update: [{$set: {twice: {$multiply: ["$sum", 2]}}}], collation: {locale: "de", strength: 2}}},
    {deleteOne: {filter: {acct: "till"}}},
    {deleteMany: {filter: {acct: {$regex: "^c"}}}}
], {ordered: true, writeConcern: {w: 1}});
assert.eq(res.insertedCount, 2);
assert.eq(res.matchedCount, 5);
assert.eq(res.modifiedCount, 5);
assert.eq(res.deletedCount, 2);
assert.eq(res.upsertedCount, 2);
assert.eq(db.ledger.find({}, {at: 0}).sort({_id: 1}).toArray(), [
    {_id: 2, acct: "bank", sum: 5000, lines: [{n: 1, v: 10}, {n: 2, v: 99}], open: true, twice: 10000},
    {_id: 4, acct: "safe", sum: NumberLong("9000000000")}
]);

assert.throws(function() {
    db.ledger.bulkWrite([{insertOne: {document: {_id: 2}}}, {insertOne: {document: {_id: 9}}}]);
});
assert.eq(db.ledger.count({_id: 9}), 0);
assert.throws(function() {
    db.ledger.bulkWrite([{insertOne: {document: {_id: 2}}}, {insertOne: {document: {_id: 9}}}], {ordered: false});
});
assert.eq(db.ledger.count({_id: 9}), 1);
