"""The shell's surface on the real server: what is sent, what comes back, what is left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bson
import pytest
from bson import Binary, Int64
from shells import Shell

from harness.exits import ExitStatus, Problem
from harness.process import Run
from harness.shell.dispatch import DENIED_CODE, denied_of, load_denied


def commands(run: Run) -> list[dict[str, Any]]:
    return [bson.decode(sent.body) for sent in run.record.sent]


def names(run: Run) -> list[str]:
    return [sent.name for sent in run.record.sent]


# Statements


def test_steps_tell_how_far_a_test_came(shell: Shell) -> None:
    run = shell.run(
        """
        try { step(1); db.c.insert({a: 1}); db.c.count(); } catch (e) { skip(e); }
        try { step(2); db.c.find({$wrong: 1}).toArray(); } catch (e) { skip(e); }
        try { step(3); } catch (e) { skip(e); }
        try { step(4); no.such.name; } catch (e) { skip(e); }
        try { step(5); db.c.drop(); } catch (e) { skip(e); }
        """,
        strict=False,
    )
    steps = run.record.steps
    assert run.verdict.kind == "ok"
    assert [step.number for step in steps] == [1, 2, 3, 4, 5]
    assert [step.state for step in steps] == [
        "completed", "failed", "completed", "failed", "completed",
    ]  # fmt: skip
    assert [step.commands for step in steps] == [2, 1, 0, 0, 1]
    assert [sent.statement for sent in run.record.sent] == [1, 1, 2, 5]
    assert all(step.seconds >= 0 for step in steps)
    assert "unknown top level operator: $wrong" in steps[1].error
    assert steps[3].error.startswith("ReferenceError")


def test_the_statement_in_flight_is_the_one_that_lost_the_server(shell: Shell) -> None:
    """A reply that never comes: the connection is given up, the server lives."""
    connection = shell.target.connection
    connection._pooled.set_conn_timeout(0.2)
    run = shell.run(
        """
        try { step(1); db.c.insert({_id: 1}); } catch (e) { skip(e); }
        try { step(2); db.c.count({$where: "sleep(1500) || true"}); } catch (e) { skip(e); }
        try { step(3); db.c.count(); } catch (e) { skip(e); }
        """,
        strict=False,
    )
    shell.target.renew()
    assert run.verdict.kind == "slow"
    assert [step.state for step in run.record.steps][:2] == ["completed", "in flight"]
    assert len(run.record.steps) == 2
    assert [sent.code for sent in run.record.sent] == [0, -1]


def test_an_error_in_the_script_is_its_verdict(shell: Shell) -> None:
    run = shell.run("step(1); db.c.insert({}); nothing.here;")
    assert (run.verdict.kind, run.verdict.finding) == ("error", False)
    assert "nothing" in run.verdict.detail
    assert names(run) == ["insert"]


def test_printing_without_end_is_bounded(shell: Shell) -> None:
    run = shell.passes("for (var i = 0; i < 20000; i++) print(i);")
    assert len(run.record.printed) == 10_000


def test_codes_of_commands(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert({_id: 1});
        db.c.insert({_id: 1});
        db.runCommand({noSuchCommand: 1});
        db.runCommand({find: "c", filter: {$bad: 1}});
    """)
    assert [sent.code for sent in run.record.sent] == [0, 11000, 59, 2]
    assert run.record.accepted == 1


# Denied commands


def test_a_denied_command_is_an_error_reply_and_never_sent(shell: Shell) -> None:
    run = shell.passes("""
        var reply = db.adminCommand({shutdown: 1});
        assert.commandFailedWithCode(reply, 8000000);
        print(reply.codeName, reply.errmsg);
        assert.throws(() => db.adminCommand({shutdown: 1, force: true}).x.y);
        assert.commandFailed(db.fsyncLock());
        assert.commandWorked(db.adminCommand({ping: 1}));
    """)
    assert run.record.denied == 3
    assert run.record.printed == ["DeniedByHarness denied by the harness: shutdown ends the server"]
    assert names(run) == ["ping"]


