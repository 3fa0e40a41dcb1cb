// BSON types that JavaScript lacks. A value's type is the symbol TYPE on its class, which no
// document can carry: a document whose keys look like a wrapper stays a document.

const TYPE = Symbol("bson type");
const HEX = [];
for (let i = 0; i < 256; i++) HEX.push((i + 256).toString(16).slice(1));

function define(name, type, prototype, build) {
    function constructor(...args) {
        const value = Object.create(constructor.prototype);
        build(value, ...args);
        return value;
    }
    Object.defineProperty(constructor, "name", { value: name });
    constructor.prototype[TYPE] = type;
    for (const key of Reflect.ownKeys(prototype)) {
        Object.defineProperty(constructor.prototype, key, {
            ...Object.getOwnPropertyDescriptor(prototype, key),
            enumerable: false,
        });
    }
    Object.defineProperty(constructor.prototype, "constructor", { value: constructor });
    return constructor;
}

function hidden(value, fields) {
    for (const key in fields) Object.defineProperty(value, key, { value: fields[key] });
}

function toBigInt(value) {
    if (typeof value === "bigint") return value;
    if (value === undefined) return 0n;
    if (typeof value === "object" && value !== null && value[TYPE] === "long") return value.big;
    if (typeof value === "string") {
        if (!/^\s*[-+]?\d+\s*$/.test(value)) throw new Error("bad NumberLong: " + value);
        return BigInt(value.trim().replace(/^\+/, ""));
    }
    const number = Math.trunc(Number(value));
    return Number.isFinite(number) ? BigInt(number) : 0n;
}

const NumberLong = define("NumberLong", "long", {
    toNumber() { return Number(this.big); },
    valueOf() { return Number(this.big); },
    toString() { return this.tojson(); },
    toInt() { return Number(BigInt.asIntN(32, this.big)); },
    tojson() {
        const small = this.big >= -2147483648n && this.big <= 2147483647n;
        return small ? `NumberLong(${this.big})` : `NumberLong("${this.big}")`;
    },
    toJSON() { return this.tojson(); },
    equals(other) { return toBigInt(other) === this.big; },
    compare(other) {
        const big = toBigInt(other);
        return this.big < big ? -1 : this.big > big ? 1 : 0;
    },
    get floatApprox() { return Number(this.big); },
    get top() { return Number(this.big >> 32n); },
    get bottom() { return Number(this.big & 0xffffffffn); },
}, (self, value) => hidden(self, { big: BigInt.asIntN(64, toBigInt(value)) }));
NumberLong.fromString = (text) => NumberLong(text);
NumberLong.fromNumber = (number) => NumberLong(number);
NumberLong.fromBits = (low, high) =>
    NumberLong((BigInt(high | 0) << 32n) | BigInt(low >>> 0));
NumberLong.MAX_VALUE = NumberLong("9223372036854775807");
NumberLong.MIN_VALUE = NumberLong("-9223372036854775808");

const NumberInt = define("NumberInt", "int", {
    toNumber() { return this.int; },
    valueOf() { return this.int; },
    toString() { return this.tojson(); },
    tojson() { return `NumberInt(${this.int})`; },
    toJSON() { return this.tojson(); },
}, (self, value) => hidden(self, { int: Number(value === undefined ? 0 : value) | 0 }));

const Double = define("Double", "double", {
    toNumber() { return this.double; },
    valueOf() { return this.double; },
    toString() { return String(this.double); },
    tojson() { return `Double(${this.double})`; },
    toJSON() { return this.double; },
}, (self, value) => hidden(self, { double: Number(value === undefined ? 0 : value) }));

