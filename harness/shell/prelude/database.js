// Databases, the server handle and sessions: everything that ends in `send`.

class CommandError extends Error {
    constructor(reply, command) {
        super(`command failed: ${reply.errmsg} (${reply.codeName || reply.code}): ${command}`);
        Object.assign(this, { code: reply.code, codeName: reply.codeName, name: "MongoServerError" });
        Object.defineProperty(this, "reply", { value: reply });
    }
}

let encoding = false;

// Sends; returns the reply's bytes and whether it is an error. A getter in the command may itself
// send one while its own is being encoded: what is written by then is kept for it.
function exchange(database, command) {
    const held = encoding ? out.slice(0, pos) : null;
    try {
        encoding = true;
        const length = encode(command);
        encoding = false;
        const size = host.send(printable(database), length);
        if (typeof size === "string") throw new Error("the harness failed: " + size);
        if (size === 0) throw new Error("the connection to the server is lost");
        return [new Uint8Array(wire.slice(0, Math.abs(size))), size < 0];
    } finally {
        encoding = held !== null;
        if (held !== null) {
            out.set(held);
            pos = held.length;
        }
    }
}

// The same; a reply that is not ok throws when `must`.
function transmit(database, command, must) {
    const [bytes, failed] = exchange(database, command);
    if (failed && must) throw new CommandError(decode(bytes), Object.keys(command)[0]);
    return bytes;
}

function checkName(name) {
    if (typeof name !== "string" || name.includes("\0")) throw new Error("invalid name: " + name);
    return name;
}

// Methods that send one command made of their arguments: method -> arguments to command.
const DATABASE_COMMANDS = {
    stats: (scale) => ({ dbStats: 1, scale: typeof scale === "object" ? scale.scale : scale }),
    serverStatus: (options) => ({ serverStatus: 1, ...options }),
    hello: () => ({ hello: 1 }),
    isMaster: () => ({ isMaster: 1 }),
    hostInfo: () => ({ hostInfo: 1 }),
    serverBuildInfo: () => ({ buildInfo: 1 }),
    listCommands: () => ({ listCommands: 1 }),
    getUsers: (options) => ({ usersInfo: 1, ...options }),
    createUser: (user, concern) => named("createUser", "user", user, concern),
    updateUser: (user, changes) => ({ updateUser: user, ...changes }),
    changeUserPassword: (user, pwd) => ({ updateUser: user, pwd }),
    dropUser: (user) => ({ dropUser: user }),
    removeUser: (user) => ({ dropUser: user }),
    dropAllUsers: () => ({ dropAllUsersFromDatabase: 1 }),
    grantRolesToUser: (user, roles) => ({ grantRolesToUser: user, roles }),
    revokeRolesFromUser: (user, roles) => ({ revokeRolesFromUser: user, roles }),
    getRoles: (options) => ({ rolesInfo: 1, ...options }),
    createRole: (role, concern) => named("createRole", "role", role, concern),
    updateRole: (role, changes) => ({ updateRole: role, ...changes }),
    dropRole: (role) => ({ dropRole: role }),
    dropAllRoles: () => ({ dropAllRolesFromDatabase: 1 }),
    grantRolesToRole: (role, roles) => ({ grantRolesToRole: role, roles }),
    revokeRolesFromRole: (role, roles) => ({ revokeRolesFromRole: role, roles }),
    grantPrivilegesToRole: (role, privileges) => ({ grantPrivilegesToRole: role, privileges }),
    revokePrivilegesFromRole: (role, privileges) => ({ revokePrivilegesFromRole: role, privileges }),
    setProfilingLevel: (level, options) => ({ profile: level,
        ...(typeof options === "number" ? { slowms: options } : options) }),
    getProfilingStatus: () => ({ profile: -1 }),
    dropDatabase: () => ({ dropDatabase: 1 }),
    fsyncLock: () => ({ fsync: 1, lock: true }),
    logout: () => ({ logout: 1 }),
    createCollection: (name, options) => ({ create: name, ...options }),
    createView: (name, source, pipeline, options) => ({ create: name, viewOn: source,
        pipeline: Array.isArray(pipeline) ? pipeline : [pipeline], ...options }),
    cloneDatabase: () => ({ clone: 1 }),
    killOp: (op) => ({ killOp: 1, op }),
};
const ON_ADMIN = new Set(["hostInfo", "serverBuildInfo", "killOp", "fsyncLock"]);

