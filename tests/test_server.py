"""A mongod of our own: its start, its ends, and what is left behind: nothing."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import below, command_line, servers_in, wait_for

from harness.exits import ExitStatus, Problem
from harness.server import mongod
from harness.server.connection import Connection, ConnectionLost, answers, uri_of_socket
from harness.server.locate import ServerBinary, describe, find_mongod
from harness.server.target import ForeignServer, OwnServer
from harness.settings import ROOT


@pytest.fixture(scope="module")
def binary() -> ServerBinary:
    return describe(find_mongod(None, os.environ))


@pytest.fixture
def started(binary: ServerBinary) -> Iterator[mongod.Server]:
    server = mongod.start(mongod.ServerOptions(binary))
    server.exit_status()
    yield server
    server.end()
    assert not servers_in(server.directory)
    assert not server.directory.exists()


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The directories that are made during the test."""
    made: list[Path] = []
    make = mongod.make_directory

    def noted() -> Path:
        made.append(make())
        return made[-1]

    monkeypatch.setattr(mongod, "make_directory", noted)
    return made


def lost(connection: Connection) -> ConnectionLost:
    """Commands until none is answered: a signal takes its time."""
    while True:
        try:
            connection.command("admin", {"ping": 1})
        except ConnectionLost as error:
            return error


def script(path: Path, text: str) -> ServerBinary:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return ServerBinary(path, "6.0.5", "0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--noSuchOption",), "unrecognised option"),
        (("--setParameter", "noSuchParameter=1"), "noSuchParameter"),
        (("--dbpath", "/elsewhere"), "[Mm]ultiple occurrences"),
        (("--storageEngine", "x"), "[Mm]ultiple occurrences"),
        (("--wiredTigerEngineConfigString", "no_such=1"), "no_such|Invalid argument"),
    ],
)
def test_last_words_of_one_that_does_not_start(
    binary: ServerBinary, places: list[Path], arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(Problem, match=words) as caught:
        mongod.start(mongod.ServerOptions(binary, arguments=arguments))
    assert caught.value.status == ExitStatus.NO_SERVER
    assert "\n" not in str(caught.value)
    assert [each.exists() for each in places] == [False]
    assert not servers_in(places[0])


def test_unknown_storage_engine(binary: ServerBinary, places: list[Path]) -> None:
    with pytest.raises(Problem, match="noSuchEngine"):
        mongod.start(mongod.ServerOptions(binary, storage_engine="noSuchEngine"))
    assert not places[0].exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("echo out of luck >&2; exit 3", "out of luck"),
        ("exit 3", "exit status 3"),
        ("kill -SEGV $$", "exit status -11"),
    ],
)
def test_program_that_exits(tmp_path: Path, places: list[Path], text: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        mongod.start(mongod.ServerOptions(script(tmp_path / "mongod", text)))
    assert not places[0].exists()


def test_program_that_cannot_be_executed(tmp_path: Path, places: list[Path]) -> None:
    with pytest.raises(Problem, match="No such file"):
        mongod.start(mongod.ServerOptions(ServerBinary(tmp_path / "gone", "6.0.5", "0")))
    assert not places[0].exists()


def test_program_that_never_listens(
    tmp_path: Path, places: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mongod, "START_SECONDS", 0.5)
    with pytest.raises(Problem, match="still thinking"):
        mongod.start(
            mongod.ServerOptions(script(tmp_path / "mongod", "echo still thinking; sleep 600"))
        )
    assert not places[0].exists()


def test_no_room_for_a_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mongod, "SHARED_MEMORY", tmp_path / "gone")
    monkeypatch.setattr(mongod.tempfile, "gettempdir", lambda: str(tmp_path / "gone too"))
    with pytest.raises(Problem) as caught:
        mongod.make_directory()
    assert caught.value.status == ExitStatus.NO_SERVER


def test_options_reach_the_server(started: mongod.Server) -> None:
    connection = Connection(uri_of_socket(started.socket))
    try:
        asked = {"getParameter": 1, **dict.fromkeys(mongod.PARAMETERS, 1)}
        reply = connection.command("admin", asked)
        told = {name: str(int(reply[name])) for name in mongod.PARAMETERS}
        assert told == {
            name: {"true": "1", "false": "0"}.get(value, value)
            for name, value in mongod.PARAMETERS.items()
        }
        inside = connection.command("admin", {"getCmdLineOpts": 1})["parsed"]
        assert inside["net"]["bindIp"] == str(started.socket)  # no port that others reach
    finally:
        connection.close()
    assert started.pid in servers_in(started.directory)


