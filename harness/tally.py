"""Statistics of a worker in a small shared file: always current, whatever kills the worker."""

import mmap
import os
import struct
from pathlib import Path

# The counters of a worker, 8 bytes each, in this order.
FIELDS = (
    "runs", "commands", "accepted", "denied", "restarts", "findings", "slow", "statements",
    "fuzzing_since",  # milliseconds of the monotonic clock at the first run
    "blocks", "map_full",
)  # fmt: skip
SUFFIX = ".tally"
_SLOT = struct.Struct("<Q")


class Tally:
    """One worker's counters. The file is `<directory>/<pid>.tally`."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(descriptor, len(FIELDS) * _SLOT.size)
        self._memory = mmap.mmap(descriptor, len(FIELDS) * _SLOT.size)
        self._numbers = memoryview(self._memory).cast("Q")
        os.close(descriptor)

    @classmethod
    def of_this_process(cls, directory: Path) -> "Tally":
        """The tally that this process counts in."""
        return cls(directory / f"{os.getpid()}{SUFFIX}")

    def add(self, name: str, amount: int = 1) -> None:
        """Count."""
        self._numbers[FIELDS.index(name)] += amount

    def set(self, name: str, value: int) -> None:
        """For what is a state and not a sum."""
        self._numbers[FIELDS.index(name)] = value

    def get(self, name: str) -> int:
        """The counter's value at this moment."""
        return self._numbers[FIELDS.index(name)]


def total(directory: Path) -> dict[str, int]:
    """The sums over all workers; of `fuzzing_since` the earliest, 0 before the first run."""
    sums = dict.fromkeys(FIELDS, 0)
    since = []
    for path in sorted(directory.glob("*" + SUFFIX)):
        data = path.read_bytes()
        if len(data) < len(FIELDS) * _SLOT.size:
            continue  # being made
        for index, name in enumerate(FIELDS):
            value = _SLOT.unpack_from(data, index * _SLOT.size)[0]
            sums[name] += value
            if name == "fuzzing_since" and value:
                since.append(value)
    sums["fuzzing_since"] = min(since, default=0)
    return sums
