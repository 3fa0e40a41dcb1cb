// $where filters as string, function and code with this and obj.
db.ladders.drop();
db.ladders.insert([
    {_id: 1, rungs: 5, step: 30, parts: ["l", "r"]}, {_id: 2, rungs: 9, step: 25, parts: []},
    {_id: 3, rungs: 12, step: 28, nested: {wood: "ash"}}, {_id: 4, rungs: 5, step: 5}
]);
assert.eq(db.ladders.find({$where: "this.rungs === this.step"}).itcount(), 1);
assert.eq(db.ladders.find({$where: function() { return this.rungs * this.step > 200; }}).itcount(), 2);
assert.eq(db.ladders.find({$where: "return obj.parts && obj.parts.length === 2"}).toArray()[0]._id, 1);
assert.eq(db.ladders.find({rungs: {$gte: 9}, $where: "this.nested && this.nested.wood == 'ash'"}).itcount(), 1);
assert.eq(db.ladders.find({$or: [{$where: "this._id % 2 == 0"}, {rungs: 12}]}).sort({_id: -1}).toArray().length, 3);
assert.eq(db.ladders.find({$nor: [{$where: "this.rungs < 10"}]}).itcount(), 1);
assert.eq(db.ladders.count({$where: "Object.keys(this).length == 3"}), 1);
assert.eq(db.ladders.find({$where: Code("function() { return this.step in {25: 1, 30: 1}; }")}).itcount(), 2);
assert.eq(db.ladders.distinct("rungs", {$where: "this.step != 28"}), [5, 9]);
assert.eq(db.ladders.update({$where: "this.rungs == 9"}, {$set: {high: true}}).nModified, 1);
assert.eq(db.ladders.remove({$where: "this.high === true"}).nRemoved, 1);
assert.throws(function() {
    db.ladders.find({$where: "throw 'broken rung'"}).itcount();
});
assert.throws(function() {
    db.ladders.find({$where: "this.("}).itcount();
});
assert.throws(function() {
    db.ladders.find({parts: {$elemMatch: {$where: "true"}}}).itcount();
});
assert.eq(db.ladders.find({$expr: {$function: {body: "function(a, b) { return a > b; }", args: ["$rungs", "$_id"], lang: "js"}}}).itcount(), 3);