def test_a_denial_can_depend_on_fields(shell: Shell) -> None:
    run = shell.passes("""
        assert.commandWorked(db.adminCommand({fsync: 1}));
        assert.commandFailedWithCode(db.adminCommand({fsync: 1, lock: true}), 8000000);
        assert.commandFailedWithCode(db.adminCommand({setParameter: 1, logLevel: 5}), 8000000);
        assert.commandWorked(db.adminCommand({setParameter: 1, cursorTimeoutMillis: 600001}));
    """)
    assert DENIED_CODE == 8000000
    assert run.record.denied == 2
    assert names(run) == ["fsync", "setParameter"]


def test_another_deny_list_takes_the_place_of_ours(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "deny.toml").write_text(
        'deny = [{command = "ping", reason = "for a test"},'
        '{command = "find", fields = ["limit", "skip"], reason = "too"}]'
    )
    other = replace(shell, denied=load_denied(tmp_path / "deny.toml"))
    run = other.passes("""
        assert.commandFailed(db.runCommand({ping: 1}));
        assert.throws(() => db.c.find().limit(1).toArray());
        assert.throws(() => db.c.find().skip(1).toArray());
        db.c.find().toArray();
    """)
    assert run.record.denied == 3
    assert names(run) == ["find"]


@pytest.mark.parametrize(
    "content",
    [
        b"deny = [",
        b"deny = [{command = 'ping'}]",
        b"deny = [{reason = 'x'}]",
        b"deny = [{command = 'ping', reason = 'x', feilds = ['y']}]",
        b"deny = [5]",
        b"deny = 5",
        b"deny = [{command = 'ping', reason = 'x', fields = 5}]",
        b"\xff\xfe",
        None,
    ],
)
def test_a_wrong_deny_list_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "deny.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Problem, match=str(path)) as raised:
        load_denied(path)
    assert raised.value.status == ExitStatus.USAGE


def test_the_deny_list_is_read_from_a_report_again() -> None:
    from harness.shell.dispatch import denied_as_json

    denied = load_denied()
    assert denied_of(denied_as_json(denied)) == denied


# Clearing

DIRTY = {
    "databases": "db.c.insert({}); db.getSiblingDB('other').c.insert({});"
    " db.getSiblingDB('d-é').c.insert({});",
    "views and capped collections": "db.c.insert({}); db.createView('v', 'c', []);"
    " db.createCollection('k', {capped: true, size: 4096});"
    " db.createCollection('ts', {timeseries: {timeField: 't'}}); db.ts.insert({t: new Date()});",
    "users": "db.runCommand({createUser: 'u', pwd: 'p', roles: []});"
    " db.getSiblingDB('x').runCommand({createUser: 'v', pwd: 'p', roles: []});",
    "roles": "db.runCommand({createRole: 'r', privileges: [], roles: []});"
    " db.adminCommand({createRole: 's', privileges: [], roles: []});",
    "parameters": "db.adminCommand({setParameter: 1, cursorTimeoutMillis: 1234,"
    " internalQueryPlannerMaxIndexedSolutions: 3});"
    " db.adminCommand({setParameter: 1, notablescan: true});",
    "profiling": "db.setProfilingLevel(2, {slowms: 7, sampleRate: 0.5}); db.c.insert({});"
    " db.getSiblingDB('q').setProfilingLevel(1);",
    "admin and config": "db.getSiblingDB('admin').mine.insert({});"
    " db.getSiblingDB('config').mine.insert({}); db.getSiblingDB('local').mine.insert({});"
    " db.getSiblingDB('admin').createView('w', 'mine', []);",
    "written by aggregation": "db.c.insert({}); db.c.aggregate([{$out: {db: 'out', coll: 'c'}}]);"
    " db.c.aggregate([{$merge: {into: {db: 'merged', coll: 'c'}}}]);",
    "cursors and transactions left open": "db.c.insert([{}, {}, {}]);"
    " db.c.find().batchSize(1).next(); db.getMongo().startSession().getDatabase('x').c.insert({});",
    "feature compatibility": "db.adminCommand({setFeatureCompatibilityVersion: '5.0'});",
}

