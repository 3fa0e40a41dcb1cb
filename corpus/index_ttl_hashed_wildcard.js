// TTL, hashed and wildcard indexes with their options and refusals.
db.cellar.drop();
assert.commandWorked(db.cellar.createIndex({opened: 1}, {expireAfterSeconds: 3600}));
assert.commandWorked(db.cellar.createIndex({vineyard: "hashed"}));
assert.commandWorked(db.cellar.createIndex({region: 1, bottle: "hashed", year: -1}));
assert.commandWorked(db.cellar.createIndex({"attr.$**": 1}));
assert.commandWorked(db.cellar.createIndex({"$**": 1}, {name: "wild", wildcardProjection: {notes: 1, "meta.k": 1, _id: 0}}));
db.cellar.insert([
    {_id: 1, vineyard: "Hof", region: "M", bottle: 3.7, year: 1990, attr: {sugar: 5, acid: {ph: 3.1}}, notes: ["oak", {by: "kim"}]},
    {_id: 2, vineyard: {a: 1}, region: "P", bottle: 3.2, year: 1991, attr: [{sugar: 9}, 7], meta: {k: {deep: null}}},
    {_id: 3, vineyard: null, opened: ISODate("2222-01-01T00:00:00Z"), attr: "none", notes: {}}
]);
assert.eq(db.cellar.find({vineyard: "Hof"}).hint({vineyard: "hashed"}).itcount(), 1);
assert.eq(db.cellar.find({vineyard: {$in: [null, {a: 1}]}}).hint("vineyard_hashed").itcount(), 2);
assert.eq(db.cellar.find({region: "M", bottle: 3.7, year: {$gt: 1}}).hint("region_1_bottle_hashed_year_-1").itcount(), 1);
assert.eq(db.cellar.find({"attr.sugar": {$gte: 5}}).hint({"attr.$**": 1}).itcount(), 2);
assert.eq(db.cellar.find({"attr.acid.ph": {$lt: 4}}).hint({"attr.$**": 1}).toArray()[0]._id, 1);
assert.eq(db.cellar.find({"notes.by": "kim"}).hint("wild").itcount(), 1);
assert.eq(db.cellar.find({notes: {$exists: true}}).hint("wild").itcount(), 2);
assert.eq(db.cellar.find({notes: "oak", "attr.sugar": 5}).itcount(), 1);
assert.eq(db.cellar.distinct("attr.sugar"), [5, 9]);
assert.commandWorked(db.runCommand({collMod: "cellar", index: {keyPattern: {opened: 1}, expireAfterSeconds: 7200}}));
assert.eq(db.cellar.getIndexes()[1].expireAfterSeconds, 7200);
assert.commandWorked(db.runCommand({collMod: "cellar", index: {name: "wild", hidden: true}}));
assert.writeError(db.cellar.insert({_id: 4, region: [1], bottle: [2]}));
assert.writeError(db.cellar.insert({_id: 4, vineyard: ["no", "arrays"]}));
assert.commandFailedWithCode(db.cellar.createIndex({h: "hashed"}, {unique: true}), [16764, 67]);
assert.commandFailedWithCode(db.cellar.createIndex({"x.$**": 1}, {wildcardProjection: {a: 1}}), [67, 72, 9]);
assert.commandFailedWithCode(db.cellar.createIndex({"$**": 1, a: 1}), [67, 72]);
assert.commandFailedWithCode(db.cellar.createIndex({t: 1, u: 1}, {expireAfterSeconds: 10}), 67);
assert.commandFailedWithCode(db.cellar.createIndex({t: 1}, {expireAfterSeconds: -5}), [67, 9]);
