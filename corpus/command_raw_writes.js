// insert, update and delete as raw commands with every option and error reply.
db.crates.drop();
var res = assert.commandWorked(db.runCommand({insert: "crates", documents: [{_id: 1, kg: 5}, {_id: 2, kg: 6}, {_id: 3}], ordered: true, writeConcern: {w: 1, j: false, wtimeout: 100}, comment: ["any", {type: 1}]}));
assert.eq(res.n, 3);
res = db.runCommand({insert: "crates", documents: [{_id: 4}, {_id: 1}, {_id: 5}], ordered: false, maxTimeMS: 60000});
assert.eq(res.n, 2);
assert.eq(res.writeErrors[0].index, 1);
assert.eq(res.writeErrors[0].code, 11000);
assert.eq(res.writeErrors[0].keyValue, {_id: 1});
assert.commandFailed(db.runCommand({update: "crates", updates: [
    {q: {_id: 1}, u: {$inc: {kg: 1}}}, {q: {}, u: {$set: {seen: true}}, multi: true, hint: {_id: 1}}, {q: {_id: 77}, u: {kg: 7}, upsert: true, collation: {locale: "en"}},
    {q: {kg: {$gte: 6}}, u: [{$set: {heavy: {$gt: ["$kg", "$$lim"]}}}], multi: true, c: {lim: 6}}, {q: {_id: 2}, u: {$set: {"tags.$[t]": 0}}, arrayFilters: [{t: 1}], upsert: false}
], ordered: false, bypassDocumentValidation: true}));
assert.eq(db.crates.count({seen: true}), 5);
assert.eq(db.crates.findOne({_id: 77}), {_id: 77, kg: 7, heavy: true});
res = assert.commandWorked(db.runCommand({delete: "crates", deletes: [{q: {_id: 3}, limit: 1}, {q: {kg: {$exists: false}}, limit: 0, collation: {locale: "simple"}}], let: {a: 1}}));
assert.eq(res.n, 3);
assert.eq(db.crates.distinct("_id"), [1, 2, 77]);
assert.commandWorked(db.runCommand({findAndModify: "crates", query: {_id: 2}, update: {$unset: {kg: 1}}, new: 1, fields: {_id: 0}}));
assert.commandFailedWithCode(db.runCommand({insert: "crates", documents: []}), [2, 16]);
assert.commandFailedWithCode(db.runCommand({insert: "crates", documents: [5]}), 14);
assert.commandFailedWithCode(db.runCommand({insert: "crates"}), [40414, 9]);
assert.commandFailedWithCode(db.runCommand({insert: "crates", documents: [{a: 1}], speed: 9}), 40415);
assert.commandFailedWithCode(db.runCommand({insert: "", documents: [{a: 1}]}), 73);
assert.commandFailedWithCode(db.runCommand({update: "crates", updates: [{q: {}}]}), [9, 40414]);
assert.commandFailedWithCode(db.runCommand({update: "crates", updates: [{q: {}, u: {a: 1}, multi: true}]}), 9);
assert.commandFailedWithCode(db.runCommand({update: "crates", updates: [{q: {_id: {$foo: 1}}, u: {a: 1}}]}), 2);
assert.commandFailedWithCode(db.runCommand({delete: "crates", deletes: [{q: {}}]}), [9, 40414]);
assert.commandFailedWithCode(db.runCommand({insert: "crates", documents: [{a: 1}], writeConcern: {w: 5}}), [2, 9]);
assert.commandFailedWithCode(db.runCommand({insert: "crates", documents: [{a: 1}], txnNumber: NumberLong("1"), lsid: {id: UUID("30112233-4455-4677-8899-aabbccddeeff")}}), 20);