# Everything that a run could have left, as text; but for collections that the server made for
# itself and does not let anybody drop: they are empty.
SEEN = """
for (var name of db.getMongo().getDBNames()) {
    var all = db.getSiblingDB(name).getCollectionNames();
    var told = all.filter((each) => !/^system.(users|roles|preimages)$/.test(each));
    if (told.length > 0) print(name, tojson(told));
}
print(tojson(db.adminCommand({usersInfo: {forAllDBs: true}}).users));
print(tojson(db.adminCommand({rolesInfo: 1}).roles), tojson(db.getRoles().roles));
for (var name of ["test", "q"]) {
    var status = db.getSiblingDB(name).getProfilingStatus();
    print(status.was, status.slowms, status.sampleRate);
}
var parameters = db.adminCommand({getParameter: "*"});
print(parameters.cursorTimeoutMillis, parameters.internalQueryPlannerMaxIndexedSolutions,
      parameters.notablescan, parameters.featureCompatibilityVersion.version);
print(db.serverStatus().metrics.cursor.open.pinned);
"""


@pytest.mark.parametrize("dirt", DIRTY.values(), ids=DIRTY.keys())
def test_the_next_run_sees_an_empty_server(shell: Shell, dirt: str) -> None:
    shell.clear()
    before = shell.prints(SEEN)
    run = shell.passes(dirt)
    assert any(code == 0 for code in [sent.code for sent in run.record.sent])
    dirty = shell.prints(SEEN)
    assert shell.clear() is True
    assert shell.prints(SEEN) == before
    assert dirty != before


def test_a_run_that_only_reads_costs_no_clearing(shell: Shell) -> None:
    shell.clear()
    shell.passes("db.c.find().toArray(); db.runCommand({ping: 1}); db.serverStatus();")
    counted = "print(db.serverStatus().metrics.commands.listDatabases.total)"
    before = shell.prints(counted)
    assert shell.clear() is True
    assert shell.prints(counted) == before


# Writes


def test_results_of_inserts(shell: Shell) -> None:
    run = shell.passes("""
        var one = db.c.insertOne({a: 1});
        assert(one.acknowledged);
        assert.eq(one.insertedId, db.c.findOne()._id);
        assert.eq(db.c.insertMany([{_id: 1}, {_id: 2}]).insertedIds, [1, 2]);
        assert.eq(db.c.insert({_id: 3}).nInserted, 1);
        var twice = db.c.insert([{_id: 3}, {_id: 4}]);
        assert(twice.hasWriteError());
        assert.eq([twice.nInserted, twice.getWriteErrorAt(0).code], [0, 11000]);
        var unordered = db.c.insert([{_id: 3}, {_id: 4}, {_id: 4}], {ordered: false});
        assert.eq([unordered.nInserted, unordered.getWriteErrorCount()], [1, 2]);
        var thrown = assert.throws(() => db.c.insertOne({_id: 4}));
        assert.eq(thrown.code, 11000);
        assert.throwsWithCode(() => db.c.insertMany([{_id: 9}, {_id: 9}]), 11000);
        assert.throws(() => db.c.insertMany({_id: 1}));
        assert.eq(db.c.count(), 6);
    """)
    first = commands(run)[0]
    assert list(first) == ["insert", "documents", "ordered"]
    assert list(first["documents"][0]) == ["_id", "a"]


def test_inserts_are_sent_a_thousand_at_a_time(shell: Shell) -> None:
    run = shell.passes("""
        var result = db.c.insertMany(Array.from({length: 2500}, (_, i) => ({_id: i})));
        assert.eq([result.insertedCount, result.insertedIds.length], [2500, 2500]);
        var late = db.d.insert(Array.from({length: 1500}, (_, i) => ({_id: i % 1200})));
        assert.eq([late.nInserted, late.getWriteErrorCount()], [1200, 1]);
        var early = db.e.insert(Array.from({length: 1500}, (_, i) => ({_id: i % 10})));
        assert.eq([early.nInserted, early.getWriteErrorCount()], [10, 1]);
    """)
    sizes = [len(each["documents"]) for each in commands(run)]
    assert sizes == [1000, 1000, 500, 1000, 500, 1000]


