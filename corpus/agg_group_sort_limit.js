// $match, $group with many accumulators, $sort, $skip, $limit, $count and $sortByCount.
db.sales.drop();
db.sales.insert([
    {_id: 1, shop: "A", item: "pen", qty: 5, price: 2}, {_id: 2, shop: "B", item: "ink", qty: 1, price: 9.5},
    {_id: 3, shop: "A", item: "ink", qty: 2, price: 9}, {_id: 4, shop: "C", item: "pen", qty: 10, price: NumberDecimal("1.5")},
    {_id: 5, shop: "B", item: "pad", qty: null, price: 4}, {_id: 6, shop: "A", item: "pad"}
]);
assert.eq(db.sales.aggregate([{$group: {_id: "$shop", n: {$sum: 1}, q: {$sum: "$qty"}}}, {$sort: {_id: 1}}]).toArray(), [{_id: "A", n: 3, q: 7}, {_id: "B", n: 2, q: 1}, {_id: "C", n: 1, q: 10}]);
assert.eq(db.sales.aggregate([{$sort: {_id: 1}}, {$group: {_id: null, first: {$first: "$item"}, last: {$last: "$item"}, lo: {$min: "$qty"}, hi: {$max: "$qty"}, all: {$push: "$qty"}}}]).toArray(), [{_id: null, first: "pen", last: "pad", lo: 1, hi: 10, all: [5, 1, 2, 10, null]}]);
assert.sameMembers(db.sales.aggregate([{$group: {_id: {i: "$item"}, shops: {$addToSet: "$shop"}}}, {$match: {"_id.i": "ink"}}]).toArray()[0].shops, ["A", "B"]);
assert.eq(db.sales.aggregate([{$group: {_id: "$item", avg: {$avg: "$qty"}, dev: {$stdDevPop: "$qty"}, sam: {$stdDevSamp: "$qty"}}}, {$sort: {_id: -1}}]).toArray(), [
    {_id: "pen", avg: 7.5, dev: 2.5, sam: 3.5355339059327378}, {_id: "pad", avg: null, dev: null, sam: null}, {_id: "ink", avg: 1.5, dev: 0.5, sam: 0.7071067811865476}
]);
assert.eq(db.sales.aggregate([{$match: {qty: {$gt: 1}}}, {$group: {_id: {s: "$shop", i: "$item"}, v: {$sum: {$multiply: ["$qty", "$price"]}}}}, {$sort: {v: -1, "_id.s": 1}}, {$limit: 1}]).toArray()[0]._id, {s: "A", i: "ink"});
assert.eq(db.sales.aggregate([{$sort: {qty: -1, _id: 1}}, {$skip: 1}, {$limit: 2}, {$project: {_id: 1}}]).toArray(), [{_id: 1}, {_id: 3}]);
assert.eq(db.sales.aggregate([{$match: {shop: {$in: ["A", "B"]}}}, {$count: "n"}]).toArray(), [{n: 5}]);
assert.eq(db.sales.aggregate({$match: {shop: "Z"}}, {$count: "n"}).toArray(), []);
assert.eq(db.sales.aggregate([{$sortByCount: "$shop"}, {$limit: 1}]).toArray(), [{_id: "A", count: 3}]);
assert.eq(db.sales.aggregate([{$sortByCount: {$toUpper: "$item"}}, {$sort: {count: -1, _id: 1}}]).toArray()[0], {_id: "INK", count: 2});
assert.eq(db.sales.aggregate([{$group: {_id: "$nope", m: {$mergeObjects: {k: "$item"}}, c: {$count: {}}}}]).toArray(), [{_id: null, m: {k: "pad"}, c: 6}]);
assert.eq(db.sales.aggregate([{$group: {_id: "$shop"}}, {$group: {_id: null, n: {$sum: 1}}}], {allowDiskUse: true, cursor: {batchSize: 1}, hint: {_id: 1}}).toArray(), [{_id: null, n: 3}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sales", pipeline: [{$group: {n: {$sum: 1}}}], cursor: {}}), 15955);
assert.commandFailedWithCode(db.runCommand({aggregate: "sales", pipeline: [{$limit: 0}], cursor: {}}), 15958);
assert.commandFailedWithCode(db.runCommand({aggregate: "sales", pipeline: [{$skip: -1}], cursor: {}}), [5107200, 15956]);
assert.commandFailedWithCode(db.runCommand({aggregate: "sales", pipeline: [{$group: {_id: 1, "a.b": {$sum: 1}}}], cursor: {}}), 40235);
