"""Source 3: coverage from what the server answers, for servers that show nothing else.

A feature is a command together with the code of its reply; each gets the next free counter.
"""

import ctypes
from typing import Any

from harness.shell.dispatch import Sent

COUNT = 4096


class ReplySource:
    """Counts features in `COUNT` bytes of its own, or in the tail of a larger map."""

    def __init__(self, counters: "ctypes.Array[Any] | None" = None) -> None:
        self.counters = counters if counters is not None else (ctypes.c_uint8 * COUNT)()
        self._index: dict[tuple[str, int], int] = {}

    @property
    def used(self) -> int:
        """Distinct features so far."""
        return len(self._index)

    def watch(self, sent: Sent, _reply: bytes) -> None:
        """Count one reply."""
        index = self._index.setdefault((sent.name, sent.code), len(self._index))
        if index < COUNT and self.counters[index] < 255:
            self.counters[index] += 1