function named(command, field, document, concern) {
    const { [field]: name, ...rest } = document;
    return { [command]: name, ...rest, ...(concern === undefined ? {} : { writeConcern: concern }) };
}

function dropUndefined(command) {
    for (const key of Object.keys(command)) if (command[key] === undefined) delete command[key];
    return command;
}

class DB {
    constructor(name, session) {
        Object.defineProperties(this, {
            name_: { value: checkName(name) },
            session_: { value: session },
        });
        return new Proxy(this, CHILD);
    }

    child_(name) {
        return new Collection(this, name);
    }

    getName() {
        return this.name_;
    }

    getMongo() {
        return new Mongo();
    }

    getSession() {
        return this.session_ || new Session();
    }

    getSiblingDB(name) {
        return new DB(name, this.session_);
    }

    getSisterDB(name) {
        return new DB(name, this.session_);
    }

    getCollection(name) {
        return new Collection(this, String(name));
    }

    send(command, must) {
        const session = this.session_;
        return transmit(this.name_, session ? session.dress(command) : command, must);
    }

    runCommand(command, extra) {
        return lazily(this.send(typeof command === "string" ? { [command]: 1, ...extra } : command));
    }

    adminCommand(command, extra) {
        return this.getSiblingDB("admin").runCommand(command, extra);
    }

    _adminCommand(command, extra) {
        return this.adminCommand(command, extra);
    }

    runReadCommand(command, extra) {
        return this.runCommand(command, extra);
    }

    explain(command, verbosity) {
        const { getMoreSize: _, ...inner } = command;
        const level = verbosity === true ? "allPlansExecution" : verbosity || "queryPlanner";
        return decode(this.send({ explain: inner, verbosity: level }, true));
    }

    aggregate(...stages) {
        return aggregate(this, 1, stages);
    }

    watch(pipeline, options) {
        return aggregate(this, 1, [[{ $changeStream: options || {} }, ...(pipeline || [])]]);
    }

    listCollections_(filter, options) {
        return new Cursor(this, { listCollections: 1, filter: filter || {}, ...options }, true).toArray();
    }

    getCollectionNames() {
        return this.listCollections_({}, { nameOnly: true }).map((info) => info.name).sort();
    }

    getCollectionInfos(filter, options) {
        const where = typeof filter === "string" ? { name: filter } : filter;
        return this.listCollections_(where, options === true ? { nameOnly: true } : options)
            .sort((a, b) => (a.name < b.name ? -1 : 1));
    }

    getUser(user, options) {
        const { users } = this.runCommand({ usersInfo: user, ...options });
        return users === undefined || users.length === 0 ? null : users[0];
    }

    getRole(role, options) {
        const { roles } = this.runCommand({ rolesInfo: role, ...options });
        return roles === undefined || roles.length === 0 ? null : roles[0];
    }

    currentOp(filter) {
        return this.getSiblingDB("admin").runCommand({
            currentOp: 1, ...(filter === true ? { $all: true } : filter),
        });
    }

    getProfilingLevel() {
        return this.getProfilingStatus().was;
    }

    auth(user, pwd) {
        return this.runCommand({ authenticate: 1, user: user.user || user, pwd: user.pwd || pwd });
    }

    version() {
        return this.serverBuildInfo().version;
    }

    getLogComponents() {
        return this.adminCommand({ getParameter: 1, logComponentVerbosity: 1 }).logComponentVerbosity;
    }

