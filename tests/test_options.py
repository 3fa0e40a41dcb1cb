"""Both command lines: what they say, what they refuse before any work is done."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from processes import run

from harness.exits import ExitStatus, Problem
from harness.options import fuzz_settings, replay_parser, settings_of, split_libfuzzer
from harness.server.target import check_uri
from harness.settings import Settings


def refused(*arguments: object, status: ExitStatus = ExitStatus.USAGE) -> str:
    with pytest.raises(Problem) as caught:
        fuzz_settings([str(each) for each in arguments])
    assert caught.value.status == status
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("program", "not_its"),
    [
        ("fuzz.py", {5, 6, 7}),
        ("replay.py", {8, 77}),
    ],
)
def test_help_names_every_exit_status(program: str, not_its: set[int]) -> None:
    done = run(program, "--help")
    assert done.returncode == 0
    told = done.stdout.split("exit status:")[1]
    assert {int(each) for each in re.findall(r"(\d+) ", told)} == set(ExitStatus) - not_its
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize("program", ["fuzz.py", "replay.py"])
def test_wrong_usage_is_one_sentence(program: str) -> None:
    done = run(program, "--no-such-option", "x")
    assert done.returncode == ExitStatus.USAGE
    assert done.stdout.startswith("mongo-astfuzz: ")
    assert "--no-such-option" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_single_dashes_are_libfuzzers(tmp_path: Path) -> None:
    assert split_libfuzzer(["-runs=3", "--time", "2", "in", "-h", "-"]) == (
        ["--time", "2", "in", "-h", "-"],
        ["-runs=3"],
    )
    settings, json_file = fuzz_settings(
        ["-runs=3", "--time", "2.5", str(tmp_path), "-seed=7", "--crashes", str(tmp_path / "c")]
    )
    assert settings.libfuzzer == ("-runs=3", "-seed=7")
    assert (settings.seconds, settings.inputs) == (2.5, (str(tmp_path),))
    assert json_file is None
    assert Settings.from_json(settings.to_json()) == settings


@pytest.mark.parametrize("value", ["0", "-1", "soon", "nan", "inf", ""])
def test_time_that_is_none(value: str) -> None:
    said = refused(f"--time={value}")
    assert "--time" in said and "positive number of seconds" in said


def test_abbreviations_are_unknown() -> None:
    assert "--tim" in refused("--tim=3")


def test_things_that_are_not_there(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert str(gone) in refused("--corpus", gone)
    assert str(gone) in refused(gone)
    assert str(gone) in refused("--deny", gone)
    assert str(gone) in refused("--mongod", gone, status=ExitStatus.NO_SERVER)


def test_wrong_deny_lists(tmp_path: Path) -> None:
    listed = tmp_path / "deny.toml"
    for text in ("deny = [", 'deny = [{command = "x"}]', 'deny = [{reason = "x"}]', "deny = 3"):
        listed.write_text(text)
        assert str(listed) in refused("--deny", listed)
    listed.write_text('deny = [{command = "x", reason = "y", field = ["z"]}]')
    assert "'field'" in refused("--deny", listed)


@pytest.mark.parametrize("option", ["--json", "--record"])
def test_files_that_cannot_be_written(tmp_path: Path, option: str) -> None:
    crashes = ("--crashes", tmp_path / "crashes")
    for path in (tmp_path, tmp_path / "no" / "folder.json", Path("/dev/null")):
        assert option in refused(*crashes, option, path)
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("option", ["--crashes", "--coverage-report"])
def test_file_in_place_of_a_folder(tmp_path: Path, option: str) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    for path in (file, file / "below"):
        assert option in refused("--crashes", tmp_path / "crashes", option, path)
    assert file.read_text() == "kept"


@pytest.mark.parametrize(
    "argument",
    ["--fork", "--config=/x", "-f/x", "--dbpath=/x", "--logpath=/x", "--syslog", "--bind_ip_all"],
)
def test_arguments_that_would_take_the_server_away(argument: str) -> None:
    assert argument in refused(f"--server-arg={argument}")
    options = replay_parser().parse_args([f"--server-arg={argument}", "x"])
    with pytest.raises(Problem):
        settings_of(options)


def test_other_server_arguments_pass(tmp_path: Path) -> None:
    settings, _ = fuzz_settings(
        ["--server-arg=--setParameter", "--server-arg=x=1", "--crashes", str(tmp_path)]
    )
    assert settings.server_arguments == ("--setParameter", "x=1")


def test_two_servers() -> None:
    assert "not both" in refused("--uri", "127.0.0.1", "--mongod", "/bin/true")


REMOTE = [
    "example.com",
    "mongodb://example.com:27017/x",
    "mongodb://user:word@example.com",
    "0.0.0.0",
    "10.0.0.1:27017",
    "[::]",
    "[2001:db8::1]:27017",
    "[fe80::1]",
    "127.0.0.1,example.com",
    "mongodb://127.0.0.1:1,192.168.0.1:2/?replicaSet=r",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "mongodb+srv://example.com",
    "mongodb+srv://127.0.0.1.example.com/x",
]


@pytest.mark.parametrize("uri", REMOTE)
def test_other_machines_are_refused(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    assert "--allow-remote" in refused("--uri", uri)


def test_a_socket_is_this_machine_but_not_any_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as trap:
        trap.bind("example.com")
        assert "--allow-remote" in refused("--uri", "example.com")


@pytest.mark.parametrize(
    "uri", ["mongodb://example.com", "mongodb://10.0.0.1/x", "mongodb+srv://example.com"]
)
def test_other_machines_are_allowed_when_asked_for(uri: str) -> None:
    assert check_uri(uri, allow_remote=True) == uri


@pytest.mark.parametrize(
    "uri",
    ["127.0.0.1", "127.8.9.1:5", "localhost:27017", "LOCALHOST", "[::1]:5", "%2Ftmp%2Fm.sock"],
)
def test_this_machine_is_accepted(uri: str) -> None:
    assert check_uri(uri, allow_remote=False) == f"mongodb://{uri}"
    assert check_uri(f"mongodb://{uri}", allow_remote=False) == f"mongodb://{uri}"


@pytest.mark.parametrize("uri", ["", "mongodb://", "http://127.0.0.1", "127.0.0.1:port", "[::1"])
def test_what_is_no_uri(uri: str) -> None:
    with pytest.raises(Problem) as caught:
        check_uri(uri, allow_remote=True)
    assert caught.value.status == ExitStatus.USAGE


def test_one_server_only() -> None:
    assert "one server" in refused("--uri", "127.0.0.1:1,127.0.0.1:2")
