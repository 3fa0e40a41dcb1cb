// $slice, $elemMatch, the positional projection and $meta in projections.
db.albums.drop();
db.albums.insert([
    {_id: 1, songs: [1, 2, 3, 4, 5], band: [{n: "Al", y: 1970}, {n: "Bea", y: 1980}, {n: "Cam", y: 1990}], title: "one"},
    {_id: 2, songs: "single", band: [], title: "two"}
]);
assert.eq(db.albums.find({_id: 1}, {songs: {$slice: 2}, band: 0}).toArray(), [{_id: 1, songs: [1, 2], title: "one"}]);
assert.eq(db.albums.find({_id: 1}, {songs: {$slice: -2}, title: 1}).toArray(), [{_id: 1, songs: [4, 5], title: "one"}]);
assert.eq(db.albums.find({_id: 1}, {_id: 0, songs: {$slice: [1, 2]}, band: {$slice: [-1, 5]}, title: 0}).toArray(), [{songs: [2, 3], band: [{n: "Cam", y: 1990}]}]);
assert.eq(db.albums.find({}, {songs: {$slice: [9, 1]}, _id: 1}).sort({_id: 1}).toArray(), [{_id: 1, songs: []}, {_id: 2, songs: "single"}]);
assert.eq(db.albums.find({_id: 1}, {band: {$elemMatch: {y: {$gt: 1975}}}}).toArray(), [{_id: 1, band: [{n: "Bea", y: 1980}]}]);
assert.eq(db.albums.find({}, {songs: {$elemMatch: {$gte: 3}}}).sort({_id: 1}).toArray(), [{_id: 1, songs: [3]}, {_id: 2}]);
assert.eq(db.albums.find({"band.y": {$gte: 1980}}, {"band.$": 1}).toArray(), [{_id: 1, band: [{n: "Bea", y: 1980}]}]);
assert.eq(db.albums.find({songs: {$gt: 2}, band: {$elemMatch: {n: /^C/}}}, {"band.$": 1, title: 1}).toArray()[0].band[0].n, "Cam");
assert.eq(db.albums.find({_id: 1}, {top: {$slice: ["$songs", 1, 3]}, first: {$first: "$band.n"}, last: {$arrayElemAt: ["$songs", -1]}}).toArray(), [{_id: 1, top: [2, 3, 4], first: "Al", last: 5}]);
assert.eq(db.albums.find({_id: 1}, {old: {$filter: {input: "$band", as: "b", cond: {$lt: ["$$b.y", 1985]}, limit: 1}}}).toArray()[0].old.length, 1);
assert.commandWorked(db.albums.createIndex({title: 1}));
assert.eq(db.albums.find({title: "two"}, {_id: 0, k: {$meta: "indexKey"}, title: 1}).hint({title: 1}).toArray(), [{title: "two", k: {title: "two"}}]);
assert.eq(db.albums.find({title: "one"}, {rid: {$meta: "recordId"}}).toArray()[0].rid, NumberLong("1"));
assert.eq(db.albums.find({title: {$gte: "a"}}, {s: {$meta: "sortKey"}, _id: 1}).sort({title: -1}).toArray(), [{_id: 2, s: ["two"]}, {_id: 1, s: ["one"]}]);
assert.commandFailedWithCode(db.runCommand({find: "albums", filter: {_id: 1}, projection: {"songs.$": 1, "band.$": 1}}), [31276, 31395]);
assert.commandFailedWithCode(db.runCommand({find: "albums", filter: {_id: 1}, projection: {songs: {$slice: [1, 0]}}}), [28724, 28729]);
assert.commandFailedWithCode(db.runCommand({find: "albums", filter: {_id: 1}, projection: {"band.n": {$elemMatch: {a: 1}}}}), 31275);
assert.commandFailedWithCode(db.runCommand({find: "albums", filter: {}, projection: {x: {$meta: "lunarPhase"}}}), 17308);
