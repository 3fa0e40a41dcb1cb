"""Which coverage guides the campaign, and one interface for all of it.

A source gives the environment that the server starts with, takes a started server up, and brings
libFuzzer's counters up to date after each run. Replies always count; the server's own blocks
where the server is ours and can show them.
"""

import ctypes
import fcntl
import os
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from harness.coverage import counters
from harness.coverage.blocks import Granularity, NoBlocksError, find_blocks, open_elf, read_build_id
from harness.coverage.preload import (
    COMMAND_POOLS,
    MAX_HITS,
    BreakpointSource,
    SancovSource,
)
from harness.coverage.replies import COUNT, ReplySource
from harness.coverage.report import SUFFIX, PcTable
from harness.coverage.shared_map import (
    CoverageError,
    SharedMap,
    library_path,
)
from harness.exits import ExitStatus, Problem
from harness.server.connection import Connection, ConnectionLost

# --guide NAME: what of the coverage libFuzzer gets to see
GUIDES = ("server", "functions", "replies")
# --coverage NAME
CHOICES = ("auto", "blocks", "functions", "sanitizer", "replies")
LIBRARY = 1 << 62  # marks an address in a shared library: no symbol of the server is there
# What every server does for the first time at some point; run uncredited, it is no news later.
WARM_UP = (
    {"ping": 1},
    {"buildInfo": 1},
    {"insert": "warm", "documents": [{"_id": 1, "a": 1}]},
    {"find": "warm", "filter": {"a": 1}},
    {"update": "warm", "updates": [{"q": {"a": 1}, "u": {"$set": {"b": 2}}}]},
    {"createIndexes": "warm", "indexes": [{"key": {"a": 1}, "name": "a_1"}]},
    {"aggregate": "warm", "pipeline": [{"$group": {"_id": "$a"}}], "cursor": {}},
    {"delete": "warm", "deletes": [{"q": {}, "limit": 0}]},
    {"dropDatabase": 1},
)


class ServerSource(Protocol):
    """BreakpointSource and SancovSource."""

    map: SharedMap

    def environment(self) -> dict[str, str]:
        """For the server that is about to start."""

    def attach(self, timeout: float = ...) -> None:
        """Take up the server just started."""

    def after_run(self) -> int:
        """Bring the map up to date."""

    def locate(self, block: int) -> tuple[str, int]:
        """The module and the file address of a block."""

    def close(self) -> None:
        """Let go of the memory."""


@dataclass(frozen=True)
class Choice:
    """The source that was chosen, and why, in words."""

    name: str
    why: str


class Coverage:
    """The counters of one worker: the server's blocks, when it shows them, and its replies."""

    def __init__(
        self, choice: Choice, server: ServerSource | None, map_path: Path, guide: str = "server"
    ) -> None:
        self.choice = choice
        self._guide = guide
        self._entries: Set[int] = frozenset()
        self._visible = 0
        self._shown = bytearray()  # by slot: 255 where libFuzzer may see the counter
        self.replies = ReplySource()
        self._server = server
        self._named = 0
        slots = server.map.slot_count if server is not None else 0
        self._pcs = PcTable(map_path.with_suffix(SUFFIX), slots)

    @property
    def map(self) -> SharedMap | None:
        """The server's dense map; None where only replies count."""
        return self._server.map if self._server is not None else None

    @property
    def blocks(self) -> int:
        """How many of the server's blocks were credited so far."""
        return self._server.map.used if self._server is not None else 0

    @property
    def known(self) -> int:
        """How many features of the chosen guide were met so far."""
        if self._server is None or self._guide == "replies":
            return self.replies.used
        return self._visible if self._guide == "functions" else self._named

    @property
    def full(self) -> bool:
        """Whether blocks were met for which no counter was left."""
        return self._server is not None and bool(self._server.map.full)

    def environment(self) -> dict[str, str]:
        """For the server that is about to start."""
        return self._server.environment() if self._server is not None else {}

    def attach(self, connection: Connection) -> None:
        """Take up a new server, warm it, then credit this connection's thread only.

        What the warm-up reaches counts as known well: it is news at no later time.

        Raises Problem (NO_SERVER) when the server does not show its blocks after all.
        """
        if self._server is None:
            return
        shared = self._server.map
        shared.credit([connection.id], COMMAND_POOLS)
        try:
            self._server.attach()
        except CoverageError as error:
            raise Problem(
                f"The server shows no coverage: {error}; --coverage replies does without.",
                ExitStatus.NO_SERVER,
            ) from error
        try:
            for command in WARM_UP:
                connection.command("mongo_astfuzz_warm", dict(command))
        except ConnectionLost as error:
            raise Problem(
                f"The server ended while it was warmed: {error}", ExitStatus.NO_SERVER
            ) from error
        if self._named == 0:  # a restarted server's warm-up repeats what is known by then
            self.after_run()
            shared.settle()
        self._server.after_run()

    def after_run(self) -> None:
        """Fold, re-arm, and give new counters their program counters."""
        if self._server is None:
            return
        self._server.after_run()
        used = self._server.map.used
        if used > self._named:
            self._name(used)
        if self._guide == "functions":
            self._hide(used)

    def _name(self, used: int) -> None:
        assert self._server is not None
        blocks = self._server.map.blocks()
        for slot in range(self._named, used):
            module, address = self._server.locate(blocks[slot])
            shown = address in self._entries
            self._shown.append(255 if shown else 0)
            self._visible += shown
            self._pcs.name(slot, address if not module else LIBRARY | address)
        self._named = used

    def show_only(self, addresses: Iterable[int]) -> None:
        """Let libFuzzer see these blocks only: to compare granularities on equal measurements."""
        self._entries = frozenset(addresses)

    def _hide(self, used: int) -> None:
        """Clear the counters of blocks that are no function's entry."""
        assert self._server is not None
        slots = self._server.map.slots()[:used]
        seen = int.from_bytes(slots, "little") & int.from_bytes(self._shown, "little")
        slots[:] = seen.to_bytes(used, "little")

    def hit(self) -> list[tuple[str, int]]:
        """(module, file address) of each block counted since the counters were cleared last."""
        if self._server is None:
            return []
        shared = self._server.map
        pairs = zip(shared.slots(), shared.blocks(), strict=False)
        return [self._server.locate(block) for count, block in pairs if count]

    def register(self) -> None:
        """Enter libFuzzer: after `atheris.Setup`, before `atheris.Fuzz`, once."""
        if self._server is not None and self._guide != "replies":
            shared = self._server.map
            counters.register(shared.slots_address, shared.slot_count, self._pcs.words)
        counters.register(ctypes.addressof(self.replies.counters), COUNT)


