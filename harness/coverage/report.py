"""What of the server was reached, by function, namespace and source directory.

A worker keeps the program counter of every credited block in a file (`PcTable`), in the order of
discovery; this module reads such files and the server's symbols.
"""

import ctypes
import mmap
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.coverage.symbols import Function, Symbols

ENTRY = 16  # bytes: program counter, flags, as libFuzzer wants them
SUFFIX = ".pcs"


class PcTable:
    """libFuzzer's table of (program counter, flags) for `count` counters, in a shared file."""

    def __init__(self, path: Path, count: int) -> None:
        with path.open("w+b") as file:
            file.truncate(max(1, count) * ENTRY)
            self._memory = mmap.mmap(file.fileno(), 0)
        self.words = (ctypes.c_uint64 * (2 * count)).from_buffer(self._memory)

    def name(self, slot: int, address: int) -> None:
        """Slot `slot` counts the block at `address` of the server's file."""
        self.words[2 * slot] = address


def read_addresses(paths: Iterable[Path]) -> list[int]:
    """The distinct addresses of PC tables, in the order of discovery."""
    found: dict[int, None] = {}
    for path in paths:
        words = memoryview(path.read_bytes()).cast("Q")
        found.update((words[at], None) for at in range(0, len(words), 2) if words[at])
    return list(found)


@dataclass(frozen=True)
class Share:
    """How much of one directory or namespace was reached."""

    name: str
    functions: int
    blocks: int


@dataclass(frozen=True)
class Reached:
    """A coverage report: totals, and shares by directory and by namespace, largest first."""

    blocks: int
    functions: int
    directories: tuple[Share, ...]
    namespaces: tuple[Share, ...]

    def lines(self, most: int = 40) -> list[str]:
        """For people: two tables."""
        lines = [f"{self.blocks} blocks in {self.functions} functions"]
        for title, shares in (("directory", self.directories), ("namespace", self.namespaces)):
            lines += ["", f"{'blocks':>8} {'functions':>9}  {title}"]
            lines += [f"{s.blocks:>8} {s.functions:>9}  {s.name or '-'}" for s in shares[:most]]
        return lines


def reached(addresses: Iterable[int], symbols: Symbols) -> Reached:
    """The report on these block addresses."""
    per_function: Counter[int] = Counter()
    functions: dict[int, Function] = {}
    total = 0
    for address in addresses:
        total += 1
        function = symbols.lookup(address)
        if function is not None:
            per_function[function.start] += 1
            functions[function.start] = function
    directories: dict[str, list[int]] = {}
    namespaces: dict[str, list[int]] = {}
    for start, function in functions.items():
        for table, key in ((directories, function.directory), (namespaces, function.namespace)):
            entry = table.setdefault(key, [0, 0])
            entry[0] += 1
            entry[1] += per_function[start]
    return Reached(total, len(functions), _shares(directories), _shares(namespaces))


def _shares(table: dict[str, list[int]]) -> tuple[Share, ...]:
    shares = [Share(name, functions, blocks) for name, (functions, blocks) in table.items()]
    return tuple(sorted(shares, key=lambda share: (-share.blocks, share.name)))


def count_functions(addresses: Iterable[int], symbols: Symbols) -> int:
    """How many functions these addresses are in; cheap, no names are made."""
    return len({index for address in addresses if (index := symbols.index(address)) is not None})
