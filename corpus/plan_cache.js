// The plan cache, its clearing, index filters and their effect on plans.
db.routes.drop();
for (var i = 0; i < 40; i++) {
    db.routes.insert({_id: i, from: i % 4, to: i % 5, km: i});
}
assert.commandWorked(db.routes.createIndex({from: 1}));
assert.commandWorked(db.routes.createIndex({to: 1}));
assert.commandWorked(db.routes.createIndex({from: 1, to: 1, km: 1}));
assert.eq(db.routes.find({from: 1, to: 2}).itcount(), 2);
assert.eq(db.routes.find({from: 1, to: 2}).itcount(), 2);
assert.eq(db.routes.find({from: {$gt: 1}, to: {$lt: 2}}).sort({km: 1}).itcount(), 8);
assert.gte(db.routes.aggregate([{$planCacheStats: {}}]).itcount(), 1);
assert.gte(db.routes.getPlanCache().list().length, 1);
assert.commandWorked(db.runCommand({planCacheClear: "routes", query: {from: 1, to: 2}, sort: {}, projection: {}}));
assert.commandWorked(db.runCommand({planCacheClear: "routes", query: {from: 1, to: 2}, collation: {locale: "en"}, comment: "wipe"}));
db.routes.getPlanCache().clear();
assert.eq(db.routes.aggregate([{$planCacheStats: {}}]).itcount(), 0);
assert.commandWorked(db.runCommand({planCacheSetFilter: "routes", query: {from: 1, to: 2}, indexes: [{to: 1}, "from_1"]}));
assert.eq(db.runCommand({planCacheListFilters: "routes"}).filters.length, 1);
assert.eq(db.routes.find({from: 3, to: 4}).explain().queryPlanner.indexFilterSet, true);
assert.eq(db.routes.find({from: 3, to: 4}).hint({from: 1, to: 1, km: 1}).itcount(), 2);
assert.commandWorked(db.runCommand({planCacheSetFilter: "routes", query: {km: {$gte: 1}}, sort: {to: -1}, projection: {_id: 0}, indexes: [{nothing: 1}]}));
assert.eq(db.routes.find({km: {$gte: 35}}, {_id: 0}).sort({to: -1}).itcount(), 5);
assert.commandWorked(db.runCommand({planCacheClearFilters: "routes", query: {from: 1, to: 2}}));
assert.eq(db.runCommand({planCacheListFilters: "routes"}).filters.length, 1);
assert.commandWorked(db.runCommand({planCacheClearFilters: "routes"}));
assert.eq(db.runCommand({planCacheListFilters: "routes"}).filters, []);
assert.commandFailedWithCode(db.runCommand({planCacheSetFilter: "routes", query: {a: 1}, indexes: []}), 2);
assert.commandFailedWithCode(db.runCommand({planCacheSetFilter: "routes", indexes: [{a: 1}]}), 2);
assert.commandFailedWithCode(db.runCommand({planCacheClear: "routes", query: {$bogus: 1}}), 2);
assert.commandFailedWithCode(db.runCommand({planCacheClear: "routes", sort: {a: 1}}), 2);
assert.commandWorked(db.routes.dropIndex({from: 1}));
assert.eq(db.routes.find({from: 1, to: 2}).itcount(), 2);
