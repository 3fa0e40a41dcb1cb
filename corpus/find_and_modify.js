// findAndModify with sort, remove, new, fields, upsert and the modern relatives.
db.queue.drop();
db.queue.insert([
    {_id: 1, job: "mail", prio: 3, tries: [1]}, {_id: 2, job: "print", prio: 9}, {_id: 3, job: "scan", prio: 5, tries: [4, 2]}, {_id: 4, job: "fax", prio: 1}
]);
assert.commandWorked(db.queue.createIndex({prio: -1}));
assert.eq(db.queue.findAndModify({query: {prio: {$gte: 3}}, sort: {prio: -1}, update: {$set: {taken: true}}}), {_id: 2, job: "print", prio: 9});
assert.eq(db.queue.findAndModify({query: {taken: true}, update: {$inc: {prio: 1}}, new: true}).prio, 10);
assert.eq(db.queue.findAndModify({query: {job: "scan"}, update: {$push: {tries: 7}}, new: true, fields: {tries: {$slice: -1}, job: 1}}), {_id: 3, job: "scan", tries: [7]});
assert.eq(db.queue.findAndModify({query: {}, sort: {prio: 1}, remove: true}), {_id: 4, job: "fax", prio: 1});
assert.isnull(db.queue.findAndModify({query: {_id: 50}, remove: true}));
assert.eq(db.queue.findAndModify({query: {_id: 50}, update: {$set: {job: "new"}}, upsert: true, new: true}), {_id: 50, job: "new"});
assert.eq(db.queue.findOneAndUpdate({job: "MAIL"}, {$mul: {prio: 2}}, {collation: {locale: "en", strength: 2}, returnNewDocument: true}).prio, 6);
assert.eq(db.queue.findOneAndUpdate({_id: 3}, {$set: {"tries.$[t]": 0}}, {arrayFilters: [{t: {$gt: 3}}], projection: {tries: 1}}).tries, [4, 2, 7]);
assert.eq(db.queue.findOneAndReplace({_id: 1}, {job: "post", prio: 0}, {sort: {prio: 1}}).job, "mail");
assert.eq(db.queue.findOneAndReplace({_id: 60}, {job: "sixty"}, {upsert: true, returnNewDocument: true}), {_id: 60, job: "sixty"});
assert.eq(db.queue.findOneAndDelete({prio: {$lt: 8}}, {sort: {prio: -1}, projection: {_id: 0, prio: 1}}), {prio: 5});
assert.isnull(db.queue.findOneAndDelete({job: "nothing"}));
var res = assert.commandWorked(db.runCommand({findAndModify: "queue", query: {_id: 70}, update: {$set: {a: 1}}, upsert: true, new: false, writeConcern: {w: 1}, maxTimeMS: 60000, hint: {_id: 1}, comment: {who: "me"}}));
assert.eq(res.lastErrorObject.upserted, 70);
assert.eq(res.lastErrorObject.updatedExisting, false);
assert.commandFailedWithCode(db.runCommand({findAndModify: "queue", query: {}, remove: true, update: {a: 1}}), [9, 72]);
assert.commandFailedWithCode(db.runCommand({findAndModify: "queue", query: {}, remove: true, new: true}), [9, 72]);
assert.throws(function() {
    db.queue.findAndModify({query: {_id: 1}});
});
assert.eq(db.queue.distinct("_id"), [1, 2, 50, 60, 70]);
