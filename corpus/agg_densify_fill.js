// $densify over numbers and dates, and $fill with value, linear and locf methods.
db.tides.drop();
db.tides.insert([
    {_id: 1, port: "P", h: 0, m: 10}, {_id: 2, port: "P", h: 4, m: null}, {_id: 3, port: "P", h: 6, m: 22}, {_id: 4, port: "Q", h: 1, m: 5}, {_id: 5, port: "Q", h: 3}
]);
assert.eq(db.tides.aggregate([{$match: {port: "P"}}, {$densify: {field: "h", range: {step: 2, bounds: "full"}}}, {$project: {_id: 0, h: 1}}]).toArray(), [{h: 0}, {h: 2}, {h: 4}, {h: 6}]);
assert.eq(db.tides.aggregate([{$densify: {field: "h", partitionByFields: ["port"], range: {step: 1, bounds: "partition"}}}, {$group: {_id: "$port", n: {$sum: 1}}}, {$sort: {_id: 1}}]).toArray(), [{_id: "P", n: 7}, {_id: "Q", n: 3}]);
assert.eq(db.tides.aggregate([{$densify: {field: "h", partitionByFields: ["port"], range: {step: 3, bounds: [0, 9]}}}, {$match: {_id: {$exists: false}}}, {$count: "made"}]).toArray(), [{made: 3}]);
assert.eq(db.tides.aggregate([{$match: {port: "P"}}, {$fill: {sortBy: {h: 1}, output: {m: {method: "linear"}}}}, {$project: {_id: 0, m: 1}}]).toArray(), [{m: 10}, {m: 18}, {m: 22}]);
assert.eq(db.tides.aggregate([{$fill: {sortBy: {h: 1}, partitionByFields: ["port"], output: {m: {method: "locf"}}}}, {$match: {_id: {$in: [2, 5]}}}, {$sort: {_id: 1}}, {$project: {m: 1}}]).toArray(), [{_id: 2, m: 10}, {_id: 5, m: 5}]);
assert.eq(db.tides.aggregate([{$fill: {output: {m: {value: -1}, note: {value: {$concat: ["at ", "$port"]}}}}}, {$match: {m: -1}}, {$sort: {_id: 1}}, {$project: {note: 1}}]).toArray(), [{_id: 2, note: "at P"}, {_id: 5, note: "at Q"}]);
assert.eq(db.tides.aggregate([{$densify: {field: "h", range: {step: 0.5, bounds: [4.5, 6.5]}}}, {$fill: {partitionBy: {p: "$port"}, sortBy: {h: 1}, output: {m: {method: "locf"}, port: {value: "?"}}}}, {$match: {port: "?"}}]).itcount(), 3);
db.buoys.drop();
db.buoys.insert([{_id: 1, at: ISODate("2021-03-01T00:00:00Z"), t: 4}, {_id: 2, at: ISODate("2021-03-01T06:00:00Z"), t: 10}, {_id: 3, at: ISODate("2021-03-02T00:00:00Z"), t: 1}]);
assert.eq(db.buoys.aggregate([{$densify: {field: "at", range: {step: 6, unit: "hour", bounds: "full"}}}, {$count: "n"}]).toArray(), [{n: 5}]);
assert.eq(db.buoys.aggregate([{$densify: {field: "at", range: {step: 1, unit: "month", bounds: [ISODate("2021-01-31T00:00:00Z"), ISODate("2021-05-31T00:00:00Z")]}}}, {$match: {t: {$exists: false}}}, {$sort: {at: 1}}, {$limit: 2}]).toArray()[0].at, ISODate("2021-01-31T00:00:00Z"));
assert.eq(db.buoys.aggregate([{$densify: {field: "at", range: {step: 12, unit: "hour", bounds: "full"}}}, {$fill: {sortBy: {at: 1}, output: {t: {method: "linear"}}}}, {$match: {at: ISODate("2021-03-01T12:00:00Z")}}, {$project: {_id: 0, t: 1}}]).toArray(), [{t: 7}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "buoys", pipeline: [{$densify: {field: "at", range: {step: 1, bounds: "full"}}}], cursor: {}}), [6053600, 5733201, 5733202]);
assert.commandFailedWithCode(db.runCommand({aggregate: "tides", pipeline: [{$densify: {field: "h", range: {step: 0, bounds: "full"}}}], cursor: {}}), 5733401);
assert.commandFailedWithCode(db.runCommand({aggregate: "tides", pipeline: [{$fill: {output: {m: {method: "linear"}}}}], cursor: {}}), [6050204, 605001]);
