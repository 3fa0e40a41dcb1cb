// The names that a test sees.

function print(...parts) {
    host.print(printable(parts.map((part) => (typeof part === "string" ? part : tojson(part)))
        .join(" ")));
}

function describe(error) {
    let text = String(error);
    if (error instanceof Error && error.stack) text += "\n" + error.stack;
    return printable(text);
}

// Fetches the first batch of a cursor, as an interactive shell does with a bare `find`.
function first(value) {
    if (value instanceof Cursor) value.hasNext();
    return value;
}

const db = new DB("test");
const GLOBALS = {
    db, assert, print, printjson: (value) => print(tojson(value)), tojson,
    printjsononeline: (value) => print(tojson(value)), tojsononeline: tojson, tojsonObject: tojson,
    console: { log: print, error: print, warn: print, info: print, debug: print },
    step: (number) => host.step(Number(number) | 0),
    skip: (error) => host.skip(describe(error)),
    first,
    sleep: (milliseconds) => host.sleep(Number(milliseconds) || 0),
    NumberLong, Long: NumberLong, NumberInt, Int32: NumberInt, Double, NumberDecimal,
    Decimal128: NumberDecimal, ObjectId, ObjectID: ObjectId, Timestamp, BinData, HexData, UUID, MD5,
    Binary: (data, type) => BinData(type || 0, data), MinKey, MaxKey, Code, DBRef, DBPointer,
    BSONSymbol: BsonSymbol, ISODate, BSONRegExp: (source, options) => new RegExp(source, options),
    isString: (value) => typeof value === "string",
    isNumber: (value) => numberOf(value) !== undefined,
    isObject: (value) => value !== null && typeof value === "object",
    friendlyEqual: equal,
    bsonWoCompare: (a, b) => compare(unordered(a), unordered(b)),
    bsonBinaryEqual: equal,
    Mongo, DB, DBCollection: Collection, DBQuery: Query, WriteResult, BulkWriteResult: WriteResult,
    Random: { setRandomSeed() {}, rand: nextRandom, randInt: (n) => Math.floor(nextRandom() * n),
        srand() {} },
    gc() {}, quit() { throw new Error("unsupported: quit"); },
    jsTestName: () => "test", jsTestLog: print, TestData: { testName: "test" },
};
GLOBALS.jsTest = { name: () => "test", options: () => GLOBALS.TestData, log: print };
for (const name in GLOBALS) {
    Object.defineProperty(globalThis, name, {
        value: GLOBALS[name], writable: true, configurable: true, enumerable: false,
    });
}
