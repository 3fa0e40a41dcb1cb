// Sorting by many keys, array members, natural order, limits and indexes that help or not.
db.cards.drop();
for (var i = 0; i < 24; i++) {
    db.cards.insert({_id: i, a: i % 2, b: i % 3, c: i % 4, d: {e: -i, f: [i % 5, i % 7]}, g: i % 6 ? i : null});
}
assert.eq(db.cards.find({}, {_id: 1}).sort({a: 1, b: -1, c: 1, "d.e": -1, _id: 1}).limit(3).toArray(), [{_id: 8}, {_id: 20}, {_id: 2}]);
assert.eq(db.cards.find({}, {_id: 1}).sort({"d.f": 1, _id: -1}).limit(2).toArray(), [{_id: 21}, {_id: 20}]);
assert.eq(db.cards.find({}, {_id: 1}).sort({"d.f": -1, _id: 1}).limit(2).toArray(), [{_id: 6}, {_id: 13}]);
assert.eq(db.cards.find({}, {_id: 1}).sort({g: 1, _id: -1}).limit(5).toArray(), [{_id: 18}, {_id: 12}, {_id: 6}, {_id: 0}, {_id: 1}]);
assert.eq(db.cards.find({}, {_id: 1}).sort({$natural: -1}).limit(2).toArray(), [{_id: 23}, {_id: 22}]);
assert.commandWorked(db.cards.createIndex({a: 1, b: 1, c: -1}));
assert.eq(db.cards.find({a: 1}, {_id: 1}).sort({b: -1, c: 1, _id: 1}).limit(2).toArray(), [{_id: 5}, {_id: 17}]);
assert.eq(db.cards.find({a: {$in: [0, 1]}, b: 2}).sort({c: -1, _id: 1}).hint({a: 1, b: 1, c: -1}).toArray()[0]._id, 11);
assert.eq(db.cards.aggregate([{$sort: {a: -1, b: -1, c: -1, _id: -1}}, {$skip: 2}, {$limit: 2}, {$project: {_id: 1}}]).toArray().length, 2);
assert.eq(db.cards.aggregate([{$sort: {b: 1, _id: 1}}, {$group: {_id: "$b", ids: {$first: "$_id"}}}, {$sort: {_id: -1}}]).toArray(), [{_id: 2, ids: 2}, {_id: 1, ids: 1}, {_id: 0, ids: 0}]);
assert.eq(db.cards.find().sort({a: 1, b: 1, c: 1, "d.e": 1, "d.f.0": 1, g: 1, h: 1, i: 1, j: 1, k: 1}).itcount(), 24);
assert.eq(db.cards.find({"d.f": {$elemMatch: {$gte: 5}}}).sort({"d.f.1": 1, _id: 1}).toArray()[0]._id, 5);
assert.commandFailed(db.runCommand({find: "cards", sort: {a: {$meta: "textScore"}}}));
assert.commandFailed(db.runCommand({find: "cards", sort: {$natural: 1, a: 1}}));
assert.commandFailed(db.runCommand({find: "cards", sort: {"a.": 1}}));
assert.commandFailed(db.runCommand({aggregate: "cards", pipeline: [{$sort: {}}], cursor: {}}));
