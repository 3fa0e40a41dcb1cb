// hint, min, max, returnKey and showRecordId on find, count, update and aggregate.
db.ruler.drop();
for (var i = 0; i < 20; i++) {
    db.ruler.insert({_id: i, cm: i * 2, side: i % 3, label: "m" + (i % 5)});
}
assert.commandWorked(db.ruler.createIndex({cm: 1, side: -1}));
assert.commandWorked(db.ruler.createIndex({label: 1}, {sparse: true, name: "lab"}));
assert.eq(db.ruler.find().min({cm: 10, side: 0}).hint({cm: 1, side: -1}).itcount() > 0, true);
assert.eq(db.ruler.find().min({cm: 10, side: MaxKey}).max({cm: 16, side: MaxKey}).hint({cm: 1, side: -1}).toArray().length, 3);
assert.eq(db.ruler.find({side: 1}).max({cm: 9, side: 0}).hint("cm_1_side_-1").toArray(), [{_id: 1, cm: 2, side: 1, label: "m1"}, {_id: 4, cm: 8, side: 1, label: "m4"}]);
assert.eq(db.ruler.find({}, {_id: 1}).hint({_id: 1}).min({_id: 18}).toArray(), [{_id: 18}, {_id: 19}]);
assert.eq(db.ruler.find({label: "m2"}).hint("lab").returnKey(true).toArray(), [{label: "m2"}, {label: "m2"}, {label: "m2"}, {label: "m2"}]);
assert.eq(db.ruler.find({_id: 0}).showRecordId().toArray(), [{_id: 0, cm: 0, side: 0, label: "m0", $recordId: NumberLong("1")}]);
assert.eq(db.ruler.find({label: "m0", cm: {$gt: 10}}).hint({$natural: 1}).count(), 2);
assert.eq(db.ruler.count({label: "m1"}, {hint: "lab"}), 4);
assert.eq(db.ruler.count({}, {hint: {cm: 1, side: -1}, skip: 5, limit: 10}), 10);
assert.eq(db.ruler.countDocuments({cm: {$gte: 30}}, {hint: {cm: 1, side: -1}}), 5);
assert.eq(db.ruler.updateMany({label: "m3"}, {$inc: {side: 10}}, {hint: {label: 1}}).modifiedCount, 4);
assert.eq(db.ruler.aggregate([{$match: {side: {$gte: 10}}}, {$project: {_id: 1}}, {$limit: 2}], {hint: {$natural: -1}}).toArray(), [{_id: 18}, {_id: 13}]);
assert.eq(db.ruler.findAndModify({query: {cm: {$gt: 0}}, sort: {cm: 1, side: -1}, update: {$set: {label: "first"}}, fields: {_id: 1}}), {_id: 1});
assert.commandFailedWithCode(db.runCommand({find: "ruler", min: {cm: 1, side: 1}}), 51173);
assert.commandFailedWithCode(db.runCommand({find: "ruler", min: {cm: 1}, hint: {cm: 1, side: -1}}), 51174);
assert.commandFailedWithCode(db.runCommand({find: "ruler", min: {_id: 9}, max: {_id: 3}, hint: {_id: 1}}), 51175);
assert.commandFailedWithCode(db.runCommand({find: "ruler", hint: {nope: 1}}), 2);
assert.commandFailedWithCode(db.runCommand({find: "ruler", min: {_id: 1}, hint: {$natural: 1}}), [51174, 2, 291]);
assert.commandFailedWithCode(db.runCommand({find: "ruler", returnKey: "yes"}), 14);
