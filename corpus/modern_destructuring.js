// Destructured command replies, default values and spread lists.
db.shells.drop();
const docs = [{_id: 1, kind: "clam", size: 4}, {_id: 2, kind: "snail", size: 2, spiral: {turns: 5}}, {_id: 3, kind: "clam", size: 9}];
db.shells.insertMany([...docs, {_id: 4, kind: "conch"}]);
const {cursor: {firstBatch, id}} = db.runCommand({find: "shells", filter: {kind: "clam"}, sort: {size: -1}});
assert.eq(firstBatch.length, 2);
assert.eq(id, NumberLong("0"));
const [largest, {size}] = firstBatch;
assert.eq(largest._id, 3);
assert.eq(size, 4);
const {n, ok = 0} = db.runCommand({count: "shells", query: {size: {$exists: false}}});
assert.eq([n, ok], [1, 1]);
const {value: {spiral = null}} = db.runCommand({findAndModify: "shells", query: {_id: 2}, update: {$inc: {"spiral.turns": 1}}, new: true});
assert.eq(spiral, {turns: 6});
assert.commandWorked(db.shells.createIndex({kind: 1, size: -1}, {name: "ks", collation: {locale: "en", strength: 2}}));
assert.eq(db.shells.find({kind: "CLAM"}).collation({locale: "en", strength: 2}).hint("ks").itcount(), 2);
assert.eq(db.shells.aggregate([{$facet: {a: [{$match: {size: {$gte: 4}}}, {$count: "n"}], b: [{$sort: {_id: -1}}, {$limit: 1}]}}]).toArray()[0].b, [{_id: 4, kind: "conch"}]);
