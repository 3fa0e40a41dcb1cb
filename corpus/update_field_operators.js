// $set, $unset, $inc, $mul, $min, $max, $rename, $setOnInsert and $currentDate.
db.wallets.drop();
db.wallets.insert([
    {_id: 1, coins: 5, notes: NumberInt(2), owner: {name: "Kim", town: "Ulm"}, dec: NumberDecimal("1.10")},
    {_id: 2, coins: 2.5, big: NumberLong("9000000000000000000"), when: ISODate("2010-05-05T00:00:00Z")}
]);
assert.eq(db.wallets.update({_id: 1}, {$set: {"owner.name": "Lee", "owner.tel.home": 123, fresh: [1, {a: 2}]}}).nModified, 1);
assert.eq(db.wallets.update({_id: 1}, {$unset: {"owner.town": "", missing: 1}}).nModified, 1);
assert.eq(db.wallets.findOne({_id: 1}, {owner: 1}), {_id: 1, owner: {name: "Lee", tel: {home: 123}}});
assert.writeOK(db.wallets.update({}, {$inc: {coins: 1, visits: 1}, $max: {level: 3}}, {multi: true}));
assert.writeOK(db.wallets.update({_id: 1}, {$inc: {dec: NumberDecimal("0.05")}, $mul: {coins: 1.5, nought: 7}}));
assert.eq(db.wallets.findOne({_id: 1}).dec, NumberDecimal("1.15"));
assert.eq(db.wallets.findOne({_id: 1}, {_id: 0, coins: 1, nought: 1}), {coins: 9, nought: 0});
assert.eq(db.wallets.updateMany({}, {$min: {coins: 4}, $max: {when: ISODate("2011-01-01T00:00:00Z")}}).modifiedCount, 2);
assert.eq(db.wallets.findOne({_id: 2}).when, ISODate("2011-01-01T00:00:00Z"));
assert.writeOK(db.wallets.update({_id: 1}, {$rename: {"owner.name": "holder", notes: "paper.count"}}));
assert.eq(db.wallets.findOne({_id: 1}).paper, {count: 2});
assert.eq(db.wallets.findOne({_id: 1}).holder, "Lee");
assert.eq(db.wallets.updateOne({_id: 3}, {$setOnInsert: {born: true, "deep.er": 1}, $inc: {coins: 2}}, {upsert: true}).matchedCount, 0);
assert.eq(db.wallets.findOne({_id: 3}), {_id: 3, born: true, coins: 2, deep: {er: 1}});
assert.writeOK(db.wallets.update({_id: 3}, {$currentDate: {stamp: true, ts: {$type: "timestamp"}, day: {$type: "date"}}}));
assert.eq(db.wallets.find({stamp: {$type: "date"}, ts: {$type: "timestamp"}, day: {$type: 9}}).itcount(), 1);
assert.eq(db.wallets.update({_id: 3}, {$setOnInsert: {ignored: 1}}).nModified, 0);

assert.writeError(db.wallets.update({_id: 1}, {$inc: {holder: 1}}));
assert.writeError(db.wallets.update({_id: 2}, {$inc: {big: NumberLong("9000000000000000000")}}));
assert.writeError(db.wallets.update({_id: 1}, {$set: {a: 1}, $unset: {a: 1}}));
assert.writeError(db.wallets.update({_id: 1}, {$set: {"coins.x": 1}}));
assert.writeError(db.wallets.update({_id: 1}, {$set: {_id: 2}}));
assert.writeError(db.wallets.update({_id: 1}, {$rename: {coins: "coins"}}));
assert.writeError(db.wallets.update({_id: 1}, {$frobnicate: {coins: 1}}));
