// $lookup by equality, with let and pipeline, both combined, and uncorrelated.
db.authors.drop();
db.books.drop();
db.authors.insert([{_id: 1, name: "Ng", likes: ["sci", "art"]}, {_id: 2, name: "Oz", likes: []}, {_id: 3, name: "Pi"}]);
db.books.insert([
    {_id: "a", by: 1, genre: "sci", pages: 100}, {_id: "b", by: [1, 2], genre: "art", pages: 250},
    {_id: "c", by: null, genre: "law", pages: 50}, {_id: "d", genre: "sci", pages: 400, meta: {by: 2}}
]);
assert.commandWorked(db.books.createIndex({genre: 1, pages: 1}));
assert.eq(db.authors.aggregate([{$lookup: {from: "books", localField: "_id", foreignField: "by", as: "wrote"}}, {$project: {n: {$size: "$wrote"}}}, {$sort: {_id: 1}}]).toArray(), [{_id: 1, n: 2}, {_id: 2, n: 1}, {_id: 3, n: 0}]);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", localField: "likes", foreignField: "genre", as: "fit"}}, {$match: {"fit.pages": {$gt: 300}}}, {$project: {ids: "$fit._id"}}]).toArray()[0]._id, 1);
assert.eq(db.authors.aggregate([{$sort: {_id: 1}}, {$limit: 1}, {$lookup: {from: "books", let: {me: "$_id", ls: "$likes"}, pipeline: [{$match: {$expr: {$in: ["$genre", "$$ls"]}}}, {$sort: {pages: -1}}, {$project: {_id: 1, mine: "$$me"}}], as: "b"}}]).toArray()[0].b, [{_id: "d", mine: 1}, {_id: "b", mine: 1}, {_id: "a", mine: 1}]);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", localField: "_id", foreignField: "by", let: {k: "$name"}, pipeline: [{$match: {pages: {$gte: 200}}}, {$set: {who: {$toLower: "$$k"}}}], as: "long"}}, {$unwind: "$long"}, {$sort: {_id: 1}}, {$project: {_id: 0, w: "$long.who"}}]).toArray(), [{w: "ng"}, {w: "oz"}]);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", pipeline: [{$group: {_id: null, p: {$sum: "$pages"}}}], as: "all"}}, {$match: {"all.p": 800}}]).itcount(), 3);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", localField: "none", foreignField: "by", as: "x"}}, {$unwind: {path: "$x", includeArrayIndex: "at"}}, {$match: {"x.genre": "sci"}}]).itcount(), 3);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", localField: "_id", foreignField: "meta.by", as: "m.deep"}}, {$match: {"m.deep._id": "d"}}, {$project: {name: 1}}]).toArray(), [{_id: 2, name: "Oz"}]);
assert.eq(db.authors.aggregate([{$lookup: {pipeline: [{$documents: [{k: 1}, {k: 2}]}], as: "docs"}}, {$match: {docs: {$size: 2}}}]).itcount(), 3);
assert.eq(db.authors.aggregate([{$lookup: {from: "books", let: {}, pipeline: [{$lookup: {from: "authors", localField: "by", foreignField: "_id", as: "inner"}}, {$match: {"inner.name": "Oz"}}], as: "outer"}}, {$limit: 1}]).toArray()[0].outer.length, 1);
assert.eq(db.authors.aggregate([{$lookup: {from: "nowhere", localField: "a", foreignField: "b", as: "c"}}, {$match: {c: []}}, {$count: "n"}]).toArray(), [{n: 3}]);
assert.commandFailedWithCode(db.runCommand({aggregate: "authors", pipeline: [{$lookup: {from: "books", as: "x", localField: "a"}}], cursor: {}}), [4572, 9]);
assert.commandFailedWithCode(db.runCommand({aggregate: "authors", pipeline: [{$lookup: {from: "books", as: "x", pipeline: [{$out: "y"}]}}], cursor: {}}), 51047);
