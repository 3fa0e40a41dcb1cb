// The assert family: throws in strict mode, and never in fuzzing, where a failed expectation of a
// mutated test says nothing; callbacks are run in both.

function tojson(value, indent, flat) {
    return render(value, 0);
}

function render(value, depth) {
    if (value === undefined) return "undefined";
    if (value === null) return "null";
    if (depth > 200) return "...";
    switch (typeof value) {
        case "string": return JSON.stringify(value);
        case "number": return Object.is(value, -0) ? "-0" : String(value);
        case "bigint": return `NumberLong("${value}")`;
        case "object": break;
        default: return String(value);
    }
    if (typeof value.tojson === "function") return value.tojson();
    if (value instanceof RealDate) {
        const time = value.getTime();
        return Number.isNaN(time) ? "new Date(NaN)" : `ISODate("${value.toISOString()}")`;
    }
    if (value instanceof RegExp || value instanceof Error) return String(value);
    if (Array.isArray(value)) return "[" + value.map((each) => render(each, depth + 1)).join(", ") + "]";
    const fields = Object.keys(value).map((key) =>
        JSON.stringify(key) + " : " + render(value[key], depth + 1));
    return "{" + (fields.length ? " " + fields.join(", ") + " " : "") + "}";
}

// Equality as the classic shell has it: numbers of all kinds compare by value.
function equal(a, b) {
    if (a === b || Object.is(a, b)) return true;
    if (isLong(a) && isLong(b)) return a.big === b.big;
    const numeric = numberOf(a);
    if (numeric !== undefined) return numeric === numberOf(b);
    if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a == b;
    return tojson(a) === tojson(b) || alike(a, b);
}

function isLong(value) {
    return value !== null && typeof value === "object" && value[TYPE] === "long";
}

function numberOf(value) {
    if (typeof value === "number") return value;
    const type = value !== null && typeof value === "object" ? value[TYPE] : undefined;
    return type === "long" || type === "int" || type === "double" || type === "decimal"
        ? value.valueOf() : undefined;
}

function alike(a, b) {
    if (a[TYPE] !== b[TYPE] || a[TYPE] !== undefined) return false;
    if (a instanceof RealDate || b instanceof RealDate) return a - b === 0;
    if (a instanceof RegExp || b instanceof RegExp) return false; // their texts differ
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    const others = Object.keys(b);
    return keys.length === others.length
        && keys.every((key, at) => key === others[at] && equal(a[key], b[key]));
}

// A canonical text in which neither the order of fields nor the kind of a number counts.
function unordered(value) {
    const number = numberOf(value);
    if (number !== undefined) return String(number);
    if (Array.isArray(value)) return "[" + value.map(unordered).join() + "]";
    if (value === null || typeof value !== "object" || value[TYPE] !== undefined
        || value instanceof RealDate || value instanceof RegExp) return tojson(value);
    return "{" + Object.keys(value).sort().map((key) =>
        JSON.stringify(key) + unordered(value[key])).join() + "}";
}

function fail(what, message) {
    if (!host.strict) return;
    const said = typeof message === "function" ? message() : message;
    throw new Error("assert: " + what + (said === undefined ? "" : " : "
        + (typeof said === "string" ? said : tojson(said))));
}

function check(condition, what, message) {
    if (!condition) fail(what(), message);
}

function codesOf(codes) {
    return (Array.isArray(codes) ? codes : [codes]).map(plain);
}

function errorsOf(result) {
    if (result instanceof WriteResult) {
        const { errors, code, concern } = result.summary;
        return [...errors, ...(code === undefined ? [] : [{ code }]), ...(concern ? [concern] : [])];
    }
    if (result instanceof WriteError) return result.writeErrors;
    if (result instanceof Error) return [result];
    if (result === null || typeof result !== "object") return [];
    const all = [...(result.writeErrors || [])];
    if (result.writeConcernError) all.push(result.writeConcernError);
    if (plain(result.ok) !== 1 && result.ok !== true) all.push(result);
    return all;
}

function worked(result) {
    if (result instanceof Error) return false;
    return errorsOf(result).length === 0;
}

function attempt(body, parts) {
    try {
        body(...(parts || []));
    } catch (error) {
        return { error };
    }
    return undefined;
}

function compare(a, b) {
    const x = numberOf(a);
    const y = numberOf(b);
    return x !== undefined && y !== undefined ? x - y : a < b ? -1 : a > b ? 1 : 0;
}

