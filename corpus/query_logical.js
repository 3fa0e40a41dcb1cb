// $and, $or, $nor and $not, nested and with empty or constant branches.
db.players.drop();
db.players.insert([
    {_id: 1, name: "Ada", team: "red", score: 12, active: true}, {_id: 2, name: "Bo", team: "blue", score: 7, active: false},
    {_id: 3, name: "Cy", team: "red", score: 3}, {_id: 4, name: "Di", team: "green", score: 20, active: true},
    {_id: 5, name: "Ed", score: 15, active: null}
]);
assert.commandWorked(db.players.createIndex({team: 1, score: -1}));
assert.commandWorked(db.players.createIndex({score: 1}));
assert.eq(db.players.find({$and: [{team: "red"}, {score: {$gt: 5}}]}).itcount(), 1);
assert.eq(db.players.find({$or: [{team: "blue"}, {score: {$gte: 15}}]}).itcount(), 3);
assert.eq(db.players.find({$nor: [{team: "red"}, {active: true}]}).itcount(), 2);
assert.eq(db.players.find({score: {$not: {$gte: 10}}}).itcount(), 2);
assert.eq(db.players.find({name: {$not: /^[A-C]/}}).itcount(), 2);
assert.eq(db.players.find({$or: [{$and: [{team: "red"}, {$or: [{score: 3}, {score: 12}]}]}, {$nor: [{team: {$exists: true}}]}]}).itcount(), 3);
assert.eq(db.players.find({$and: [{$or: [{team: "red"}, {team: "blue"}]}, {$or: [{active: true}, {score: 7}]}]}).sort({score: 1}).toArray()[0].name, "Bo");
assert.eq(db.players.find({active: {$in: [null, false]}, $or: [{score: {$lt: 5}}, {score: {$gt: 14}}]}).itcount(), 2);
assert.eq(db.players.find({$or: [{_id: 1}, {_id: 1}, {_id: {$in: [1]}}]}).itcount(), 1);
assert.eq(db.players.find({$alwaysTrue: 1}).itcount(), 5);
assert.eq(db.players.find({$alwaysFalse: 1}).itcount(), 0);
assert.eq(db.players.find({$and: [{$alwaysTrue: 1}, {score: {$gte: 12, $lte: 15}}]}).hint({score: 1}).itcount(), 2);
assert.eq(db.players.find({$or: [{team: "red", score: {$lt: 10}}, {team: "green"}], $comment: "two index branches"}).sort({team: 1, score: -1}).toArray()[0]._id, 4);
assert.commandFailedWithCode(db.runCommand({find: "players", filter: {$and: []}}), 2);
assert.commandFailedWithCode(db.runCommand({find: "players", filter: {$or: {a: 1}}}), 2);
assert.throws(function() {
    db.players.find({$xor: [{a: 1}]}).itcount();
});
