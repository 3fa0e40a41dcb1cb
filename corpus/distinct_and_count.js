// distinct and count with queries, arrays, nested paths, limits and hints.
db.census.drop();
db.census.insert([
    {_id: 1, town: "Ulm", jobs: ["baker", "cook"], kids: [{n: "A", age: 3}, {n: "B", age: 5}]}, {_id: 2, town: "Bonn", jobs: ["cook"], kids: []},
    {_id: 3, town: "Ulm", jobs: null, kids: {n: "C", age: 3}}, {_id: 4, town: ["Ulm", "Jena"], jobs: "smith"}, {_id: 5}
]);
assert.sameMembers(db.census.distinct("town"), ["Bonn", "Jena", "Ulm"]);
assert.sameMembers(db.census.distinct("jobs"), [null, "baker", "cook", "smith"]);
assert.sameMembers(db.census.distinct("kids.age"), [3, 5]);
assert.sameMembers(db.census.distinct("kids.0.n"), ["A"]);
assert.eq(db.census.distinct("nope"), []);
assert.sameMembers(db.census.distinct("jobs", {town: "Ulm"}), [null, "baker", "cook", "smith"]);
assert.eq(db.census.distinct("_id", {"kids.age": {$gt: 4}}), [1]);
assert.eq(db.census.count(), 5);
assert.eq(db.census.count({town: "Ulm"}), 3);
assert.eq(db.census.count({jobs: {$in: ["cook", null]}}), 4);
assert.eq(db.census.find({town: "Ulm"}).skip(1).limit(1).size(), 1);
assert.eq(db.census.countDocuments({"kids.n": {$exists: true}}, {skip: 1}), 1);
assert.eq(db.census.countDocuments({}, {limit: 2}), 2);
assert.commandWorked(db.census.createIndex({town: 1}, {name: "t"}));
assert.sameMembers(db.census.distinct("town", {town: {$gte: "C"}}), ["Jena", "Ulm"]);
assert.eq(db.runCommand({count: "census", query: {town: {$exists: true}}, limit: 3}).n, 3);
assert.eq(db.runCommand({count: "census", query: {town: "Bonn"}, hint: "t"}).n, 1);
assert.eq(db.runCommand({count: "census", query: {}, limit: -2, skip: 1}).n, 2);
assert.eq(db.runCommand({count: "not_there", query: {a: 1}}).n, 0);
assert.eq(db.runCommand({distinct: "census", key: "town", query: {jobs: "smith"}, comment: "who"}).values.length, 2);
assert.commandFailedWithCode(db.runCommand({count: "census", skip: -1}), [2, 9, 51024]);
assert.commandFailedWithCode(db.runCommand({distinct: "census", key: 5}), 14);
assert.commandFailedWithCode(db.runCommand({distinct: "census", key: "town", query: {$foo: 1}}), 2);
assert.commandFailedWithCode(db.runCommand({distinct: "", key: "a"}), 73);
