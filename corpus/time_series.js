// Time-series collections: buckets, metadata queries, deletes by meta, and options.
db.weather.drop();
assert.commandWorked(db.createCollection("weather", {timeseries: {timeField: "at", metaField: "site", granularity: "minutes"}, expireAfterSeconds: 500000000}));
assert.commandWorked(db.weather.insertMany([
    {_id: 1, at: ISODate("2022-06-01T00:00:00Z"), site: {id: 1, kind: "roof"}, t: 15.5, hum: 40}, {_id: 2, at: ISODate("2022-06-01T00:10:00Z"), site: {id: 1, kind: "roof"}, t: 16},
    {_id: 3, at: ISODate("2022-06-01T00:05:00Z"), site: {id: 2, kind: "lawn"}, t: 14, hum: null}, {_id: 4, at: ISODate("2022-06-05T12:00:00Z"), site: {id: 2, kind: "lawn"}, t: "broken"},
    {_id: 5, at: ISODate("1960-01-01T00:00:00Z"), t: -3, wind: {dir: "N", v: [1, 2]}}
], {ordered: false}));
assert.eq(db.weather.count(), 5);
assert.eq(db.weather.find({at: {$lt: ISODate("2022-06-02T00:00:00Z"), $gte: ISODate("2022-01-01T00:00:00Z")}}, {_id: 1}).sort({at: 1}).toArray(), [{_id: 1}, {_id: 3}, {_id: 2}]);
assert.eq(db.weather.find({"site.id": 2, t: {$type: "string"}}).itcount(), 1);
assert.eq(db.weather.find({t: {$gt: 14.5}}).sort({t: -1}).limit(1).toArray()[0]._id, 2);
assert.eq(db.weather.aggregate([{$match: {hum: {$exists: true}}}, {$count: "n"}]).toArray(), [{n: 2}]);
assert.eq(db.weather.aggregate([{$group: {_id: "$site.id", hi: {$max: "$t"}, first: {$min: "$at"}, n: {$sum: 1}}}, {$sort: {_id: 1}}, {$project: {n: 1}}]).toArray(), [{_id: null, n: 1}, {_id: 1, n: 2}, {_id: 2, n: 2}]);
assert.eq(db.weather.aggregate([{$match: {"site.kind": "roof"}}, {$setWindowFields: {partitionBy: "$site", sortBy: {at: 1}, output: {avg: {$avg: "$t", window: {range: [-1, 0], unit: "hour"}}}}}, {$project: {_id: 0, avg: 1}}]).toArray(), [{avg: 15.5}, {avg: 15.75}]);
assert.eq(db.weather.aggregate([{$group: {_id: {$dateTrunc: {date: "$at", unit: "day"}}, n: {$sum: 1}}}, {$sort: {_id: -1}}, {$limit: 1}]).toArray()[0].n, 1);
assert.eq(db.getCollection("system.buckets.weather").find({"control.version": {$gte: 1}}).itcount() >= 3, true);
assert.commandWorked(db.weather.createIndex({"site.id": 1, at: -1}));
assert.commandWorked(db.weather.createIndex({t: 1}));
assert.eq(db.weather.find({"site.id": 1, at: {$gt: ISODate("2022-06-01T00:00:00Z")}}).hint({"site.id": 1, at: -1}).toArray()[0]._id, 2);
assert.eq(db.weather.aggregate([{$sort: {at: -1}}, {$limit: 1}, {$project: {_id: 1, site: 1}}]).toArray(), [{site: {id: 2, kind: "lawn"}, _id: 4}]);
assert.eq(db.weather.remove({"site.id": 2}).nRemoved, 2);
assert.eq(db.weather.update({"site.id": 1}, {$set: {"site.kind": "tower"}}, {multi: true}).nMatched, 2);
assert.eq(db.weather.distinct("site.kind"), ["tower"]);
assert.commandWorked(db.runCommand({collMod: "weather", timeseries: {granularity: "hours"}}));
assert.commandWorked(db.runCommand({collMod: "weather", expireAfterSeconds: "off"}));
assert.eq(db.getCollectionInfos({name: "weather"})[0].type, "timeseries");
assert.writeError(db.weather.insert({_id: 9, t: 1}));
assert.writeError(db.weather.insert({_id: 9, at: "noon"}));
assert.writeError(db.weather.update({_id: 1}, {$set: {t: 0}}, {multi: true}));
assert.commandFailedWithCode(db.createCollection("badts", {timeseries: {timeField: "a", metaField: "a"}}), 72);
assert.commandFailedWithCode(db.createCollection("badts", {timeseries: {timeField: "a.b"}}), 72);
assert.commandFailedWithCode(db.createCollection("badts", {timeseries: {timeField: "a", granularity: "weeks"}}), 2);
assert.commandFailedWithCode(db.weather.createIndex({t: "text"}), [67, 72]);
