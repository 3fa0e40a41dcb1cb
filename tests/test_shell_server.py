"""Sessions, collections, databases and asserts of the shell on the real server."""

from __future__ import annotations

import pytest
from bson import Binary, Int64
from shells import Shell, commands, names

# Sessions


def test_a_session_is_in_each_of_its_commands(shell: Shell) -> None:
    run = shell.passes("""
        var session = db.getMongo().startSession({causalConsistency: false});
        var d = session.getDatabase("test");
        d.c.insert({a: 1});
        d.c.insert([{a: 2}, {a: 3}]);
        d.c.find().batchSize(2).itcount();
        d.runCommand({ping: 1});
        d.getSiblingDB("other").c.insert({});
        d.c.aggregate([]).toArray();
        db.c.count();
        session.endSession();
        assert(session.hasEnded());
    """)
    sent = commands(run)
    ids = [each.get("lsid", {}).get("id") for each in sent]
    assert names(run) == [
        "insert", "insert", "find", "getMore", "ping", "insert", "aggregate", "count",
        "endSessions",
    ]  # fmt: skip
    assert isinstance(ids[0], Binary) and ids[0].subtype == 4
    assert ids[:7] == [ids[0]] * 7
    assert ids[7] is None
    assert sent[8] == {"endSessions": [{"id": ids[0]}]}


def test_a_transaction_is_told_as_the_shell_tells_it(shell: Shell) -> None:
    """A standalone server refuses it; the commands are what counts."""
    run = shell.run("""
        var session = db.getMongo().startSession();
        var d = session.getDatabase("test");
        session.startTransaction({readConcern: {level: "snapshot"}});
        assert.commandFailedWithCode(d.runCommand({insert: "c", documents: [{}]}), 20);
        assert.commandFailed(d.runCommand({find: "c"}));
        assert.commandFailed(session.abortTransaction());
        session.startTransaction();
        assert.eq(session.commitTransaction().ok, 1);
        assert.throws(() => session.commitTransaction());
    """)
    assert run.verdict.kind == "ok", run.verdict
    insert, find, abort = commands(run)
    assert insert["startTransaction"] is True and insert["autocommit"] is False
    assert insert["readConcern"] == {"level": "snapshot"}
    assert insert["txnNumber"] == 1 and isinstance(insert["txnNumber"], Int64)
    assert "startTransaction" not in find and find["txnNumber"] == 1
    assert abort["abortTransaction"] == 1 and run.record.sent[2].database == "admin"


# Collections and databases


def test_indexes(shell: Shell) -> None:
    run = shell.passes("""
        assert.commandWorked(db.c.createIndex({a: 1, "b.c": -1}, {unique: true}));
        assert.commandWorked(db.c.createIndexes([{t: "text"}, {h: "hashed"}], {sparse: true}));
        assert.commandWorked(db.c.ensureIndex({z: 1}, {name: "mine"}));
        assert.eq(db.c.getIndexes().map((each) => each.name),
                  ["_id_", "a_1_b.c_-1", "t_text", "h_hashed", "mine"]);
        assert.eq(db.c.getIndexKeys()[1], {a: 1, "b.c": -1});
        assert.commandWorked(db.c.hideIndex("mine"));
        assert.eq(db.c.getIndexes()[4].hidden, true);
        assert.commandWorked(db.c.unhideIndex({z: 1}));
        assert.commandWorked(db.c.dropIndex("mine"));
        assert.commandWorked(db.c.dropIndex({h: "hashed"}));
        assert.commandFailed(db.c.dropIndex("none"));
        assert.commandWorked(db.c.dropIndexes());
        assert.eq(db.c.getIndexes().length, 1);
        assert.eq(db.absent.getIndexes(), []);
        assert.commandWorked(db.c.reIndex());
    """)
    assert commands(run)[0]["indexes"] == [
        {"key": {"a": 1, "b.c": -1}, "name": "a_1_b.c_-1", "unique": True}
    ]


