"""How much of the server's speed a campaign uses: its commands/s against those of a bare loop.

A campaign of some seconds records the commands it sends; then `db.command(doc)` of pymongo sends
the same commands in the same order to a fresh server with the same options, and nothing else.
Rounds alternate. The campaign's figure includes everything it does beside: building tests, the
JavaScript engine, coverage, judging replies, and clearing the server between runs (its own
dropDatabase commands are neither recorded nor counted).

    python benchmarks/throughput.py --seconds 30 --rounds 3
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymongo
from bson.errors import BSONError
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from harness.server import mongod
from harness.server.connection import TOP_LEVEL, top_level, uri_of_socket
from harness.server.locate import ServerBinary, describe, find_mongod
from harness.settings import ROOT, Settings


@dataclass(frozen=True)
class Figure:
    """What one side did in one round."""

    commands: int
    seconds: float
    accepted: int

    @property
    def rate(self) -> float:
        """Commands per second."""
        return self.commands / self.seconds

    def __str__(self) -> str:
        share = 100 * self.accepted / self.commands
        return (
            f"{self.rate:8.0f} commands/s  ({self.commands} in {self.seconds:.1f} s, "
            f"{share:.0f}% accepted)"
        )


def recorded(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Database and command document of everything in `file`; a last piece may be cut off."""
    data = file.read_bytes()
    at = 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        if at + size > len(data):
            return
        body = dict(top_level(data[at : at + size]).items())
        at += size
        database = body.pop("$db")
        yield str(database), body


def campaign(options: argparse.Namespace, record: Path, folder: Path) -> Figure:
    """A campaign by its own program; its own summary."""
    summary = folder / "summary.json"
    line = [sys.executable, str(ROOT / "harness" / "fuzz.py"), "--time", str(options.seconds)]
    line += ["--record", str(record), "--json", str(summary), "--crashes", str(folder / "crashes")]
    line += ["--storage-engine", options.storage_engine, *options.campaign_arg]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 77):
        sys.exit(f"the campaign failed:\n{done.stdout}{done.stderr}")
    told = json.loads(summary.read_text())
    if told["findings"] or told["restarts"]:
        print(f"  note: {len(told['findings'])} findings, {told['restarts']} server restarts")
    return Figure(told["commands"], told["seconds"], told["accepted"])


def bare(options: mongod.ServerOptions, commands: list[tuple[str, dict[str, Any]]]) -> Figure:
    """The same commands by `Database.command`, errors swallowed."""
    server = mongod.start(options)
    client: MongoClient[RawBSONDocument] = MongoClient(
        uri_of_socket(server.socket), directConnection=True, document_class=RawBSONDocument
    )
    try:
        client.admin.command("ping")
        sent = accepted = 0
        started = time.perf_counter()
        for database, command in commands:
            sent += 1
            try:
                client[database].command(command, codec_options=TOP_LEVEL)
                accepted += 1
            except (PyMongoError, BSONError, ValueError, TypeError, StopIteration):
                pass  # the driver itself refuses some, the empty one among them
        return Figure(sent, time.perf_counter() - started, accepted)
    finally:
        client.close()
        server.end()


def processor() -> str:
    """The machine's own name for its processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def machine(binary: ServerBinary) -> str:
    """What the figures depend on."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}, "
        f"pymongo {pymongo.version}, mongod {binary.version}"
    )


def spread(values: list[float]) -> str:
    """Median, and the smallest and largest."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="of each campaign (30)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mongod", metavar="PATH")
    parser.add_argument("--storage-engine", default=Settings.storage_engine, metavar="NAME")
    parser.add_argument(
        "--campaign-arg", action="append", default=[], metavar="ARG", help="one more for fuzz.py"
    )
    options = parser.parse_args()
    path = find_mongod(options.mongod, os.environ)
    options.campaign_arg += ["--mongod", str(path)]
    binary = describe(path)
    server = mongod.ServerOptions(binary, storage_engine=options.storage_engine)
    print(f"{machine(binary)}\nstorage engine {options.storage_engine}", end="")
    print(f"; campaign arguments: {' '.join(options.campaign_arg)}")
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(1, options.rounds + 1):
        with tempfile.TemporaryDirectory(prefix="throughput-") as folder:
            record = Path(folder) / "commands.bson"
            line = campaign(options, record, Path(folder))
            loop = bare(server, list(recorded(record)))
        ours.append(line.rate)
        theirs.append(loop.rate)
        print(f"round {number}: campaign  {line}", flush=True)
        print(f"         bare loop {loop}")
        print(f"         ratio     {line.rate / loop.rate:8.2f}", flush=True)
    print(f"campaign commands/s:  {spread(ours)}")
    print(f"bare loop commands/s: {spread(theirs)}")
    print(f"ratio:                {spread([a / b for a, b in zip(ours, theirs, strict=True)])}")
    print(
        "median and range over the rounds. The campaign's figure includes building tests, "
        "JavaScript,\ncoverage, judging, and clearing between runs, whose own commands are "
        "neither recorded nor counted;\nthe bare loop never clears, and what it has accepted "
        "includes writes with write errors."
    )


if __name__ == "__main__":
    main()