def test_clean_end(binary: ServerBinary) -> None:
    server = mongod.start(mongod.ServerOptions(binary))
    assert server.end(cleanly=True) == 0
    assert not server.directory.exists()


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGKILL])
def test_death_is_told(started: mongod.Server, number: signal.Signals) -> None:
    assert started.exit_status() is None
    os.kill(started.pid, number)
    assert started.exit_status(wait=60.0) == -number
    assert started.log_tail()  # still there for the artifact
    assert not answers(uri_of_socket(started.socket), 0.5)


def test_killed_keeper_takes_the_server_along(binary: ServerBinary) -> None:
    server = mongod.start(mongod.ServerOptions(binary))
    server.exit_status()
    keeper = next(
        pid for pid in below(os.getpid()) if str(server.directory) in "".join(command_line(pid))
    )
    os.kill(keeper, signal.SIGKILL)
    assert server.exit_status(wait=60.0) == -9
    wait_for(lambda: not servers_in(server.directory), "the server's end")
    assert server.end(cleanly=True) is None
    assert not server.directory.exists()


STARTS = """
import os, sys, time
from pathlib import Path
from harness.server import mongod
from harness.server.locate import describe
server = mongod.start(mongod.ServerOptions(describe(Path(sys.argv[1]))))
print(server.directory, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_server_dies_with_whoever_started_it(binary: ServerBinary, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS, str(binary.path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as owner:
        assert owner.stdout is not None
        directory = Path(owner.stdout.readline().decode().strip())
        assert servers_in(directory)
        owner.send_signal(number)
        owner.wait()
    wait_for(lambda: not servers_in(directory), "the server's end")
    wait_for(lambda: not directory.exists(), "the directory's end")


def test_sweep_takes_what_nobody_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mongod, "SHARED_MEMORY", tmp_path)
    monkeypatch.setattr(mongod.tempfile, "gettempdir", lambda: str(tmp_path / "other"))
    old = time.time() - 3600
    made = {}
    for name in ("held", "left", "young", "starting", "never started"):
        made[name] = tmp_path / f"{mongod.PREFIX}{name}"
        made[name].mkdir()
        if name in ("held", "left", "young"):
            (made[name] / "lock").touch()
            os.utime(made[name] / "lock", None if name == "young" else (old, old))
    os.utime(made["never started"], (old, old))
    foreign = tmp_path / "somebody-else"
    foreign.mkdir()
    with (made["held"] / "lock").open("w") as lock:
        os.utime(made["held"] / "lock", (old, old))
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert mongod.sweep() == 2
    left = {name for name, path in made.items() if path.exists()}
    assert left == {"held", "young", "starting"}
    assert foreign.exists()


def test_renewal_is_a_new_and_empty_server(binary: ServerBinary) -> None:
    target = OwnServer(mongod.ServerOptions(binary))
    try:
        target.connection.command("test", {"insert": "c", "documents": [{"a": 1}]})
        before, directory = target.pid, target.server.directory
        os.kill(before, signal.SIGSEGV)
        verdict = target.failure(lost(target.connection))
        assert (verdict.kind, verdict.status) == ("crash", -signal.SIGSEGV)
        assert b"Segmentation fault" in target.evidence().log
        target.renew()
        assert not directory.exists()
        assert target.pid not in (0, before)
        assert target.connection.command("test", {"count": "c"})["n"] == 0
    finally:
        target.end()
    assert not target.server.directory.exists()


def test_hung_server_is_a_hang_and_a_busy_one_is_slow(
    binary: ServerBinary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.server.target.PING_SECONDS", 1.0)
    target = OwnServer(mongod.ServerOptions(binary), reply_seconds=1.0)
    try:
        slow = {"sleep": 1, "millis": 30_000, "lock": "none"}
        with pytest.raises(ConnectionLost) as caught:
            target.connection.command("admin", slow)
        monkeypatch.setattr("harness.server.target.PING_SECONDS", 30.0)
        assert target.failure(caught.value).kind == "slow"
        monkeypatch.setattr("harness.server.target.PING_SECONDS", 1.0)
        target.renew()
        os.kill(target.pid, signal.SIGSTOP)
        assert target.failure(lost(target.connection)).kind == "hang"
    finally:
        target.end()  # a stopped process too


@pytest.mark.parametrize(
    "uri",
    [
        "mongodb://127.0.0.1:1",
        "mongodb://127.0.0.1:1/?loadBalanced=true",
        "mongodb://127.0.0.1:1/?replicaSet=x&directConnection=false",
    ],
)
def test_nobody_behind_the_uri(monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    monkeypatch.setattr(Connection.__init__, "__defaults__", (10.0, 0.5))
    with pytest.raises(Problem, match=r"No server answers at mongodb://127\.0\.0\.1") as caught:
        ForeignServer(uri)
    assert caught.value.status == ExitStatus.NO_SERVER