def test_helpers_of_collections(shell: Shell) -> None:
    shell.passes("""
        db.c.insert([{a: 1}, {a: 2}]);
        assert.eq([db.c.getName(), db.c.getFullName(), String(db.c)], ["c", "test.c", "test.c"]);
        assert.eq(db.c.getDB().getName(), "test");
        assert(db.c.validate().valid);
        assert.eq(db.c.stats().count, 2);
        assert.gt(db.c.dataSize(), 0);
        assert.gt(db.c.totalSize(), 0);
        assert(!db.c.isCapped());
        assert.eq(db.c.exists().name, "c");
        assert.commandWorked(db.c.runCommand("count"));
        assert.eq(db.c.runCommand({count: "c"}).n, 2);
        assert.commandWorked(db.c.renameCollection("d"));
        assert.eq([db.c.count(), db.d.count()], [0, 2]);
        assert.commandWorked(db.d.convertToCapped(4096));
        assert(db.d.isCapped());
        assert.eq(db.d.mapReduce(function () { emit(1, this.a); },
            function (k, v) { return Array.sum(v); }, {out: {inline: 1}}).results[0].value, 3);
        assert.commandWorked(db.d.getPlanCache().clear());
        assert.eq(db.d.getPlanCache().list(), []);
        assert(db.d.drop());
        assert(!db.d.drop());
        assert.isnull(db.d.exists());
    """)


def test_helpers_of_databases(shell: Shell) -> None:
    shell.passes("""
        assert.commandWorked(db.createCollection("c", {capped: true, size: 4096}));
        assert.commandFailedWithCode(db.createCollection("c"), 48);
        assert.commandWorked(db.createView("v", "c", [{$match: {}}]));
        assert.eq(db.getCollectionNames(), ["c", "system.views", "v"]);
        assert.eq(db.getCollectionInfos({name: "c"})[0].options.capped, true);
        assert.eq(db.getCollectionInfos("v")[0].type, "view");
        assert.eq([db.getName(), String(db), String(db.getSiblingDB("x"))], ["test", "test", "x"]);
        assert.eq(db.getMongo().getDB("y").getName(), "y");
        assert.contains("test", db.getMongo().getDBNames());
        assert.eq(db.stats().db, "test");
        assert.eq(db.version().split(".")[0], "6");
        assert(db.hello().isWritablePrimary);
        assert(db.isMaster().ismaster);
        assert(db.serverStatus().ok && db.hostInfo().ok && db.serverBuildInfo().ok);
        assert(db.currentOp().inprog.length > 0);
        assert.eq(db.getProfilingStatus().was, 0);
        assert.commandWorked(db.setProfilingLevel(2));
        assert.eq(db.getProfilingLevel(), 2);
        assert.commandWorked(db.runCommand("ping"));
        assert.commandWorked(db.adminCommand("listDatabases"));
        assert.commandWorked(db.getUsers());
        db.createUser({user: "u", pwd: "p", roles: ["read"]});
        assert.eq(db.getUser("u").roles, [{role: "read", db: "test"}]);
        assert.isnull(db.getUser("nobody"));
        db.createRole({role: "r", privileges: [], roles: ["read"]});
        assert.eq(db.getRole("r").roles.length, 1);
        assert.isnull(db.getRole("nobody"));
        assert.commandWorked(db.dropAllUsers());
        assert.commandWorked(db.dropAllRoles());
        assert.commandWorked(db.dropDatabase());
        assert.eq(db.getCollectionNames(), []);
    """)


@pytest.mark.parametrize(
    "name",
    ["a.b", "a b", "a-b", "é", "\U0001f600", "1", "constructor", "__proto__", "find", "getName",
     "toString", "a.find", "then", "a/b", "length", "x" * 200],
)  # fmt: skip
def test_odd_names_of_collections(shell: Shell, name: str) -> None:
    import json

    run = shell.passes(f"""
        var name = {json.dumps(name)};
        var c = db.getCollection(name);
        assert.eq(c.getName(), name);
        assert.eq(c.insert({{_id: 1}}).nInserted, 1);
        assert.eq(c.findOne(), {{_id: 1}});
        assert.contains(name, db.getCollectionNames());
    """)
    assert commands(run)[0]["insert"] == name


