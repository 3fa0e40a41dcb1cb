// BSON between JavaScript and the shared buffer `wire`: written and read as bytes, so that no
// type, key or operator can be mistaken for another. https://bsonspec.org

const LIMIT = 16 * 1024 * 1024 + 16 * 1024; // the server's own limit for a command document
const DEPTH = 1000; // far beyond the server's 180, and what ends a cycle
const wire = host.wire;
const out = new Uint8Array(wire);
const view = new DataView(wire);
let pos = 0;

class TooLarge extends RangeError {}

function need(bytes) {
    if (pos + bytes > LIMIT) throw new TooLarge("the document is too large for a command");
}

function writeUtf8(text) {
    need(text.length);
    for (let i = 0; i < text.length; i++) {
        let unit = text.charCodeAt(i);
        if (unit < 0x80) {
            out[pos++] = unit;
        } else if (unit < 0x800) {
            out[pos++] = 0xc0 | (unit >> 6);
            out[pos++] = 0x80 | (unit & 63);
        } else {
            if (unit >= 0xd800 && unit < 0xe000) {
                const low = unit < 0xdc00 ? text.charCodeAt(i + 1) : NaN;
                if (low >= 0xdc00 && low < 0xe000) {
                    unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
                    i++;
                    out[pos++] = 0xf0 | (unit >> 18);
                    out[pos++] = 0x80 | ((unit >> 12) & 63);
                    out[pos++] = 0x80 | ((unit >> 6) & 63);
                    out[pos++] = 0x80 | (unit & 63);
                    continue;
                }
                unit = 0xfffd; // a lone surrogate has no UTF-8
            }
            out[pos++] = 0xe0 | (unit >> 12);
            out[pos++] = 0x80 | ((unit >> 6) & 63);
            out[pos++] = 0x80 | (unit & 63);
        }
    }
}

function writeKey(key) {
    if (key.includes("\0")) throw new Error("a field name must not hold a null byte: " + key);
    writeUtf8(key);
    out[pos++] = 0;
}

function writeString(text) {
    const start = pos;
    pos += 4;
    writeUtf8(text);
    out[pos++] = 0;
    setInt(start, pos - start - 4);
}

function setInt(at, value) {
    need(0);
    view.setInt32(at, value, true);
}

function writeInt(value) {
    need(4);
    view.setInt32(pos, value, true);
    pos += 4;
}

function writeDouble(value) {
    need(8);
    view.setFloat64(pos, value, true);
    pos += 8;
}

function writeLong(big) {
    need(8);
    view.setBigInt64(pos, big, true);
    pos += 8;
}

function writeBytes(bytes) {
    need(bytes.length);
    out.set(bytes, pos);
    pos += bytes.length;
}

function writeDate(date) {
    const time = date.getTime();
    writeLong(Number.isNaN(time) ? 0n : BigInt(time)); // as mongosh sends an invalid date
}

const REGEX_OPTIONS = [["ignoreCase", "i"], ["multiline", "m"], ["dotAll", "s"]];
const RAW = Symbol("pattern and options as the server sent them"); // JavaScript escapes and drops

function regexParts(regex) {
    let options = "";
    for (const [name, letter] of REGEX_OPTIONS) if (regex[name]) options += letter;
    return [regex.source, options];
}

// Writers by type: [BSON type byte, what follows the key].
const WRITERS = {
    long: [0x12, (v) => writeLong(v.big)],
    int: [0x10, (v) => writeInt(v.int)],
    double: [0x01, (v) => writeDouble(v.double)],
    decimal: [0x13, (v) => writeBytes(fromHex(v.bits))],
    objectid: [0x07, (v) => writeBytes(fromHex(v.str))],
    timestamp: [0x11, (v) => writeLong((BigInt(v.t) << 32n) | BigInt(v.i))],
    binary: [0x05, (v) => {
        writeInt(v.bytes.length + (v.type === 2 ? 4 : 0));
        out[pos++] = v.type;
        if (v.type === 2) writeInt(v.bytes.length);
        writeBytes(v.bytes);
    }],
    minkey: [0xff, () => {}],
    maxkey: [0x7f, () => {}],
    dbpointer: [0x0c, (v) => {
        writeString(v.ns);
        writeBytes(fromHex(v.id.str));
    }],
    symbol: [0x0e, (v) => writeString(v.text)],
};

