// Cursor helper methods: iteration, map, forEach, comments, limits and time budgets.
db.beads.drop();
for (var i = 0; i < 12; i++) {
    db.beads.insert({_id: i, c: ["red", "green", "blue"][i % 3], w: 12 - i});
}
var cur = db.beads.find({c: "red"}).sort({w: 1});
assert.eq(cur.hasNext(), true);
assert.eq(cur.next(), {_id: 9, c: "red", w: 3});
assert.eq(cur.next()._id, 6);
assert.eq(cur.toArray().length, 2);
assert.eq(cur.hasNext(), false);
assert.eq(db.beads.find({w: {$lt: 4}}).sort({w: -1}).toArray().map(function(d) { return d.w * 10; }), [30, 20, 10]);
var seen = [];
db.beads.find().sort({_id: -1}).limit(3).forEach(function(d) { seen.push(d._id); });
assert.eq(seen, [11, 10, 9]);
assert.eq(db.beads.find().skip(10).itcount(), 2);
assert.eq(db.beads.find().limit(-4).itcount(), 4);
assert.eq(db.beads.find().limit(0).itcount(), 12);
assert.eq(db.beads.find({}, {c: 1}).comment("counting beads").maxTimeMS(60000).noCursorTimeout().itcount(), 12);
assert.eq(db.beads.find().sort({c: 1, w: -1}).allowDiskUse(true).batchSize(5).toArray()[0], {_id: 2, c: "blue", w: 10});
assert.eq(db.beads.find().hint({$natural: -1}).limit(1).next()._id, 11);
assert.eq(db.beads.find({c: "RED"}).collation({locale: "en", strength: 2}).count(), 4);
assert.eq(db.beads.find().readConcern("local").limit(2).itcount(), 2);
assert.eq(db.beads.find({_id: {$gte: 4}}).min({_id: 3}).max({_id: 6}).hint({_id: 1}).itcount(), 2);
cur = db.beads.aggregate([{$group: {_id: "$c", w: {$sum: "$w"}}}, {$sort: {w: 1}}], {comment: "sum", maxTimeMS: 60000, allowDiskUse: false, collation: {locale: "en"}});
assert.eq(cur.next(), {_id: "blue", w: 22});
assert.eq(cur.hasNext(), true);
assert.eq(cur.toArray(), [{_id: "green", w: 26}, {_id: "red", w: 30}]);
cur = db.beads.find();
cur.close();
assert.throws(function() {
    db.beads.find({w: {$near: 1}}).itcount();
});
assert.doesNotThrow(function() {
    db.beads.find().explain();
});
