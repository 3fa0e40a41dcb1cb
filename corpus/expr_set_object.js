// Set expressions and object expressions including $getField and $setField.
db.clubs.drop();
db.clubs.insert([{_id: 1, a: [1, 2, 2, 3], b: [3, 4], o: {x: 1, y: {z: 2}}, f: [true, 1]}, {_id: 2, a: [], b: [3], o: {}, f: [false]}, {_id: 3, a: [[1], {k: 1}], b: [{k: 1}], o: null, f: []}]);
assert.eq(db.clubs.aggregate([{$sort: {_id: 1}}, {$project: {_id: 0, eq: {$setEquals: ["$a", "$b"]}, sub: {$setIsSubset: ["$b", "$a"]}, all: {$allElementsTrue: ["$f"]}, any: {$anyElementTrue: ["$f"]}}}]).toArray(), [{eq: false, sub: false, all: true, any: true}, {eq: false, sub: false, all: false, any: false}, {eq: false, sub: true, all: true, any: false}]);
assert.sameMembers(db.clubs.aggregate([{$match: {_id: 1}}, {$project: {u: {$setUnion: ["$a", "$b", [9]]}}}]).toArray()[0].u, [1, 2, 3, 4, 9]);
assert.eq(db.clubs.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, i: {$setIntersection: ["$a", "$b"]}, d: {$setDifference: ["$a", "$b"]}, n: {$setUnion: ["$a", "$none"]}, e: {$setEquals: [[1, 1, 2], [2, 1]]}}}]).toArray(), [{i: [3], d: [1, 2], n: null, e: true}]);
assert.eq(db.clubs.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, m: {$mergeObjects: ["$o", {y: 5, w: "$_id"}, null]}, o: {$objectToArray: "$o"}, back: {$arrayToObject: [[["p", 1], ["q", "$_id"]]]}}}]).toArray(), [{m: {x: 1, y: 5, w: 1}, o: [{k: "x", v: 1}, {k: "y", v: {z: 2}}], back: {p: 1, q: 1}}]);
assert.eq(db.clubs.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, g: {$getField: {field: "x", input: "$o"}}, h: {$getField: "b"}, s: {$setField: {field: "a.b$c", input: "$o", value: {$add: [1, "$o.x"]}}}, u: {$unsetField: {field: "y", input: "$o"}}}}]).toArray(), [{g: 1, h: [3, 4], s: {x: 1, y: {z: 2}, "a.b$c": 2}, u: {x: 1}}]);
assert.eq(db.clubs.aggregate([{$match: {_id: 3}}, {$project: {_id: 0, m: {$mergeObjects: ["$o", "$nope"]}, o: {$objectToArray: "$o"}, g: {$getField: {field: "q", input: "$o"}}, i: {$setIntersection: ["$a", "$b"]}}}]).toArray(), [{m: {}, o: null, g: null, i: [{k: 1}]}]);
assert.eq(db.clubs.aggregate([{$match: {_id: 1}}, {$replaceWith: {$setField: {field: {$literal: "$price"}, input: "$$ROOT.o", value: "$$REMOVE"}}}]).toArray(), [{x: 1, y: {z: 2}}]);
assert.eq(db.clubs.aggregate([{$group: {_id: null, m: {$mergeObjects: "$o"}, s: {$addToSet: {$size: "$b"}}}}, {$project: {_id: 0, m: 1, n: {$size: "$s"}}}]).toArray(), [{m: {x: 1, y: {z: 2}}, n: 2}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "clubs", pipeline: [{$project: {x: {$setUnion: ["$o"]}}}], cursor: {}}), [17043, 5126900]);
assert.commandFailedWithCode(db.runCommand({aggregate: "clubs", pipeline: [{$project: {x: {$allElementsTrue: ["$o"]}}}], cursor: {}}), [17040, 5159200]);
assert.commandFailedWithCode(db.runCommand({aggregate: "clubs", pipeline: [{$project: {x: {$mergeObjects: ["$a"]}}}], cursor: {}}), 40400);
assert.commandFailedWithCode(db.runCommand({aggregate: "clubs", pipeline: [{$project: {x: {$getField: {field: 5, input: "$o"}}}}], cursor: {}}), [5654602, 3041704]);
assert.commandFailedWithCode(db.runCommand({aggregate: "clubs", pipeline: [{$project: {x: {$objectToArray: "$a"}}}], cursor: {}}), [40390, 5153215]);
