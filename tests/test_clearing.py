"""Whatever a run left on the server, the next one does not see."""

from __future__ import annotations

import pytest
from shells import Shell

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


def test_a_changed_system_collection_takes_a_new_server(shell: Shell) -> None:
    run = shell.run(
        "db.getSiblingDB('admin').system.version.insert({_id: 'ours', left: 'behind'});",
        strict=False,
    )
    assert run.record.accepted == 1
    assert not shell.clear()
    again = shell.run(
        "print(db.getSiblingDB('admin').system.version.count({_id: 'ours'}));", strict=False
    )
    assert again.record.printed == ["0"]