    eval() {
        throw new Error("unsupported: db.eval");
    }

    toString() {
        return this.name_;
    }

    tojson() {
        return this.name_;
    }
}
for (const method in DATABASE_COMMANDS) {
    DB.prototype[method] = function (...parts) {
        const target = ON_ADMIN.has(method) ? this.getSiblingDB("admin") : this;
        return target.runCommand(dropUndefined(DATABASE_COMMANDS[method](...parts)));
    };
}

// `db.name` and `db.name.sub` are collections unless the name is a method's.
const CHILD = {
    get(target, name, self) {
        if (typeof name === "symbol" || name in target) return Reflect.get(target, name, self);
        return name === "then" || name === "toJSON" ? undefined : target.child_(name);
    },
};

class Mongo {
    getDB(name) {
        return new DB(name);
    }

    getDatabase(name) {
        return new DB(name);
    }

    getDBs(options) {
        return lazily(transmit("admin", { listDatabases: 1, ...options }));
    }

    getDBNames() {
        return this.getDBs().databases.map((each) => each.name).sort();
    }

    adminCommand(command) {
        return new DB("admin").runCommand(command);
    }

    startSession(options) {
        return new Session(options);
    }

    watch(pipeline, options) {
        return new DB("admin").watch(pipeline, { allChangesForCluster: true, ...options });
    }

    getReadPrefMode() {
        return "primary";
    }

    toString() {
        return "connection to the server under test";
    }
}
for (const quiet of ["setReadPref", "setReadConcern", "setWriteConcern", "setCausalConsistency",
    "setSecondaryOk", "setSlaveOk", "setLogLevel", "forceReadMode", "setReadMode"]) {
    Mongo.prototype[quiet] = () => undefined;
}

class Session {
    constructor(options) {
        Object.defineProperties(this, {
            id: { value: { id: UUID() } },
            options: { value: options || {} },
            state: { value: { number: 0n, open: false, first: false } },
        });
    }

    // The command as this session sends it.
    dress(command) {
        const { state } = this;
        const dressed = { ...command, lsid: command.lsid || this.id };
        if (state.open) {
            dressed.txnNumber = NumberLong(state.number);
            dressed.autocommit = false;
            if (state.first) {
                dressed.startTransaction = true;
                if (state.readConcern) dressed.readConcern = state.readConcern;
            }
            state.first = false;
        }
        return dressed;
    }

    getDatabase(name) {
        return new DB(name, this);
    }

    getSessionId() {
        return this.id;
    }

    getOptions() {
        return this.options;
    }

    getClient() {
        return new Mongo();
    }

    startTransaction(options) {
        const { state } = this;
        Object.assign(state, { number: state.number + 1n, open: true, first: true,
            readConcern: options && options.readConcern });
    }

    end_(command) {
        const { state } = this;
        if (!state.open) throw new Error("there is no transaction started");
        const unused = state.first;
        const reply = unused ? { ok: 1 } : new DB("admin", this).runCommand(command);
        state.open = false;
        return reply;
    }

    commitTransaction() {
        return this.end_({ commitTransaction: 1 });
    }

    abortTransaction() {
        return this.end_({ abortTransaction: 1 });
    }

    commitTransaction_forTesting() {
        return this.commitTransaction();
    }

    withTransaction(body, options) {
        this.startTransaction(options);
        try {
            const result = body(this);
            if (this.state.open) this.commitTransaction();
            return result;
        } catch (error) {
            if (this.state.open) this.abortTransaction();
            throw error;
        }
    }

    advanceClusterTime() {}

    advanceOperationTime() {}

    getClusterTime() {}

    getOperationTime() {}

    hasEnded() {
        return Boolean(this.state.ended);
    }

    endSession() {
        if (!this.state.ended) transmit("admin", { endSessions: [this.id] });
        this.state.ended = true;
    }
}
