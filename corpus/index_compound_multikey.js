// Compound and multikey indexes, index listings, dropping and hiding.
db.garage.drop();
assert.commandWorked(db.garage.createIndex({make: 1, year: -1}));
assert.commandWorked(db.garage.createIndex({"parts.no": 1, price: 1}, {name: "parts_price"}));
assert.commandWorked(db.garage.createIndexes([{make: 1, "spec.ps": 1}, {price: -1}], {background: true}));
db.garage.insert([
    {_id: 1, make: "Fi", year: 1990, parts: [{no: 5}, {no: 7}], price: 10, spec: {ps: 50}}, {_id: 2, make: "Fi", year: 2000, parts: [], price: 30},
    {_id: 3, make: "Op", year: 1990, parts: {no: 5}, price: 20, spec: [{ps: 60}, {ps: 70}]}, {_id: 4, make: null, price: 20}
]);
assert.eq(db.garage.getIndexes().length, 5);
assert.eq(db.garage.getIndexes()[2].name, "parts_price");
assert.sameMembers(db.garage.getIndexKeys(), [{_id: 1}, {make: 1, year: -1}, {"parts.no": 1, price: 1}, {make: 1, "spec.ps": 1}, {price: -1}]);
assert.eq(db.garage.find({make: "Fi"}, {year: 1, _id: 0}).sort({year: -1}).hint({make: 1, year: -1}).toArray(), [{year: 2000}, {year: 1990}]);
assert.eq(db.garage.find({make: {$gte: "Fi"}, year: 1990}).hint("make_1_year_-1").sort({make: -1, year: 1}).toArray()[0]._id, 3);
assert.eq(db.garage.find({"parts.no": 5, price: {$lte: 10}}).hint("parts_price").itcount(), 1);
assert.eq(db.garage.find({parts: {$elemMatch: {no: {$gt: 5, $lt: 9}}}}).itcount(), 1);
assert.eq(db.garage.find({"spec.ps": {$gt: 55, $lt: 65}, make: "Op"}).hint({make: 1, "spec.ps": 1}).itcount(), 1);
assert.eq(db.garage.find({make: null}).hint({make: 1, year: -1}).itcount(), 1);
assert.eq(db.garage.find({price: 20}).hint({price: -1}).min({price: 20}).max({price: 10}).itcount(), 2);
assert.eq(db.garage.find().hint({$natural: -1}).toArray()[0]._id, 4);
assert.commandWorked(db.garage.hideIndex("price_-1"));
assert.throws(function() {
    db.garage.find({price: 20}).hint("price_-1").itcount();
});
assert.commandWorked(db.garage.unhideIndex({price: -1}));
assert.eq(db.garage.find({price: 20}).hint("price_-1").itcount(), 2);
assert.commandWorked(db.garage.createIndex({make: 1, year: -1}));
assert.eq(db.garage.getIndexes().length, 5);
assert.commandWorked(db.garage.dropIndex({make: 1, year: -1}));
assert.commandWorked(db.garage.dropIndex("parts_price"));
assert.commandFailedWithCode(db.garage.dropIndex("no_such"), 27);
assert.commandFailedWithCode(db.garage.dropIndex("_id_"), 72);
assert.commandFailedWithCode(db.garage.createIndex({price: -1}, {name: "other_name"}), 85);
assert.commandFailedWithCode(db.garage.createIndex({a: "elephant"}), 67);
assert.commandFailedWithCode(db.garage.createIndex({a: 0}), 67);
assert.commandWorked(db.garage.dropIndexes());
assert.eq(db.garage.getIndexes(), [{v: 2, key: {_id: 1}, name: "_id_"}]);
