// Inclusion, exclusion, dotted and computed projections.
db.houses.drop();
db.houses.insert([
    {_id: 1, addr: {street: "Elm", no: 5, geo: {x: 1, y: 2}}, rooms: [{n: "hall", m2: 9}, {n: "bath", m2: 4}], price: 300},
    {_id: 2, addr: {street: "Oak", no: 12}, rooms: [], price: 150, tags: ["old", "wood"]}
]);
assert.eq(db.houses.find({_id: 1}, {"addr.geo": 1, "rooms.n": 1}).toArray(), [{_id: 1, addr: {geo: {x: 1, y: 2}}, rooms: [{n: "hall"}, {n: "bath"}]}]);
assert.eq(db.houses.find({_id: 1}, {addr: {no: 1, geo: {y: true}}, _id: 0}).toArray(), [{addr: {no: 5, geo: {y: 2}}}]);
assert.eq(db.houses.find({_id: 2}, {addr: 0, rooms: 0, _id: 0}).toArray(), [{price: 150, tags: ["old", "wood"]}]);
assert.eq(db.houses.find({_id: 1}, {"rooms.m2": 0, "addr.geo": 0, price: 0}).toArray(), [{_id: 1, addr: {street: "Elm", no: 5}, rooms: [{n: "hall"}, {n: "bath"}]}]);
assert.eq(db.houses.find({}, {_id: 1}).sort({price: 1}).toArray(), [{_id: 2}, {_id: 1}]);
assert.eq(db.houses.find({_id: 1}, {area: {$sum: "$rooms.m2"}, where: {$concat: ["$addr.street", " ", {$toString: "$addr.no"}]}, _id: 0}).toArray(), [{area: 13, where: "Elm 5"}]);
assert.eq(db.houses.find({_id: 2}, {price: {$multiply: ["$price", 1.1]}, lit: {$literal: 1}, txt: "house", num: {$size: "$rooms"}}).toArray()[0].num, 0);
assert.eq(db.houses.find({}, {big: {$cond: [{$gt: ["$price", 200]}, "yes", "$$REMOVE"]}}).sort({_id: 1}).toArray(), [{_id: 1, big: "yes"}, {_id: 2}]);
assert.eq(db.houses.find({_id: 1}, {missing: 1}).toArray(), [{_id: 1}]);
assert.eq(db.houses.find({_id: 1}, {all: "$$ROOT.addr.street", arr: ["$price", "$_id", "$nope"], obj: {p: "$price", q: {r: "$_id"}}}).toArray(), [{_id: 1, all: "Elm", arr: [300, 1, null], obj: {p: 300, q: {r: 1}}}]);
assert.eq(db.houses.aggregate([{$project: {_id: 0, "addr.street": 1, n: {$size: {$ifNull: ["$tags", []]}}}}, {$sort: {n: 1}}]).toArray(), [{addr: {street: "Elm"}, n: 0}, {addr: {street: "Oak"}, n: 2}]);
assert.commandFailedWithCode(db.runCommand({find: "houses", projection: {a: 1, b: 0}}), 31254);
assert.commandFailedWithCode(db.runCommand({find: "houses", projection: {a: 1, "a.b": 1}}), 31249);
assert.commandFailedWithCode(db.runCommand({find: "houses", projection: {"a.": 1}}), 40353);
assert.commandFailedWithCode(db.runCommand({find: "houses", projection: {x: {$bogus: 1}}}), 31325);
