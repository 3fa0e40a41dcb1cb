"""A planted crash goes the whole way: found, saved, replayed; and whatever replay may meet.

6.0.5 with test commands ends with status 14 when it rebuilds indexes under a failpoint; the deny
list of these campaigns lets that through.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bson
import pytest
from processes import Campaign, run

from harness.exits import ExitStatus
from harness.settings import ROOT

FAILPOINT = 'db.adminCommand({configureFailPoint: "reIndexCrashAfterDrop", mode: "alwaysOn"});'
CRASH = f"db.c.insert({{a: 1}});\n{FAILPOINT}\ndb.c.reIndex();\n"
CALM = "db.c.insert({a: 1});\ndb.c.find({a: 1}).toArray();\ndb.c.count();\n"
DENY = 'deny = [{ command = "shutdown", reason = "ends the server" }]\n'
OURS = ROOT / "harness" / "shell" / "denied.toml"
# The server's own counters outlive the clearing between runs.
MARK = "for (var i = 0; i < 300; i++) db.c.insert({a: i});\n"
MARKED = "if (db.serverStatus().opcounters.insert >= 300) {\n" + CRASH + "}\n"


@dataclass
class Planted:
    folder: Path
    status: int
    output: str
    summary: Any
    artifacts: list[Path]
    corpus: Path

    def copy(self, to: Path, **files: str) -> Path:
        """One of the artifacts with other content; a name's last _ stands for the dot."""
        shutil.copytree(self.artifacts[0], to)
        for name, content in files.items():
            (to / ".".join(name.rsplit("_", 1))).write_text(content)
        return to


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "crash.js").write_text(CRASH)
    (corpus / "calm.js").write_text(CALM)
    (folder / "deny.toml").write_text(DENY)
    campaign = Campaign(
        folder,
        *("--no-default-corpus", "--corpus", corpus, "--deny", folder / "deny.toml"),
        *("--coverage", "replies", "-runs=8", "-seed=1"),
    )
    try:
        status, output = campaign.end()
        artifacts = sorted(campaign.crashes.iterdir())
        yield Planted(folder, status, output, campaign.summary(), artifacts, corpus)
    finally:
        campaign.abandon()


def test_campaign_finds_it_and_goes_on(planted: Planted) -> None:
    assert planted.status == ExitStatus.FOUND, planted.output
    summary = planted.summary
    assert summary["exit_status"] == ExitStatus.FOUND
    assert summary["runs"] >= 8
    times = sum(each["count"] for each in summary["findings"])
    assert 1 <= times < summary["runs"]
    assert summary["restarts"] >= times
    assert {each["kind"] for each in summary["findings"]} == {"crash"}
    assert [each["id"] for each in summary["findings"]] == [p.name for p in planted.artifacts]
    for each in planted.artifacts:
        assert f"-> {each}\n" in planted.output


def test_artifact_is_whole_and_consistent(planted: Planted) -> None:
    for folder in planted.artifacts:
        report = json.loads((folder / "report.json").read_text())
        assert (report["id"], report["kind"], report["status"]) == (folder.name, "crash", 14)
        assert report["mongod"]["version"] == "6.0.5"
        assert report["mongod"]["git"]
        assert len(report["corpus_digest"]) >= 16
        assert {"version", "structure_version", "python", "platform"} <= set(report)
        assert "--coverage" in report["command_line"]
        assert any("enableTestCommands" in each for each in report["server_command_line"])
        assert report["options"]["denied"] == [
            {"command": "shutdown", "fields": [], "reason": "ends the server"}
        ]
        assert report["input_bytes"] == (folder / "input.bin").stat().st_size
        commands = bson.decode_all((folder / "commands.bson").read_bytes())
        assert len(commands) == report["commands"] >= 3
        assert next(iter(commands[-1])) == "reIndex"
        assert all("$db" in each for each in commands)
        states = [each["state"] for each in report["statements"]]
        assert states[-1] == "in flight"
        assert set(states[:-1]) <= {"completed", "failed"}
        assert sum(each["commands"] for each in report["statements"]) == report["commands"]
        assert all(each["seconds"] >= 0 for each in report["statements"])
        history = [json.loads(line) for line in (folder / "history.jsonl").open()]
        assert len(history) == report["history"]["runs"]
        text = (folder / "test.js").read_text()
        assert text.startswith("// crash")
        assert (ROOT / "harness/shell/portable.js").read_text() in text
        assert "reIndex" in text
        assert b"reIndexCrashAfterDrop" in (folder / "server.log").read_bytes()
        assert not (folder / "sanitizer.txt").exists()


def test_it_comes_back(planted: Planted) -> None:
    done = run("replay.py", planted.artifacts[0])
    assert done.returncode == 0, done.stdout
    assert "reproduced: crash (exit status 14)" in done.stdout
    assert "was in flight" in done.stdout


