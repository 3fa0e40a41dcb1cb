"""The two sources of a local server's own coverage, behind one interface.

A source gives the environment to start the server with, is told when a server is up
(`attach`), and after each run brings the shared map up to date (`after_run`).
"""

from __future__ import annotations

import ctypes
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness.coverage.blocks import BlockTable
from harness.coverage.shared_map import (
    CoverageError,
    SharedMap,
    create_map,
    library_path,
)

# Threads that do a command's work for it: index builds, and the server's JavaScript. mongod
# shortens names over 15 letters to the first and last seven, with a dot between.
COMMAND_POOLS = ("IndexBu.", "js")
# A block that was hit in so many runs is known well, and not armed again (ARCHITECTURE.md: why 1).
MAX_HITS = 1
MAX_IDLE = 4  # how often a block is armed again after hits of threads that aren't credited


def _environment(**ours: str) -> dict[str, str]:
    library = library_path()
    if library is None:
        raise CoverageError("the preload library was not built (no C compiler at installation)")
    result = {**os.environ, **ours, "LD_PRELOAD": str(library)}
    others = os.environ.get("LD_PRELOAD")
    if others:
        result["LD_PRELOAD"] += f" {others}"
        result["ASTFUZZ_LD_PRELOAD"] = others
    return result


class BreakpointSource:
    """A stock server: breakpoints that remove themselves, planted by the preload library."""

    def __init__(
        self, table: BlockTable, map_path: Path, *, max_hits: int = MAX_HITS, resume: bool = False
    ) -> None:
        if not (resume and map_path.exists()):
            create_map(map_path, len(table), table.build_id)
        self.table = table
        self.map = SharedMap(map_path)
        if bytes(
            self.map.header.build_id
        ) != table.build_id or self.map.header.block_capacity != len(table):
            self.map.close()
            raise CoverageError(f"{map_path} is the coverage map of another server")
        self.map.header.max_hits = max_hits
        self.map.header.max_idle = MAX_IDLE
        self.map.credit(prefixes=COMMAND_POOLS)
        library = self.map.library
        self._table_address = library.astfuzz_map_file(str(table.path).encode(), False, 0, 0)
        self._text_address = 0
        self._text_size = 0

    def environment(self) -> dict[str, str]:
        self.map.header.server_pid = 0
        self.map.header.message = b""
        return _environment(ASTFUZZ_MAP=str(self.map.path), ASTFUZZ_BLOCKS=str(self.table.path))

    def attach(self, timeout: float = 10.0) -> None:
        """Takes up the server just started and arms its blocks: to be called once it answers."""
        header = self.map.header
        deadline = time.monotonic() + timeout
        while not header.server_pid:
            if self.map.message or time.monotonic() > deadline:
                reason = self.map.message or "the preload library did not start in the server"
                raise CoverageError(reason)
            time.sleep(0.002)
        self.detach()
        path = f"/proc/{header.server_pid}/fd/{header.text_fd}"
        address = self.map.library.astfuzz_map_file(path.encode(), True, 0, header.text_size)
        if not address:
            raise CoverageError(f"{path} can't be mapped")
        self._text_address = int(address)
        self._text_size = int(header.text_size)
        self.map.library.astfuzz_arm(self.map.address, self._table_address, self._text_address)

    def detach(self) -> None:
        """Lets go of a server's text; harmless when the server is gone already."""
        if self._text_address:
            self.map.library.astfuzz_unmap(self._text_address, self._text_size)
            self._text_address = 0

    def after_run(self) -> int:
        """Arms again what was hit, except what is known well; returns how many blocks."""
        if not self._text_address:
            return 0
        return int(
            self.map.library.astfuzz_rearm(
                self.map.address, self._table_address, self._text_address
            )
        )

    def locate(self, block: int) -> tuple[str, int]:
        """The block's module (empty: the server itself) and address in that file."""
        return "", self.table.addresses[block]

    def close(self) -> None:
        self.detach()
        if self._table_address:
            size = self.table.path.stat().st_size
            self.map.library.astfuzz_unmap(self._table_address, size)
            self._table_address = 0
        self.map.close()


