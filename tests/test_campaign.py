"""Campaigns as a user starts them: how they end, what they leave, what goes through to libFuzzer.

Most are guided by replies alone and have a tiny corpus: what is tested here is not the guidance.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_plus

import bson
import pytest
from processes import Campaign, below, nothing_left, run, servers_in, wait_for

from harness.exits import ExitStatus
from harness.server.connection import answers, top_level
from harness.server.locate import find_mongod

REPLIES = ("--coverage", "replies")
TESTS = {
    "insert.js": "db.c.insert({a: 1, b: [1, 2]});\ndb.c.find({b: 2}).toArray();\n",
    "update.js": "db.c.insert({_id: 1});\ndb.c.update({_id: 1}, {$set: {x: 2}});\n",
    "count.js": "db.d.insert({s: 'x'});\ndb.d.count({s: {$gt: ''}});\ndb.d.drop();\n",
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """Arguments: a corpus of three tests, guided by replies."""
    folder = tmp_path_factory.mktemp("tiny")
    for name, text in TESTS.items():
        (folder / name).write_text(text)
    return (*REPLIES, "--no-default-corpus", "--corpus", folder)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Campaign]]:
    """Starts campaigns, and ends those that the test left."""
    campaigns: list[Campaign] = []

    def start(*arguments: object) -> Campaign:
        campaigns.append(Campaign(tmp_path / f"campaign-{len(campaigns)}", *arguments))
        return campaigns[-1]

    yield start
    for each in campaigns:
        each.abandon()


# Ends.


@dataclass
class Killed:
    """A campaign whose server was killed from outside, twice, and then interrupted."""

    campaign: Campaign
    pids: list[int]
    server_directory: Path
    status: int
    output: str


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    campaign = Campaign(tmp_path_factory.mktemp("killed"), *REPLIES)
    try:
        pids = []
        for number in (signal.SIGSEGV, signal.SIGABRT):
            campaign.fuzzing()
            pids.append(campaign.mongod())
            restarts = campaign.counts()["restarts"]
            os.kill(pids[-1], number)
            wait_for(lambda n=restarts: campaign.counts()["restarts"] > n, "a new server")
        campaign.fuzzing()
        pids.append(campaign.mongod())
        directory = campaign.server_directory()
        yield Killed(campaign, pids, directory, *campaign.end(signal.SIGINT))
    finally:
        campaign.abandon()


def test_new_server_after_each_death(killed: Killed) -> None:
    assert len(set(killed.pids)) == 3
    assert killed.campaign.summary()["restarts"] >= 2


def test_findings_outrank_the_interruption(killed: Killed) -> None:
    assert killed.status == ExitStatus.FOUND, killed.output
    assert killed.campaign.summary()["exit_status"] == ExitStatus.FOUND


def test_artifacts_tell_the_signals(killed: Killed) -> None:
    summary = killed.campaign.summary()
    artifacts = sorted(killed.campaign.crashes.iterdir())
    assert [each["id"] for each in summary["findings"]] == [each.name for each in artifacts]
    statuses = set()
    for folder in artifacts:
        report = json.loads((folder / "report.json").read_text())
        statuses.add(report["status"])
        assert report["kind"] == "crash"
        assert b"Got signal" in (folder / "server.log").read_bytes()
        bson.decode_all((folder / "commands.bson").read_bytes())
    assert statuses == {-signal.SIGSEGV, -signal.SIGABRT}


def test_nothing_is_left_after_deaths(killed: Killed) -> None:
    nothing_left(killed.campaign, killed.server_directory)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_end_by_a_signal(
    tiny: tuple[object, ...], begin: Callable[..., Campaign], number: signal.Signals
) -> None:
    campaign = begin(*tiny)
    campaign.fuzzing()
    directory = campaign.server_directory()
    assert directory.exists() and campaign.directory.exists()
    status, output = campaign.end(number)
    expected = -signal.SIGKILL if number == signal.SIGKILL else ExitStatus.INTERRUPTED
    assert status == expected, output
    nothing_left(campaign, directory)
    if number != signal.SIGKILL:
        assert "nothing was found" in output
        assert campaign.summary()["exit_status"] == ExitStatus.INTERRUPTED


def test_killed_worker(tiny: tuple[object, ...], begin: Callable[..., Campaign]) -> None:
    campaign = begin(*tiny)
    campaign.fuzzing()
    directory = campaign.server_directory()
    os.kill(campaign.worker, signal.SIGKILL)
    status, output = campaign.end()
    assert status == ExitStatus.STALLED, output
    assert "the worker was ended by signal 9" in output
    assert campaign.summary()["runs"] >= 3  # what it did is not lost
    nothing_left(campaign, directory)


def test_killed_keeper(tiny: tuple[object, ...], begin: Callable[..., Campaign]) -> None:
    campaign = begin(*tiny)
    campaign.fuzzing()
    directory = campaign.server_directory()
    os.kill(campaign.keeper(), signal.SIGKILL)
    wait_for(lambda: campaign.counts()["restarts"], "a new server")
    campaign.fuzzing()
    assert campaign.server_directory() != directory
    wait_for(lambda: not servers_in(directory) and not directory.exists(), "the old one's end")
    last = campaign.server_directory()
    assert campaign.end(signal.SIGTERM)[0] == ExitStatus.FOUND
    nothing_left(campaign, last)


def test_time_is_over(tiny: tuple[object, ...], begin: Callable[..., Campaign]) -> None:
    campaign = begin(*tiny, "--time", "1")
    status, output = campaign.end()
    assert status == ExitStatus.CLEAN, output
    summary = campaign.summary()
    assert summary["runs"] > 0 and summary["seconds"] >= 1
    assert summary["findings"] == []
    assert {"runs", "seconds", "commands", "accepted", "denied", "restarts", "coverage"} <= set(
        summary
    )
    wait_for(lambda: not campaign.directory.exists(), "the directory's end")


def test_server_that_does_not_start(tmp_path: Path, tiny: tuple[object, ...]) -> None:
    done = run("fuzz.py", *tiny, "--server-arg=--noSuchOption", "--crashes", tmp_path, "-runs=1")
    assert done.returncode == ExitStatus.NO_SERVER, done.stdout
    assert "noSuchOption" in done.stdout
    assert "Traceback" not in done.stdout


def test_program_that_is_no_mongod(tmp_path: Path, tiny: tuple[object, ...]) -> None:
    done = run("fuzz.py", *tiny, "--mongod", "/bin/true", "--crashes", tmp_path, "-runs=1")
    assert done.returncode == ExitStatus.NO_SERVER, done.stdout
    assert "is not a mongod" in done.stdout
    assert "Traceback" not in done.stdout


# The corpus.


def test_files_that_cannot_be_used_are_skipped(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "folder.js").mkdir(parents=True)
    (corpus / "good.js").write_text(TESTS["insert.js"])
    (corpus / "latin.js").write_bytes(b"db.c.insert({a: '\xe9'});")
    (corpus / "broken.js").write_text("db.c.insert({a: ;")
    (corpus / "gone.js").symlink_to(tmp_path / "nowhere")
    summary = tmp_path / "summary.json"
    done = run(
        "fuzz.py",
        *REPLIES,
        *("--no-default-corpus", "--corpus", corpus, "-runs=1"),
        *("--crashes", tmp_path / "crashes", "--json", summary),
    )
    assert done.returncode == 0, done.stdout
    for name in ("latin.js", "broken.js", "gone.js"):
        assert f"skipped {corpus / name}: " in done.stdout
    told = json.loads(summary.read_text())["corpus"]
    assert told == {"files": 4, "parsed": 1, "skipped": 3}


def test_empty_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    line = ("--no-default-corpus", "--corpus", tmp_path / "corpus", "--crashes", tmp_path / "c")
    done = run("fuzz.py", *REPLIES, *line, "-runs=1")
    assert done.returncode == ExitStatus.EMPTY_CORPUS, done.stdout
    done = run("fuzz.py", *REPLIES, "--no-default-corpus", *line[3:], "-runs=1")
    assert done.returncode == ExitStatus.EMPTY_CORPUS, done.stdout


# A server of somebody else's.


@dataclass
class Foreign:
    process: subprocess.Popen[bytes]
    tcp: str
    unix: str


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Foreign]:
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "db").mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = folder / "m.sock"
    line = [str(find_mongod(None, os.environ)), "--dbpath", str(folder / "db")]
    line += ["--bind_ip", f"127.0.0.1,{path}", "--port", str(port)]
    line += ["--unixSocketPrefix", str(folder), "--logpath", str(folder / "log")]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    try:
        tcp, unix = f"mongodb://127.0.0.1:{port}", f"mongodb://{quote_plus(str(path))}"
        wait_for(lambda: answers(tcp, 1.0), "the foreign server")
        yield Foreign(process, tcp, unix)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("kind", ["tcp", "unix"])
def test_foreign_server_is_used_and_left(
    foreign: Foreign, tiny: tuple[object, ...], tmp_path: Path, kind: str
) -> None:
    summary = tmp_path / "summary.json"
    done = run(
        "fuzz.py",
        *tiny,
        *("--uri", getattr(foreign, kind), "-runs=5"),
        *("--crashes", tmp_path / "crashes", "--json", summary),
    )
    assert done.returncode == 0, done.stdout
    assert json.loads(summary.read_text())["accepted"] > 0
    assert foreign.process.poll() is None
    assert answers(foreign.tcp, 10.0)


def test_foreign_server_that_dies_is_lost(
    foreign: Foreign, tiny: tuple[object, ...], begin: Callable[..., Campaign]
) -> None:
    campaign = begin(*tiny, "--uri", foreign.tcp)
    campaign.fuzzing()
    assert not campaign.mongod()
    foreign.process.kill()
    status, output = campaign.end()
    assert status == ExitStatus.FOUND, output
    assert [each["kind"] for each in campaign.summary()["findings"]] == ["lost"]
    assert f"No server answers at {foreign.tcp}" in output
    report = json.loads(next(campaign.crashes.glob("*/report.json")).read_text())
    assert (report["kind"], report["uri"], report["status"]) == ("lost", foreign.tcp, None)


# libFuzzer's options.


def test_runs_and_an_input_folder(tiny: tuple[object, ...], tmp_path: Path) -> None:
    inputs, summary = tmp_path / "inputs", tmp_path / "summary.json"
    inputs.mkdir()
    line = (*tiny, "-runs=30", "-seed=7", "--crashes", tmp_path / "crashes", "--json", summary)
    done = run("fuzz.py", *line, inputs)
    assert done.returncode == 0, done.stdout
    assert 30 <= json.loads(summary.read_text())["runs"] <= 40
    kept = list(inputs.iterdir())
    assert kept
    again = run("fuzz.py", *line[:-2], kept[0])
    assert again.returncode == 0, again.stdout
    assert f"Executed {kept[0]}" in again.stdout


def test_help_of_libfuzzer(tiny: tuple[object, ...], tmp_path: Path) -> None:
    done = run("fuzz.py", *tiny, "-help=1", "--crashes", tmp_path)
    assert "max_total_time" in done.stdout


def test_stop_on_finding_leaves_libfuzzers_own_file(
    begin: Callable[..., Campaign], tiny: tuple[object, ...]
) -> None:
    campaign = begin(*tiny, "--stop-on-finding")
    campaign.fuzzing()
    directory = campaign.server_directory()
    os.kill(campaign.mongod(), signal.SIGSEGV)
    status, output = campaign.end()
    assert status == ExitStatus.FOUND, output
    names = [each.name for each in campaign.crashes.iterdir()]
    folder = next(each for each in campaign.crashes.iterdir() if each.is_dir())
    file = next(each for each in campaign.crashes.iterdir() if each.is_file())
    assert len(names) == 2, names
    assert file.read_bytes() == (folder / "input.bin").read_bytes()
    nothing_left(campaign, directory)


def test_fork(tiny: tuple[object, ...], begin: Callable[..., Campaign], tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    campaign = begin(*tiny, "-fork=1", "-runs=30", inputs)
    seen: set[Path] = set()

    def ended() -> bool:
        for pid in below(campaign.worker):
            line = Path(f"/proc/{pid}/cmdline")
            words = line.read_bytes().decode().split("\0") if line.exists() else []
            if "--dbpath" in words:
                seen.add(Path(words[words.index("--dbpath") + 1]).parent)
        return campaign.process.poll() is not None

    wait_for(ended, "its end")
    status, output = campaign.end()
    assert status == 0, output
    assert campaign.summary()["runs"] >= 30
    assert seen
    for directory in seen:
        nothing_left(campaign, directory)


def test_time_ends_forks(tiny: tuple[object, ...], begin: Callable[..., Campaign]) -> None:
    campaign = begin(*tiny, "-fork=1", "--time", "2")
    status, output = campaign.end()
    assert status == 0, output
    assert "it is killed" not in output
    wait_for(lambda: not campaign.directory.exists(), "the directory's end")


def test_merge(tiny: tuple[object, ...], tmp_path: Path) -> None:
    merged, inputs = tmp_path / "merged", tmp_path / "inputs"
    merged.mkdir()
    inputs.mkdir()
    for number in range(4):
        (inputs / f"{number}").write_bytes(bytes([0, number, 0, 0]))
    done = run("fuzz.py", *tiny, "-merge=1", "--crashes", tmp_path / "c", merged, inputs)
    assert done.returncode == 0, done.stdout
    assert "MERGE-OUTER" in done.stdout
    assert list(merged.iterdir())


# Determinism.


def _names(record: Path) -> list[tuple[str, str]]:
    """Database and command of each whole command recorded."""
    data = record.read_bytes()
    names, at = [], 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        if at + size > len(data):
            break  # it was killed while writing
        body = data[at : at + size]
        names.append((str(top_level(body)["$db"]), body[5 : body.index(0, 5)].decode()))
        at += size
    return names


def test_the_same_bytes_send_the_same_commands(tmp_path: Path) -> None:
    """A blind campaign's bytes depend on nothing but its seed."""
    sent = []
    for name in ("first", "second"):
        record = tmp_path / name
        line = (*REPLIES, "--blind", "--seed", "3", "--record", record, "--time", "2")
        done = run("fuzz.py", *line, "--crashes", tmp_path / "crashes")
        assert done.returncode == 0, done.stdout
        sent.append(_names(record))
    length = min(map(len, sent))
    assert length > 100
    assert sent[0][:length] == sent[1][:length]


# The machine.


def test_our_own_package_is_used_wherever_it_is_started(
    tiny: tuple[object, ...], tmp_path: Path
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong module')")
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    done = run("fuzz.py", *tiny, "-runs=1", "--crashes", tmp_path / "crashes", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
