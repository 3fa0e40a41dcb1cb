// Preamble of a saved test. The code below it runs unchanged in mongosh, in the legacy mongo
// shell and in this project's own engine; every name is defined only where it is missing.

// step(n): statement n of the test begins.  skip(e): the statement failed with e; go on.
if (typeof step === "undefined") { step = function (n) {}; }
if (typeof skip === "undefined") {
    skip = function (e) { print("skipped: " + String(e && e.message || e).split("\n")[0]); };
}

// first(x): fetch the first batch of a cursor, as an interactive shell does with a bare `find`.
if (typeof first === "undefined") {
    first = function (x) {
        if (x && typeof x.hasNext === "function") { x.hasNext(); }
        return x;
    };
}

// Assertions that never throw: a saved test shall reach its last statement whatever the server
// answered. Arguments are still evaluated, and each one gives its first argument back.
if (typeof assert === "undefined" || typeof assert.commandWorked === "undefined") {
    assert = function (x) { return x; };
    assert.eq = assert.neq = assert.docEq = assert.sameMembers = assert.contains = assert;
    assert.gt = assert.gte = assert.lt = assert.lte = assert.between = assert.close = assert;
    assert.isnull = assert.includes = assert.sameDocs = assert;
    assert.commandWorked = assert.commandFailed = assert.commandFailedWithCode = assert;
    assert.writeOK = assert.writeError = assert.writeErrorWithCode = assert;
    assert.commandWorkedOrFailedWithCode = assert.commandWorkedIgnoringWriteErrors = assert;
    // These take a function: call it once.
    assert.throws = function (f) {
        try { f(); } catch (e) { return e; }
    };
    assert.throwsWithCode = assert.doesNotThrow = assert.throws;
    assert.soon = assert.soonNoExcept = assert.retry = assert.time = assert.throws;
}

// Names of the legacy shell that mongosh does not have.
if (typeof tojson === "undefined") {
    tojson = function (x) { return typeof EJSON === "undefined" ? JSON.stringify(x) : EJSON.stringify(x); };
}
if (typeof tojsononeline === "undefined") { tojsononeline = tojson; }
if (typeof printjsononeline === "undefined") { printjsononeline = printjson; }
if (typeof friendlyEqual === "undefined") {
    friendlyEqual = function (a, b) { return tojson(a) === tojson(b); };
}
if (typeof bsonWoCompare === "undefined") {
    bsonWoCompare = function (a, b) { return tojson(a) === tojson(b) ? 0 : tojson(a) < tojson(b) ? -1 : 1; };
}
if (typeof jsTestLog === "undefined") { jsTestLog = function (x) { print(x); }; }
if (typeof DBPointer === "undefined") { DBPointer = function (ns, id) { return DBRef(ns, id); }; }
