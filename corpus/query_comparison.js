// Comparison operators over mixed BSON types.
db.gauges.drop();
assert.commandWorked(db.gauges.insertMany([
    {_id: 0, v: 5}, {_id: 1, v: NumberLong("5")}, {_id: 2, v: NumberDecimal("5.0")}, {_id: 3, v: "5"},
    {_id: 4, v: null}, {_id: 5}, {_id: 6, v: [1, 5, 9]}, {_id: 7, v: {a: 5}}, {_id: 8, v: true},
    {_id: 9, v: ISODate("1999-12-31T23:59:59.999Z")}, {_id: 10, v: MinKey}, {_id: 11, v: MaxKey}, {_id: 12, v: -7.5}
]));
assert.eq(db.gauges.find({v: 5}).itcount(), 4);
assert.eq(db.gauges.find({v: {$eq: NumberDecimal("5")}}).itcount(), 4);
assert.eq(db.gauges.find({v: {$ne: 5}}).itcount(), 9);
assert.eq(db.gauges.find({v: {$gt: 5}}).itcount(), 1);
assert.eq(db.gauges.find({v: {$gte: 5, $lt: 6}}, {_id: 1}).sort({_id: 1}).toArray(), [{_id: 0}, {_id: 1}, {_id: 2}, {_id: 6}]);
assert.eq(db.gauges.find({v: {$lt: 0}}).itcount(), 1);
assert.eq(db.gauges.find({v: {$lte: null}}).itcount(), 2);
assert.eq(db.gauges.find({v: {$in: [null, "5", true]}}).itcount(), 4);
assert.eq(db.gauges.find({v: {$in: [/^5/, 9]}}).itcount(), 2);
assert.eq(db.gauges.find({v: {$nin: [5, null, MinKey]}}).itcount(), 6);
assert.eq(db.gauges.find({v: {$gt: MinKey}}).itcount(), 12);
assert.eq(db.gauges.find({v: {$lt: MaxKey}}).itcount(), 12);
assert.eq(db.gauges.find({v: {$lt: ISODate("2000-01-01T00:00:00Z")}}).itcount(), 1);
assert.eq(db.gauges.find({v: {$gte: {a: 1}}}).itcount(), 1);
assert.eq(db.gauges.find({v: {$gt: [1, 5]}}).itcount(), 1);
assert.eq(db.gauges.find({"v.a": {$exists: true, $lte: 5}}).itcount(), 1);
assert.eq(db.gauges.find({"v.1": 5}).itcount(), 1);
assert.eq(db.gauges.find({v: {$not: {$gt: 0}}}).itcount(), 9);
assert.eq(db.gauges.find({v: {$in: []}}).itcount(), 0);
assert.commandFailedWithCode(db.runCommand({find: "gauges", filter: {v: {$in: 5}}}), 2);