RAW_MAGIC = 0x31304E53465A5441
RAW_MODULES = 32
SANCOV_BLOCKS = 1 << 23  # room for this many counters; the file is sparse


class RawModule(ctypes.Structure):
    """struct raw_module of preload.h."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("counters_at", ctypes.c_uint64),
        ("pcs_at", ctypes.c_uint64),
        ("path", ctypes.c_char * 232),
    )


class RawHeader(ctypes.Structure):
    """struct raw_header of preload.h."""

    _fields_ = (
        ("magic", ctypes.c_uint64),
        ("module_count", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("modules", RawModule * RAW_MODULES),
    )


@dataclass(frozen=True)
class Module:
    """A program or library with sanitizer counters: its blocks are numbered from `first` on."""

    path: str  # empty: the server itself
    first: int
    count: int
    counters_at: int
    pcs: memoryview = field(repr=False)  # of uint64: file addresses; top bit: function entry


class SancovSource:
    """A sanitizer build: its own counters, in pages that the preload library moved to a file.

    Every thread's work counts there; the counters don't know who did it. Libraries that the
    server opens later with dlopen are not seen.
    """

    def __init__(self, map_path: Path, build_id: bytes, *, resume: bool = False) -> None:
        if not (resume and map_path.exists()):
            create_map(map_path, SANCOV_BLOCKS, build_id)
        self.map = SharedMap(map_path)
        if bytes(self.map.header.build_id) != build_id.ljust(32, b"\0"):
            self.map.close()
            raise CoverageError(f"{map_path} is the coverage map of another server")
        self._raw_path = map_path.with_name(map_path.name + ".raw")
        self._raw_address = 0
        self._raw_size = 0
        self.modules: tuple[Module, ...] = ()

    def environment(self) -> dict[str, str]:
        # A new file for each server: one that is still ending must not write into the next's.
        self._raw_path.unlink(missing_ok=True)
        self._raw_path.touch()
        return _environment(ASTFUZZ_SANCOV=str(self._raw_path))

    def attach(self, timeout: float = 10.0) -> None:
        """Takes up the server just started: to be called once it answers."""
        self.detach()
        least = ctypes.sizeof(RawHeader)
        path, deadline = str(self._raw_path).encode(), time.monotonic() + timeout
        library = self.map.library
        while not (address := library.astfuzz_map_file(path, True, RAW_MAGIC, least)):
            if time.monotonic() > deadline:
                raise CoverageError("the server has no sanitizer coverage counters")
            time.sleep(0.002)
        self._raw_address = int(address)
        self._raw_size = self._raw_path.stat().st_size
        header = RawHeader.from_address(self._raw_address)
        modules, first = [], 0
        for raw in header.modules[: header.module_count]:
            count = int(raw.count)
            pcs = (ctypes.c_uint64 * count).from_address(self._raw_address + int(raw.pcs_at))
            view = memoryview(pcs).cast("B").cast("Q")
            name = raw.path.decode("utf-8", "surrogateescape")
            modules.append(Module(name, first, count, int(raw.counters_at), view))
            first += count
        if first > SANCOV_BLOCKS:
            raise CoverageError(f"{first} counters: more than {SANCOV_BLOCKS} are not handled")
        self.modules = tuple(modules)

    def detach(self) -> None:
        self.modules = ()
        if self._raw_address:
            self.map.library.astfuzz_unmap(self._raw_address, self._raw_size)
            self._raw_address = 0

    def after_run(self) -> int:
        """Folds what the server counted into the dense map; returns how many counters."""
        fold, base = self.map.library.astfuzz_fold, self._raw_address
        return sum(
            int(fold(self.map.address, base + m.counters_at, m.count, m.first))
            for m in self.modules
        )

    def locate(self, block: int) -> tuple[str, int]:
        """The block's module (empty: the server itself) and address in that file."""
        for module in self.modules:
            if module.first <= block < module.first + module.count:
                return module.path, module.pcs[block - module.first] & ~(1 << 63)
        raise IndexError(block)

    def close(self) -> None:
        self.detach()
        self._raw_path.unlink(missing_ok=True)
        self.map.close()