def test_names_through_dots_and_brackets(shell: Shell) -> None:
    run = shell.passes("""
        db.a.b.c.insert({});
        db["a b"].insert({});
        db.a["b.c"].insert({});
        db[1].insert({});
        db.a.getCollection("find").insert({});
        assert.eq(db.a.b.c.count(), 2);
    """)
    inserted = [each["insert"] for each in commands(run)[:5]]
    assert inserted == [
        "a.b.c",
        "a b",
        "a.b.c",
        "1",
        "a.find",
    ]


@pytest.mark.parametrize("name", ["", "$x", ".a", "system.nonsense", "x" * 300])
def test_names_that_the_server_refuses_reach_it(shell: Shell, name: str) -> None:
    run = shell.run(f"db.getCollection('{name}').insert({{}})", strict=False)
    assert run.verdict.kind == "ok"
    assert commands(run)[0]["insert"] == name
    assert run.record.sent[0].code != 0


def test_replies_are_documents_in_every_way(shell: Shell) -> None:
    assert shell.prints("""
        db.c.insert({_id: 1, a: {b: [1]}});
        var reply = db.runCommand({find: "c"});
        print("ok" in reply, Object.keys(reply).join(), reply.cursor.firstBatch[0].a.b[0]);
        print(JSON.stringify(reply), tojson({...reply}), delete reply.ok, reply.ok);
        reply.x = 1;
        print(Object.entries(reply).length, reply.hasOwnProperty("cursor"), reply.length);
        var copy = Object.assign({}, db.runCommand({ping: 1}));
        print(tojson(copy), db.runCommand({ping: 1}).ok, db.runCommand({ping: 1})["ok"]);
    """) == [
        "true cursor,ok 1",
        '{"cursor":{"firstBatch":[{"_id":1,"a":{"b":[1]}}],"id":"NumberLong(0)","ns":"test.c"},'
        '"ok":1} { "cursor" : { "firstBatch" : [{ "_id" : 1, "a" : { "b" : [1] } }], '
        '"id" : NumberLong(0), "ns" : "test.c" }, "ok" : 1 } true undefined',
        "2 true undefined",
        '{ "ok" : 1 } 1 1',
    ]


# Asserts

