(function() {
    let t = db.getCollection("orders");
    t.drop();
    db.customers.drop();
    function check(pipeline) {
        for (;;) {
            return t.aggregate(pipeline).toArray();
        }
    }
    try {
        t.insertMany([{_id: 1, who: "ann", n: 3, text: `two
lines`}, {_id: 2, who: "bob", n: -0.5}]);
        db.customers.insert({_id: "ann", city: "Oslo"});
    } finally {
        check([{$match: {n: {$gt: 0}}}, {$group: {_id: "$who", sum: {$sum: "$n"}}}]);
    }
    for (const stage of [{$limit: 1}, {$skip: 1}]) {
        check([{$sort: {n: 1}}, stage]);
    }
    check([
        {$lookup: {from: "customers", localField: "who", foreignField: "_id", as: "c"}},
        {$unwind: "$c"},
        {$project: {who: 1, city: {$toUpper: "$c.city"}}}
    ]);
    assert.commandWorked(db.runCommand({count: "orders", query: {who: {$ne: null}}}));
    while (t.count() > 100) {
        t.remove({n: 0}, {justOne: true});
    }
    return 1;
})();
