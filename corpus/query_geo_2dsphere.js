// Spherical geometry: GeoJSON of every shape with a 2dsphere index.
db.stations.drop();
assert.commandWorked(db.stations.createIndex({loc: "2dsphere", kind: 1}));
assert.commandWorked(db.stations.insertMany([
    {_id: 1, kind: "bus", loc: {type: "Point", coordinates: [13.4, 52.5]}},
    {_id: 2, kind: "rail", loc: {type: "Point", coordinates: [13.37, 52.52]}},
    {_id: 3, kind: "rail", loc: {type: "LineString", coordinates: [[13, 52], [14, 53]]}},
    {_id: 4, kind: "park", loc: {type: "Polygon", coordinates: [[[10, 50], [11, 50], [11, 51], [10, 51], [10, 50]]]}},
    {_id: 5, kind: "bus", loc: {type: "MultiPoint", coordinates: [[0, 0], [1, 1]]}},
    {_id: 6, kind: "zoo", loc: {type: "GeometryCollection", geometries: [{type: "Point", coordinates: [-73.9, 40.7]}]}},
    {_id: 7, kind: "none"}
]));
var box = {type: "Polygon", coordinates: [[[13.3, 52.4], [13.5, 52.4], [13.5, 52.6], [13.3, 52.6], [13.3, 52.4]]]};
assert.eq(db.stations.find({loc: {$geoWithin: {$geometry: box}}}).itcount(), 2);
assert.eq(db.stations.find({loc: {$geoIntersects: {$geometry: box}}}).itcount(), 3);
assert.eq(db.stations.find({loc: {$geoIntersects: {$geometry: {type: "Point", coordinates: [10.5, 50.5]}}}}).toArray()[0]._id, 4);
assert.eq(db.stations.find({loc: {$geoWithin: {$centerSphere: [[13.4, 52.5], 0.001]}}}).itcount(), 2);
assert.eq(db.stations.find({loc: {$nearSphere: {$geometry: {type: "Point", coordinates: [13.4, 52.5]}, $maxDistance: 5000}}}).toArray()[0]._id, 1);
assert.eq(db.stations.find({loc: {$near: {$geometry: {type: "Point", coordinates: [13.4, 52.5]}, $minDistance: 100, $maxDistance: 5000}}, kind: "rail"}).toArray()[0]._id, 2);
assert.eq(db.stations.find({loc: {$geoIntersects: {$geometry: {type: "LineString", coordinates: [[-1, -1], [2, 2]]}}}}).itcount() >= 0, true);
assert.eq(db.stations.find({kind: "zoo", loc: {$geoWithin: {$geometry: {type: "MultiPolygon", coordinates: [[[[-74, 40], [-73, 40], [-73, 41], [-74, 41], [-74, 40]]]]}}}}).itcount(), 1);
assert.eq(db.stations.aggregate([
    {$geoNear: {near: {type: "Point", coordinates: [13.4, 52.5]}, distanceField: "far", spherical: true, maxDistance: 4000, query: {kind: {$ne: "zoo"}}, includeLocs: "at", distanceMultiplier: 0.001}},
    {$match: {far: {$lt: 4}}}, {$project: {_id: 1}}
]).toArray()[0], {_id: 1});
assert.writeError(db.stations.insert({_id: 8, loc: {type: "Point", coordinates: [300, 100]}}));
assert.writeError(db.stations.insert({_id: 9, loc: {type: "Polygon", coordinates: [[[0, 0], [1, 1], [0, 1], [1, 0], [0, 0]]]}}));
assert.throws(function() {
    db.stations.find({loc: {$geoWithin: {$geometry: {type: "Point", coordinates: [0, 0]}}}}).itcount();
});
