"""Artifacts: what is kept of a finding, written whole or not at all.

`crashes/<id>/` holds
    input.bin       the raw bytes (mean something only with the same version and corpus)
    test.js         the generated JavaScript, self-contained: it also runs in mongosh
    commands.bson   the commands as they went on the wire, one document after the other
    history.jsonl   the JavaScript of the runs since this server was started, oldest first
    server.log      the tail of the server's output
    sanitizer.txt   sanitizer reports, when there are any
    report.json     the verdict, versions, digests, command line, and how far each statement came
"""

import hashlib
import json
import os
import shutil
import sys
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from harness.exits import ExitStatus, Problem
from harness.process import Run
from harness.server.target import Evidence

PORTABLE = Path(__file__).parent / "shell" / "portable.js"
FORMAT = 1
HISTORY_RUNS = 512
HISTORY_BYTES = 8 << 20
MAKING = ".making-"  # and the pid of who makes it


def our_version() -> str:
    """The version of this project as it is installed."""
    try:
        return version("mongo-astfuzz")
    except PackageNotFoundError:
        return "unknown"


class History:
    """The texts of the runs since the server was started, the oldest dropped beyond the bounds."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._size = 0
        self.runs = 0

    def add(self, text: str) -> None:
        """A run is over and the server lives."""
        self.runs += 1
        self._texts.append(text)
        self._size += len(text)
        while len(self._texts) > HISTORY_RUNS or self._size > HISTORY_BYTES:
            self._size -= len(self._texts.popleft())

    def clear(self) -> None:
        """A new server was started."""
        self.__init__()  # type: ignore[misc]

    def lines(self) -> Iterable[str]:
        """JSON, a line each: the run's number and its JavaScript."""
        first = self.runs - len(self._texts)
        for number, text in enumerate(self._texts, first + 1):
            yield json.dumps({"run": number, "javascript": text}) + "\n"


@dataclass(frozen=True)
class Finding:
    """A run with a finding, and what is needed to understand it."""

    run: Run
    text: str
    data: bytes
    evidence: Evidence
    history: History
    about: Mapping[str, Any]  # more fields of the report


def identity(finding: Finding) -> str:
    """The artifact's id: the kind and a digest of the JavaScript and the server's status."""
    verdict = finding.run.verdict
    digest = hashlib.sha256(f"{verdict.status}\n".encode())
    digest.update(finding.text.encode(errors="surrogatepass"))
    return f"{verdict.kind}-{digest.hexdigest()[:12]}"


def save(crashes: Path, finding: Finding) -> tuple[str, bool]:
    """Write the artifact; returns its id, and whether it is new. Raises Problem (STALLED).

    It is made beside its place and renamed, so that a reader never meets half of one.
    """
    name = identity(finding)
    if (crashes / name).exists():
        return name, False
    making = crashes / f"{MAKING}{os.getpid()}-{name}"
    try:
        crashes.mkdir(parents=True, exist_ok=True)
        return name, _write(making, crashes / name, finding)
    except OSError as error:
        raise Problem(
            f"A finding cannot be saved in {crashes}: {error} ({finding.run.verdict}).",
            ExitStatus.STALLED,
        ) from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write(making: Path, place: Path, finding: Finding) -> bool:
    making.mkdir()
    files = {
        "input.bin": finding.data,
        "test.js": saved_test(finding).encode(errors="surrogatepass"),
        "commands.bson": b"".join(sent.wire for sent in finding.run.record.sent),
        "history.jsonl": "".join(finding.history.lines()).encode(errors="surrogatepass"),
        "server.log": finding.evidence.log,
        "sanitizer.txt": finding.evidence.sanitizer,
        "report.json": (json.dumps(report(place.name, finding), indent=2) + "\n").encode(),
    }
    for file, content in files.items():
        if content or file != "sanitizer.txt":
            with (making / file).open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
    try:
        making.rename(place)
    except OSError:
        if not place.exists():  # else another worker was first with the same
            raise
        return False
    return True


def sweep(crashes: Path) -> None:
    """Remove what processes that were killed while saving left half-made."""
    for making in crashes.glob(MAKING + "*"):
        pid = making.name.removeprefix(MAKING).split("-")[0]
        if not Path("/proc", pid).exists():
            shutil.rmtree(making, ignore_errors=True)


def saved_test(finding: Finding) -> str:
    """The test as a file of its own: what it does, how to run it, what it needs, and itself."""
    verdict = finding.run.verdict
    mongod = finding.about.get("mongod", {})
    detail = verdict.detail.replace("\n", " ")[:200]
    head = [
        f"// {verdict.kind}: {detail}" if detail else f"// {verdict.kind}",
        f"// Found by mongo-astfuzz {our_version()} on mongod {mongod.get('version', '?')}.",
        "// Run it: python harness/replay.py <this folder>, or mongosh --file test.js",
        "",
    ]
    return "\n".join(head) + PORTABLE.read_text(encoding="utf-8") + "\n" + finding.text


def report(name: str, finding: Finding) -> dict[str, Any]:
    """The content of report.json."""
    run = finding.run
    return {
        "format": FORMAT,
        "id": name,
        "kind": run.verdict.kind,
        "detail": run.verdict.detail,
        "status": run.verdict.status,
        "version": our_version(),
        "python": sys.version.split()[0],
        "platform": sys.platform,
        **finding.about,
        "input_bytes": len(finding.data),
        "history": {"runs": finding.history.runs},
        "commands": len(run.record.sent),
        "accepted": run.record.accepted,
        "denied": run.record.denied,
        "seconds": round(run.seconds, 6),
        "statements": [
            {
                "number": step.number,
                "state": step.state,
                "seconds": round(step.seconds, 6),
                "commands": step.commands,
                **({"error": step.error.splitlines()[0][:300]} if step.error else {}),
            }
            for step in run.record.steps
        ],
    }


@dataclass(frozen=True)
class Artifact:
    """A saved finding, as replay reads it."""

    text: str
    kind: str
    status: int | None
    history: tuple[str, ...]
    options: Mapping[str, Any]  # storage_engine, server_arguments, denied: as it was found


def load(folder: Path) -> Artifact:
    """Read an artifact. Raises Problem (COULD_NOT_RUN) naming what is missing or broken."""
    try:
        told = json.loads(_text(folder / "report.json"))
        lines = _text(folder / "history.jsonl").splitlines()
        history = tuple(str(json.loads(line)["javascript"]) for line in lines)
        options = dict(told.get("options", {}))
        text = _text(folder / "test.js")
        return Artifact(text, str(told["kind"]), told["status"], history, options)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Problem(
            f"{folder} is not a whole artifact of this project: {error}.",
            ExitStatus.COULD_NOT_RUN,
        ) from error


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="surrogatepass")
