// Collections: each method becomes the command document that the shell would send.

// Methods that send one command made of the collection's name and their arguments.
const COLLECTION_COMMANDS = {
    drop: (name) => ({ drop: name }),
    dropIndex: (name, index) => ({ dropIndexes: name, index }),
    dropIndexes: (name, index) => ({ dropIndexes: name, index: index === undefined ? "*" : index }),
    hideIndex: (name, index) => hide(name, index, true),
    unhideIndex: (name, index) => hide(name, index, false),
    reIndex: (name) => ({ reIndex: name }),
    validate: (name, options) => ({ validate: name,
        ...(typeof options === "boolean" ? { full: options } : options) }),
    stats: (name, options) => ({ collStats: name,
        ...(typeof options === "number" ? { scale: options } : options) }),
    convertToCapped: (name, size) => ({ convertToCapped: name, size }),
    runCommand: (name, command, extra) => (typeof command === "string"
        ? { [command]: name, ...extra } : command),
    mapReduce: (name, map, reduce, options) => ({ mapReduce: name, map, reduce,
        ...(typeof options === "string" ? { out: options } : options) }),
    compact: (name) => ({ compact: name }),
};

function hide(name, index, hidden) {
    const which = typeof index === "string" ? { name: index } : { keyPattern: index };
    return { collMod: name, index: { ...which, hidden } };
}

const FIND_AND_MODIFY = ["query", "sort", "remove", "update", "new", "fields", "upsert",
    "bypassDocumentValidation", "writeConcern", "maxTimeMS", "collation", "arrayFilters", "hint",
    "comment", "let"];

function pick(source, names) {
    const picked = {};
    for (const name of names) {
        if (source !== undefined && source !== null && source[name] !== undefined) {
            picked[name] = source[name];
        }
    }
    return picked;
}

const UPDATE_OPTIONS = ["upsert", "multi", "collation", "arrayFilters", "hint"];
const COMMAND_OPTIONS = ["writeConcern", "bypassDocumentValidation", "maxTimeMS", "comment", "let"];

function withId(document) {
    if (document === null || typeof document !== "object" || Array.isArray(document)) return document;
    return "_id" in document ? document : { _id: ObjectId(), ...document };
}

function indexName(keys) {
    return Object.keys(keys).map((key) => `${key}_${plain(keys[key])}`).join("_");
}

// Both shells refuse an update without operators, and a replacement with them, on their side.
function needOperators(change, wanted) {
    if (change === null || typeof change !== "object" || Array.isArray(change)) return;
    const has = Object.keys(change).some((key) => key.startsWith("$"));
    if (has !== wanted) {
        throw new Error(wanted ? "the update document must contain atomic operators"
            : "the replacement document must not contain atomic operators");
    }
}

class Collection {
    constructor(db, name) {
        Object.defineProperties(this, {
            db_: { value: db },
            name_: { value: checkName(name) },
        });
        return new Proxy(this, CHILD);
    }

    child_(name) {
        return new Collection(this.db_, `${this.name_}.${name}`);
    }

    getName() {
        return this.name_;
    }

    getFullName() {
        return `${this.db_.getName()}.${this.name_}`;
    }

    getDB() {
        return this.db_;
    }

    getMongo() {
        return this.db_.getMongo();
    }

    getCollection(name) {
        return this.child_(name);
    }

    find(filter, projection, limit, skip, batchSize) {
        const command = { find: this.name_, filter: filter || {} };
        if (projection) command.projection = projection;
        const query = new Query(this.db_, command);
        if (limit) query.limit(limit);
        if (skip) query.skip(skip);
        if (batchSize) query.batchSize(batchSize);
        return query;
    }

    findOne(filter, projection, ...rest) {
        const cursor = this.find(filter, projection, ...rest).limit(-1);
        return cursor.hasNext() ? cursor.next() : null;
    }

    aggregate(...stages) {
        return aggregate(this.db_, this.name_, stages);
    }

    watch(pipeline, options) {
        return this.aggregate([{ $changeStream: options || {} }, ...(pipeline || [])]);
    }