const NumberDecimal = define("NumberDecimal", "decimal", {
    valueOf() { return Number(this.text); },
    toString() { return this.tojson(); },
    tojson() { return `NumberDecimal("${this.text}")`; },
    toJSON() { return this.tojson(); },
}, (self, value) => {
    const text = value === undefined ? "0" : String(value === null ? "0" : value[TYPE] === "long"
        ? value.big : value[TYPE] === "decimal" ? value.text : value.valueOf());
    const bits = host.decimalBits(text.includes("\0") ? "" : printable(text));
    if (bits === "") throw new Error("bad NumberDecimal: " + text);
    hidden(self, { bits, text: host.decimalText(bits) });
});
NumberDecimal.fromString = (text) => NumberDecimal(text);

let objectIds = 0;

const ObjectId = define("ObjectId", "objectid", {
    toString() { return this.tojson(); },
    tojson() { return `ObjectId("${this.str}")`; },
    toJSON() { return this.tojson(); },
    valueOf() { return this.str; },
    toHexString() { return this.str; },
    equals(other) { return other !== null && typeof other === "object" && other.str === this.str; },
    getTimestamp() { return new RealDate(parseInt(this.str.slice(0, 8), 16) * 1000); },
}, (self, value) => {
    if (value === undefined) {
        value = "655f0000" + "a57f0000" + (++objectIds + 0x100000000).toString(16).slice(1);
    } else if (value !== null && typeof value === "object" && value[TYPE] === "objectid") {
        value = value.str;
    }
    if (typeof value !== "string" || !/^[0-9a-fA-F]{24}$/.test(value)) {
        throw new Error("invalid object id: length or characters");
    }
    hidden(self, { str: value.toLowerCase() });
});
ObjectId.fromDate = (date) =>
    ObjectId((Math.floor(date.getTime() / 1000) >>> 0).toString(16).padStart(8, "0") + "0".repeat(16));
ObjectId.createFromTime = (seconds) =>
    ObjectId((seconds >>> 0).toString(16).padStart(8, "0") + "0".repeat(16));

const Timestamp = define("Timestamp", "timestamp", {
    toString() { return this.tojson(); },
    tojson() { return `Timestamp(${this.t}, ${this.i})`; },
    toJSON() { return this.tojson(); },
    getTime() { return this.t; },
    getInc() { return this.i; },
    getHighBits() { return this.t; },
    getLowBits() { return this.i; },
}, (self, t, i) => {
    if (t !== null && typeof t === "object" && t[TYPE] === undefined) ({ t, i } = t);
    if (t !== null && typeof t === "object" && t[TYPE] === "long") {
        i = Number(t.big & 0xffffffffn);
        t = Number((t.big >> 32n) & 0xffffffffn);
    }
    hidden(self, { t: Number(t === undefined ? 0 : t) >>> 0, i: Number(i === undefined ? 0 : i) >>> 0 });
});

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function fromBase64(text) {
    const bytes = [];
    let bits = 0;
    let held = 0;
    for (const letter of String(text).replace(/[=\s]/g, "")) {
        const value = BASE64.indexOf(letter);
        if (value < 0) throw new Error("invalid base64");
        held = (held << 6) | value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push((held >> bits) & 255);
        }
    }
    return Uint8Array.from(bytes);
}

function toBase64(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length; i += 3) {
        const triple = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0);
        text += BASE64[triple >> 18] + BASE64[(triple >> 12) & 63];
        text += i + 1 < bytes.length ? BASE64[(triple >> 6) & 63] : "=";
        text += i + 2 < bytes.length ? BASE64[triple & 63] : "=";
    }
    return text;
}

function fromHex(text) {
    if (!/^([0-9a-fA-F]{2})*$/.test(text)) throw new Error("invalid hexadecimal: " + text);
    return Uint8Array.from((text.match(/../g) || []).map((pair) => parseInt(pair, 16)));
}

const Binary = define("BinData", "binary", {
    toString() { return this.tojson(); },
    tojson() {
        if (this.type === 4 && this.bytes.length === 16) {
            const hex = this.hex();
            return `UUID("${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${
                hex.slice(16, 20)}-${hex.slice(20)}")`;
        }
        return `BinData(${this.type},"${this.base64()}")`;
    },
    toJSON() { return this.tojson(); },
    hex() { let text = ""; for (const byte of this.bytes) text += HEX[byte]; return text; },
    base64() { return toBase64(this.bytes); },
    length() { return this.bytes.length; },
    subtype() { return this.type; },
}, (self, type, bytes) => hidden(self, { type: type & 255, bytes }));

