// $push with modifiers, $addToSet, $pop, $pull, $pullAll and their error cases.
db.shelves.drop();
db.shelves.insert({_id: 1, books: ["b", "d"], marks: [3, 9, 1], objs: [{k: 2, v: "x"}, {k: 1, v: "y"}], plain: 5});
assert.eq(db.shelves.update({_id: 1}, {$push: {books: "e"}}).nModified, 1);
assert.writeOK(db.shelves.update({_id: 1}, {$push: {books: {$each: ["a", "c"], $sort: 1}}}));
assert.eq(db.shelves.findOne().books, ["a", "b", "c", "d", "e"]);
assert.writeOK(db.shelves.update({_id: 1}, {$push: {books: {$each: ["z"], $position: -2, $slice: -4}}}));
assert.eq(db.shelves.findOne().books, ["c", "z", "d", "e"]);
assert.writeOK(db.shelves.update({_id: 1}, {$push: {marks: {$each: [7, 2], $sort: -1, $slice: 3}, fresh: {$each: []}}}));
assert.eq(db.shelves.findOne().marks, [9, 7, 3]);
assert.writeOK(db.shelves.update({_id: 1}, {$push: {objs: {$each: [{k: 0, v: "z"}, {v: "no k"}], $sort: {k: 1, v: -1}, $position: 0}}}));
assert.eq(db.shelves.findOne().objs.length, 4);
assert.eq(db.shelves.findOne().objs[0], {v: "no k"});
assert.eq(db.shelves.update({_id: 1}, {$addToSet: {books: "c"}}).nModified, 0);
assert.eq(db.shelves.update({_id: 1}, {$addToSet: {books: {$each: ["c", "q", "q"]}, objs: {k: 1, v: "y"}}}).nModified, 1);
assert.writeOK(db.shelves.update({_id: 1}, {$pop: {books: 1, marks: -1}}));
assert.eq(db.shelves.findOne({}, {_id: 0, books: 1, marks: 1}), {books: ["c", "z", "d", "e"], marks: [7, 3]});
assert.writeOK(db.shelves.update({_id: 1}, {$pull: {marks: {$gte: 5}, books: {$in: ["z", /^d/]}}}));
assert.writeOK(db.shelves.update({_id: 1}, {$pull: {objs: {k: {$lt: 2}, v: {$ne: "y"}}}}));
assert.eq(db.shelves.findOne().objs, [{v: "no k"}, {k: 1, v: "y"}, {k: 2, v: "x"}]);
assert.writeOK(db.shelves.update({_id: 1}, {$pullAll: {objs: [{k: 1, v: "y"}, {k: 9}], books: ["c"]}}));
assert.eq(db.shelves.findOne(), {_id: 1, books: ["e"], marks: [3], objs: [{v: "no k"}, {k: 2, v: "x"}], plain: 5, fresh: []});

assert.writeError(db.shelves.update({_id: 1}, {$push: {plain: 1}}));
assert.writeError(db.shelves.update({_id: 1}, {$push: {books: {$each: 5}}}));
assert.writeError(db.shelves.update({_id: 1}, {$push: {books: {$each: [], $slice: 1.5}}}));
assert.writeError(db.shelves.update({_id: 1}, {$pop: {books: 2}}));
assert.writeError(db.shelves.update({_id: 1}, {$addToSet: {plain: {$each: [1]}}}));
assert.writeError(db.shelves.update({_id: 1}, {$pullAll: {books: "e"}}));
