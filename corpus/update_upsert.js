// What an upsert builds from equality, $and, $in, dotted and operator queries.
db.seeds.drop();
assert.eq(db.seeds.update({_id: 1, a: 5}, {$set: {b: 6}}, {upsert: true}).nUpserted, 1);
assert.eq(db.seeds.findOne({_id: 1}), {_id: 1, a: 5, b: 6});
assert.writeOK(db.seeds.update({_id: 2, "x.y": 1, "x.z": {$eq: 2}, q: {$gt: 3}}, {$inc: {n: 1}}, true));
assert.docEq(db.seeds.findOne({_id: 2}), {_id: 2, x: {y: 1, z: 2}, n: 1});
assert.writeOK(db.seeds.update({$and: [{_id: 3}, {k: "v"}], $or: [{only: 1}]}, {$push: {l: 1}}, {upsert: true}));
assert.docEq(db.seeds.findOne({_id: 3}), {_id: 3, k: "v", only: 1, l: [1]});
assert.writeOK(db.seeds.update({_id: 4, in: {$in: [7]}, all: {$all: [8]}}, {$addToSet: {s: {$each: [1, 1]}}}, {upsert: true}));
assert.docEq(db.seeds.findOne({_id: 4}), {_id: 4, in: 7, all: 8, s: [1]});
assert.eq(db.seeds.update({_id: 5}, {z: 1, w: null}, {upsert: true}).nUpserted, 1);
assert.eq(db.seeds.findOne({_id: 5}), {_id: 5, z: 1, w: null});
assert.eq(db.seeds.updateMany({grp: "g"}, {$setOnInsert: {_id: 6, made: 1}, $min: {low: -1}}, {upsert: true}).matchedCount, 0);
assert.eq(db.seeds.findOne({_id: 6}), {_id: 6, grp: "g", low: -1, made: 1});
assert.eq(db.seeds.update({_id: {sub: 1, key: "x"}}, {$set: {c: 1}}, {upsert: true}).nUpserted, 1);
assert.eq(db.seeds.count({"_id.sub": 1}), 1);
assert.writeOK(db.seeds.update({name: "byobjectid"}, {$unset: {gone: 1}}, {upsert: true}));
assert.eq(db.seeds.find({name: "byobjectid", _id: {$type: "objectId"}}).itcount(), 1);
assert.eq(db.seeds.findAndModify({query: {_id: 8}, update: {$set: {"a.0.b": 1}}, upsert: true, new: true}), {_id: 8, a: {"0": {b: 1}}});
assert.isnull(db.seeds.findAndModify({query: {_id: 9}, update: {$set: {a: 1}}, upsert: true}));

assert.writeError(db.seeds.update({_id: 10, a: 1, $and: [{a: 2}]}, {$set: {b: 1}}, {upsert: true}));
assert.writeError(db.seeds.update({_id: 10, a: {$eq: 1}, "a.b": 1}, {$set: {b: 1}}, {upsert: true}));
assert.writeError(db.seeds.update({_id: 10, a: 1}, {$set: {"a.b": 1}}, {upsert: true}));
assert.eq(db.seeds.count({_id: 10}), 0);
