"""The memory that server and harness share: one file, laid out as preload.h says.

libFuzzer reads and clears the dense counters in it directly. A block gets the next free dense
index (its *slot*) when it is first credited. Once all slots are given the map is full: the
server runs on, known blocks go on counting, and further new blocks are not seen (`full`).
The file survives the server, so a new server's blocks keep their slots and their hit counts.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Iterable
from pathlib import Path

MAP_MAGIC = 0x3130504D465A5441
MAP_VERSION = 1
MAX_CONNECTIONS = 16
MAX_PREFIXES = 64
NAME_SIZE = 16
LIST_SLACK = 65536
PAGE = 4096

# libFuzzer has room for 2^18 counters and lets further ones alias; some are left to Python's.
SLOT_COUNT = (1 << 18) - 4096
CREDIT_NONE, CREDIT_BY_NAME, CREDIT_EVERY_THREAD = range(3)


class MapHeader(ctypes.Structure):
    """struct map_header of preload.h."""

    _fields_ = (
        ("magic", ctypes.c_uint64),
        ("version", ctypes.c_uint32),
        ("slot_count", ctypes.c_uint32),
        ("block_capacity", ctypes.c_uint32),
        ("next_slot", ctypes.c_uint32),
        ("full", ctypes.c_uint32),
        ("max_hits", ctypes.c_uint32),
        ("max_idle", ctypes.c_uint32),
        ("credit_mode", ctypes.c_uint32),
        ("generation", ctypes.c_uint32),
        ("armed", ctypes.c_uint32),
        ("server_pid", ctypes.c_int32),
        ("text_fd", ctypes.c_int32),
        ("text_start", ctypes.c_uint64),
        ("text_size", ctypes.c_uint64),
        ("traps", ctypes.c_uint64),
        ("credits", ctypes.c_uint64),
        ("list_head", ctypes.c_uint64),
        ("list_tail", ctypes.c_uint64),
        ("slots_at", ctypes.c_uint64),
        ("slot_to_block_at", ctypes.c_uint64),
        ("block_to_slot_at", ctypes.c_uint64),
        ("hits_at", ctypes.c_uint64),
        ("idle_at", ctypes.c_uint64),
        ("list_at", ctypes.c_uint64),
        ("connection_count", ctypes.c_uint32),
        ("connections", ctypes.c_uint32 * MAX_CONNECTIONS),
        ("prefix_count", ctypes.c_uint32),
        ("prefixes", (ctypes.c_char * NAME_SIZE) * MAX_PREFIXES),
        ("build_id", ctypes.c_uint8 * 32),
        ("message", ctypes.c_char * 256),
    )


_Number = type[ctypes.c_uint8 | ctypes.c_uint32]


class CoverageError(Exception):
    """Server coverage can't be had, and why, in a sentence."""


def library_path() -> Path | None:
    """The compiled preload library; None where it was installed without a compiler."""
    spec = importlib.util.find_spec("harness.coverage._preload")
    return Path(spec.origin) if spec and spec.origin else None


def load_library() -> ctypes.CDLL:
    """The library's functions for the harness; its start-up code does nothing here."""
    path = library_path()
    if path is None:
        raise CoverageError("the preload library was not built (no C compiler at installation)")
    library = ctypes.CDLL(str(path))
    library.astfuzz_map_file.restype = ctypes.c_void_p
    library.astfuzz_map_file.argtypes = [
        ctypes.c_char_p,
        ctypes.c_bool,
        ctypes.c_uint64,
        ctypes.c_size_t,
    ]
    library.astfuzz_unmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.astfuzz_rearm.restype = ctypes.c_uint32
    library.astfuzz_rearm.argtypes = [ctypes.c_void_p] * 3
    library.astfuzz_arm.restype = None
    library.astfuzz_arm.argtypes = [ctypes.c_void_p] * 3
    library.astfuzz_fold.restype = ctypes.c_uint32
    library.astfuzz_fold.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_uint64,
        ctypes.c_uint32,
    ]
    library.astfuzz_layout.restype = ctypes.c_size_t
    library.astfuzz_layout.argtypes = [ctypes.c_size_t]
    return library


