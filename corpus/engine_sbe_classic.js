// The same queries under the classic and the slot-based engine give the same answers.
db.twins.drop();
for (var i = 0; i < 30; i++) {
    db.twins.insert({_id: i, g: i % 3, v: i % 7 === 0 ? null : i, arr: [i, {x: i % 4}], s: "k" + (i % 5)});
}
assert.commandWorked(db.twins.createIndex({g: 1, v: -1}));
assert.commandWorked(db.twins.createIndex({"arr.x": 1}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryForceClassicEngine: true}));
assert.eq(db.twins.find({g: 1, v: {$gt: 10}}).sort({v: 1}).toArray()[0]._id, 13);
assert.eq(db.twins.aggregate([{$match: {"arr.x": 2}}, {$group: {_id: "$s", n: {$sum: 1}, m: {$max: "$v"}}}, {$sort: {_id: 1}}, {$limit: 1}]).toArray(), [{_id: "k0", n: 1, m: 10}]);
assert.eq(db.twins.find({$or: [{g: 0, v: null}, {"arr.0": {$gte: 28}}]}).itcount(), 4);
assert.eq(db.twins.aggregate([{$lookup: {from: "twins", localField: "g", foreignField: "_id", as: "t"}}, {$group: {_id: "$t.s", n: {$sum: 1}}}, {$sort: {_id: 1}}]).toArray(), [{_id: ["k0"], n: 10}, {_id: ["k1"], n: 10}, {_id: ["k2"], n: 10}]);
assert.eq(db.twins.find({$expr: {$eq: [{$mod: ["$_id", 11]}, 3]}}, {r: {$concat: ["$s", "!"]}}).sort({_id: -1}).toArray(), [{_id: 25, r: "k0!"}, {_id: 14, r: "k4!"}, {_id: 3, r: "k3!"}]);
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryForceClassicEngine: false}));
assert.eq(db.twins.find({g: 1, v: {$gt: 10}}).sort({v: 1}).toArray()[0]._id, 13);
assert.eq(db.twins.aggregate([{$match: {"arr.x": 2}}, {$group: {_id: "$s", n: {$sum: 1}, m: {$max: "$v"}}}, {$sort: {_id: 1}}, {$limit: 1}]).toArray(), [{_id: "k0", n: 1, m: 10}]);
assert.eq(db.twins.find({$or: [{g: 0, v: null}, {"arr.0": {$gte: 28}}]}).itcount(), 4);
assert.eq(db.twins.aggregate([{$lookup: {from: "twins", localField: "g", foreignField: "_id", as: "t"}}, {$group: {_id: "$t.s", n: {$sum: 1}}}, {$sort: {_id: 1}}]).toArray(), [{_id: ["k0"], n: 10}, {_id: ["k1"], n: 10}, {_id: ["k2"], n: 10}]);
assert.eq(db.twins.find({$expr: {$eq: [{$mod: ["$_id", 11]}, 3]}}, {r: {$concat: ["$s", "!"]}}).sort({_id: -1}).toArray(), [{_id: 25, r: "k0!"}, {_id: 14, r: "k4!"}, {_id: 3, r: "k3!"}]);
assert.eq(db.twins.aggregate([{$group: {_id: {$ifNull: ["$v", "none"]}}}, {$count: "n"}]).toArray(), [{n: 26}]);
assert.eq(db.twins.find({arr: {$elemMatch: {x: {$in: [1, 3]}}}, s: {$regex: "^k[02]$"}}).itcount(), 6);
assert.eq(db.twins.find({v: {$not: {$lte: 20}}, g: {$nin: [0, 2]}}, {_id: 0, "arr.x": 1}).hint({g: 1, v: -1}).toArray().length, 4);