function writeElement(key, value, depth) {
    const typeAt = pos++;
    writeKey(key);
    switch (typeof value) {
        case "string":
            out[typeAt] = 0x02;
            writeString(value);
            return;
        case "number":
            if ((value | 0) === value && !(value === 0 && 1 / value < 0)) {
                out[typeAt] = 0x10;
                writeInt(value);
            } else {
                out[typeAt] = 0x01;
                writeDouble(value);
            }
            return;
        case "boolean":
            out[typeAt] = 0x08;
            out[pos++] = value ? 1 : 0;
            return;
        case "undefined":
            out[typeAt] = 0x06;
            return;
        case "bigint":
            out[typeAt] = 0x12;
            writeLong(BigInt.asIntN(64, value));
            return;
        case "symbol":
            out[typeAt] = 0x0e;
            writeString(String(value.description));
            return;
        case "function":
            if (value[TYPE] === undefined) {
                out[typeAt] = 0x0d;
                writeString(String(value));
                return;
            }
    }
    if (value === null) {
        out[typeAt] = 0x0a;
        return;
    }
    const type = value[TYPE];
    if (type !== undefined) {
        if (type === "code") {
            writeCode(typeAt, value, depth);
            return;
        }
        const writer = WRITERS[type];
        out[typeAt] = writer[0];
        writer[1](value);
    } else if (Array.isArray(value)) {
        out[typeAt] = 0x04;
        writeArray(value, depth + 1);
    } else if (value instanceof RealDate) {
        out[typeAt] = 0x09;
        writeDate(value);
    } else if (value instanceof RegExp) {
        out[typeAt] = 0x0b;
        const [source, options] = value[RAW] || regexParts(value);
        writeKey(source);
        writeKey(options);
    } else if (ArrayBuffer.isView(value)) {
        out[typeAt] = 0x05;
        writeInt(value.byteLength);
        out[pos++] = 0;
        writeBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (value instanceof Cursor || value instanceof Collection) {
        out[typeAt] = 0x02; // a handle of the shell, not data: its name says enough
        writeString(String(value));
    } else {
        out[typeAt] = 0x03;
        writeDocument(value, depth + 1);
    }
}

function writeCode(typeAt, value, depth) {
    if (value.scope === null || typeof value.scope !== "object") {
        out[typeAt] = 0x0d;
        writeString(value.code);
        return;
    }
    out[typeAt] = 0x0f;
    const start = pos;
    pos += 4;
    writeString(value.code);
    writeDocument(value.scope, depth + 1);
    setInt(start, pos - start);
}

function writeArray(array, depth) {
    if (depth > DEPTH) throw new RangeError("nested too deeply, or cyclic");
    const start = pos;
    pos += 4;
    for (let i = 0; i < array.length; i++) writeElement(String(i), array[i], depth);
    out[pos++] = 0;
    setInt(start, pos - start);
}

function writeDocument(document, depth) {
    if (depth > DEPTH) throw new RangeError("nested too deeply, or cyclic");
    const start = pos;
    pos += 4;
    for (const key of Object.keys(document)) writeElement(key, document[key], depth);
    out[pos++] = 0;
    setInt(start, pos - start);
}

// Encodes into `wire` from its beginning; returns the number of bytes.
function encode(document) {
    pos = 0;
    writeDocument(document, 0);
    return pos;
}

function Reader(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
}

Reader.prototype = {
    int() {
        this.at += 4;
        return this.view.getInt32(this.at - 4, true);
    },
    double() {
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    },
    long() {
        this.at += 8;
        return this.view.getBigInt64(this.at - 8, true);
    },
    take(length) {
        this.at += length;
        return this.bytes.slice(this.at - length, this.at);
    },
    utf8(end) {
        const units = [];
        let text = "";
        while (this.at < end) {
            const byte = this.bytes[this.at++];
            if (byte < 0x80) units.push(byte);
            else if (byte < 0xe0) units.push(((byte & 31) << 6) | (this.bytes[this.at++] & 63));
            else if (byte < 0xf0) {
                const middle = this.bytes[this.at++] & 63;
                units.push(((byte & 15) << 12) | (middle << 6) | (this.bytes[this.at++] & 63));
            } else {
                let point = byte & 7;
                for (let i = 0; i < 3; i++) point = (point << 6) | (this.bytes[this.at++] & 63);
                point -= 0x10000;
                units.push(0xd800 | (point >> 10), 0xdc00 | (point & 0x3ff));
            }
            if (units.length > 4096) text += String.fromCharCode(...units.splice(0));
        }
        return text + String.fromCharCode(...units);
    },
    key() {
        const end = this.bytes.indexOf(0, this.at);
        const text = this.utf8(end);
        this.at = end + 1;
        return text;
    },
    string() {
        const end = this.int() + this.at - 1;
        const text = this.utf8(end);
        this.at = end + 1;
        return text;
    },
    hex(length) {
        let text = "";
        for (const byte of this.take(length)) text += HEX[byte];
        return text;
    },
    value(type) {
        return READERS[type](this);
    },
    into(target) {
        this.at += 4;
        for (let type = this.bytes[this.at++]; type !== 0; type = this.bytes[this.at++]) {
            const key = this.key();
            const value = this.value(type);
            if (key === "__proto__") {
                Object.defineProperty(target, key, {
                    value, enumerable: true, writable: true, configurable: true,
                });
            } else target[key] = value;
        }
        return target;
    },
    array() {
        const array = [];
        this.at += 4;
        for (let type = this.bytes[this.at++]; type !== 0; type = this.bytes[this.at++]) {
            this.at = this.bytes.indexOf(0, this.at) + 1;
            array.push(this.value(type));
        }
        return array;
    },
    // The positions of the documents of an array, for a cursor that decodes them one by one.
    skipDocument() {
        const start = this.at;
        this.at += this.view.getInt32(start, true);
        return this.bytes.subarray(start, this.at);
    },
};

const READERS = {
    0x01: (r) => r.double(),
    0x02: (r) => r.string(),
    0x03: (r) => r.into({}),
    0x04: (r) => r.array(),
    0x05: (r) => {
        const length = r.int();
        const type = r.bytes[r.at++];
        if (type !== 2) return Binary(type, r.take(length));
        r.at += 4;
        return Binary(type, r.take(length - 4));
    },
    0x06: () => undefined,
    0x07: (r) => ObjectId(r.hex(12)),
    0x08: (r) => r.bytes[r.at++] !== 0,
    0x09: (r) => new RealDate(Number(r.long())),
    0x0a: () => null,
    0x0b: (r) => {
        const source = r.key();
        const options = r.key();
        let regex;
        try {
            regex = new RegExp(source, options.replace(/[^ims]/g, ""));
        } catch {
            regex = new RegExp(source.replace(/[^\w ]/g, "\\$&")); // PCRE that JavaScript lacks
        }
        return Object.defineProperty(regex, RAW, { value: [source, options] });
    },
    0x0c: (r) => DBPointer(r.string(), ObjectId(r.hex(12))),
    0x0d: (r) => Code(r.string()),
    0x0e: (r) => BsonSymbol(r.string()),
    0x0f: (r) => {
        r.at += 4;
        const code = r.string();
        return Code(code, r.into({}));
    },
    0x10: (r) => r.int(),
    0x11: (r) => {
        const i = r.view.getUint32(r.at, true);
        const t = r.view.getUint32(r.at + 4, true);
        r.at += 8;
        return Timestamp(t, i);
    },
    0x12: (r) => NumberLong(r.long()),
    0x13: (r) => {
        const value = Object.create(NumberDecimal.prototype);
        const bits = r.hex(16);
        hidden(value, { bits, text: host.decimalText(bits) });
        return value;
    },
    0x7f: () => MaxKey,
    0xff: () => MinKey,
};

function decode(bytes) {
    return new Reader(bytes).into({});
}

// A document that is decoded when a script first looks at it.
const LAZY = {};
for (const trap of Object.getOwnPropertyNames(Reflect)) {
    LAZY[trap] = (target, ...rest) => {
        const bytes = target[TYPE];
        if (bytes) {
            delete target[TYPE];
            new Reader(bytes).into(target);
        }
        return Reflect[trap](target, ...rest);
    };
}

function lazily(bytes) {
    return new Proxy({ [TYPE]: bytes }, LAZY);
}