def create_map(
    path: Path,
    block_capacity: int,
    build_id: bytes,
    *,
    slot_count: int = SLOT_COUNT,
) -> None:
    """Makes an empty map file; sparse, so what is never used costs nothing."""
    header = MapHeader()
    header.magic = MAP_MAGIC
    header.version = MAP_VERSION
    header.slot_count = slot_count
    header.block_capacity = block_capacity
    header.credit_mode = CREDIT_BY_NAME
    header.build_id[:] = build_id.ljust(32, b"\0")
    end = PAGE
    for name, size in (
        ("slots_at", slot_count),
        ("slot_to_block_at", 4 * slot_count),
        ("block_to_slot_at", 4 * block_capacity),
        ("hits_at", block_capacity),
        ("idle_at", block_capacity),
        ("list_at", 4 * (block_capacity + LIST_SLACK)),
    ):
        setattr(header, name, end)
        end += (size + PAGE - 1) // PAGE * PAGE
    with path.open("wb") as file:
        file.write(bytes(header))
        file.truncate(end)


class SharedMap:
    """A map file in this process's memory. It stays mapped until close(), also past the
    interpreter's end, because libFuzzer reads the counters in its exit path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.library = load_library()
        least = ctypes.sizeof(MapHeader)
        address = self.library.astfuzz_map_file(str(path).encode(), True, MAP_MAGIC, least)
        if not address:
            raise CoverageError(f"{path} is not a coverage map")
        self.address = int(address)
        self._size = path.stat().st_size
        self.header = MapHeader.from_address(self.address)
        if self.header.version != MAP_VERSION:
            self.close()
            raise CoverageError(f"{path} is a coverage map of another version")

    def close(self) -> None:
        if self.address:
            self.library.astfuzz_unmap(self.address, self._size)
            self.address = 0

    @property
    def slot_count(self) -> int:
        return int(self.header.slot_count)

    @property
    def slots_address(self) -> int:
        """Where libFuzzer's counters start, in this process; page-aligned."""
        return self.address + int(self.header.slots_at)

    @property
    def used(self) -> int:
        """Number of slots given, which is the number of different blocks credited."""
        return min(int(self.header.next_slot), self.slot_count)

    @property
    def full(self) -> bool:
        return bool(self.header.full)

    @property
    def message(self) -> str:
        return str(self.header.message.decode("utf-8", "replace"))

    def slots(self) -> memoryview:
        """The dense counters, one byte each."""
        return self._view(ctypes.c_uint8, int(self.header.slots_at), self.slot_count)

    def blocks(self) -> memoryview:
        """By slot, for the slots given so far: the block's index."""
        return self._view(ctypes.c_uint32, int(self.header.slot_to_block_at), self.used)

    def hits(self) -> memoryview:
        """By block: in how many runs it was credited, up to 255."""
        capacity = int(self.header.block_capacity)
        return self._view(ctypes.c_uint8, int(self.header.hits_at), capacity)

    def credit(self, connections: Iterable[int] = (), prefixes: Iterable[str] = ()) -> None:
        """Whose blocks count: these connections (none given: every one) and the threads whose
        names start so. May be called while the server runs."""
        numbers, names = list(connections), [name.encode() for name in prefixes]
        if len(numbers) > MAX_CONNECTIONS or len(names) > MAX_PREFIXES:
            raise ValueError("too many connections or thread names")
        self.header.connection_count = 0
        self.header.prefix_count = 0
        for index, number in enumerate(numbers):
            self.header.connections[index] = number
        for index, name in enumerate(names):
            self.header.prefixes[index].value = name[: NAME_SIZE - 1]
        self.header.prefix_count = len(names)
        self.header.connection_count = len(numbers)

    def settle(self) -> None:
        """Takes what was credited so far for known: it is not armed again, and no news to
        libFuzzer. For a server's warm-up; means nothing where max_hits is 0."""
        hits = self.hits()
        for block in self.blocks():
            hits[block] = 255
        ctypes.memset(self.slots_address, 0, self.slot_count)

    def _view(self, kind: _Number, at: int, count: int) -> memoryview:
        memory = (kind * count).from_address(self.address + at)
        return memoryview(memory).cast("B").cast("I" if kind is ctypes.c_uint32 else "B")
