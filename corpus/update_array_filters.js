// arrayFilters with nested, compound and multiple identifiers.
db.courses.drop();
db.courses.insert([
    {_id: 1, grades: [95, 82, 60], tests: [{n: "a", pts: 5, q: [{r: 1}, {r: 4}]}, {n: "b", pts: 9, q: [{r: 7}]}]},
    {_id: 2, grades: [40, 100], tests: [{n: "c", pts: 2, q: []}]},
    {_id: 3, grades: []}
]);
assert.eq(db.courses.update({}, {$set: {"grades.$[g]": 90}}, {multi: true, arrayFilters: [{g: {$gte: 90}}]}).nModified, 2);
assert.eq(db.courses.findOne({_id: 2}).grades, [40, 90]);
assert.eq(db.courses.updateMany({grades: {$exists: true}}, {$inc: {"grades.$[]": 1}}).modifiedCount, 2);
assert.eq(db.courses.findOne({_id: 1}).grades, [91, 83, 61]);
assert.eq(db.courses.updateOne({_id: 1}, {$set: {"tests.$[t].q.$[r].ok": true}}, {arrayFilters: [{"t.pts": {$lt: 9}}, {"r.r": {$gt: 3}}]}).modifiedCount, 1);
assert.eq(db.courses.findOne({_id: 1}).tests[0].q, [{r: 1}, {r: 4, ok: true}]);
assert.eq(db.courses.update({_id: 1}, {$push: {"tests.$[x].q": {$each: [{r: 0}], $position: 0}}}, {arrayFilters: [{$or: [{"x.n": "b"}, {"x.pts": 100}]}]}).nModified, 1);
assert.eq(db.courses.findOne({_id: 1}).tests[1].q, [{r: 0}, {r: 7}]);
assert.eq(db.courses.update({_id: 1}, {$mul: {"tests.$[].q.$[big].r": 10}}, {arrayFilters: [{"big.r": {$gt: 1, $ne: 7}}]}).nModified, 1);
assert.eq(db.courses.findOne({_id: 1}).tests[0].q[1].r, 40);
assert.eq(db.courses.update({_id: 2}, {$unset: {"grades.$[last]": 1}}, {arrayFilters: [{last: {$mod: [2, 1]}}]}).nModified, 1);
assert.eq(db.courses.findOne({_id: 2}).grades, [null, null]);
assert.commandWorked(db.runCommand({
    findAndModify: "courses", query: {_id: 1}, update: {$pull: {"tests.$[t].q": {r: {$lte: 1}}}}, arrayFilters: [{"t.n": {$in: ["a", "b"]}}], new: true
}));
assert.eq(db.courses.findOne({_id: 1}).tests[1].q, [{r: 7}]);
assert.eq(db.courses.update({_id: 1}, {$set: {"grades.$[low]": 0}}, {arrayFilters: [{low: {$lt: 83}}], collation: {locale: "simple"}}).nModified, 1);

assert.writeError(db.courses.update({_id: 1}, {$set: {"grades.$[g]": 0}}));
assert.writeError(db.courses.update({_id: 1}, {$set: {"grades.$[g]": 0}}, {arrayFilters: [{g: 1}, {h: 2}]}));
assert.writeError(db.courses.update({_id: 1}, {$set: {"grades.$[g]": 0}}, {arrayFilters: [{g: 1}, {g: 2}]}));
assert.writeError(db.courses.update({_id: 1}, {$set: {"grades.$[G]": 0}}, {arrayFilters: [{G: 1}]}));
assert.writeError(db.courses.update({_id: 3}, {$set: {"nothing.$[]": 0}}));
assert.writeError(db.courses.update({_id: 1}, [{$set: {a: 1}}], {arrayFilters: [{g: 1}]}));
