// explain of find, count, distinct and aggregate at every verbosity.
db.maps.drop();
for (var i = 0; i < 30; i++) {
    db.maps.insert({_id: i, sheet: i % 6, scale: i * 100, tags: ["t" + (i % 2), "u"]});
}
assert.commandWorked(db.maps.createIndex({sheet: 1, scale: 1}));
assert.commandWorked(db.maps.createIndex({tags: 1}));
var ex = assert.commandWorked(db.maps.find({sheet: 3}).explain());
assert.eq(ex.queryPlanner.namespace, "test.maps");
assert.eq(ex.queryPlanner.parsedQuery, {sheet: {$eq: 3}});
ex = assert.commandWorked(db.maps.find({sheet: 3, scale: {$gt: 500}}).sort({scale: 1}).explain("executionStats"));
assert.eq(ex.executionStats.nReturned, 4);
assert.eq(ex.executionStats.totalKeysExamined, 4);
ex = assert.commandWorked(db.maps.find({$or: [{sheet: 1}, {tags: "t1"}]}).limit(3).explain("allPlansExecution"));
assert.eq(ex.executionStats.nReturned, 3);
ex = assert.commandWorked(db.maps.explain("executionStats").count({tags: "t0"}));
assert.eq(ex.executionStats.executionSuccess, true);
ex = assert.commandWorked(db.maps.explain("queryPlanner").distinct("sheet", {scale: {$gte: 0}}));
assert.eq(ex.queryPlanner.namespace, "test.maps");
ex = assert.commandWorked(db.maps.explain("executionStats").aggregate([{$match: {sheet: {$in: [1, 2]}}}, {$group: {_id: "$sheet", s: {$sum: "$scale"}}}]));
assert.eq(ex.ok, 1);
assert.commandWorked(db.maps.explain().aggregate([{$sort: {scale: -1}}, {$limit: 2}, {$lookup: {from: "maps", localField: "sheet", foreignField: "_id", as: "x"}}, {$unwind: "$x"}, {$facet: {a: [{$count: "n"}], b: [{$limit: 1}]}}]));
assert.commandWorked(db.runCommand({explain: {find: "maps", filter: {scale: {$mod: [7, 0]}}, projection: {_id: 0, sheet: 1}, sort: {sheet: -1}, hint: {sheet: 1, scale: 1}}, verbosity: "allPlansExecution"}));
assert.commandWorked(db.runCommand({explain: {aggregate: "maps", pipeline: [{$unionWith: "maps"}, {$sortByCount: "$sheet"}], cursor: {}}, verbosity: "executionStats", comment: "why"}));
assert.commandWorked(db.runCommand({explain: {count: "maps", query: {sheet: 2}, skip: 1}, verbosity: "executionStats"}));
assert.commandWorked(db.runCommand({explain: {distinct: "maps", key: "tags", query: {}}, verbosity: "executionStats"}));
assert.commandWorked(db.runCommand({explain: {find: "absent", filter: {a: {$not: {$gt: 5}}}}}));
assert.commandFailedWithCode(db.runCommand({explain: {find: "maps", filter: {$bad: 1}}}), 2);
assert.commandFailedWithCode(db.runCommand({explain: {find: "maps"}, verbosity: "chatty"}), [2, 9]);
assert.commandFailedWithCode(db.runCommand({explain: {ping: 1}}), [2, 20, 59, 72]);
assert.commandFailedWithCode(db.runCommand({explain: {explain: {find: "maps"}}}), [2, 20, 59, 72, 129]);
