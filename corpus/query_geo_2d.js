// Flat geometry: 2d indexes with bounds and precision, boxes, circles and polygons.
db.tokens.drop();
assert.commandWorked(db.tokens.createIndex({pos: "2d", colour: 1}, {min: -50, max: 50, bits: 20}));
for (var i = 0; i < 25; i++) {
    db.tokens.insert({_id: i, pos: [i % 5, Math.floor(i / 5)], colour: i % 2 ? "red" : "blue"});
}
assert.eq(db.tokens.find({pos: {$geoWithin: {$box: [[0.5, 0.5], [2.5, 2.5]]}}}).itcount(), 4);
assert.eq(db.tokens.find({pos: {$geoWithin: {$center: [[2, 2], 1]}}}).itcount(), 5);
assert.eq(db.tokens.find({pos: {$geoWithin: {$polygon: [[-1, -1], [5, -1], [-1, 5]]}}, colour: "blue"}).itcount(), 9);
assert.eq(db.tokens.find({pos: {$near: [4, 4], $maxDistance: 1.1}}).itcount(), 3);
assert.eq(db.tokens.find({pos: {$near: [0.1, 0.2]}}).limit(1).toArray()[0]._id, 0);
assert.eq(db.tokens.find({pos: {$within: {$center: [[0, 0], 1.5]}}}).itcount(), 4);
assert.eq(db.tokens.find({pos: {$geoWithin: {$centerSphere: [[0, 0], 0.02]}}}).itcount(), 3);
assert.eq(db.tokens.find({pos: {$near: {$geometry: {type: "Point", coordinates: [1, 1]}}}}).hint ? 1 : 0, 1);
assert.eq(db.tokens.aggregate([{$geoNear: {near: [2, 2], distanceField: "d", query: {colour: "red"}, key: "pos"}}, {$limit: 4}, {$group: {_id: "$d", n: {$sum: 1}}}]).toArray(), [{_id: 1, n: 4}]);
assert.writeOK(db.tokens.insert({_id: 100, pos: {x: 30, y: -30}, colour: "grey"}));
assert.writeOK(db.tokens.insert({_id: 101, pos: [[40, 40], [41, 41]], colour: "grey"}));
assert.writeError(db.tokens.insert({_id: 102, pos: [51, 0]}));
assert.eq(db.tokens.find({pos: {$geoWithin: {$box: [[20, -40], [45, 45]]}}}).itcount(), 2);
assert.eq(db.tokens.count({pos: [4, 4]}), 1);
assert.commandFailedWithCode(db.tokens.createIndex({pos2: "2d"}, {min: 10, max: 5}), [2, 67, 72]);
