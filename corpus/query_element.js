// $exists and $type by name, number and list, on scalars and in arrays.
db.cabinet.drop();
db.cabinet.insert([
    {_id: 1, x: 1.5}, {_id: 2, x: "s"}, {_id: 3, x: {}}, {_id: 4, x: []}, {_id: 5, x: [1, "two", null]},
    {_id: 6, x: BinData(0, "AQID")}, {_id: 7, x: ObjectId("5f0000000000000000000001")}, {_id: 8, x: false},
    {_id: 9, x: ISODate("2020-01-01T00:00:00Z")}, {_id: 10, x: null}, {_id: 11, x: /ab+c/i}, {_id: 12, x: NumberInt(3)},
    {_id: 13, x: Timestamp(100, 2)}, {_id: 14, x: NumberLong("12345678901")}, {_id: 15, x: NumberDecimal("1E+3")},
    {_id: 16, x: MinKey}, {_id: 17, x: MaxKey}, {_id: 18, x: Code("function() { return 1; }")}, {_id: 19}
]);
assert.eq(db.cabinet.find({x: {$exists: true}}).itcount(), 18);
assert.eq(db.cabinet.find({x: {$exists: false}}).toArray(), [{_id: 19}]);
assert.eq(db.cabinet.find({x: {$type: "string"}}).itcount(), 2);
assert.eq(db.cabinet.find({x: {$type: 3}}).itcount(), 1);
assert.eq(db.cabinet.find({x: {$type: "array"}}).itcount(), 2);
assert.eq(db.cabinet.find({x: {$type: "number"}}).itcount(), 5);
assert.eq(db.cabinet.find({x: {$type: ["double", "decimal"]}}).itcount() >= 2, true);
assert.eq(db.cabinet.find({x: {$type: ["binData", 7, "bool", "date"]}}).itcount(), 4);
assert.eq(db.cabinet.find({x: {$type: "null"}}).itcount(), 2);
assert.eq(db.cabinet.find({x: {$type: ["regex", "javascript", "timestamp"]}}).itcount(), 3);
assert.eq(db.cabinet.find({x: {$type: "long"}}).itcount(), 1);
assert.eq(db.cabinet.find({x: {$type: -1}}).itcount(), 1);
assert.eq(db.cabinet.find({x: {$type: [127, "minKey"]}}).itcount(), 2);
assert.eq(db.cabinet.find({x: {$not: {$type: "object"}}}).itcount(), 18);
assert.eq(db.cabinet.find({"x.0": {$exists: 1}}).itcount(), 1);
assert.eq(db.cabinet.find({x: {$exists: true, $eq: null}}).itcount(), 2);
assert.commandFailedWithCode(db.runCommand({find: "cabinet", filter: {x: {$type: "lamp"}}}), 2);
assert.commandFailedWithCode(db.runCommand({find: "cabinet", filter: {x: {$type: []}}}), 9);