function BinData(type, data) {
    return Binary(Number(type), data instanceof Uint8Array ? data : fromBase64(data));
}
function HexData(type, text) {
    return Binary(Number(type), fromHex(String(text)));
}
let uuids = 0;
function UUID(text) {
    if (text === undefined) {
        text = "a57f0000-0000-4000-8000-" + (++uuids).toString(16).padStart(12, "0");
    }
    const hex = String(text).replace(/-/g, "");
    if (hex.length !== 32) throw new Error("UUID string must have 32 hex digits");
    return Binary(4, fromHex(hex));
}
function MD5(text) {
    return Binary(5, fromHex(String(text)));
}

const MinKeyType = define("MinKey", "minkey", {
    toString() { return "MinKey"; },
    tojson() { return '{ "$minKey" : 1 }'; },
    toJSON() { return { $minKey: 1 }; },
}, () => {});
const MaxKeyType = define("MaxKey", "maxkey", {
    toString() { return "MaxKey"; },
    tojson() { return '{ "$maxKey" : 1 }'; },
    toJSON() { return { $maxKey: 1 }; },
}, () => {});
// Both shells take `MinKey` and `MinKey()`: the constructor is itself a value of its type.
const MinKey = Object.assign(MinKeyType, { [TYPE]: "minkey" });
const MaxKey = Object.assign(MaxKeyType, { [TYPE]: "maxkey" });

const Code = define("Code", "code", {
    toString() { return this.tojson(); },
    tojson() {
        const scope = this.scope === undefined ? "" : ", " + tojson(this.scope);
        return `Code(${JSON.stringify(this.code)}${scope})`;
    },
}, (self, code, scope) => hidden(self, { code: code === undefined ? "" : String(code), scope }));

const DBRef = define("DBRef", undefined, {
    getCollection() { return this.$ref; },
    getRef() { return this.$ref; },
    getId() { return this.$id; },
    getDb() { return this.$db; },
    tojson() {
        const db = this.$db === undefined ? "" : ", " + tojson(this.$db);
        return `DBRef(${tojson(this.$ref)}, ${tojson(this.$id)}${db})`;
    },
}, (self, ref, id, db) => {
    self.$ref = ref;
    self.$id = id;
    if (db !== undefined) self.$db = db;
});

const DBPointer = define("DBPointer", "dbpointer", {
    tojson() { return `DBPointer("${this.ns}", ${tojson(this.id)})`; },
}, (self, ns, id) => hidden(self, { ns: String(ns), id: ObjectId(id) }));

const BsonSymbol = define("BSONSymbol", "symbol", {
    toString() { return this.text; },
    valueOf() { return this.text; },
    tojson() { return JSON.stringify(this.text); },
}, (self, text) => hidden(self, { text: String(text) }));

const PLAIN_DATE = /^(-?\d{4,})-?(\d{2})?-?(\d{2})?$/;

function ISODate(text) {
    if (text === undefined) return new RealDate(++clock);
    if (typeof text !== "string") return new RealDate(text);
    const match = PLAIN_DATE.exec(text.trim());
    let normal = match ? `${match[1]}-${match[2] || "01"}-${match[3] || "01"}T00:00:00Z`
        : text.trim().replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T");
    if (!match && !/(Z|[-+]\d{2}:?\d{2})$/.test(normal)) normal += "Z";
    normal = normal.replace(/T(\d{2})(:?\d{2})?Z$/, (all, hour, minute) =>
        minute ? all : `T${hour}:00Z`).replace(/([-+]\d{2})(\d{2})$/, "$1:$2");
    const date = new RealDate(normal);
    if (Number.isNaN(date.getTime())) throw new Error("invalid ISO date: " + text);
    return date;
}
