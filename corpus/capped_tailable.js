// Capped collections: eviction, natural order, tailable cursors, conversion and limits.
db.logbook.drop();
db.sheet.drop();
assert.commandWorked(db.createCollection("logbook", {capped: true, size: 8192, max: 5}));
for (var i = 1; i <= 8; i++) {
    assert.writeOK(db.logbook.insert({_id: i, line: "entry " + i, pad: i % 2}));
}
assert.eq(db.logbook.isCapped(), true);
assert.eq(db.logbook.find({}, {_id: 1}).toArray(), [{_id: 4}, {_id: 5}, {_id: 6}, {_id: 7}, {_id: 8}]);
assert.eq(db.logbook.find().sort({$natural: -1}).limit(1).toArray()[0].line, "entry 8");
assert.eq(db.logbook.stats().max, 5);
var cur = db.logbook.find({_id: {$gte: 6}}).tailable();
assert.eq(cur.next()._id, 6);
assert.eq(cur.next()._id, 7);
assert.eq(cur.next()._id, 8);
cur.close();
var res = assert.commandWorked(db.runCommand({find: "logbook", filter: {pad: 1}, tailable: true, batchSize: 1}));
assert.eq(res.cursor.firstBatch, [{_id: 5, line: "entry 5", pad: 1}]);
var more = assert.commandWorked(db.runCommand({getMore: res.cursor.id, collection: "logbook", batchSize: 10}));
assert.eq(more.cursor.nextBatch.length, 1);
assert.commandWorked(db.runCommand({killCursors: "logbook", cursors: [res.cursor.id]}));
res = assert.commandWorked(db.runCommand({find: "logbook", filter: {}, tailable: true, awaitData: true, batchSize: 0}));
more = assert.commandWorked(db.runCommand({getMore: res.cursor.id, collection: "logbook", maxTimeMS: 100}));
assert.eq(more.cursor.nextBatch.length, 5);
assert.commandWorked(db.runCommand({killCursors: "logbook", cursors: [res.cursor.id]}));
assert.eq(db.logbook.update({_id: 8}, {$set: {pad: 5}}).nModified, 1);
assert.eq(db.logbook.remove({_id: 4}).nRemoved, 1);
assert.commandWorked(db.runCommand({collMod: "logbook", cappedSize: 16384, cappedMax: 50}));
assert.writeOK(db.sheet.insert([{_id: 1, a: 1}, {_id: 2, a: 2}]));
assert.eq(db.sheet.isCapped(), false);
assert.commandWorked(db.runCommand({convertToCapped: "sheet", size: 4096}));
assert.eq(db.sheet.isCapped(), true);
assert.commandFailedWithCode(db.runCommand({find: "plainone_missing_ok", tailable: true, sort: {a: 1}}), [2, 9]);
assert.commandFailedWithCode(db.runCommand({find: "logbook", awaitData: true}), 9);
assert.commandFailedWithCode(db.createCollection("badcap", {capped: true}), 72);
assert.commandFailedWithCode(db.createCollection("badcap", {max: 10}), [72, 9]);
assert.commandFailedWithCode(db.createCollection("badcap", {capped: true, size: "big"}), [2, 14]);
