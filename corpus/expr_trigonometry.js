// Trigonometric expressions for doubles and decimals, with domain errors.
db.angles.drop();
db.angles.insert([{_id: 1, r: 0}, {_id: 2, r: 0.5}, {_id: 3, r: NumberDecimal("1")}, {_id: 4, r: null}]);
assert.eq(db.angles.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, s: {$sin: "$r"}, c: {$cos: "$r"}, t: {$tan: "$r"}, sh: {$sinh: "$r"}, ch: {$cosh: "$r"}, th: {$tanh: "$r"}, as: {$asin: "$r"}, at: {$atan: "$r"}, ash: {$asinh: "$r"}, ath: {$atanh: "$r"}}}]).toArray(), [{s: 0, c: 1, t: 0, sh: 0, ch: 1, th: 0, as: 0, at: 0, ash: 0, ath: 0}]);
assert.eq(db.angles.aggregate([{$match: {_id: 2}}, {$project: {_id: 0, back: {$round: [{$sin: {$asin: "$r"}}, 6]}, deg: {$round: [{$radiansToDegrees: {$acos: "$r"}}, 6]}, rad: {$round: [{$degreesToRadians: 180}, 5]}, a2: {$round: [{$atan2: [1, 1]}, 4]}}}]).toArray(), [{back: 0.5, deg: 60, rad: 3.14159, a2: 0.7854}]);
assert.eq(db.angles.aggregate([{$match: {_id: 3}}, {$project: {_id: 0, ac: {$acos: "$r"}, ah: {$acosh: "$r"}, dd: {$round: [{$radiansToDegrees: {$atan: "$r"}}, 3]}}}, {$match: {dd: {$gte: NumberDecimal("44.999"), $lte: NumberDecimal("45.001")}, ac: 0, ah: 0}}]).itcount(), 1);
assert.eq(db.angles.aggregate([{$match: {_id: 4}}, {$project: {_id: 0, a: {$sin: "$r"}, b: {$atan2: ["$r", 1]}, c: {$degreesToRadians: "$nope"}}}]).toArray(), [{a: null, b: null, c: null}]);
assert.eq(db.angles.aggregate([{$match: {$expr: {$lt: [{$abs: {$subtract: [{$add: [{$pow: [{$sin: "$r"}, 2]}, {$pow: [{$cos: "$r"}, 2]}]}, 1]}}, 0.000001]}, r: {$ne: null}}}, {$count: "n"}]).toArray(), [{n: 3}]);
assert.eq(db.angles.aggregate([{$group: {_id: null, m: {$max: {$cosh: {$ifNull: ["$r", 0]}}}}}, {$match: {m: {$gt: 1.5, $lt: 1.6}}}]).itcount(), 1);
assert.eq(db.angles.find({$expr: {$gt: [{$tanh: "$r"}, 0.7]}}, {_id: 1}).toArray(), [{_id: 3}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "angles", pipeline: [{$project: {x: {$asin: 2}}}], cursor: {}}), 50989);
assert.commandFailedWithCode(db.runCommand({aggregate: "angles", pipeline: [{$project: {x: {$acosh: 0}}}], cursor: {}}), 50989);
assert.commandFailedWithCode(db.runCommand({aggregate: "angles", pipeline: [{$project: {x: {$sin: Infinity}}}], cursor: {}}), 50989);
assert.commandFailedWithCode(db.runCommand({aggregate: "angles", pipeline: [{$project: {x: {$cos: "right"}}}], cursor: {}}), [28765, 4995501, 4995502]);
assert.commandFailedWithCode(db.runCommand({aggregate: "angles", pipeline: [{$project: {x: {$atan2: [1]}}}], cursor: {}}), 16020);
