// $bitsAllSet, $bitsAnyClear and relatives with masks, positions and BinData.
db.flags.drop();
db.flags.insert([
    {_id: 1, m: NumberInt(0)}, {_id: 2, m: NumberInt(1)}, {_id: 3, m: NumberInt(54)}, {_id: 4, m: NumberLong("4294967295")},
    {_id: 5, m: NumberInt(-1)}, {_id: 6, m: BinData(0, "Ng==")}, {_id: 7, m: NumberDecimal("54")}, {_id: 8, m: 0.5}, {_id: 9, m: "x"}, {_id: 10, m: [1, 54]}
]);
assert.eq(db.flags.find({m: {$bitsAllSet: 54}}).itcount(), 6);
assert.eq(db.flags.find({m: {$bitsAllSet: [1, 5]}}).itcount(), 6);
assert.eq(db.flags.find({m: {$bitsAllSet: BinData(0, "Ng==")}}).itcount(), 6);
assert.eq(db.flags.find({m: {$bitsAnySet: [0]}}).itcount(), 4);
assert.eq(db.flags.find({m: {$bitsAnySet: NumberLong("4294967296")}}).itcount(), 1);
assert.eq(db.flags.find({m: {$bitsAllClear: [0, 1, 2]}}).itcount(), 1);
assert.eq(db.flags.find({m: {$bitsAllClear: 0}}).itcount(), 8);
assert.eq(db.flags.find({m: {$bitsAnyClear: [0, 63]}}).itcount(), 7);
assert.eq(db.flags.find({m: {$bitsAnyClear: 1, $bitsAllSet: [2]}}).itcount(), 4);
assert.eq(db.flags.find({m: {$not: {$bitsAnySet: 54}}}).itcount(), 4);
assert.eq(db.flags.find({$or: [{m: {$bitsAllSet: [200]}}, {m: {$bitsAllClear: [200]}}]}).itcount(), 8);
assert.eq(db.flags.update({_id: 3}, {$bit: {m: {and: NumberInt(6)}}}).nModified, 1);
assert.eq(db.flags.update({_id: 2}, {$bit: {m: {or: NumberLong("8"), xor: NumberInt(1)}, fresh: {xor: NumberInt(3)}}}).nModified, 1);
assert.eq(db.flags.findOne({_id: 3}).m, 6);
assert.eq(db.flags.findOne({_id: 2}), {_id: 2, m: NumberLong("8"), fresh: 3});
assert.commandFailedWithCode(db.runCommand({find: "flags", filter: {m: {$bitsAllSet: -1}}}), 9);
assert.commandFailedWithCode(db.runCommand({find: "flags", filter: {m: {$bitsAnySet: "seven"}}}), [2, 9]);
assert.writeError(db.flags.update({_id: 9}, {$bit: {m: {and: NumberInt(1)}}}));
