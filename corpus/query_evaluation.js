// $expr, $mod, $regex and $jsonSchema in find filters.
db.invoices.drop();
db.invoices.insert([
    {_id: 1, no: "INV-001", net: 100, vat: 19, lines: 3}, {_id: 2, no: "inv-002", net: 50, vat: 60, lines: 10},
    {_id: 3, no: "CRN-003", net: -20, vat: 0, lines: 4}, {_id: 4, no: "INV\n-004", net: 7.9, vat: 1, lines: -5}
]);
assert.eq(db.invoices.find({$expr: {$gt: ["$vat", "$net"]}}).itcount(), 2);
assert.eq(db.invoices.find({$expr: {$and: [{$gte: ["$net", 50]}, {$eq: [{$substrBytes: ["$no", 0, 3]}, "INV"]}]}}).itcount(), 1);
assert.eq(db.invoices.find({$expr: {$in: ["$lines", [3, 4]]}, net: {$lt: 0}}).itcount(), 1);
assert.eq(db.invoices.find({$expr: {$let: {vars: {sum: {$add: ["$net", "$vat"]}}, in: {$gte: ["$$sum", 110]}}}}).itcount(), 2);
assert.eq(db.invoices.find({lines: {$mod: [5, 0]}}).itcount(), 2);
assert.eq(db.invoices.find({net: {$mod: [NumberInt(2), NumberInt(1)]}}).itcount(), 1);
assert.eq(db.invoices.find({lines: {$mod: [-4, -1]}}).itcount(), 1);
assert.eq(db.invoices.find({no: /^INV/}).itcount(), 2);
assert.eq(db.invoices.find({no: {$regex: "^inv", $options: "i"}}).itcount(), 3);
assert.eq(db.invoices.find({no: {$regex: "^-", $options: "m"}}).itcount(), 1);
assert.eq(db.invoices.find({no: {$regex: "INV.-", $options: "s"}}).itcount(), 1);
assert.eq(db.invoices.find({no: {$regex: " i n v  # letters\n - 0 ", $options: "xi"}}).itcount(), 2);
assert.eq(db.invoices.find({no: {$not: {$regex: /\d{3}$/}}}).itcount(), 0);
assert.eq(db.invoices.find({no: {$in: [/^crn/i, /002/]}}).itcount(), 2);
assert.eq(db.invoices.find({$jsonSchema: {required: ["net"], properties: {net: {minimum: 0, exclusiveMinimum: true}, no: {pattern: "^INV"}}}}).itcount(), 2);
assert.eq(db.invoices.find({$jsonSchema: {properties: {lines: {enum: [3, 10]}}, not: {properties: {net: {maximum: 60}}}}}).itcount(), 1);
assert.commandFailedWithCode(db.runCommand({find: "invoices", filter: {net: {$mod: [0, 1]}}}), 2);
assert.commandFailedWithCode(db.runCommand({find: "invoices", filter: {no: {$regex: "(", $options: ""}}}), 51091);
assert.commandFailedWithCode(db.runCommand({find: "invoices", filter: {$expr: {$divide: ["$net", "$vat"]}}}), 2);