def test_results_of_updates_and_removals(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert([{_id: 1, a: 1}, {_id: 2, a: 1}, {_id: 3, a: 2}]);
        var r = db.c.update({a: 1}, {$set: {b: 1}});
        assert.eq([r.nMatched, r.nModified, r.nUpserted], [1, 1, 0]);
        r = db.c.update({a: 1}, {$set: {b: 1}}, {multi: true});
        assert.eq([r.nMatched, r.nModified], [2, 1]);
        r = db.c.update({_id: 9}, {a: 9}, true);
        assert.eq([r.nUpserted, r.getUpsertedId()._id], [1, 9]);
        r = db.c.updateOne({_id: 10}, {$set: {a: 1}}, {upsert: true});
        assert.eq([r.matchedCount, r.modifiedCount, r.upsertedId, r.upsertedCount], [0, 0, 10, 1]);
        r = db.c.updateMany({a: {$gte: 1}}, [{$set: {c: "$a"}}]);
        assert.eq([r.matchedCount, r.modifiedCount, r.upsertedId], [5, 5, null]);
        r = db.c.replaceOne({_id: 1}, {a: 5});
        assert.eq([r.matchedCount, db.c.findOne({_id: 1})], [1, {_id: 1, a: 5}]);
        r = db.c.save({_id: 1, a: 6});
        assert.eq([r.nMatched, r.nUpserted], [1, 0]);
        assert.eq(db.c.save({a: 7}).nInserted, 1);
        assert.throws(() => db.c.updateOne({}, {a: 1}));
        assert.throws(() => db.c.replaceOne({}, {$set: {a: 1}}));
        assert.throwsWithCode(() => db.c.updateOne({}, {$bad: 1}), 9);
        assert.writeErrorWithCode(db.c.update({}, {$bad: 1}), 9);
        assert.eq(db.c.remove({a: 2}, true).nRemoved, 1);
        assert.eq(db.c.deleteOne({_id: 1}).deletedCount, 1);
        assert.eq(db.c.deleteMany({}).deletedCount, 4);
        assert.eq(db.c.remove({}).nRemoved, 0);
    """)
    updates = [each for each in commands(run) if "update" in each]
    assert updates[1]["updates"] == [{"q": {"a": 1}, "u": {"$set": {"b": 1}}, "multi": True}]
    assert updates[3]["updates"] == [{"q": {"_id": 10}, "u": {"$set": {"a": 1}}, "upsert": True}]
    deletes = [each["deletes"][0]["limit"] for each in commands(run) if "delete" in each]
    assert deletes == [1, 1, 0, 0]


def test_options_of_writes_reach_their_places(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert({_id: 1, a: [1, 2]}, {writeConcern: {w: 1}, ordered: false, comment: "x"});
        db.c.updateOne({_id: 1}, {$set: {"a.$[e]": 5}}, {arrayFilters: [{e: 1}], hint: {_id: 1},
            collation: {locale: "fr"}, writeConcern: {w: 1}, let: {x: 1}});
        db.c.deleteOne({_id: 1}, {hint: "_id_", collation: {locale: "fr"}, comment: 5});
    """)
    insert, update, delete = commands(run)
    assert insert["ordered"] is False and insert["comment"] == "x"
    assert set(update["updates"][0]) == {"q", "u", "arrayFilters", "hint", "collation"}
    assert update["writeConcern"] == {"w": 1} and update["let"] == {"x": 1}
    assert delete["deletes"][0]["hint"] == "_id_" and delete["comment"] == 5


