// A window report with let, const and arrow functions over generated readings.
const readings = Array.from({length: 10}, (_, i) => ({_id: i, room: i < 5 ? "hall" : "loft", hour: i % 5, temp: 18 + (i * 7) % 5}));
db.rooms.drop();
db.rooms.insertMany(readings);
let rows = db.rooms.aggregate([{$setWindowFields: {partitionBy: "$room", sortBy: {hour: 1}, output: {avg: {$avg: "$temp", window: {documents: [-1, 1]}}}}}, {$match: {hour: 2}}, {$sort: {room: 1}}, {$project: {_id: 0, room: 1, avg: {$round: ["$avg", 2]}}}]).toArray();
assert.eq(rows, [{room: "hall", avg: 20.33}, {room: "loft", avg: 20.33}]);
const top = db.rooms.aggregate([{$group: {_id: "$room", best: {$topN: {n: 2, sortBy: {temp: -1, hour: 1}, output: "$hour"}}}}, {$sort: {_id: 1}}]).toArray();
assert.eq(top.map(({best}) => best), [[2, 4], [2, 4]]);
rows = db.rooms.find({$expr: {$gt: ["$temp", 20]}}, {_id: 0, hour: 1}).sort({hour: -1, _id: 1}).limit(3).toArray();
assert.eq(rows.map((r) => r.hour), [4, 4, 2]);