def choose(wanted: str, mongod: str) -> Choice:
    """The source for `wanted` (one of CHOICES) on this server ("" when it is not ours).

    Raises Problem (USAGE) when what was asked for by name cannot be.
    """
    if wanted == "replies":
        return Choice("replies", "asked for")
    obstacle = _obstacle(wanted, mongod)
    if obstacle:
        if wanted == "auto":
            return Choice("replies", obstacle)
        raise Problem(f"--coverage {wanted} cannot be: {obstacle}.", ExitStatus.USAGE)
    instrumented = has_counters(Path(mongod))
    if wanted == "sanitizer" and not instrumented:
        raise Problem(
            f"--coverage sanitizer cannot be: {mongod} was not built with "
            "-fsanitize-coverage=inline-8bit-counters,pc-table.",
            ExitStatus.USAGE,
        )
    if wanted in ("auto", "sanitizer") and instrumented:
        return Choice("sanitizer", "this mongod was built with coverage counters")
    if wanted == "auto":
        return Choice("blocks", "breakpoints in a stock mongod")
    return Choice(wanted, "asked for")


def _obstacle(wanted: str, mongod: str) -> str:
    if not mongod:
        return "the server is not ours"
    if library_path() is None:
        return "the preload library was not built (install a C compiler, then install again)"
    try:
        elf = open_elf(Path(mongod))
        if elf.get_machine_arch() != "x64" and wanted != "sanitizer":
            return f"{mongod} is not a program for x86-64"
    except (NoBlocksError, OSError) as error:
        return str(error)
    return ""


def has_counters(binary: Path) -> bool:
    """Whether a program has sanitizer coverage counters of its own."""
    return open_elf(binary).get_section_by_name("__sancov_cntrs") is not None


def open_coverage(
    choice: Choice,
    mongod: str,
    directory: Path,
    max_hits: int = MAX_HITS,
    guide: str = "server",
    progress: Callable[[float], None] | None = None,
) -> Coverage:
    """Open the chosen source, its map in `directory`. Raises Problem (NO_SERVER)."""
    path = free_map(directory)
    if choice.name == "replies":
        return Coverage(choice, None, path)
    try:
        if choice.name == "sanitizer":
            build_id = read_build_id(Path(mongod))
            return Coverage(choice, SancovSource(path, build_id, resume=path.exists()), path)
        granularity: Granularity = "functions" if choice.name == "functions" else "blocks"
        table = find_blocks(Path(mongod), granularity, progress)
        source = BreakpointSource(table, path, max_hits=max_hits, resume=path.exists())
    except (CoverageError, NoBlocksError, OSError) as error:
        raise Problem(
            f"The server's coverage cannot be had: {error}; --coverage replies does without.",
            ExitStatus.NO_SERVER,
        ) from error
    coverage = Coverage(choice, source, path, guide)
    if guide == "functions":
        coverage.show_only(find_blocks(Path(mongod), "functions").addresses)
    return coverage


def free_map(directory: Path) -> Path:
    """A map that no other process uses now: one that an earlier process left, when there is one.

    libFuzzer's -merge and -fork start processes one after the other and compare their features,
    so these must keep the meaning of their counters.
    """
    for number in range(1000):
        path = directory / f"coverage-{number}.map"
        lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return path  # the lock is held until this process ends
    raise OSError(f"no free map in {directory}")