def test_results_of_bulks(shell: Shell) -> None:
    run = shell.passes("""
        var bulk = db.c.initializeOrderedBulkOp();
        bulk.insert({_id: 1}); bulk.insert({_id: 2});
        bulk.find({_id: 1}).updateOne({$set: {a: 1}});
        bulk.find({}).update({$set: {b: 1}});
        bulk.find({_id: 3}).upsert().replaceOne({a: 3});
        bulk.insert({_id: 4});
        bulk.find({_id: 4}).removeOne();
        var r = bulk.execute();
        assert.eq([r.nInserted, r.nMatched, r.nModified, r.nUpserted, r.nRemoved], [3, 3, 3, 1, 1]);
        assert.eq(r.getUpsertedIds()[0]._id, 3);
        assert.throws(() => bulk.execute());
        assert.throws(() => db.c.initializeOrderedBulkOp().execute());

        var unordered = db.c.initializeUnorderedBulkOp();
        unordered.insert({_id: 1}); unordered.find({_id: 2}).remove(); unordered.insert({_id: 5});
        var error = assert.throws(() => unordered.execute());
        assert.eq([error.code, error.result.nInserted, error.result.nRemoved], [11000, 1, 1]);

        var ordered = assert.throws(() => db.c.bulkWrite([
            {insertOne: {document: {_id: 6}}}, {insertOne: {document: {_id: 6}}},
            {deleteMany: {filter: {}}}]));
        assert.eq([ordered.code, db.c.count({_id: 6})], [11000, 1]);

        var w = db.c.bulkWrite([
            {updateOne: {filter: {_id: 7}, update: {$set: {a: 1}}, upsert: true}},
            {updateMany: {filter: {}, update: {$inc: {n: 1}}}},
            {replaceOne: {filter: {_id: 7}, replacement: {z: 1}}},
            {deleteOne: {filter: {_id: 7}}}], {ordered: false});
        assert.eq([w.upsertedCount, w.deletedCount], [1, 1]);
        assert.throws(() => db.c.bulkWrite([{nonsense: {}}]));
    """)
    assert names(run)[:5] == ["insert", "update", "insert", "delete", "insert"]
    assert len(commands(run)[1]["updates"]) == 3


def test_the_find_and_modify_family(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert([{_id: 1, a: 1, b: 1}, {_id: 2, a: 2, b: 2}, {_id: 3, a: 3, b: 3}]);
        assert.eq(db.c.findAndModify({query: {a: 1}, update: {$inc: {a: 10}}}).a, 1);
        assert.eq(db.c.findAndModify({query: {_id: 1}, update: {$inc: {a: 10}}, new: true}).a, 21);
        assert.isnull(db.c.findAndModify({query: {_id: 77}, update: {$set: {a: 1}}}));
        assert.eq(db.c.findAndModify({query: {}, sort: {a: 1}, remove: true})._id, 2);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 5}}).a, 21);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 6}}, {returnNewDocument: true}).a, 6);
        assert.eq(db.c.findOneAndUpdate({_id: 1}, {$set: {a: 7}}, {returnDocument: "after",
            projection: {a: 1, _id: 0}}), {a: 7});
        var replaced = db.c.findOneAndReplace({_id: 1}, {z: 1}, {returnOriginal: false});
        assert.eq(replaced, {_id: 1, z: 1});
        assert.eq(db.c.findOneAndDelete({}, {sort: {_id: -1}})._id, 3);
        assert.isnull(db.c.findOneAndDelete({_id: 3}));
        assert.throwsWithCode(() => db.c.findAndModify({query: {}, update: {$bad: 1}}), 9);
    """)
    sent = commands(run)
    assert list(sent[1]) == ["findAndModify", "query", "update"]
    assert sent[7]["fields"] == {"a": 1, "_id": 0} and sent[7]["new"] is True


# Reads


def test_cursors_fetch_batches_as_they_are_asked(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 10}, (_, i) => ({_id: i})));
        var cursor = db.c.find().sort({_id: 1}).batchSize(4);
        assert.eq(cursor.objsLeftInBatch(), 4);
        assert.eq([cursor.next()._id, cursor.objsLeftInBatch()], [0, 3]);
        assert(!cursor.isExhausted());
        assert.eq(cursor.toArray().map((each) => each._id), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert(cursor.isExhausted());
        assert(!cursor.hasNext());
        assert.throws(() => cursor.next());
        assert.throws(() => cursor.limit(5));
    """)
    assert names(run) == ["insert", "find", "getMore", "getMore"]
    assert commands(run)[1] == {"find": "c", "filter": {}, "sort": {"_id": 1}, "batchSize": 4}
    more = commands(run)[2]
    assert list(more) == ["getMore", "collection", "batchSize"]
    assert isinstance(more["getMore"], Int64) and more["batchSize"] == 4


