// Collection names, keys and regular expressions from template strings.
const season = "winter";
const list = `sports_${season}`;
db[list].drop();
db[list].insertMany(["ski", "sled", "skate"].map((s, i) => ({_id: i, [`${season}_name`]: s, rank: {[s]: i * 2}})));
assert.eq(db[list].find({[`${season}_name`]: {$regex: `^sk`}}).itcount(), 2);
assert.eq(db[list].findOne({"rank.sled": 2}), {_id: 1, winter_name: "sled", rank: {sled: 2}});
assert.commandWorked(db[list].createIndex({[`${season}_name`]: 1}, {name: `by_${season}`, unique: true}));
assert.eq(db[list].find({winter_name: {$gte: "sk", $lt: "sl"}}).hint(`by_${season}`).itcount(), 2);
assert.eq(db[list].updateOne({_id: 2}, [{$set: {text: {$concat: [`<`, `$${season}_name`, `>`]}}}]).modifiedCount, 1);
assert.eq(db[list].distinct("text"), ["<skate>"]);
assert.throws(() => db[list].insertOne({_id: 9, winter_name: "ski"}));
assert.eq(db[list].aggregate([{$match: {$expr: {$eq: ["$winter_name", {$literal: `ski`}]}}}, {$unset: `rank`}]).toArray(), [{_id: 0, winter_name: "ski"}]);
