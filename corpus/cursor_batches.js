// Cursors by raw commands: batch sizes, getMore, singleBatch, killCursors, noCursorTimeout.
db.pages.drop();
for (var i = 0; i < 25; i++) {
    db.pages.insert({_id: i, txt: "page " + i, odd: i % 2 === 1});
}
var res = assert.commandWorked(db.runCommand({find: "pages", filter: {}, sort: {_id: 1}, batchSize: 10}));
assert.eq(res.cursor.firstBatch.length, 10);
assert.eq(res.cursor.ns, "test.pages");
var more = assert.commandWorked(db.runCommand({getMore: res.cursor.id, collection: "pages", batchSize: 5, comment: "next five"}));
assert.eq(more.cursor.nextBatch[0], {_id: 10, txt: "page 10", odd: false});
assert.eq(more.cursor.nextBatch.length, 5);
more = assert.commandWorked(db.runCommand({getMore: res.cursor.id, collection: "pages"}));
assert.eq(more.cursor.nextBatch.length, 10);
assert.eq(more.cursor.id, NumberLong("0"));
res = assert.commandWorked(db.runCommand({find: "pages", filter: {odd: true}, batchSize: 0, noCursorTimeout: true, allowDiskUse: true}));
assert.eq(res.cursor.firstBatch, []);
assert.neq(res.cursor.id, NumberLong("0"));
var killed = assert.commandWorked(db.runCommand({killCursors: "pages", cursors: [res.cursor.id, NumberLong("123456789")]}));
assert.eq(killed.cursorsKilled, [res.cursor.id]);
assert.eq(killed.cursorsNotFound, [NumberLong("123456789")]);
assert.commandFailedWithCode(db.runCommand({getMore: res.cursor.id, collection: "pages"}), 43);
res = assert.commandWorked(db.runCommand({find: "pages", singleBatch: true, batchSize: 3, skip: 2, limit: 8}));
assert.eq(res.cursor.id, NumberLong("0"));
assert.eq(res.cursor.firstBatch.length, 3);
res = assert.commandWorked(db.runCommand({aggregate: "pages", pipeline: [{$match: {odd: false}}, {$project: {txt: 0}}], cursor: {batchSize: 2}}));
assert.eq(res.cursor.firstBatch.length, 2);
assert.commandFailedWithCode(db.runCommand({getMore: res.cursor.id, collection: "wrong"}), 13);
assert.commandFailedWithCode(db.runCommand({getMore: res.cursor.id, collection: "pages", batchSize: -1}), [2, 9, 51024]);
assert.commandWorked(db.runCommand({killCursors: "pages", cursors: [res.cursor.id]}));
assert.eq(db.pages.find().batchSize(4).itcount(), 25);
assert.eq(db.pages.find().batchSize(2).limit(5).toArray().length, 5);
assert.eq(db.pages.aggregate([{$sort: {_id: -1}}], {cursor: {batchSize: 3}}).itcount(), 25);
assert.commandFailedWithCode(db.runCommand({find: "pages", batchSize: -3}), [2, 9, 51024]);
assert.commandFailedWithCode(db.runCommand({find: "pages", limit: -1}), [2, 9, 51024]);
assert.commandFailedWithCode(db.runCommand({find: "pages", allowPartialResults: "x"}), 14);
assert.commandFailedWithCode(db.runCommand({aggregate: "pages", pipeline: []}), 9);
