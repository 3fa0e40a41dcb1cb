// Arithmetic expressions over all number types, nulls and error inputs.
db.sums.drop();
db.sums.insert([
    {_id: 1, a: 7, b: 2, c: -3.5}, {_id: 2, a: NumberLong("9007199254740993"), b: NumberLong("2"), c: NumberLong("-1")},
    {_id: 3, a: NumberDecimal("10.25"), b: NumberDecimal("0.5"), c: NumberDecimal("-2.5")}, {_id: 4, a: null, b: 1}
]);
assert.eq(db.sums.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, add: {$add: ["$a", "$b", 1]}, sub: {$subtract: ["$a", "$c"]}, mul: {$multiply: ["$a", "$b", "$c"]}, div: {$divide: ["$a", "$b"]}, mod: {$mod: ["$a", "$b"]}}}]).toArray(), [{add: 10, sub: 10.5, mul: -49, div: 3.5, mod: 1}]);
assert.eq(db.sums.aggregate([{$match: {_id: 2}}, {$project: {_id: 0, add: {$add: ["$a", "$b"]}, sub: {$subtract: ["$a", "$b"]}, mul: {$multiply: ["$a", "$b"]}, mod: {$mod: ["$a", NumberLong("10")]}}}]).toArray(), [{add: NumberLong("9007199254740995"), sub: NumberLong("9007199254740991"), mul: NumberLong("18014398509481986"), mod: NumberLong("3")}]);
assert.eq(db.sums.aggregate([{$match: {_id: 3}}, {$project: {_id: 0, add: {$add: ["$a", "$b"]}, mul: {$multiply: ["$a", "$b"]}, div: {$divide: ["$a", "$b"]}, abs: {$abs: "$c"}, ceil: {$ceil: "$c"}, floor: {$floor: "$c"}}}]).toArray(), [{add: NumberDecimal("10.75"), mul: NumberDecimal("5.125"), div: NumberDecimal("20.5"), abs: NumberDecimal("2.5"), ceil: NumberDecimal("-2"), floor: NumberDecimal("-3")}]);
assert.eq(db.sums.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, abs: {$abs: "$c"}, ceil: {$ceil: "$c"}, floor: {$floor: "$c"}, trunc: {$trunc: "$c"}, t1: {$trunc: [12.789, 1]}, r0: {$round: "$c"}, r1: {$round: [2.345, 1]}, rn: {$round: [1250, -2]}}}]).toArray(), [{abs: 3.5, ceil: -3, floor: -4, trunc: -3, t1: 12.7, r0: -4, r1: 2.3, rn: 1200}]);
assert.eq(db.sums.aggregate([{$limit: 1}, {$project: {_id: 0, p: {$pow: [2, 10]}, s: {$sqrt: 144}, e: {$exp: 0}, l: {$ln: 1}, lg: {$log10: 1000}, lb: {$log: [8, 2]}, neg: {$pow: [4, -0.5]}}}]).toArray(), [{p: 1024, s: 12, e: 1, l: 0, lg: 3, lb: 3, neg: 0.5}]);
assert.eq(db.sums.aggregate([{$match: {_id: 4}}, {$project: {_id: 0, x: {$add: ["$a", 1]}, y: {$multiply: ["$a", "$zzz"]}, z: {$abs: "$zzz"}, s: {$sum: ["$a", "$b", "str"]}, v: {$avg: ["$a", "$b", 3]}, m: {$max: ["$a", "$b"]}, n: {$min: ["$a", "$b", -1]}}}]).toArray(), [{x: null, y: null, z: null, s: 1, v: 2, m: 1, n: -1}]);
assert.eq(db.sums.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, d: {$subtract: [ISODate("2020-01-02T00:00:00Z"), ISODate("2020-01-01T00:00:00Z")]}, e: {$add: [ISODate("2020-01-01T00:00:00Z"), 1500]}}}]).toArray(), [{d: NumberLong("86400000"), e: ISODate("2020-01-01T00:00:01.500Z")}]);
assert.eq(db.sums.aggregate([{$group: {_id: null, big: {$sum: NumberInt(2147483647)}, dec: {$sum: NumberDecimal("0.1")}, std: {$stdDevPop: "$b"}}}, {$project: {_id: 0, big: 1, dec: 1}}]).toArray(), [{big: NumberLong("8589934588"), dec: NumberDecimal("0.4")}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sums", pipeline: [{$project: {x: {$divide: ["$b", 0]}}}], cursor: {}}), [2, 16608, 4848401]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sums", pipeline: [{$project: {x: {$mod: ["$b", 0]}}}], cursor: {}}), [2, 16610, 4848403]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sums", pipeline: [{$project: {x: {$add: ["$b", "one"]}}}], cursor: {}}), [16554, 14, 4974201, 7157723]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sums", pipeline: [{$project: {x: {$sqrt: -1}}}], cursor: {}}), 28714);
assert.commandFailedWithCode(db.runCommand({aggregate: "sums", pipeline: [{$project: {x: {$log: [8, 1]}}}], cursor: {}}), 28759);
