// $unwind in all forms and $unionWith with and without pipelines.
db.north.drop();
db.south.drop();
db.north.insert([{_id: 1, l: [3, 1]}, {_id: 2, l: []}, {_id: 3, l: null}, {_id: 4}, {_id: 5, l: "solo"}, {_id: 6, l: [[7, 8], {d: [1]}]}]);
db.south.insert([{_id: 1, l: ["s"], lat: -30}, {_id: 20, l: [9], lat: -60}]);
assert.eq(db.north.aggregate([{$unwind: "$l"}, {$sort: {_id: 1, l: 1}}]).toArray(), [{_id: 1, l: 1}, {_id: 1, l: 3}, {_id: 5, l: "solo"}, {_id: 6, l: [7, 8]}, {_id: 6, l: {d: [1]}}]);
assert.eq(db.north.aggregate([{$unwind: {path: "$l", preserveNullAndEmptyArrays: true}}, {$match: {_id: {$in: [2, 3, 4]}}}, {$sort: {_id: 1}}]).toArray(), [{_id: 2}, {_id: 3, l: null}, {_id: 4}]);
assert.eq(db.north.aggregate([{$match: {_id: {$in: [1, 5]}}}, {$unwind: {path: "$l", includeArrayIndex: "i"}}, {$sort: {_id: 1, i: 1}}]).toArray(), [{_id: 1, l: 3, i: NumberLong("0")}, {_id: 1, l: 1, i: NumberLong("1")}, {_id: 5, l: "solo", i: null}]);
assert.eq(db.north.aggregate([{$unwind: "$l"}, {$unwind: "$l.d"}, {$project: {x: "$l.d"}}]).toArray(), [{_id: 6, x: 1}]);
assert.eq(db.north.aggregate([{$unwind: {path: "$nope", preserveNullAndEmptyArrays: false}}]).itcount(), 0);
assert.eq(db.north.aggregate([{$unionWith: "south"}, {$count: "n"}]).toArray(), [{n: 8}]);
assert.eq(db.north.aggregate([{$match: {_id: 1}}, {$unionWith: {coll: "south", pipeline: [{$match: {lat: {$lt: -50}}}, {$project: {lat: 1}}]}}, {$sort: {_id: 1}}]).toArray(), [{_id: 1, l: [3, 1]}, {_id: 20, lat: -60}]);
assert.eq(db.north.aggregate([{$unionWith: {coll: "south", pipeline: [{$unionWith: {coll: "north", pipeline: [{$limit: 2}]}}]}}, {$group: {_id: "$_id", n: {$sum: 1}}}, {$sort: {n: -1, _id: 1}}, {$limit: 1}]).toArray(), [{_id: 1, n: 3}]);
assert.eq(db.north.aggregate([{$limit: 1}, {$unionWith: {pipeline: [{$documents: [{_id: "doc", z: 1}]}]}}, {$match: {z: 1}}]).toArray(), [{_id: "doc", z: 1}]);
assert.eq(db.north.aggregate([{$unionWith: "absent"}]).itcount(), 6);
assert.eq(db.aggregate([{$documents: [{a: 1}, {a: {$add: [1, 1]}}, {b: "$$NOW"}]}, {$match: {a: {$gt: 0}}}]).toArray(), [{a: 1}, {a: 2}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "north", pipeline: [{$unwind: "l"}], cursor: {}}), 28818);
assert.commandFailedWithCode(db.runCommand({aggregate: "north", pipeline: [{$unwind: {path: "$l", includeArrayIndex: "$i"}}], cursor: {}}), 28822);
assert.commandFailedWithCode(db.runCommand({aggregate: "north", pipeline: [{$unionWith: {coll: "south", pipeline: [{$out: "x"}]}}], cursor: {}}), [31441, 5107, 51047]);
