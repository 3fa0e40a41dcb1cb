"""What goes to the server and how far a test came: statements, denied commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from shells import Shell, names

from harness.exits import ExitStatus, Problem
from harness.shell.dispatch import DENIED_CODE, denied_of, load_denied

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