def test_not_under_a_deny_list_that_stops_it(planted: Planted) -> None:
    done = run("replay.py", "--deny", OURS, planted.artifacts[0])
    assert done.returncode == ExitStatus.NOT_REPRODUCED, done.stdout
    assert "not reproduced: expected crash (exit status 14)" in done.stdout


def test_another_failure_is_not_the_same(planted: Planted, tmp_path: Path) -> None:
    report = json.loads((planted.artifacts[0] / "report.json").read_text())
    other = planted.copy(tmp_path / "other", report_json=json.dumps({**report, "status": -11}))
    done = run("replay.py", other)
    assert done.returncode == ExitStatus.NOT_REPRODUCED, done.stdout
    assert "got crash (exit status 14)" in done.stdout


def test_raw_bytes_of_the_same_corpus(planted: Planted) -> None:
    corpus = ("--no-default-corpus", "--corpus", planted.corpus)
    deny = ("--deny", planted.folder / "deny.toml")
    done = run("replay.py", *corpus, *deny, planted.artifacts[0] / "input.bin")
    assert done.returncode == 0, done.stdout
    assert "another corpus" not in done.stdout


def test_raw_bytes_of_another_corpus(planted: Planted) -> None:
    done = run("replay.py", planted.artifacts[0] / "input.bin")
    assert done.returncode == 0, done.stdout
    assert "made for another corpus" in done.stdout


def test_failure_that_needs_an_earlier_run(planted: Planted, tmp_path: Path) -> None:
    lines = [json.dumps({"run": n, "javascript": text}) for n, text in ((3, CALM), (4, MARK))]
    history = "\n".join(lines) + "\n"
    needs = planted.copy(tmp_path / "needs", test_js=MARKED, history_jsonl=history)
    done = run("replay.py", needs)
    assert done.returncode == 0, done.stdout
    assert "alone: ok; now after 2 earlier runs" in done.stdout
    without = planted.copy(tmp_path / "without", test_js=MARKED, history_jsonl=lines[0] + "\n")
    assert run("replay.py", without).returncode == ExitStatus.NOT_REPRODUCED


def test_several_cases_do_not_share_their_options(planted: Planted, tmp_path: Path) -> None:
    plain = tmp_path / "plain.js"
    plain.write_text(CRASH)  # under our own deny list: harmless
    done = run("replay.py", planted.artifacts[0], plain)
    assert done.returncode == ExitStatus.NOT_REPRODUCED, done.stdout
    assert "reproduced: crash" in done.stdout
    assert f"{plain}: ok" in done.stdout


@pytest.mark.parametrize(
    "files",
    [
        {"report_json": "{"},
        {"report_json": "[]"},
        {"history_jsonl": "no JSON\n"},
        {"report_json": '{"kind": "crash", "status": 14, "options": {"denied": [{}]}}'},
    ],
)
def test_broken_artifact(planted: Planted, tmp_path: Path, files: dict[str, str]) -> None:
    done = run("replay.py", planted.copy(tmp_path / "broken", **files))
    assert done.returncode == ExitStatus.COULD_NOT_RUN, done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_what_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "latin.js").write_bytes(b"// \xe9")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "gone", tmp_path / "latin.js", tmp_path / "folder"):
        done = run("replay.py", path)
        assert done.returncode == ExitStatus.COULD_NOT_RUN, done.stdout
        assert str(path) in done.stdout
        assert len(done.stdout.splitlines()) == 1


def test_clean_javascript(tmp_path: Path) -> None:
    (tmp_path / "calm.js").write_text(CALM + "print('seen');")
    done = run("replay.py", "--print", tmp_path / "calm.js")
    assert done.returncode == ExitStatus.NOT_REPRODUCED, done.stdout
    assert done.stdout.splitlines() == ["seen", f"{tmp_path / 'calm.js'}: ok"]


def test_server_that_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "calm.js").write_text(CALM)
    done = run("replay.py", "--server-arg=--noSuchOption", tmp_path / "calm.js")
    assert done.returncode == ExitStatus.NO_SERVER, done.stdout
    assert "noSuchOption" in done.stdout


def test_strict(planted: Planted, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "1-passes.js").write_text("assert.eq(1, 1);")
    (tests / "2-fails.js").write_text("assert.eq(1, 2);")
    (tests / "3-crashes.js").write_text(CRASH)
    (tests / "4-passes.js").write_text(CALM + "assert.eq(1, db.c.count());")
    deny = ("--deny", planted.folder / "deny.toml")
    done = run("replay.py", "--strict", *deny, tests)
    assert done.returncode == ExitStatus.FAILED, done.stdout
    words = [line.split()[0] for line in done.stdout.splitlines() if str(tests) in line]
    assert words == ["passed", "failed", "failed", "passed"], done.stdout
    assert done.stdout.endswith("2 passed, 2 failed\n")
    assert "crash (exit status 14)" in done.stdout
    done = run("replay.py", "--strict", tests / "1-passes.js")
    assert done.returncode == 0, done.stdout
