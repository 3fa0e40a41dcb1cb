// The positional operator with various match conditions and nested paths.
db.trays.drop();
db.trays.insert([
    {_id: 1, cups: [10, 20, 30], kit: [{n: 1, s: [{t: "a"}]}, {n: 2, s: [{t: "b"}]}]},
    {_id: 2, cups: [20, 20], kit: [{n: 2}]}, {_id: 3, cups: 20}
]);
assert.eq(db.trays.update({_id: 1, cups: 20}, {$set: {"cups.$": 21}}).nModified, 1);
assert.eq(db.trays.findOne({_id: 1}).cups, [10, 21, 30]);
assert.eq(db.trays.update({_id: 1, cups: {$elemMatch: {$gt: 25}}}, {$inc: {"cups.$": -1}}).nModified, 1);
assert.eq(db.trays.update({"kit.n": 2}, {$set: {"kit.$.seen": true}}, {multi: true}).nModified, 2);
assert.eq(db.trays.findOne({_id: 1}).kit[1], {n: 2, s: [{t: "b"}], seen: true});
assert.eq(db.trays.update({_id: 1, "kit.s.t": "a"}, {$push: {"kit.$.s": {t: "c"}}}).nModified, 1);
assert.eq(db.trays.findOne({_id: 1}).kit[0].s, [{t: "a"}, {t: "c"}]);
assert.eq(db.trays.update({_id: 1, kit: {$elemMatch: {n: {$gte: 2}, "s.t": "b"}}}, {$rename: {cups: "mugs"}, $set: {"kit.$.n": 22}}).nModified, 1);
assert.eq(db.trays.findOne({_id: 1}).mugs, [10, 21, 29]);
assert.eq(db.trays.update({_id: 2, "cups.1": 20}, {$set: {"cups.1": "second", "cups.4": "fifth"}}).nModified, 1);
assert.eq(db.trays.findOne({_id: 2}).cups, [20, "second", null, null, "fifth"]);
assert.eq(db.trays.update({_id: 2, cups: null}, {$unset: {"cups.$": ""}}).nModified >= 0, true);
assert.eq(db.trays.find({_id: 1, "kit.n": 1}, {"kit.$": 1}).toArray(), [{_id: 1, kit: [{n: 1, s: [{t: "a"}, {t: "c"}]}]}]);
assert.eq(db.trays.findAndModify({query: {_id: 2, "kit.n": 2}, update: {$set: {"kit.$": "gone"}}, new: true}).kit, ["gone"]);

assert.writeError(db.trays.update({_id: 3, cups: 20}, {$set: {"cups.$": 1}}));
assert.writeError(db.trays.update({_id: 1}, {$set: {"mugs.$": 1}}));
assert.writeError(db.trays.update({_id: 1, mugs: 10}, {$set: {"mugs.$.$": 1}}));
assert.writeError(db.trays.update({_id: 99, "kit.n": 5}, {$set: {"kit.$.n": 1}}, {upsert: true}));
