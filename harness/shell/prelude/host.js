// What Python gives to the prelude, taken away from scripts; and time and chance made repeatable.

const host = {
    wire: globalThis.__wire, // ArrayBuffer for encoded commands and replies
    send: globalThis.__send, // (database, length) -> length of the reply; negative: not ok; 0: lost; text: failed
    step: globalThis.__step, // (statement number)
    skip: globalThis.__skip, // (text of the error)
    print: globalThis.__print, // (line)
    sleep: globalThis.__sleep, // (milliseconds), bounded
    decimalBits: globalThis.__decimalBits, // (text) -> 32 hexadecimal digits, "" when invalid
    decimalText: globalThis.__decimalText, // (32 hexadecimal digits) -> text
    strict: globalThis.__strict, // do asserts throw?
};
for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (name.startsWith("__")) delete globalThis[name];
}

// Text that can go to Python: no lone surrogates and no null bytes.
function printable(text) {
    return text.toWellFormed().replaceAll("\0", "\\0");
}

// Loops over such an array inside the engine would not see the time limit.
const LONGEST = 1 << 24;
const RealArray = Array;

function Array_(...parts) {
    if (parts.length === 1 && parts[0] > LONGEST && typeof parts[0] === "number") {
        throw new RangeError("array too long for this shell");
    }
    return Reflect.construct(RealArray, parts, new.target === undefined ? RealArray : new.target);
}
Object.defineProperty(Array_, "name", { value: "Array" });
Array_.prototype = RealArray.prototype;
for (const name of ["from", "of", "isArray"]) Array_[name] = RealArray[name];
RealArray.prototype.constructor = Array_;
globalThis.Array = Array_;

const RealDate = Date;
let clock = 1700000000000; // each look at the clock is a millisecond later, in every run

function Date_(...parts) {
    if (new.target === undefined) return new RealDate(++clock).toString();
    return parts.length === 0 ? new RealDate(++clock) : new RealDate(...parts);
}
Object.defineProperty(Date_, "name", { value: "Date" });
Date_.prototype = RealDate.prototype;
RealDate.prototype.constructor = Date_;
Date_.now = () => ++clock;
Date_.UTC = RealDate.UTC;
Date_.parse = RealDate.parse;
globalThis.Date = Date_;

let chance = 0x2545f491;

function nextRandom() {
    chance ^= chance << 13;
    chance ^= chance >>> 17;
    chance ^= chance << 5;
    return (chance >>> 0) / 4294967296;
}
Math.random = nextRandom;
