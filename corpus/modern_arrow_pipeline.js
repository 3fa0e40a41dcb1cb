// Let, const, arrow functions and template strings around aggregation results.
const name = "kites";
db[name].drop();
const colours = ["red", "blue", "green"];
for (let i = 0; i < 9; i++) {
    db[name].insertOne({_id: i, title: `kite ${i}`, colour: colours[i % 3], tail: {cm: i * 10, bows: i % 4}});
}
const pipeline = (colour) => [{$match: {colour}}, {$group: {_id: `$colour`, cm: {$sum: "$tail.cm"}, n: {$sum: 1}}}, {$addFields: {mean: {$divide: ["$cm", "$n"]}}}];
assert.eq(db[name].aggregate(pipeline("red")).toArray(), [{_id: "red", cm: 90, n: 3, mean: 30}]);
assert.eq(db[name].aggregate(pipeline("pink")).toArray(), []);
const titles = db[name].find({"tail.bows": {$gte: 2}}).sort({_id: 1}).toArray().map((d) => d.title);
assert.eq(titles, ["kite 2", "kite 3", "kite 6", "kite 7"]);
const extra = {wind: {$gt: 3}};
assert.eq(db[name].find({...extra, colour: "blue"}).itcount(), 0);
assert.commandWorked(db[name].updateMany({colour: {$in: colours.slice(0, 2)}}, {$set: {[`flags.${colours[0]}`]: true}}));
assert.eq(db[name].countDocuments({"flags.red": true}), 6);
assert.eq(db[name].aggregate([{$project: {_id: 0, s: {$concat: ["$colour", `-`, {$toString: "$tail.bows"}]}}}, {$sort: {s: -1}}, {$limit: 1}]).toArray(), [{s: "red-3"}]);
