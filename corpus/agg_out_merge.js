// $out and $merge with every whenMatched and whenNotMatched action.
db.source.drop();
db.target.drop();
db.copy.drop();
db.source.insert([{_id: 1, k: "a", v: 10}, {_id: 2, k: "b", v: 20}, {_id: 3, k: "c", v: 30}]);
db.target.insert([{_id: 1, k: "a", old: true}, {_id: 9, k: "z", v: -1}]);
assert.eq(db.source.aggregate([{$match: {v: {$gt: 10}}}, {$out: "copy"}]).itcount(), 0);
assert.eq(db.copy.find().sort({_id: 1}).toArray(), [{_id: 2, k: "b", v: 20}, {_id: 3, k: "c", v: 30}]);
assert.eq(db.source.aggregate([{$group: {_id: null, s: {$sum: "$v"}}}, {$out: {db: "test", coll: "copy"}}]).itcount(), 0);
assert.eq(db.copy.find().toArray(), [{_id: null, s: 60}]);
assert.eq(db.source.aggregate([{$merge: "target"}]).itcount(), 0);
assert.eq(db.target.findOne({_id: 1}), {_id: 1, k: "a", old: true, v: 10});
assert.eq(db.target.count(), 4);
assert.eq(db.source.aggregate([{$set: {v: 0}}, {$merge: {into: "target", on: "_id", whenMatched: "replace", whenNotMatched: "discard"}}]).itcount(), 0);
assert.eq(db.target.findOne({_id: 1}), {_id: 1, k: "a", v: 0});
assert.eq(db.source.aggregate([{$match: {_id: 2}}, {$set: {w: 5, v: 7}}, {$merge: {into: {db: "test", coll: "target"}, whenMatched: "keepExisting"}}]).itcount(), 0);
assert.eq(db.target.findOne({_id: 2}), {_id: 2, k: "b", v: 0});
assert.eq(db.source.aggregate([{$merge: {into: "target", let: {nv: "$v"}, whenMatched: [{$set: {v: {$add: ["$v", "$$nv", "$$new._id"]}}}], whenNotMatched: "insert"}}]).itcount(), 0);
assert.eq(db.target.find({_id: {$lt: 9}}, {v: 1}).sort({_id: 1}).toArray(), [{_id: 1, v: 11}, {_id: 2, v: 22}, {_id: 3, v: 33}]);
assert.throws(function() {
    db.source.aggregate([{$merge: {into: "target", whenMatched: "fail"}}]).itcount();
});
assert.throws(function() {
    db.source.aggregate([{$set: {_id: {$add: ["$_id", 50]}}}, {$merge: {into: "target", whenNotMatched: "fail"}}]).itcount();
});
assert.commandWorked(db.target.createIndex({k: 1}, {unique: true}));
assert.eq(db.source.aggregate([{$project: {_id: 0, k: 1, byKey: {$literal: 1}}}, {$merge: {into: "target", on: ["k"], whenMatched: "merge"}}]).itcount(), 0);
assert.eq(db.target.count({byKey: 1}), 3);
assert.commandFailedWithCode(db.runCommand({aggregate: "source", pipeline: [{$merge: {into: "target", on: "v"}}], cursor: {}}), 51183);
assert.commandFailedWithCode(db.runCommand({aggregate: "source", pipeline: [{$out: "x"}, {$match: {}}], cursor: {}}), 40601);
assert.commandFailedWithCode(db.runCommand({aggregate: "source", pipeline: [{$merge: {into: "target", whenMatched: "ponder"}}], cursor: {}}), [2, 51191]);