const ASSERTS = {
    eq(a, b, message) {
        check(equal(a, b), () => `[${tojson(a)}] and [${tojson(b)}] are not equal`, message);
    },
    neq(a, b, message) {
        check(!equal(a, b), () => `[${tojson(a)}] and [${tojson(b)}] are equal`, message);
    },
    docEq(a, b, message) {
        check(unordered(a) === unordered(b), () => `${tojson(a)} and ${tojson(b)} differ`, message);
    },
    setEq(a, b, message) {
        ASSERTS.sameMembers([...a], [...b], message);
    },
    sameMembers(a, b, message) {
        check(a.map(unordered).sort().join() === b.map(unordered).sort().join(),
            () => `${tojson(a)} and ${tojson(b)} have different members`, message);
    },
    contains(a, all, message) {
        check(all.some((each) => equal(a, each)), () => `${tojson(a)} is not in ${tojson(all)}`, message);
    },
    includes(text, part, message) {
        check(text.includes(part), () => `${tojson(text)} lacks ${tojson(part)}`, message);
    },
    lt(a, b, message) { check(compare(a, b) < 0, () => `${tojson(a)} is not < ${tojson(b)}`, message); },
    gt(a, b, message) { check(compare(a, b) > 0, () => `${tojson(a)} is not > ${tojson(b)}`, message); },
    lte(a, b, message) { check(compare(a, b) <= 0, () => `${tojson(a)} is not <= ${tojson(b)}`, message); },
    gte(a, b, message) { check(compare(a, b) >= 0, () => `${tojson(a)} is not >= ${tojson(b)}`, message); },
    between(low, a, high, message) {
        check(compare(low, a) <= 0 && compare(a, high) <= 0, () => `${tojson(a)} is out of range`, message);
    },
    close(a, b, message, places) {
        check(Math.abs(a - b) <= 10 ** -(places || 4) * Math.max(1, Math.abs(a)),
            () => `${tojson(a)} is not close to ${tojson(b)}`, message);
    },
    isnull(a, message) { check(a === null || a === undefined, () => `${tojson(a)} is not null`, message); },
    automsg(expression) { check(false, () => expression); },
    hasFields(document, fields, message) {
        check(fields.every((field) => field in document), () => `fields of ${tojson(fields)} lack`, message);
    },
    throws(body, parts, message) {
        const thrown = attempt(body, parts);
        if (thrown === undefined) fail("did not throw", message);
        return thrown && thrown.error;
    },
    throwsWithCode(body, codes, parts, message) {
        const thrown = attempt(body, parts);
        if (thrown === undefined) fail("did not throw", message);
        else if (!codesOf(codes).includes(Object(thrown.error).code)) fail(`threw ${thrown.error}`, message);
        return thrown && thrown.error;
    },
    doesNotThrow(body, parts, message) {
        let value;
        const thrown = attempt((...all) => { value = body(...all); }, parts);
        if (thrown !== undefined) fail(`threw ${thrown.error}`, message);
        return value;
    },
    commandWorked(result, message) {
        check(worked(result), () => `command failed: ${tojson(result)}`, message);
        return result;
    },
    commandFailed(result, message) {
        check(!worked(result), () => `command worked: ${tojson(result)}`, message);
        return result;
    },
    commandFailedWithCode(result, codes, message) {
        const wanted = codesOf(codes);
        check(errorsOf(result).some((each) => wanted.includes(plain(each.code))),
            () => `no error with code ${tojson(wanted)}: ${tojson(result)}`, message);
        return result;
    },
    commandWorkedOrFailedWithCode(result, codes, message) {
        return worked(result) ? result : ASSERTS.commandFailedWithCode(result, codes, message);
    },
    writeOK(result, message) { return ASSERTS.commandWorked(result, message); },
    writeError(result, message) { return ASSERTS.commandFailed(result, message); },
    writeErrorWithCode(result, codes, message) {
        return ASSERTS.commandFailedWithCode(result, codes, message);
    },
    soon(body, message) {
        for (let attempts = host.strict ? 200 : 1; attempts > 0; attempts--) {
            if (typeof body === "function" ? body() : body) return;
            host.sleep(10);
        }
        fail("did not become true", message);
    },
    time(body) { return body(); },
    retry(body, message) { ASSERTS.soon(body, message); },
};
Object.assign(ASSERTS, { eqish: ASSERTS.eq, docEqual: ASSERTS.docEq, soonNoExcept: ASSERTS.soon,
    commandWorkedIgnoringWriteErrors: ASSERTS.commandWorked, equals: ASSERTS.eq,
    commandWorkedIgnoringWriteConcernErrors: ASSERTS.commandWorked });

// In fuzzing an assert does what the preamble of a saved test (portable.js) makes of it: its
// arguments were evaluated, a function among them is called, nothing is compared or thrown.
const CALLING = new Set(["throws", "throwsWithCode", "doesNotThrow", "soon", "soonNoExcept", "time",
    "retry"]);

function quiet(name, original) {
    if (!CALLING.has(name)) return (value) => value;
    return (...parts) => {
        try {
            return original(...parts);
        } catch {
            return undefined;
        }
    };
}
if (!host.strict) for (const name in ASSERTS) ASSERTS[name] = quiet(name, ASSERTS[name]);

function assert(condition, message) {
    check(condition, () => "it is false", message);
    return condition;
}
Object.assign(assert, ASSERTS);
