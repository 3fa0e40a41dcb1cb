"""For tests with real processes: what runs below a process, and campaigns as processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import tally
from harness.settings import ENVIRONMENT, ROOT

LIMIT = 90.0  # nobody waits this long unless something is wrong


def wait_for(what: Callable[[], Any], why: str) -> Any:
    """The first true value that `what` gives."""
    limit = time.monotonic() + LIMIT
    while time.monotonic() < limit:
        value = what()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"it never came: {why}")


def command_line(pid: int) -> list[str]:
    """argv of a process; empty of one that is gone or a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    except OSError:
        return []


def below(pid: int) -> list[int]:
    """All living descendants."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found: list[int] = []
    new = [pid]
    while new:
        new = [child for each in new for child in parents.get(each, [])]
        found += new
    return found


def servers_in(directory: Path) -> list[int]:
    """Living processes with this very server directory in their command line."""
    numbers = [int(each.name) for each in Path("/proc").glob("[0-9]*")]
    return [each for each in numbers if str(directory / "db") in command_line(each)]


def run(program: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A program of ours to its end, its two outputs as one."""
    return subprocess.run(
        [sys.executable, str(ROOT / "harness" / program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=3 * LIMIT,
        check=False,
        **options,
    )


class Campaign:
    """A fuzz.py in the background; `end` gives its status and output."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.crashes, self.json = folder / "crashes", folder / "summary.json"
        self.output = folder / "output.txt"
        line = [sys.executable, str(ROOT / "harness" / "fuzz.py"), *map(str, arguments)]
        line += ["--crashes", str(self.crashes), "--json", str(self.json)]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                line, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
        self.worker = wait_for(self._worker, f"a worker\n{self.output.read_text()}")
        environment = Path(f"/proc/{self.worker}/environ").read_bytes().decode().split("\0")
        values = dict(each.split("=", 1) for each in environment if "=" in each)
        self.directory = Path(json.loads(values[ENVIRONMENT])["run_directory"])

    def _worker(self) -> int:
        assert self.process.poll() is None, self.output.read_text()
        for pid in below(self.process.pid):
            if "harness.worker" in " ".join(command_line(pid)):
                return pid
        return 0

    def mongod(self) -> int:
        """The pid of its server at this moment, or 0."""
        for pid in below(self.worker):
            if Path(*command_line(pid)[:1]).name == "mongod":
                return pid
        return 0

    def keeper(self) -> int:
        """The pid of the server's keeper."""
        return next(p for p in below(self.worker) if "keeper.py" in " ".join(command_line(p)))

    def server_directory(self) -> Path:
        """Where its server lives at this moment."""
        line = command_line(self.mongod())
        return Path(line[line.index("--dbpath") + 1]).parent

    def counts(self) -> dict[str, int]:
        """Its statistics at this moment."""
        return tally.total(self.directory)

    def fuzzing(self, more: int = 3) -> None:
        """Wait until it has done some more runs."""
        target = self.counts()["runs"] + more
        wait_for(lambda: self.counts()["runs"] >= target, "more runs")

    def end(self, number: signal.Signals | None = None) -> tuple[int, str]:
        """Signal it when asked to, and wait for its end."""
        if number is not None:
            os.kill(self.process.pid, number)
        return self.process.wait(LIMIT), self.output.read_text()

    def summary(self) -> Any:
        """The content of --json."""
        return json.loads(self.json.read_text())

    def abandon(self) -> None:
        """For fixtures: nothing survives a failed test."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def nothing_left(campaign: Campaign, server_directory: Path) -> None:
    """Neither processes nor directories."""
    wait_for(lambda: not servers_in(server_directory), "the end of the server")
    wait_for(lambda: not server_directory.exists(), "the end of the server's directory")
    wait_for(lambda: not campaign.directory.exists(), "the end of the campaign's directory")