def test_what_is_asked_of_a_cursor_is_in_its_command(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 9}, (_, i) => ({_id: i, a: i % 3})));
        db.c.createIndex({a: 1});
        assert.eq(db.c.find({a: 1}, {_id: 1}).skip(1).limit(1).toArray(), [{_id: 4}]);
        assert.eq(db.c.find().limit(-2).itcount(), 2);
        assert.eq(db.c.find({a: 0}).hint({a: 1}).comment("x").maxTimeMS(5000).itcount(), 3);
        assert.eq(db.c.find().min({a: 1}).max({a: 2}).hint({a: 1}).itcount(), 3);
        assert.eq(db.c.find({}, {}, 2, 1).itcount(), 2);
        assert.eq(db.c.find().collation({locale: "fr"}).allowDiskUse().itcount(), 9);
        assert.eq(db.c.find({a: 0}).returnKey().hint({a: 1}).next(), {a: 0});
        assert.eq(db.c.find().count(), 9);
        assert.eq([db.c.find().limit(2).count(), db.c.find().limit(2).count(true)], [9, 2]);
        assert.eq(db.c.find().skip(7).size(), 2);
        var seen = 0;
        db.c.find().forEach(() => { seen++; });
        for (var each of db.c.find()) seen++;
        assert.eq(seen, 18);
        assert.eq(db.c.find({_id: 1}).map((each) => each.a), [1]);
        assert.eq(db.c.findOne({_id: 2}, {a: 1, _id: 0}), {a: 2});
        assert.isnull(db.c.findOne({_id: 99}));
        assert.eq(db.c.find().readConcern("local").length(), 9);
    """)
    finds = [each for each in commands(run) if "find" in each]
    assert finds[0] == {
        "find": "c", "filter": {"a": 1}, "projection": {"_id": 1}, "skip": 1, "limit": 1,
    }  # fmt: skip
    assert finds[1] == {"find": "c", "filter": {}, "singleBatch": True, "limit": 2}
    assert finds[-1] == {"find": "c", "filter": {}, "readConcern": {"level": "local"}}


def test_a_bare_find_sends_nothing_and_first_fetches(shell: Shell) -> None:
    run = shell.passes("""
        db.c.find({a: 1});
        var cursor = first(db.c.find({b: 1}));
        assert(!cursor.hasNext());
        assert.eq([first(5), first(undefined)], [5, undefined]);
    """)
    assert [each["filter"] for each in commands(run)] == [{"b": 1}]


def test_tailable_cursors_and_closing(shell: Shell) -> None:
    run = shell.passes("""
        db.createCollection("k", {capped: true, size: 4096});
        db.k.insert([{_id: 1}, {_id: 2}]);
        var tail = db.k.find().tailable().batchSize(1);
        assert.eq([tail.next()._id, tail.next()._id, tail.hasNext()], [1, 2, false]);
        db.k.insert({_id: 3});
        assert.eq(tail.next()._id, 3);
        assert(!tail.isClosed());
        tail.close();
        assert(tail.isClosed());
        tail.close();
        var raw = db.k.find().addOption(2).addOption(32).maxAwaitTimeMS(1);
        raw.toArray();
        raw.close();
    """)
    assert names(run).count("killCursors") == 2
    finds = [each for each in commands(run) if "find" in each]
    assert finds[0]["tailable"] is True
    assert (finds[1]["tailable"], finds[1]["awaitData"]) == (True, True)


def test_forms_of_aggregate(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert(Array.from({length: 5}, (_, i) => ({_id: i})));
        assert.eq(db.c.aggregate([{$match: {_id: 1}}]).toArray(), [{_id: 1}]);
        assert.eq(db.c.aggregate({$match: {_id: 1}}, {$addFields: {a: 1}}).next(), {_id: 1, a: 1});
        assert.eq(db.c.aggregate().itcount(), 5);
        assert.eq(db.c.aggregate([]).itcount(), 5);
        assert.eq(db.c.aggregate([], {cursor: {batchSize: 2}}).objsLeftInBatch(), 2);
        assert.eq(db.c.aggregate([], {batchSize: 2}).itcount(), 5);
        assert.eq(db.aggregate([{$documents: [{a: 1}]}]).toArray(), [{a: 1}]);
        assert(db.c.aggregate([], {explain: true}).ok);
        assert(db.c.aggregate([], {explain: "executionStats"}).executionStats);
        assert.eq(db.c.aggregate([{$match: {$expr: {$eq: ["$_id", "$$x"]}}}],
            {let: {x: 2}, allowDiskUse: true, comment: "y"}).toArray(), [{_id: 2}]);
        assert.throwsWithCode(() => db.c.aggregate([{$bad: 1}]), 40324);
    """)
    sent = [each for each in commands(run) if "aggregate" in each]
    assert sent[0] == {"aggregate": "c", "pipeline": [{"$match": {"_id": 1}}], "cursor": {}}
    assert sent[5]["cursor"] == {"batchSize": 2}
    assert sent[6]["aggregate"] == 1


