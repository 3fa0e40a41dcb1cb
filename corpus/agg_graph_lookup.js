// $graphLookup over trees and cycles with depth limits and restricting matches.
db.roads.drop();
db.roads.insert([
    {_id: 1, town: "Aa", to: ["Bb", "Cc"], toll: 1}, {_id: 2, town: "Bb", to: ["Dd"], toll: 0}, {_id: 3, town: "Cc", to: ["Dd", "Aa"], toll: 5},
    {_id: 4, town: "Dd", to: ["Ee"], toll: 2}, {_id: 5, town: "Ee", to: []}, {_id: 6, town: "Ff", to: ["Ff"], toll: null}
]);
assert.eq(db.roads.aggregate([{$match: {_id: 1}}, {$graphLookup: {from: "roads", startWith: "$to", connectFromField: "to", connectToField: "town", as: "reach"}}, {$project: {n: {$size: "$reach"}}}]).toArray(), [{_id: 1, n: 5}]);
assert.eq(db.roads.aggregate([{$match: {_id: 2}}, {$graphLookup: {from: "roads", startWith: "$town", connectFromField: "to", connectToField: "town", as: "r", depthField: "d"}}, {$unwind: "$r"}, {$sort: {"r.d": 1}}, {$project: {_id: 0, t: "$r.town", d: "$r.d"}}]).toArray(), [{t: "Bb", d: NumberLong("0")}, {t: "Dd", d: NumberLong("1")}, {t: "Ee", d: NumberLong("2")}]);
assert.eq(db.roads.aggregate([{$graphLookup: {from: "roads", startWith: "$to", connectFromField: "to", connectToField: "town", as: "near", maxDepth: 0}}, {$group: {_id: null, n: {$sum: {$size: "$near"}}}}]).toArray(), [{_id: null, n: 7}]);
assert.eq(db.roads.aggregate([{$match: {town: "Aa"}}, {$graphLookup: {from: "roads", startWith: "Aa", connectFromField: "to", connectToField: "town", as: "free", restrictSearchWithMatch: {toll: {$lt: 3}}}}, {$project: {_id: 0, f: {$setIntersection: ["$free.town", ["Aa", "Bb", "Cc", "Dd"]]}}}]).toArray(), [{f: ["Aa", "Bb", "Dd"]}]);
assert.eq(db.roads.aggregate([{$match: {_id: 6}}, {$graphLookup: {from: "roads", startWith: "$to", connectFromField: "to", connectToField: "town", as: "self", maxDepth: 10}}, {$unwind: {path: "$self"}}, {$count: "c"}]).toArray(), [{c: 1}]);
assert.eq(db.roads.aggregate([{$match: {_id: 5}}, {$graphLookup: {from: "roads", startWith: {$concat: ["D", "d"]}, connectFromField: "_id", connectToField: "toll", as: "odd"}}]).toArray()[0].odd, []);
assert.commandWorked(db.roads.createIndex({town: 1}));
assert.eq(db.roads.aggregate([{$match: {_id: 3}}, {$graphLookup: {from: "roads", startWith: "$to", connectFromField: "to", connectToField: "town", as: "x", depthField: "deep.at", maxDepth: NumberLong("1")}}, {$project: {m: {$max: "$x.deep.at"}}}]).toArray(), [{_id: 3, m: NumberLong("1")}]);
assert.eq(db.roads.aggregate([{$graphLookup: {from: "nosuch", startWith: "$to", connectFromField: "a", connectToField: "b", as: "to"}}, {$match: {to: {$ne: []}}}]).itcount(), 0);
assert.commandFailedWithCode(db.runCommand({aggregate: "roads", pipeline: [{$graphLookup: {from: "roads", startWith: "$to", connectFromField: "to", connectToField: "town", as: "x", maxDepth: -1}}], cursor: {}}), 40101);
assert.commandFailedWithCode(db.runCommand({aggregate: "roads", pipeline: [{$graphLookup: {from: "roads", startWith: "$to", connectFromField: "$to", connectToField: "town", as: "x"}}], cursor: {}}), [16410, 40104]);
assert.commandFailedWithCode(db.runCommand({aggregate: "roads", pipeline: [{$graphLookup: {from: "roads", as: "x"}}], cursor: {}}), 40105);
