// Every BSON type stored, matched, sorted and read back.
db.zoo.drop();
var kinds = [MinKey, -1.5, NumberInt(7), NumberLong("-9223372036854775808"), NumberDecimal("12.345E-20"), "text \u20ac", {a: {b: []}}, [1, [2]], BinData(0, "AAECAw=="), UUID("a1a2a3a4-b1b2-c1c2-d1d2-d3d4d5d6d7d8"), ObjectId("0102030405060708090a0b0c"), true, null, ISODate("1969-07-20T20:17:40Z"), Timestamp(5, 6), /^a.*z$/im, Code("function() {}"), Code("x", {x: 1}), DBRef("other", 5), MaxKey];
for (var i = 0; i < kinds.length; i++) {
    assert.writeOK(db.zoo.insert({_id: i, v: kinds[i]}));
}
assert.writeOK(db.zoo.insert([{_id: 30, v: HexData(5, "d41d8cd98f00b204e9800998ecf8427e")}, {_id: 31, v: BinData(128, "/w==")}, {_id: 32, v: new Date(86400000)}, {_id: 33, v: NumberDecimal("NaN")}, {_id: 34, v: NumberDecimal("-Infinity")}]));
assert.eq(db.zoo.count(), 25);
assert.eq(db.zoo.findOne({_id: 3}).v, NumberLong("-9223372036854775808"));
assert.eq(db.zoo.findOne({_id: 4}).v, NumberDecimal("1.2345E-19"));
assert.eq(db.zoo.findOne({_id: 9}).v, UUID("a1a2a3a4-b1b2-c1c2-d1d2-d3d4d5d6d7d8"));
assert.eq(db.zoo.findOne({_id: 13}).v, ISODate("1969-07-20T20:17:40Z"));
assert.eq(db.zoo.findOne({_id: 14}).v, Timestamp(5, 6));
assert.eq(db.zoo.findOne({v: UUID("a1a2a3a4-b1b2-c1c2-d1d2-d3d4d5d6d7d8")})._id, 9);
assert.eq(db.zoo.findOne({v: ObjectId("0102030405060708090a0b0c")})._id, 10);
assert.eq(db.zoo.findOne({v: Timestamp(5, 6)})._id, 14);
assert.eq(db.zoo.findOne({v: MinKey})._id, 0);
assert.eq(db.zoo.findOne({v: NumberDecimal("NaN")})._id, 33);
assert.eq(db.zoo.findOne({"v.$id": 5})._id, 18);
assert.eq(db.zoo.find({v: {$gt: BinData(0, "AA==")}}).itcount(), 4);
assert.eq(db.zoo.find({v: {$type: "javascriptWithScope"}}).itcount(), 1);
assert.eq(db.zoo.find().sort({v: 1, _id: 1}).toArray()[0]._id, 0);
assert.eq(db.zoo.find().sort({v: -1, _id: 1}).toArray()[0]._id, 19);
assert.commandWorked(db.zoo.createIndex({v: 1}));
assert.eq(db.zoo.find({v: {$gte: NumberDecimal("-Infinity"), $lte: Infinity}}, {_id: 1}).hint({v: 1}).sort({v: 1}).toArray(), [{_id: 34}, {_id: 3}, {_id: 1}, {_id: 4}, {_id: 7}, {_id: 2}]);
assert.eq(db.zoo.distinct("v", {_id: {$in: [2, 11, 12]}}), [null, 7, true]);
assert.eq(db.zoo.aggregate([{$group: {_id: {$type: "$v"}}}, {$count: "n"}]).toArray()[0].n >= 17, true);
assert.eq(db.zoo.update({_id: 5}, {$set: {v: DBRef("other", ObjectId("0102030405060708090a0b0c"), "elsewhere")}}).nModified, 1);
assert.eq(db.zoo.find({"v.$ref": "other", "v.$db": "elsewhere"}).itcount(), 1);
