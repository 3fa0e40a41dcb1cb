// Whole-document replacement with update, replaceOne and save.
db.badges.drop();
assert.writeOK(db.badges.insert([{_id: "a", rank: 1, old: true}, {_id: "b", rank: 2}, {_id: "c", rank: 3}]));

assert.eq(db.badges.update({_id: "a"}, {rank: 10}).nModified, 1);
assert.eq(db.badges.findOne({_id: "a"}), {_id: "a", rank: 10});
assert.eq(db.badges.replaceOne({rank: 2}, {rank: 20, colour: "blue"}).modifiedCount, 1);
assert.eq(db.badges.replaceOne({rank: 99}, {rank: 100}).matchedCount, 0);
assert.commandWorked(db.badges.replaceOne({_id: "d"}, {rank: 4, made: ISODate("2001-02-03T04:05:06Z")}, {upsert: true}));
assert.writeOK(db.badges.save({_id: "c", rank: 30, notes: ["x", {y: 1}]}));
assert.writeOK(db.badges.save({_id: "e", rank: 5}));
assert.eq(db.badges.find({}, {rank: 1}).sort({_id: 1}).toArray(), [
    {_id: "a", rank: 10}, {_id: "b", rank: 20}, {_id: "c", rank: 30}, {_id: "d", rank: 4}, {_id: "e", rank: 5}
]);

assert.writeError(db.badges.update({_id: "a"}, {_id: "z", rank: 0}));
assert.writeError(db.badges.update({}, {rank: 7}, {multi: true}));
assert.throws(function() {
    db.badges.replaceOne({_id: "a"}, {$set: {rank: 1}});
});
assert.eq(db.badges.update({_id: "b"}, {rank: 20, colour: "blue"}).nMatched, 1);
assert.eq(db.badges.update({rank: {$gte: 30}}, {}, {upsert: false}).nMatched, 1);
assert.eq(db.badges.findOne({_id: "c"}), {_id: "c"});
