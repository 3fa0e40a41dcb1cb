var b = db.bulk, step = 3;
b.drop();
b.bulkWrite([{insertOne: {document: {_id: 1, x: step}}}, {updateOne: {filter: {_id: 1}, update: {$inc: {x: 1}}}}]);
switch (step) {
case 3:
    b.insert({_id: 3, y: {z: [1, 2, {w: null}]}});
    break;
default:
    throw new Error("never");
}
do {
    step--;
    b.update({_id: 3}, {$push: {"y.z": {$each: [step], $slice: -3}}});
} while (step > 0);
assert.eq(b.findOne({_id: 3}, {"y.z": {$slice: 1}}).y.z, [1]);
b.findAndModify({query: {x: {$exists: true}}, update: {$unset: {x: ""}}, new: true});
b.find({$expr: {$eq: ["$x", {$literal: 3}]}}).forEach(function(d) { print(d); });
