// Inserting one or many documents and reading them back in every simple way.
db.orchard.drop();

assert.writeOK(db.orchard.insert({_id: 1, name: "apple", weight: 120, tags: ["red", "sweet"]}));
assert.writeOK(db.orchard.insert([{_id: 2, name: "pear", weight: 150}, {_id: 3, name: "plum", weight: 40}]));
assert.commandWorked(db.orchard.insertOne({_id: 4, name: "quince", weight: 200, origin: {land: "GR", year: 1987}}));
assert.commandWorked(db.orchard.insertMany([{_id: 5, name: "fig", weight: null}, {_id: 6, name: "date"}], {ordered: false}));

assert.eq(db.orchard.count(), 6);
assert.eq(db.orchard.countDocuments({weight: {$gt: 100}}), 3);
assert.eq(db.orchard.estimatedDocumentCount(), 6);
assert.eq(db.orchard.findOne({name: "plum"}), {_id: 3, name: "plum", weight: 40});
assert.eq(db.orchard.findOne({_id: 4}, {"origin.land": 1}), {_id: 4, origin: {land: "GR"}});
assert.isnull(db.orchard.findOne({name: "grape"}));
assert.eq(db.orchard.find({weight: null}).sort({_id: 1}).toArray(), [{_id: 5, name: "fig", weight: null}, {_id: 6, name: "date"}]);
assert.eq(db.orchard.find({}, {name: 1, _id: 0}).sort({name: -1}).limit(2).toArray(), [{name: "quince"}, {name: "plum"}]);
assert.eq(db.orchard.find().sort({_id: 1}).skip(4).itcount(), 2);
assert.eq(db.orchard.find({"origin.year": 1987}).count(), 1);
assert.eq(db.orchard.find({tags: ["red", "sweet"]}).count(), 1);
assert.eq(db.orchard.find({tags: "sweet"}).count(), 1);

assert.writeError(db.orchard.insert({_id: 1, name: "again"}));
assert.writeErrorWithCode(db.orchard.insert({_id: 2}), 11000);
assert.throws(function() {
    db.orchard.insertOne({_id: 3});
});
assert.eq(db.orchard.count({name: "again"}), 0);
