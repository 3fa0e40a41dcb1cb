// Removing documents with remove, deleteOne and deleteMany, with collation and hints.
db.attic.drop();
assert.writeOK(db.attic.insert([
    {_id: 1, thing: "Lamp", age: 10}, {_id: 2, thing: "lamp", age: 20}, {_id: 3, thing: "chair", age: 30},
    {_id: 4, thing: "trunk", age: 40}, {_id: 5, thing: "Chair", age: 50}, {_id: 6, thing: "mirror", age: 60}
]));
assert.commandWorked(db.attic.createIndex({age: 1}));

assert.eq(db.attic.remove({thing: "nothing"}).nRemoved, 0);
assert.eq(db.attic.remove({age: {$lte: 20}}, true).nRemoved, 1);
assert.eq(db.attic.count(), 5);
assert.eq(db.attic.remove({thing: "CHAIR"}, {collation: {locale: "en", strength: 2}}).nRemoved, 2);
assert.eq(db.attic.deleteOne({thing: "mirror"}).deletedCount, 1);
assert.eq(db.attic.deleteMany({age: {$in: [20, 40, 60]}}, {hint: {age: 1}}).deletedCount, 2);
assert.eq(db.attic.deleteMany({}).deletedCount, 0);

assert.writeOK(db.attic.insert({_id: 7, thing: "rug", age: 5, size: [2, 3]}));
assert.commandWorked(db.runCommand({
    delete: "attic",
    deletes: [{q: {size: {$elemMatch: {$gte: 3}}}, limit: 1}, {q: {age: -1}, limit: 0, hint: "age_1"}],
    ordered: false,
    comment: "spring cleaning"
}));
assert.eq(db.attic.count(), 0);
assert.writeOK(db.attic.insert([{_id: 8, a: 3, b: 4}, {_id: 9, a: 7, b: 2}]));
assert.eq(db.attic.remove({$expr: {$gt: ["$a", "$b"]}}).nRemoved, 1);
assert.eq(db.attic.find().toArray(), [{_id: 8, a: 3, b: 4}]);
assert.commandFailedWithCode(db.runCommand({delete: "attic", deletes: [{q: {}, limit: 2}]}), 9);
