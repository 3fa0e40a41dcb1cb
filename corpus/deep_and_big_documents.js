// Deep nesting, long strings, wide documents and the size limits.
db.tower.drop();
var deep = {leaf: 1};
for (var i = 0; i < 80; i++) {
    deep = i % 2 ? {n: deep} : {n: [deep]};
}
assert.writeOK(db.tower.insert({_id: "deep", d: deep}));
assert.eq(db.tower.count({"d.n.n.n.n": {$exists: true}}), 1);
assert.eq(db.tower.count({d: deep}), 1);
var wide = {_id: "wide"};
for (var j = 0; j < 600; j++) {
    wide["f" + j] = j;
}
assert.writeOK(db.tower.insert(wide));
assert.eq(db.tower.find({f599: 599}, {f0: 1, f300: 1, _id: 0}).toArray(), [{f0: 0, f300: 300}]);
assert.eq(db.tower.aggregate([{$match: {_id: "wide"}}, {$project: {_id: 0, n: {$size: {$objectToArray: "$$ROOT"}}}}]).toArray(), [{n: 601}]);
var long = "abcdefghij";
for (var k = 0; k < 12; k++) {
    long = long + long;
}
assert.writeOK(db.tower.insert({_id: "long", s: long, list: [long, long]}));
assert.eq(db.tower.aggregate([{$match: {_id: "long"}}, {$project: {_id: 0, n: {$strLenBytes: "$s"}}}]).toArray(), [{n: 40960}]);
assert.eq(db.tower.find({s: {$regex: "jabc.*hij$"}}).itcount(), 1);
assert.eq(db.tower.update({_id: "long"}, {$push: {list: {$each: [long, long, long], $slice: -4}}}).nModified, 1);
assert.eq(db.tower.aggregate([{$match: {_id: "long"}}, {$project: {_id: 0, z: {$gt: [{$bsonSize: "$$ROOT"}, 200000]}}}]).toArray(), [{z: true}]);
assert.commandWorked(db.tower.createIndex({s: 1}));
assert.eq(db.tower.find({s: long}).hint({s: 1}).itcount(), 1);
assert.commandFailed(db.runCommand({aggregate: "tower", pipeline: [{$match: {_id: "long"}}, {$project: {x: {$reduce: {input: {$range: [0, 9]}, initialValue: "$s", in: {$concat: ["$$value", "$$value"]}}}}}], cursor: {}}));
assert.eq(db.tower.find({f0: {$in: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}}).itcount(), 1);
assert.eq(db.tower.remove({_id: {$in: ["wide", "long"]}}).nRemoved, 2);
