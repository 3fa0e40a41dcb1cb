// Queries and updates on one collection.
"use strict";
const coll = db.fruits;
coll.drop();
for (let i = 0; i < 20; i++) {
    if (i % 2 === 0) {
        coll.insert({_id: i, name: "apple" + i, size: i, tags: ["a", "b"]});
    } else {
        coll.insert({_id: i, name: "pear", size: NumberLong(i), at: ISODate("2020-01-01T00:00:00Z")});
    }
}
assert.commandWorked(coll.createIndex({size: 1}, {sparse: true}));
assert.eq(coll.find({size: {$gt: 3, $lte: 10}}).sort({size: -1}).limit(5).itcount(), 5);
assert.eq(coll.find({$or: [{name: /^app/}, {"tags.0": "b"}]}).count(), 10);
assert.commandWorked(coll.updateMany({size: {$in: [1, 2, 3]}}, {$set: {ripe: true}, $inc: {size: 1}}));
assert.commandWorked(coll.updateOne({_id: 4}, [{$set: {total: {$add: ["$size", 1]}}}]));
assert.eq(coll.distinct("name", {size: {$lt: -1}}), []);