def test_counts_and_distinct(shell: Shell) -> None:
    shell.passes("""
        db.c.insert([{a: 1}, {a: 1}, {a: NumberLong(2)}, {a: [3, 4]}]);
        assert.eq(db.c.count(), 4);
        assert.eq(db.c.count({a: 1}, {limit: 1}), 1);
        assert.eq(db.c.countDocuments({a: 1}), 2);
        assert.eq(db.c.countDocuments({a: 77}), 0);
        assert.eq(db.c.countDocuments({}, {skip: 1, limit: 2}), 2);
        assert.eq(db.c.estimatedDocumentCount(), 4);
        assert.eq(db.c.distinct("a"), [1, 2, 3, 4]);
        assert.eq(db.c.distinct("a", {a: {$gt: 1}}), [2, 3, 4]);
        assert.throwsWithCode(() => db.c.count({$bad: 1}), 2);
    """)


def test_explain_in_all_its_places(shell: Shell) -> None:
    run = shell.passes("""
        db.c.insert({a: 1});
        assert(db.c.find({a: 1}).explain().queryPlanner);
        assert(db.c.find({a: 1}).explain("executionStats").executionStats);
        assert(db.c.explain().find({a: 1}).limit(1).finish().queryPlanner);
        assert(db.c.explain(true).find({a: 1}).next().executionStats.allPlansExecution);
        assert(db.c.explain().aggregate([{$match: {a: 1}}]).ok);
        assert(db.c.explain().count({a: 1}).queryPlanner);
        assert(db.c.explain().distinct("a").queryPlanner);
        assert(db.c.explain().update({a: 1}, {$set: {a: 2}}, {multi: true}).queryPlanner);
        assert(db.c.explain().remove({a: 1}).queryPlanner);
        assert(db.c.explain("executionStats").findAndModify({query: {a: 1}, remove: true}).ok);
        assert.eq(db.c.findOne().a, 1);
        assert.throws(() => db.c.explain("nonsense").find().next());
    """)
    explained = [each for each in commands(run) if "explain" in each]
    assert explained[0] == {
        "explain": {"find": "c", "filter": {"a": 1}}, "verbosity": "queryPlanner",
    }  # fmt: skip
    assert explained[3]["verbosity"] == "allPlansExecution"
    assert explained[7]["explain"]["updates"][0]["multi"] is True


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