    // {kind: [command name, list field]}: sends `items`, at most 1000 to a command as the shell does.
    write_(result, kind, items, options) {
        const [name, list] = WRITES[kind];
        const { ordered, ...rest } = options;
        let most = 1000;
        for (let at = 0; at === 0 || at < items.length; at += most) {
            const bare = { [name]: this.name_, [list]: items.slice(at, at + most),
                ordered: ordered === undefined ? true : ordered, ...rest };
            const command = this.db_.session_ ? this.db_.session_.dress(bare) : bare;
            let answer;
            while (answer === undefined) {
                try {
                    answer = exchange(this.db_.getName(), command);
                } catch (error) {
                    most = command[list].length >> 1;
                    if (!(error instanceof TooLarge) || most === 0) throw error;
                    command[list] = items.slice(at, at + most);
                }
            }
            const [bytes, failed] = answer;
            result.add(name, bytes, failed);
            if (command.ordered && (failed || hasErrors(bytes))) break;
        }
        return result;
    }

    insert(documents, options) {
        const result = new WriteResult();
        const all = (Array.isArray(documents) ? documents : [documents]).map(withId);
        result.raw.ids = all.map((document) => document && document._id);
        const { ordered } = options || {};
        return this.write_(result, "insert", all, { ordered, ...pick(options, COMMAND_OPTIONS) });
    }

    insertOne(document, options) {
        return this.insert([document], options).orThrow();
    }

    insertMany(documents, options) {
        if (!Array.isArray(documents)) throw new TypeError("insertMany takes an array");
        return this.insert(documents, options).orThrow();
    }

    save(document, options) {
        if (document === null || typeof document !== "object" || document._id === undefined) {
            return this.insert(document, options);
        }
        return this.update({ _id: document._id }, document, { upsert: true });
    }

    update(filter, change, options, multi) {
        const settings = typeof options === "boolean" ? { upsert: options, multi } : options;
        const item = { q: filter, u: change, ...pick(settings, UPDATE_OPTIONS) };
        return this.write_(new WriteResult(), "update", [item], pick(settings, COMMAND_OPTIONS));
    }

    updateOne(filter, change, options) {
        needOperators(change, true);
        return this.update(filter, change, { ...options, multi: undefined }).orThrow();
    }

    updateMany(filter, change, options) {
        needOperators(change, true);
        return this.update(filter, change, { ...options, multi: true }).orThrow();
    }

    replaceOne(filter, replacement, options) {
        needOperators(replacement, false);
        return this.update(filter, replacement, { ...options, multi: undefined }).orThrow();
    }

    remove(filter, options) {
        const one = options === true || Boolean(options && options.justOne);
        const item = { q: filter || {}, limit: one ? 1 : 0, ...pick(options, ["collation", "hint"]) };
        return this.write_(new WriteResult(), "delete", [item], pick(options, COMMAND_OPTIONS));
    }

    deleteOne(filter, options) {
        return this.remove(filter, { ...options, justOne: true }).orThrow();
    }

    deleteMany(filter, options) {
        return this.remove(filter, { ...options, justOne: false }).orThrow();
    }

    bulkWrite(operations, options) {
        const bulk = new Bulk(this, !options || options.ordered !== false);
        for (const operation of operations) {
            const kind = Object.keys(operation)[0];
            if (!(kind in BULK_OPERATIONS)) throw new Error("unknown bulk operation: " + kind);
            BULK_OPERATIONS[kind](bulk, operation[kind]);
        }
        return bulk.execute(options && options.writeConcern, options);
    }

    initializeOrderedBulkOp() {
        return new Bulk(this, true);
    }

    initializeUnorderedBulkOp() {
        return new Bulk(this, false);
    }

    findAndModify(options) {
        const command = { findAndModify: this.name_, ...pick(options, FIND_AND_MODIFY) };
        const value = decode(this.db_.send(command, true)).value;
        return value === undefined ? null : value;
    }

