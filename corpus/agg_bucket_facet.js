// $bucket, $bucketAuto with every granularity kind, and $facet over them.
db.parcels.drop();
for (var i = 0; i < 40; i++) {
    db.parcels.insert({_id: i, kg: i / 2, zone: "z" + i % 4, frag: i % 7 === 0});
}
assert.eq(db.parcels.aggregate([{$bucket: {groupBy: "$kg", boundaries: [0, 5, 10, 20]}}]).toArray(), [{_id: 0, count: 10}, {_id: 5, count: 10}, {_id: 10, count: 20}]);
assert.eq(db.parcels.aggregate([{$bucket: {groupBy: "$kg", boundaries: [1, 2], default: "rest", output: {n: {$sum: 1}, ids: {$max: "$_id"}}}}]).toArray(), [{_id: 1, n: 2, ids: 3}, {_id: "rest", n: 38, ids: 39}]);
assert.eq(db.parcels.aggregate([{$bucketAuto: {groupBy: "$_id", buckets: 4}}]).toArray()[3], {_id: {min: 30, max: 39}, count: 10});
assert.eq(db.parcels.aggregate([{$bucketAuto: {groupBy: {$mod: ["$_id", 3]}, buckets: 5, output: {avg: {$avg: "$kg"}}}}]).itcount(), 3);
assert.eq(db.parcels.aggregate([{$match: {kg: {$gt: 0}}}, {$bucketAuto: {groupBy: "$kg", buckets: 3, granularity: "R5"}}]).toArray().length, 2);
assert.gte(db.parcels.aggregate([{$bucketAuto: {groupBy: "$_id", buckets: 6, granularity: "POWERSOF2"}}]).itcount(), 2);
assert.gte(db.parcels.aggregate([{$bucketAuto: {groupBy: "$kg", buckets: 4, granularity: "1-2-5"}}]).itcount(), 2);
assert.gte(db.parcels.aggregate([{$bucketAuto: {groupBy: "$kg", buckets: 4, granularity: "E24"}}]).itcount(), 2);
var res = db.parcels.aggregate([{$facet: {
    heavy: [{$match: {kg: {$gte: 18}}}, {$sort: {_id: 1}}, {$project: {kg: 1}}],
    zones: [{$sortByCount: "$zone"}, {$sort: {_id: 1}}],
    total: [{$group: {_id: null, kg: {$sum: "$kg"}}}],
    bands: [{$bucket: {groupBy: "$_id", boundaries: [0, 20, 40], output: {f: {$push: {$cond: ["$frag", "$_id", "$$REMOVE"]}}}}}],
    none: [{$match: {zone: "q"}}, {$count: "n"}]
}}]).toArray()[0];
assert.eq(res.heavy.length, 4);
assert.eq(res.zones[0], {_id: "z0", count: 10});
assert.eq(res.total, [{_id: null, kg: 390}]);
assert.eq(res.bands[1], {_id: 20, f: [21, 28, 35]});
assert.eq(res.none, []);
assert.commandFailedWithCode(db.runCommand({aggregate: "parcels", pipeline: [{$bucket: {groupBy: "$kg", boundaries: [0, 1]}}], cursor: {}}), [40066, 40069, 4934200]);
assert.commandFailedWithCode(db.runCommand({aggregate: "parcels", pipeline: [{$bucket: {groupBy: "$kg", boundaries: [3, 2, 1]}}], cursor: {}}), 40194);
assert.commandFailedWithCode(db.runCommand({aggregate: "parcels", pipeline: [{$bucketAuto: {groupBy: "$zone", buckets: 2, granularity: "R10"}}], cursor: {}}), 40258);
assert.commandFailedWithCode(db.runCommand({aggregate: "parcels", pipeline: [{$facet: {a: [{$facet: {b: []}}]}}], cursor: {}}), 40600);
