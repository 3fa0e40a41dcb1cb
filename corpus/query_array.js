// $all, $elemMatch, $size and positional paths on plain and nested arrays.
db.baskets.drop();
db.baskets.insert([
    {_id: 1, eggs: [1, 2, 3], rows: [{n: 1, q: ["a"]}, {n: 2, q: ["b", "c"]}]},
    {_id: 2, eggs: [3, 3], rows: [{n: 5, q: []}]},
    {_id: 3, eggs: [], rows: []},
    {_id: 4, eggs: [[1, 2], [3]], rows: {n: 2, q: "c"}},
    {_id: 5, eggs: 3}
]);
assert.eq(db.baskets.find({eggs: {$all: [3]}}).itcount(), 3);
assert.eq(db.baskets.find({eggs: {$all: [1, 3]}}).itcount(), 1);
assert.eq(db.baskets.find({eggs: {$all: [[3]]}}).itcount(), 1);
assert.eq(db.baskets.find({eggs: {$size: 2}}).itcount(), 2);
assert.eq(db.baskets.find({eggs: {$size: 0}, rows: {$size: 0}}).itcount(), 1);
assert.eq(db.baskets.find({eggs: {$elemMatch: {$gt: 1, $lt: 3}}}).itcount(), 1);
assert.eq(db.baskets.find({eggs: {$elemMatch: {$elemMatch: {$eq: 2}}}}).itcount(), 1);
assert.eq(db.baskets.find({rows: {$elemMatch: {n: 2, q: "c"}}}).itcount(), 1);
assert.eq(db.baskets.find({"rows.n": 2, "rows.q": "c"}).itcount(), 2);
assert.eq(db.baskets.find({rows: {$all: [{$elemMatch: {n: 1}}, {$elemMatch: {q: {$size: 2}}}]}}).itcount(), 1);
assert.eq(db.baskets.find({rows: {$not: {$elemMatch: {n: {$gte: 2}}}}}).itcount(), 3);
assert.eq(db.baskets.find({"rows.0.q.0": "a"}).itcount(), 1);
assert.eq(db.baskets.find({"eggs.1": {$exists: true}}).itcount(), 3);
assert.eq(db.baskets.find({eggs: []}).itcount(), 1);
assert.eq(db.baskets.find({eggs: {$in: [[3, 3], [1, 2]]}}).itcount(), 2);
assert.commandWorked(db.baskets.createIndex({"rows.n": 1}));
assert.commandFailedWithCode(db.baskets.createIndex({"rows.n": 1, eggs: 1}), 171);
assert.eq(db.baskets.find({rows: {$elemMatch: {n: {$gte: 2, $lte: 4}}}}).hint({"rows.n": 1}).itcount(), 1);
assert.commandFailedWithCode(db.runCommand({find: "baskets", filter: {eggs: {$size: -1}}}), [2, 51024]);
