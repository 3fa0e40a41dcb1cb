// Bulk writes: operations gathered, then sent in runs of one kind (ordered) or kind by kind.

const BULK_OPERATIONS = {
    insertOne: (bulk, { document }) => bulk.insert(document),
    updateOne: (bulk, each) => bulk.update_(each.filter, each.update, { ...each, multi: undefined }),
    updateMany: (bulk, each) => bulk.update_(each.filter, each.update, { ...each, multi: true }),
    replaceOne: (bulk, each) => bulk.update_(each.filter, each.replacement, { ...each, multi: undefined }),
    deleteOne: (bulk, each) => bulk.delete_(each.filter, 1, each),
    deleteMany: (bulk, each) => bulk.delete_(each.filter, 0, each),
};

class Bulk {
    constructor(collection, ordered) {
        Object.defineProperties(this, {
            collection: { value: collection },
            ordered: { value: ordered },
            operations: { value: [] },
            ids: { value: [] },
            done: { value: false, writable: true },
        });
    }

    insert(document) {
        const whole = withId(document);
        this.ids.push(whole && whole._id);
        this.operations.push(["insert", whole]);
        return this;
    }

    update_(q, u, options) {
        this.operations.push(["update", { q, u, ...pick(options, UPDATE_OPTIONS) }]);
        return this;
    }

    delete_(q, limit, options) {
        this.operations.push(["delete", { q, limit, ...pick(options, ["collation", "hint"]) }]);
        return this;
    }

    find(filter) {
        return new BulkFind(this, filter);
    }

    // [kind, items] in the order of sending.
    runs_() {
        const runs = [];
        for (const [kind, item] of this.operations) {
            const run = this.ordered ? runs[runs.length - 1] : runs.find((each) => each[0] === kind);
            if (run && run[0] === kind) run[1].push(item);
            else runs.push([kind, [item]]);
        }
        return runs;
    }

    execute(writeConcern, options) {
        if (this.operations.length === 0) throw new Error("no operations in the bulk");
        if (this.done) throw new Error("a bulk cannot be executed twice");
        this.done = true;
        const result = new WriteResult();
        result.raw.ids = this.ids;
        const rest = { ordered: this.ordered, ...pick(options, COMMAND_OPTIONS) };
        if (writeConcern !== undefined) rest.writeConcern = writeConcern;
        for (const [kind, items] of this.runs_()) {
            this.collection.write_(result, kind, items, rest);
            const [, bytes, failed] = result.raw.replies[result.raw.replies.length - 1];
            if (this.ordered && (failed || hasErrors(bytes))) break;
        }
        return result.orThrow();
    }

    getOperations() {
        return this.runs_().map(([kind, operations]) => ({ batchType: kind, operations }));
    }

    tojson() {
        return tojson({ nOperations: this.operations.length });
    }
}

class BulkFind {
    constructor(bulk, filter) {
        Object.defineProperties(this, { bulk: { value: bulk }, filter: { value: filter },
            options: { value: {} } });
    }

    set_(name, value) {
        this.options[name] = value;
        return this;
    }

    upsert() { return this.set_("upsert", true); }
    collation(value) { return this.set_("collation", value); }
    arrayFilters(value) { return this.set_("arrayFilters", value); }
    hint(value) { return this.set_("hint", value); }

    update(change) {
        return this.bulk.update_(this.filter, change, { ...this.options, multi: true });
    }

    updateOne(change) {
        return this.bulk.update_(this.filter, change, this.options);
    }

    replaceOne(change) {
        return this.updateOne(change);
    }

    remove() {
        return this.bulk.delete_(this.filter, 0, this.options);
    }

    removeOne() {
        return this.bulk.delete_(this.filter, 1, this.options);
    }

    delete() {
        return this.remove();
    }

    deleteOne() {
        return this.removeOne();
    }
}
