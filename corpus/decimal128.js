// Decimal arithmetic, exactness, special values, rounding and mixed-type comparison.
db.bank.drop();
db.bank.insert([
    {_id: 1, bal: NumberDecimal("0.10"), cur: "EUR"}, {_id: 2, bal: NumberDecimal("0.2"), cur: "EUR"}, {_id: 3, bal: NumberDecimal("9999999999999999999999999999999999"), cur: "YEN"},
    {_id: 4, bal: NumberDecimal("1E-6176"), cur: "TNY"}, {_id: 5, bal: NumberDecimal("Infinity"), cur: "INF"}, {_id: 6, bal: NumberDecimal("NaN"), cur: "NAN"}, {_id: 7, bal: NumberDecimal("-0"), cur: "ZRO"}
]);
assert.eq(db.bank.aggregate([{$match: {cur: "EUR"}}, {$group: {_id: null, s: {$sum: "$bal"}, a: {$avg: "$bal"}}}]).toArray(), [{_id: null, s: NumberDecimal("0.30"), a: NumberDecimal("0.15")}]);
assert.eq(db.bank.find({bal: NumberDecimal("0.1")}).itcount(), 1);
assert.eq(db.bank.find({bal: 0.1}).itcount(), 0);
assert.eq(db.bank.find({bal: 0}).itcount(), 1);
assert.eq(db.bank.find({bal: {$gt: NumberLong("9223372036854775807")}}).itcount(), 2);
assert.eq(db.bank.find({bal: NaN}).itcount(), 1);
assert.eq(db.bank.find({bal: {$gt: 0, $lt: 1e-300}}).itcount(), 1);
assert.eq(db.bank.find({bal: Infinity}).toArray()[0].cur, "INF");
assert.eq(db.bank.find({}, {_id: 1}).sort({bal: 1}).toArray(), [{_id: 6}, {_id: 7}, {_id: 4}, {_id: 1}, {_id: 2}, {_id: 3}, {_id: 5}]);
assert.commandWorked(db.bank.createIndex({bal: 1}));
assert.eq(db.bank.find({bal: {$lte: NumberDecimal("0.10"), $gte: -5}}, {_id: 1}).hint({bal: 1}).toArray(), [{_id: 7}, {_id: 4}, {_id: 1}]);
assert.writeOK(db.bank.update({_id: 1}, {$inc: {bal: NumberDecimal("0.05")}}));
assert.writeOK(db.bank.update({_id: 2}, {$mul: {bal: NumberDecimal("1.500")}}));
assert.eq(db.bank.find({_id: {$lte: 2}}, {_id: 0, bal: 1}).sort({_id: 1}).toArray(), [{bal: NumberDecimal("0.15")}, {bal: NumberDecimal("0.3000")}]);
assert.eq(db.bank.aggregate([{$match: {_id: 3}}, {$project: {_id: 0, q: {$divide: ["$bal", 3]}, r: {$round: [NumberDecimal("2.675"), 2]}, t: {$trunc: [NumberDecimal("-1.987"), 1]}, m: {$mod: [NumberDecimal("5.5"), 2]}}}]).toArray(), [{q: NumberDecimal("3333333333333333333333333333333333"), r: NumberDecimal("2.68"), t: NumberDecimal("-1.9"), m: NumberDecimal("1.5")}]);
assert.eq(db.bank.aggregate([{$match: {_id: {$in: [5, 6]}}}, {$project: {x: {$add: ["$bal", 1]}, y: {$cmp: ["$bal", 0]}}}, {$sort: {_id: 1}}]).toArray(), [{_id: 5, x: NumberDecimal("Infinity"), y: 1}, {_id: 6, x: NumberDecimal("NaN"), y: -1}]);
assert.eq(db.bank.aggregate([{$group: {_id: "$bal"}}, {$unionWith: {pipeline: [{$documents: [{_id: NumberDecimal("0.150")}]}]}}, {$group: {_id: "$_id", n: {$sum: 1}}}, {$match: {n: 2}}]).itcount(), 1);
assert.eq(db.bank.aggregate([{$bucketAuto: {groupBy: "$bal", buckets: 2}}]).itcount(), 2);
assert.writeError(db.bank.update({_id: 1}, {$inc: {cur: NumberDecimal("1")}}));
assert.throws(function() {
    NumberDecimal("12,5");
});