    findOneAndDelete(query, options) {
        const { projection: fields, sort, collation, hint, maxTimeMS } = options || {};
        return this.findAndModify({ query, sort, remove: true, fields, collation, hint, maxTimeMS });
    }

    findOneAndUpdate(query, update, options) {
        const { projection: fields, returnNewDocument, returnDocument, returnOriginal } = options || {};
        const after = returnNewDocument || returnDocument === "after" || returnOriginal === false;
        return this.findAndModify({ query, update, fields, new: after || undefined,
            ...pick(options, ["sort", "upsert", "collation", "arrayFilters", "hint", "maxTimeMS", "let"]) });
    }

    findOneAndReplace(query, replacement, options) {
        return this.findOneAndUpdate(query, replacement, options);
    }

    count(query, options) {
        const command = { count: this.name_, query: query || {},
            ...pick(options, ["limit", "skip", "hint", "collation", "maxTimeMS", "readConcern"]) };
        return plain(decode(this.db_.send(command, true)).n);
    }

    countDocuments(query, options) {
        const stages = [{ $match: query || {} }];
        if (options && options.skip !== undefined) stages.push({ $skip: options.skip });
        if (options && options.limit !== undefined) stages.push({ $limit: options.limit });
        stages.push({ $group: { _id: 1, n: { $sum: 1 } } });
        const rest = pick(options, ["hint", "collation", "maxTimeMS"]);
        const cursor = aggregate(this.db_, this.name_, [stages, rest]);
        return cursor.hasNext() ? plain(cursor.next().n) : 0;
    }

    estimatedDocumentCount(options) {
        return plain(decode(this.db_.send({ count: this.name_, ...options }, true)).n);
    }

    distinct(key, query, options) {
        const command = { distinct: this.name_, key, query: query || {},
            ...pick(options, ["collation", "maxTimeMS", "readConcern", "hint"]) };
        return decode(this.db_.send(command, true)).values;
    }

    group() {
        throw new Error("unsupported: group");
    }

    createIndex(keys, options, commitQuorum) {
        return this.createIndexes([keys], options, commitQuorum);
    }

    ensureIndex(keys, options) {
        return this.createIndex(keys, options);
    }

    createIndexes(patterns, options, commitQuorum) {
        const shared = typeof options === "string" ? { name: options }
            : typeof options === "boolean" ? { unique: options } : options;
        const indexes = patterns.map((key) => ({ key, name: indexName(key), ...shared }));
        return this.db_.runCommand(dropUndefined({ createIndexes: this.name_, indexes, commitQuorum }));
    }

    getIndexes() {
        const bytes = this.db_.send({ listIndexes: this.name_ }, false);
        if (!decode(bytes).ok) return [];
        const cursor = new Cursor(this.db_, { listIndexes: this.name_ });
        cursor.accept(bytes);
        return cursor.toArray();
    }

    getIndices() {
        return this.getIndexes();
    }

    getIndexKeys() {
        return this.getIndexes().map((index) => index.key);
    }

    getIndexSpecs() {
        return this.getIndexes();
    }

    renameCollection(to, dropTarget) {
        return this.db_.adminCommand({ renameCollection: this.getFullName(),
            to: `${this.db_.getName()}.${to}`, dropTarget: Boolean(dropTarget) });
    }

    exists() {
        return this.db_.getCollectionInfos({ name: this.name_ })[0] || null;
    }

    isCapped() {
        const info = this.exists();
        return Boolean(info && info.options && info.options.capped);
    }

    dataSize() { return plain(this.stats().size); }
    storageSize() { return plain(this.stats().storageSize); }
    totalIndexSize() { return plain(this.stats().totalIndexSize); }
    totalSize() { return this.storageSize() + this.totalIndexSize(); }

    latencyStats(options) {
        return this.aggregate([{ $collStats: { latencyStats: options || {} } }]);
    }

    getPlanCache() {
        return new PlanCache(this);
    }

    explain(verbosity) {
        return new Explainable(this, verbosity);
    }

    toString() {
        return this.getFullName();
    }

