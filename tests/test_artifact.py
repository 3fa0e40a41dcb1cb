"""Artifacts are whole or not there; what they say is what happened."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bson
import pytest
from processes import wait_for

from harness import artifact
from harness.exits import ExitStatus, Problem
from harness.process import Run
from harness.server.target import Evidence
from harness.shell.dispatch import Record, Sent, Step
from harness.shell.engine import ScriptEnd
from harness.verdict import Verdict

FILES = {"input.bin", "test.js", "commands.bson", "history.jsonl", "server.log", "report.json"}


def finding(
    text: str = "db.c.find();", status: int = -11, log: bytes = b"words"
) -> artifact.Finding:
    body = bson.encode({"find": "c", "filter": {"a": 1}})
    record = Record(
        sent=[Sent("test", "find", body, 1, -1)],
        steps=[Step(0, 0.0, 0.5, 0, "TypeError: no\n  at x", "failed"), Step(1, 0.0, 0.1, 1)],
    )
    history = artifact.History()
    history.add("earlier;")
    run = Run(Verdict("crash", "Got signal", status), ScriptEnd("ok"), record, 0.1)
    about = {"corpus_digest": "d", "mongod": {"version": "6.0.5"}}
    return artifact.Finding(run, text, b"\0\1", Evidence(log), history, about)


def test_all_files_are_there(tmp_path: Path) -> None:
    name, new = artifact.save(tmp_path / "deep" / "crashes", finding())
    folder = tmp_path / "deep" / "crashes" / name
    assert new
    assert {each.name for each in folder.iterdir()} == FILES
    assert (folder / "input.bin").read_bytes() == b"\0\1"
    assert (folder / "server.log").read_bytes() == b"words"
    assert bson.decode_all((folder / "commands.bson").read_bytes()) == [
        {"find": "c", "filter": {"a": 1}, "$db": "test"}
    ]
    assert json.loads((folder / "history.jsonl").read_text()) == {
        "run": 1,
        "javascript": "earlier;",
    }
    report = json.loads((folder / "report.json").read_text())
    assert (report["id"], report["kind"], report["status"]) == (name, "crash", -11)
    assert report["corpus_digest"] == "d"
    states = [
        (s["number"], s["state"], s["commands"], s.get("error")) for s in report["statements"]
    ]
    assert states == [(0, "failed", 0, "TypeError: no"), (1, "in flight", 1, None)]
    text = (folder / "test.js").read_text()
    assert text.startswith("// crash: Got signal\n")
    assert text.endswith("db.c.find();")


def test_sanitizer_reports_are_kept(tmp_path: Path) -> None:
    with_report = replace(finding(), evidence=Evidence(b"", b"ERROR: AddressSanitizer: x"))
    name, _ = artifact.save(tmp_path, with_report)
    assert (tmp_path / name / "sanitizer.txt").read_bytes() == b"ERROR: AddressSanitizer: x"


def test_the_same_test_twice_is_one_artifact(tmp_path: Path) -> None:
    first = artifact.save(tmp_path, finding())
    assert artifact.save(tmp_path, finding(log=b"others")) == (first[0], False)
    assert [each.name for each in tmp_path.iterdir()] == [first[0]]
    assert (tmp_path / first[0] / "server.log").read_bytes() == b"words"


def test_another_end_of_the_same_test_is_another_artifact(tmp_path: Path) -> None:
    names = {artifact.save(tmp_path, finding(status=status))[0] for status in (-11, -6, 14)}
    names.add(artifact.save(tmp_path, finding(text="db.d.find();"))[0])
    assert len(names) == 4


@pytest.mark.parametrize("text", ["\ud800 alone", "é€😀", "\0", "\r\n\u2028"])
def test_any_text_comes_back(tmp_path: Path, text: str) -> None:
    saved = finding(text=text)
    saved.history.add(text)
    name, _ = artifact.save(tmp_path, saved)
    back = artifact.load(tmp_path / name)
    assert back.history == ("earlier;", text)
    assert (back.kind, back.status) == ("crash", -11)
    if "\r" not in text:
        assert back.text.endswith(text)


def _save_many(crashes: Path, barrier: object, results: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    new = [artifact.save(crashes, finding(f"test({n});", log=b"x" * 100_000))[1] for n in range(20)]
    results.put(new)  # type: ignore[attr-defined]


def test_two_writers_and_a_reader_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    barrier, results = context.Barrier(3), context.Queue()
    arguments = (tmp_path, barrier, results)
    writers = [context.Process(target=_save_many, args=arguments) for _ in range(2)]
    for writer in writers:
        writer.start()
    barrier.wait()
    while any(writer.is_alive() for writer in writers):
        for folder in tmp_path.glob("crash-*"):
            assert {each.name for each in folder.iterdir()} == FILES
            artifact.load(folder)
        if not results.empty():
            time.sleep(0.01)
    for writer in writers:
        writer.join()
    first, second = results.get(), results.get()
    assert [a + b for a, b in zip(first, second, strict=True)] == [1] * 20
    assert len(list(tmp_path.iterdir())) == 20  # nothing half-made either


def _save_for_ever(crashes: Path) -> None:
    for number in range(1_000_000):
        artifact.save(crashes, finding(f"test({number});", log=b"x" * 4_000_000))


def test_killed_while_saving(tmp_path: Path) -> None:
    writer = multiprocessing.get_context("fork").Process(target=_save_for_ever, args=(tmp_path,))
    writer.start()
    wait_for(lambda: list(tmp_path.glob("crash-*")), "a first artifact")
    wait_for(lambda: list(tmp_path.glob(artifact.MAKING + "*")), "a half-made one")
    assert writer.pid is not None
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    for folder in tmp_path.glob("crash-*"):
        assert {each.name for each in folder.iterdir()} == FILES
    ours = tmp_path / f"{artifact.MAKING}{os.getpid()}-crash-0"
    ours.mkdir()
    artifact.sweep(tmp_path)
    left = list(tmp_path.glob(".*"))
    assert left == [ours]  # its maker lives


def test_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("not a folder")
    with pytest.raises(Problem, match=r"cannot be saved in .*crash \(exit status -11\)") as caught:
        artifact.save(tmp_path / "crashes", finding())
    assert caught.value.status == ExitStatus.STALLED


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if (
        shutil.which("mount") is None
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_full_disk(small_disk: Path) -> None:
    with pytest.raises(Problem, match="No space left on device"):
        artifact.save(small_disk, finding(log=b"x" * 1_000_000))
    assert list(small_disk.iterdir()) == []
    assert artifact.save(small_disk, finding())[1]


def test_history_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, "HISTORY_RUNS", 3)
    monkeypatch.setattr(artifact, "HISTORY_BYTES", 10)
    history = artifact.History()
    for text in ("a", "b", "c", "d"):
        history.add(text)
    lines = [json.loads(line) for line in history.lines()]
    assert [(each["run"], each["javascript"]) for each in lines] == [(2, "b"), (3, "c"), (4, "d")]
    history.add("e" * 9)
    assert [json.loads(line)["run"] for line in history.lines()] == [4, 5]
    history.clear()
    assert (list(history.lines()), history.runs) == ([], 0)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("report.json", None),
        ("report.json", "{"),
        ("report.json", "[]"),
        ("report.json", '{"kind": "crash"}'),
        ("report.json", '{"kind": "crash", "status": 1, "options": 3}'),
        ("test.js", None),
        ("history.jsonl", None),
        ("history.jsonl", "[1]\n"),
        ("history.jsonl", "{}\n"),
    ],
)
def test_broken_artifact_is_named(tmp_path: Path, file: str, content: str | None) -> None:
    name, _ = artifact.save(tmp_path, finding())
    if content is None:
        (tmp_path / name / file).unlink()
    else:
        (tmp_path / name / file).write_text(content)
    with pytest.raises(Problem, match=f"{name} is not a whole artifact") as caught:
        artifact.load(tmp_path / name)
    assert caught.value.status == ExitStatus.COULD_NOT_RUN
