// Cursors: modifiers gather a command, the first look sends it, batches are decoded one by one.

const ADVANCE = "cannot change a cursor that was already iterated";

// Modifiers that put their argument into the find command: method -> field of the command.
const FIND_FIELDS = {
    sort: "sort", projection: "projection", hint: "hint", comment: "comment", min: "min", max: "max",
    collation: "collation", maxTimeMS: "maxTimeMS", skip: "skip",
    let: "let",
};
// Modifiers that set a flag, true when called without an argument.
const FIND_FLAGS = {
    returnKey: "returnKey", showRecordId: "showRecordId", allowDiskUse: "allowDiskUse",
    noCursorTimeout: "noCursorTimeout", allowPartialResults: "allowPartialResults",
    oplogReplay: "oplogReplay", showDiskLoc: "showRecordId",
};
const OPTION_BITS = { 2: "tailable", 8: "oplogReplay", 16: "noCursorTimeout", 32: "awaitData",
    128: "allowPartialResults" };

class Cursor {
    constructor(db, command, started) {
        Object.defineProperties(this, {
            db: { value: db },
            command: { value: command },
            state: { value: { batch: [], at: 0, id: undefined, closed: false, name: undefined } },
        });
        if (started) this.begin();
    }

    begin() {
        const { state, command } = this;
        if (state.id !== undefined) return;
        this.accept(this.db.send(command, true), command);
    }

    accept(reply) {
        const { state } = this;
        const { id, ns, batch } = readCursor(reply);
        Object.assign(state, { id, batch, at: 0 });
        if (ns !== undefined) state.name = ns.slice(ns.indexOf(".") + 1);
    }

    more() {
        const { state, command } = this;
        this.begin();
        if (state.at < state.batch.length) return true;
        if (state.id === 0n || state.closed) return false;
        const getMore = { getMore: NumberLong(state.id), collection: state.name };
        const size = command.getMoreSize || command.batchSize || (command.cursor || {}).batchSize;
        if (size) getMore.batchSize = size;
        if (command.awaitData && state.patience) getMore.maxTimeMS = state.patience;
        this.accept(this.db.send(getMore, true));
        return state.batch.length > 0;
    }

    hasNext() {
        return this.more();
    }

    next() {
        if (!this.more()) throw new Error("error hasNext: false");
        return decode(this.state.batch[this.state.at++]);
    }

    tryNext() {
        return this.more() ? this.next() : null;
    }

    toArray() {
        const all = [];
        while (this.more()) all.push(this.next());
        return all;
    }

    forEach(visit) {
        while (this.more()) if (visit(this.next()) === false && !host.strict) break;
    }

    map(change) {
        const all = [];
        while (this.more()) all.push(change(this.next()));
        return all;
    }

    itcount() {
        let count = 0;
        for (; this.more(); count++) this.state.at++;
        return count;
    }

    length() {
        return this.toArray().length;
    }

    objsLeftInBatch() {
        this.begin();
        return this.state.batch.length - this.state.at;
    }

    isExhausted() {
        return this.state.id === 0n && this.state.at >= this.state.batch.length;
    }

    isClosed() {
        return this.state.closed || this.state.id === 0n;
    }

    getId() {
        return NumberLong(this.state.id === undefined ? 0n : this.state.id);
    }

    getClusterTime() {
        return undefined;
    }

    close() {
        const { state } = this;
        if (!state.closed && state.id) {
            this.db.send({ killCursors: state.name, cursors: [NumberLong(state.id)] });
        }
        state.closed = true;
    }

    pretty() {
        return this;
    }

    [Symbol.iterator]() {
        return { next: () => (this.more() ? { value: this.next(), done: false }
            : { value: undefined, done: true }) };
    }

    toString() {
        return `${this.db.getName()}.${this.command.find || this.command.aggregate}`;
    }
}

// The cursor of a find: what can still be asked of it before it is sent.
class Query extends Cursor {
    set(field, value) {
        if (this.state.id !== undefined) throw new Error(ADVANCE);
        this.command[field] = value;
        return this;
    }

    limit(count) {
        if (count < 0) this.set("singleBatch", true);
        return this.set("limit", Math.abs(count));
    }

    batchSize(size) {
        if (this.state.id !== undefined) {
            this.command.getMoreSize = size;
            return this;
        }
        return this.set("batchSize", size);
    }

    addOption(bits) {
        for (const bit in OPTION_BITS) if (bits & bit) this.set(OPTION_BITS[bit], true);
        return this;
    }

    tailable(options) {
        this.set("tailable", true);
        return options && options.awaitData ? this.set("awaitData", true) : this;
    }

    // How long a getMore may wait for new documents: the find itself does not take it.
    maxAwaitTimeMS(milliseconds) {
        this.state.patience = milliseconds;
        return this;
    }

    readConcern(level) {
        return this.set("readConcern", { level });
    }

    readPref(mode) {
        return this.set("$readPreference", { mode });
    }

    snapshot() {
        return this;
    }

    count(applied) {
        const { find, filter, hint, collation, skip, limit, maxTimeMS } = this.command;
        const command = { count: find, query: filter || {} };
        if (hint !== undefined) command.hint = hint;
        if (collation !== undefined) command.collation = collation;
        if (maxTimeMS !== undefined) command.maxTimeMS = maxTimeMS;
        if (applied && skip !== undefined) command.skip = skip;
        if (applied && limit !== undefined) command.limit = limit;
        return plain(decode(this.db.send(command, true)).n);
    }

    size() {
        return this.count(true);
    }

    explain(verbosity) {
        return this.db.explain(this.command, verbosity);
    }

    finish() {
        return this;
    }

    modifiers() {
        return this.command;
    }
}
for (const method in FIND_FIELDS) {
    Query.prototype[method] = function (value) {
        return this.set(FIND_FIELDS[method], value);
    };
}
for (const method in FIND_FLAGS) {
    Query.prototype[method] = function (value) {
        return this.set(FIND_FLAGS[method], value === undefined ? true : value);
    };
}

// Counts come as int, long or double; scripts compare them with plain numbers.
function plain(number) {
    return number !== null && typeof number === "object" ? Number(number) : number;
}

// {id, ns, batch} of a reply with a cursor; the documents of the batch stay encoded.
function readCursor(bytes) {
    const reader = new Reader(bytes);
    const found = { id: 0n, ns: undefined, batch: [] };
    eachField(reader, (key, type) => {
        if (key !== "cursor") return false;
        eachField(reader, (inner, innerType) => {
            if (inner === "id") found.id = innerType === 0x12 ? reader.long() : BigInt(reader.value(innerType));
            else if (inner === "ns") found.ns = reader.string();
            else if (inner === "firstBatch" || inner === "nextBatch") {
                eachField(reader, () => found.batch.push(reader.skipDocument()));
            } else return false;
            return true;
        });
        return true;
    });
    return found;
}

// Calls take(key, type) at each field; one that is not taken is read over.
function eachField(reader, take) {
    reader.at += 4;
    for (let type = reader.bytes[reader.at++]; type !== 0; type = reader.bytes[reader.at++]) {
        if (!take(reader.key(), type)) reader.value(type);
    }
}