    tojson() {
        return this.getFullName();
    }
}
Object.setPrototypeOf(DB.prototype, null);
Object.setPrototypeOf(Collection.prototype, null);
for (const method in COLLECTION_COMMANDS) {
    Collection.prototype[method] = function (...parts) {
        const command = COLLECTION_COMMANDS[method](this.name_, ...parts);
        const reply = this.db_.runCommand(dropUndefined(command));
        return method === "drop" ? Boolean(reply.ok) : reply;
    };
}

const WRITES = {
    insert: ["insert", "documents"], update: ["update", "updates"], delete: ["delete", "deletes"],
};

function aggregate(db, target, stages) {
    const listed = Array.isArray(stages[0]);
    const pipeline = listed ? stages[0] : stages;
    const { explain, batchSize, cursor, ...options } = (listed && stages[1]) || {};
    if (explain !== undefined && explain !== false) {
        return db.explain({ aggregate: target, pipeline, cursor: {}, ...options },
            explain === true ? "queryPlanner" : explain);
    }
    const size = batchSize === undefined ? {} : { batchSize };
    return new Cursor(db, { aggregate: target, pipeline, cursor: { ...size, ...cursor }, ...options }, true);
}

class PlanCache {
    constructor(collection) {
        Object.defineProperty(this, "collection", { value: collection });
    }

    clear() {
        return this.collection.runCommand({ planCacheClear: this.collection.name_ });
    }

    clearPlansByQuery(query, projection, sort) {
        return this.collection.runCommand(dropUndefined({
            planCacheClear: this.collection.name_, query, projection, sort }));
    }

    list(pipeline) {
        return this.collection.aggregate([{ $planCacheStats: {} }, ...(pipeline || [])]).toArray();
    }
}

// collection.explain(v).method(...): the same calls, explained instead of run.
class Explainable {
    constructor(collection, verbosity) {
        Object.defineProperties(this, { collection: { value: collection }, verbosity: { value: verbosity } });
    }

    ask_(command) {
        return this.collection.db_.explain(dropUndefined(command), this.verbosity);
    }

    find(...parts) {
        const { collection, verbosity } = this;
        const query = collection.find(...parts);
        query.finish = () => query.explain(verbosity);
        Object.defineProperty(query, "hasNext", { value: () => { query.begin(); return true; } });
        Object.defineProperty(query, "begin", { value: () => query.finish() });
        Object.defineProperty(query, "next", { value: () => query.finish() });
        return query;
    }

    findOne(filter, projection) {
        return this.find(filter, projection).limit(1).finish();
    }

    aggregate(...stages) {
        const listed = Array.isArray(stages[0]);
        return this.ask_({ aggregate: this.collection.name_, pipeline: listed ? stages[0] : stages,
            cursor: {}, ...(listed && stages[1]) });
    }

    count(query) {
        return this.ask_({ count: this.collection.name_, query: query || {} });
    }

    distinct(key, query, options) {
        return this.ask_({ distinct: this.collection.name_, key, query: query || {}, ...options });
    }

    update(q, u, options) {
        return this.ask_({ update: this.collection.name_, updates: [{ q, u, ...pick(options, UPDATE_OPTIONS) }] });
    }

    updateOne(q, u, options) {
        return this.update(q, u, options);
    }

    updateMany(q, u, options) {
        return this.update(q, u, { ...options, multi: true });
    }

    remove(q, options) {
        const one = options === true || Boolean(options && options.justOne);
        return this.ask_({ delete: this.collection.name_, deletes: [{ q, limit: one ? 1 : 0 }] });
    }

    deleteOne(q) {
        return this.remove(q, true);
    }

    deleteMany(q) {
        return this.remove(q);
    }

    findAndModify(options) {
        return this.ask_({ findAndModify: this.collection.name_, ...pick(options, FIND_AND_MODIFY) });
    }

    mapReduce(map, reduce, options) {
        return this.ask_(COLLECTION_COMMANDS.mapReduce(this.collection.name_, map, reduce, options));
    }
}
