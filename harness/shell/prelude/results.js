// What writes give back: results that read their reply when a script looks at them.

class WriteError extends Error {
    constructor(result, what) {
        super(what);
        const code = result.writeErrors.length > 0 ? result.writeErrors[0].code : result.code;
        Object.assign(this, { name: "WriteError", code });
        Object.defineProperty(this, "result", { value: result });
        Object.defineProperty(this, "writeErrors", { value: result.writeErrors || [] });
    }

    toResult() {
        return this.result;
    }

    getWriteErrors() {
        return this.writeErrors;
    }

    getWriteErrorAt(index) {
        return this.writeErrors[index];
    }

    hasWriteErrors() {
        return this.writeErrors.length > 0;
    }

    get hasErrors() {
        return true;
    }
}

// The sums over the replies of the commands that one call of a write method was split into.
class WriteResult {
    constructor() {
        Object.defineProperty(this, "raw", { value: { replies: [], ids: [], inserted: 0 } });
    }

    add(kind, bytes, failed) {
        this.raw.replies.push([kind, bytes, failed]);
    }

    get ok() {
        return this.summary.ok;
    }

    get summary() {
        if (this.raw.summary === undefined) this.raw.summary = summarize(this.raw.replies);
        return this.raw.summary;
    }

    get nInserted() { return this.summary.inserted; }
    get nMatched() { return this.summary.matched; }
    get nModified() { return this.summary.modified; }
    get nUpserted() { return this.summary.upserted.length; }
    get nRemoved() { return this.summary.removed; }
    get insertedCount() { return this.summary.inserted; }
    get matchedCount() { return this.summary.matched; }
    get modifiedCount() { return this.summary.modified; }
    get deletedCount() { return this.summary.removed; }
    get upsertedCount() { return this.summary.upserted.length; }
    get acknowledged() { return true; }
    get writeErrors() { return this.summary.errors; }
    get code() { return this.summary.code; }
    get errmsg() { return this.summary.errmsg; }
    get insertedId() { return this.raw.ids[0]; }
    get insertedIds() { return this.raw.ids; }

    get upsertedId() {
        const first = this.summary.upserted[0];
        return first === undefined ? null : first._id;
    }

    get upsertedIds() {
        const ids = {};
        for (const each of this.summary.upserted) ids[each.index] = each._id;
        return ids;
    }

    getUpsertedId() { return this.summary.upserted[0]; }
    getUpsertedIds() { return this.summary.upserted; }
    getUpsertedIdAt(index) { return this.summary.upserted[index]; }
    getInsertedIds() { return this.raw.ids.map((_id, index) => ({ index, _id })); }
    hasWriteError() { return this.summary.errors.length > 0; }
    hasWriteErrors() { return this.summary.errors.length > 0; }
    hasErrors() { return this.hasWriteError() || this.hasWriteConcernError(); }
    hasWriteConcernError() { return this.summary.concern !== undefined; }
    getWriteConcernError() { return this.summary.concern; }
    getWriteError() { return this.summary.errors[0]; }
    getWriteErrors() { return this.summary.errors; }
    getWriteErrorAt(index) { return this.summary.errors[index]; }
    getWriteErrorCount() { return this.summary.errors.length; }

    // As the modern methods and the bulk ones do.
    orThrow() {
        if (!this.raw.replies.some(([, bytes, failed]) => failed || hasErrors(bytes))) return this;
        const { errors, errmsg, code, concern } = this.summary;
        if (errors.length > 0) throw new WriteError(this, errors[0].errmsg);
        if (code !== undefined) throw new CommandError({ errmsg, code }, "write");
        if (concern !== undefined) throw new WriteError(this, concern.errmsg);
        return this;
    }

    toString() {
        return this.tojson();
    }

    tojson() {
        const { nInserted, nMatched, nModified, nUpserted, nRemoved } = this;
        return "WriteResult(" + tojson({ nInserted, nMatched, nModified, nUpserted, nRemoved }) + ")";
    }
}

const ERROR_MARK = Array.from("writeErrors", (letter) => letter.charCodeAt(0));
const CONCERN_MARK = Array.from("writeConcernError", (letter) => letter.charCodeAt(0));

// A quick look for the field; a false alarm only costs a decoding.
function hasErrors(bytes) {
    return holds(bytes, ERROR_MARK) || holds(bytes, CONCERN_MARK);
}

function holds(bytes, mark) {
    for (let at = bytes.indexOf(mark[0]); at >= 0; at = bytes.indexOf(mark[0], at + 1)) {
        let length = 1;
        while (length < mark.length && bytes[at + length] === mark[length]) length++;
        if (length === mark.length) return true;
    }
    return false;
}

function summarize(replies) {
    const sum = { ok: 1, inserted: 0, matched: 0, modified: 0, removed: 0, upserted: [], errors: [] };
    for (const [kind, bytes] of replies) {
        const reply = decode(bytes);
        const n = plain(reply.n) || 0;
        if (!reply.ok) Object.assign(sum, { ok: 0, code: reply.code, errmsg: reply.errmsg });
        else if (kind === "insert") sum.inserted += n;
        else if (kind === "delete") sum.removed += n;
        else {
            const upserted = reply.upserted || [];
            sum.upserted.push(...upserted);
            sum.matched += n - upserted.length;
            sum.modified += plain(reply.nModified) || 0;
        }
        for (const error of reply.writeErrors || []) sum.errors.push(error);
        if (reply.writeConcernError) sum.concern = reply.writeConcernError;
    }
    return sum;
}
