"""Saved tests run unchanged, to their end, in MongoDB's own shell."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from samples import noise
from shells import Shell

from harness.artifact import Finding, History, saved_test
from harness.server.connection import uri_of_socket
from harness.server.target import Evidence
from structure.build import build, encode_base
from structure.corpus import load_corpus
from structure.library import make_library
from structure.seeds import load_seeds

ROOT = Path(__file__).resolve().parent.parent
PLACES = (ROOT / "node_modules/.bin/mongosh",)

# Loaded first: what `step` is where mongosh has none is the preamble's affair, and ours here.
OBSERVE = """
globalThis.step = function (n) { print("step " + n); };
globalThis.skip = function (e) { print("skipped: " + (e && e.message)); };
"""


def find_mongosh() -> str | None:
    for name in (os.environ.get("MONGOSH", ""), "mongosh", *map(str, PLACES)):
        found = shutil.which(name) if name else None
        if found is not None:
            return found
    return None


def mongosh(shell: Shell, files: list[Path]) -> list[str]:
    """The lines that mongosh prints for those files, run one after the other."""
    program = find_mongosh()
    if program is None or shutil.which("node") is None:
        pytest.skip("mongosh or Node is missing: npm install mongosh, or set $MONGOSH")
    uri = uri_of_socket(shell.target.server.socket)
    ran = subprocess.run(
        [program, "--quiet", "--norc", uri, *map(str, files)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout.splitlines()


def saved(shell: Shell, text: str) -> str:
    """The test.js that an artifact of `text` would hold."""
    run = shell.run(text, strict=False)
    finding = Finding(run, text, b"", Evidence(), History(), {"mongod": {"version": "6.0.5"}})
    return saved_test(finding)


@pytest.fixture
def cleared(shell: Shell) -> Iterator[Shell]:
    """What mongosh does is not in the shell's records: some write makes it clear everything."""
    yield shell
    shell.run("db.getSiblingDB('cleared').c.insert({})")


def test_generated_tests_reach_their_last_statement(cleared: Shell, tmp_path: Path) -> None:
    library = make_library(load_corpus([ROOT / "corpus"]), load_seeds())
    tests = [build(encode_base(number * 17, library) + noise(number, 160), library)
             for number in range(5)]  # fmt: skip
    files = [tmp_path / "observe.js"]
    files[0].write_text(OBSERVE)
    for number, test in enumerate(tests):
        files.append(tmp_path / f"test{number}.js")
        files[-1].write_text(saved(cleared, test.text))
        cleared.clear()
        files.append(tmp_path / f"end{number}.js")
        files[-1].write_text(f"print('end {number}'); db.dropDatabase();")
    steps: list[int] = []
    reached = []
    for line in mongosh(cleared, files):
        if line.startswith("step "):
            steps.append(int(line.split()[1]))
        elif line.startswith("end "):
            reached.append(steps)
            steps = []
    assert reached == [list(range(1, len(test.statements) + 1)) for test in tests]
    assert all(len(each) > 2 for each in reached)


FIRST = """
try { step(1); db.c.insertMany([{a: 1}, {a: 2}, {a: 3}]); } catch (e) { skip(e); }
try { step(2); first(db.c.find({a: {$gt: 1}}).batchSize(2)); } catch (e) { skip(e); }
try { step(3); first(db.c.find({a: {$wrong: 1}})); print("not reached"); } catch (e) { skip(e); }
try { step(4); first(db.c.aggregate([{$match: {a: 2}}])); } catch (e) { skip(e); }
try { step(5); print(first(5), first(null), first("x")); } catch (e) { skip(e); }
try { step(6); print(first(db.c.find({a: 3})).next().a); } catch (e) { skip(e); }
try { step(7); assert.eq(1, 2); assert.commandWorked(db.runCommand({ping: 1})); }
catch (e) { skip(e); }
try { step(8); assert.throws(() => { throw new Error("x"); }); print(tojson({a: 1})); }
catch (e) { skip(e); }
try { step(9); throw new Error("one"); } catch (e) { skip(e); }
try { step(10); null.x; } catch (e) { skip(e); }
try { step(11); } catch (e) { skip(e); }
"""


def test_the_preamble_means_the_same_in_both_shells(cleared: Shell, tmp_path: Path) -> None:
    text = saved(cleared, FIRST)
    cleared.clear()
    ours = cleared.run(text, strict=False)
    assert ours.verdict.kind == "ok"
    assert [step.state for step in ours.record.steps] == [
        "failed" if number in {3, 9, 10} else "completed" for number in range(1, 12)
    ]
    sent = [(each.name, each.code == 0) for each in ours.record.sent]
    cleared.clear()
    (tmp_path / "observe.js").write_text(OBSERVE)
    (tmp_path / "test.js").write_text("db.setProfilingLevel(2, {slowms: 0});\n" + text)
    lines = mongosh(cleared, [tmp_path / "observe.js", tmp_path / "test.js"])
    assert [line for line in lines if line.startswith("step")] == [
        f"step {number}" for number in range(1, 12)
    ]
    assert sum(line.startswith("skipped: ") for line in lines) == 3
    assert "not reached" not in lines + ours.record.printed
    assert "3" in lines and "3" in ours.record.printed
    cleared.run("db.setProfilingLevel(0)")
    profile = cleared.prints("""
        db.system.profile.find({"command.profile": {$exists: false}}).sort({ts: 1}).forEach(
            (op) => print(Object.keys(op.command)[0], op.errCode === undefined));
    """)
    theirs = [
        tuple(line.split())
        for line in profile
        if line.split()[0] in {"insert", "find", "aggregate"}
    ]
    expected = [(name, str(ok).lower()) for name, ok in sent if name != "ping"]
    assert theirs == expected
