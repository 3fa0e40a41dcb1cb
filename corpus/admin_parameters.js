// getParameter and setParameter of harmless query knobs, with effects and refusals.
db.knobs.drop();
for (var i = 0; i < 50; i++) {
    db.knobs.insert({_id: i, a: i % 10, pad: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"});
}
var old = assert.commandWorked(db.adminCommand({getParameter: 1, internalQueryMaxBlockingSortMemoryUsageBytes: 1}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryMaxBlockingSortMemoryUsageBytes: 200}));
assert.commandFailedWithCode(db.runCommand({find: "knobs", sort: {a: 1}, allowDiskUse: false}), 292);
assert.eq(db.knobs.find().sort({a: 1}).allowDiskUse(true).itcount(), 50);
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryMaxBlockingSortMemoryUsageBytes: 104857600}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalDocumentSourceGroupMaxMemoryBytes: 1000}));
assert.eq(db.knobs.aggregate([{$group: {_id: "$a", p: {$push: "$pad"}}}], {allowDiskUse: true}).itcount(), 10);
assert.commandFailedWithCode(db.runCommand({aggregate: "knobs", pipeline: [{$_internalInhibitOptimization: {}}, {$group: {_id: "$_id", p: {$push: "$pad"}}}], cursor: {}, allowDiskUse: false}), [292, 146, 16945]);
assert.commandWorked(db.adminCommand({setParameter: 1, internalDocumentSourceGroupMaxMemoryBytes: 104857600}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryExecYieldIterations: 2}));
assert.eq(db.knobs.find({a: {$lt: 5}}).itcount(), 25);
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryExecYieldIterations: 1000}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryPlannerEnableIndexIntersection: true}));
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryPlannerMaxIndexedSolutions: 4}));
assert.eq(db.knobs.find({$or: [{a: 1}, {_id: 2}]}).itcount(), 6);
assert.commandWorked(db.adminCommand({setParameter: 1, internalQueryPlannerMaxIndexedSolutions: 64}));
assert.commandWorked(db.adminCommand({setParameter: 1, notablescan: true}));
assert.throws(function() {
    db.knobs.find({a: 1}).itcount();
});
assert.commandWorked(db.adminCommand({setParameter: 1, notablescan: false}));
assert.eq(db.adminCommand({getParameter: 1, notablescan: 1, cursorTimeoutMillis: 1}).notablescan, false);
assert.gt(Object.keys(db.adminCommand({getParameter: "*"})).length, 100);
assert.commandWorked(db.adminCommand({getParameter: {showDetails: true}, logLevel: 1}));
assert.commandFailed(db.adminCommand({setParameter: 1, madeUpKnob: 1}));
assert.commandFailedWithCode(db.adminCommand({setParameter: 1, internalQueryExecYieldIterations: "often"}), [2, 9, 14]);
assert.commandFailed(db.adminCommand({getParameter: 1}));
assert.commandFailedWithCode(db.runCommand({getParameter: 1, quiet: 1}), 13);