HOLDING = [
    "assert(1)",
    "assert.eq(1, NumberLong(1))",
    "assert.eq(1, NumberDecimal('1'))",
    "assert.eq({a: [1, {b: 2}]}, {a: [1, {b: 2}]})",
    "assert.eq(NaN, NaN)",
    "assert.eq(new Date(5), new Date(5))",
    "assert.eq(ObjectId('65aabbccddeeff0011223344'), ObjectId('65aabbccddeeff0011223344'))",
    "assert.eq(undefined, null)",
    "assert.neq(1, 2)",
    "assert.neq({a: 1, b: 2}, {b: 2, a: 1})",
    "assert.docEq({a: 1, b: NumberLong(2)}, {b: 2, a: 1})",
    "assert.sameMembers([1, {a: 1}], [{a: 1}, 1])",
    "assert.contains(2, [1, NumberLong(2)])",
    "assert.includes('abc', 'b')",
    "assert.gt(2, 1)", "assert.gte(2, 2)", "assert.lt(1, NumberLong(2))", "assert.lte('a', 'b')",
    "assert.between(1, 2, 2)",
    "assert.close(1.00001, 1)",
    "assert.isnull(undefined)",
    "assert.hasFields({a: 1}, ['a'])",
    "assert.throws(() => { throw 1; })",
    "assert.throws((a) => { if (a === 5) throw 1; }, [5])",
    "assert.throwsWithCode(() => db.c.find({$bad: 1}).toArray(), [1, 2])",
    "assert.doesNotThrow(() => 1)",
    "assert.commandWorked({ok: 1})",
    "assert.commandWorked(db.c.insert({}))",
    "assert.commandFailed({ok: 0})",
    "assert.commandFailed(db.runCommand({nonsense: 1}))",
    "assert.commandFailedWithCode({ok: 0, code: 5}, [4, 5])",
    "assert.commandWorkedOrFailedWithCode({ok: 0, code: 5}, 5)",
    "assert.writeOK(db.c.insert({}))",
    "assert.writeError(db.c.insert([{_id: 1}, {_id: 1}]))",
    "assert.writeErrorWithCode(db.c.insert([{_id: 1}, {_id: 1}]), 11000)",
    "var n = 0; assert.soon(() => ++n === 3)",
]  # fmt: skip
FAILING = [
    "assert(0)",
    "assert(false, 'why')",
    "assert.eq(1, 2)",
    "assert.eq({a: 1, b: 2}, {b: 2, a: 1})",
    "assert.eq({a: 1}, {a: 1, b: undefined})",
    "assert.eq([1, 2], [2, 1])",
    "assert.eq(NumberLong('9007199254740993'), NumberLong('9007199254740992'))",
    "assert.eq(ObjectId(), ObjectId())",
    "assert.eq(new Date(5), new Date(6))",
    "assert.eq(/a/, /a/i)",
    "assert.eq('1', 2)",
    "assert.neq(1, NumberInt(1))",
    "assert.docEq({a: 1}, {a: 2})",
    "assert.sameMembers([1], [1, 1])",
    "assert.contains(3, [1, 2])",
    "assert.includes('abc', 'x')",
    "assert.gt(1, 1)", "assert.gte(1, 2)", "assert.lt(2, 2)", "assert.lte(3, 2)",
    "assert.between(1, 5, 2)",
    "assert.close(1, 2)",
    "assert.isnull(0)",
    "assert.hasFields({a: 1}, ['b'])",
    "assert.throws(() => 1)",
    "assert.throwsWithCode(() => db.c.find({$bad: 1}).toArray(), 3)",
    "assert.throwsWithCode(() => 1, 3)",
    "assert.doesNotThrow(() => { throw 1; })",
    "assert.commandWorked({ok: 0})",
    "assert.commandWorked(db.runCommand({nonsense: 1}))",
    "assert.commandWorked(db.c.insert([{_id: 1}, {_id: 1}]))",
    "assert.commandWorked({ok: 1, writeErrors: [{code: 1}]})",
    "assert.commandFailed({ok: 1})",
    "assert.commandFailedWithCode({ok: 0, code: 5}, 6)",
    "assert.commandFailedWithCode({ok: 1}, 5)",
    "assert.writeOK(db.c.insert([{_id: 1}, {_id: 1}]))",
    "assert.writeError(db.c.insert({}))",
    "assert.writeErrorWithCode(db.c.insert([{_id: 1}, {_id: 1}]), 5)",
]  # fmt: skip


@pytest.mark.parametrize("expectation", HOLDING)
def test_an_assert_that_holds(shell: Shell, expectation: str) -> None:
    shell.passes(expectation)


@pytest.mark.parametrize("expectation", FAILING)
def test_an_assert_that_fails_throws_in_strict_mode_alone(shell: Shell, expectation: str) -> None:
    strict = shell.run(expectation)
    assert strict.verdict.kind == "error"
    assert strict.verdict.detail.startswith("Error: assert: ")
    shell.clear()
    fuzzing = shell.run(f"{expectation}; print('on')", strict=False)
    assert fuzzing.verdict.kind == "ok"
    assert fuzzing.record.printed == ["on"]
    assert names(fuzzing) == names(strict)


@pytest.mark.parametrize(
    "call", ["throws()", "throws(5)", "contains(1, 5)", "sameMembers(1, 2)", "soon()", "includes()",
             "hasFields(null, null)", "setEq(1, 2)", "commandWorked()", "commandFailedWithCode()",
             "throwsWithCode(() => { throw null; }, 5)", "eq()", "docEq()", "close()", "time(5)",
             "commandWorked({ok: 1, writeErrors: 5})", "eq({get a() { throw 1; }}, {a: 1})",
             "doesNotThrow()", "retry(5)", "lt(Symbol('x'), 1)", "gt({valueOf() { throw 1; }}, 1)"],
)  # fmt: skip
def test_asserts_in_fuzzing_take_anything_without_throwing(shell: Shell, call: str) -> None:
    run = shell.run(f"assert.{call}; print('on');", strict=False)
    assert run.verdict.kind == "ok", run.verdict
    assert run.record.printed == ["on"]
