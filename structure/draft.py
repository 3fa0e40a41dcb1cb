"""A draft: the test that is being built, as slots of pieces.

Each statement of the base test has a slot that never moves to another index. A mutation that
drops or adds statements works within slots, so the target of every other mutation stays the same:
that is what keeps the effect of a changed byte local.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from structure.library import Library
from structure.pieces import Piece, PreparedTest

# No input gives a monster: limits of the finished test.
MAX_STATEMENTS = 160
MAX_NODES = 12_000
MAX_STATEMENT_NODES = 2_500
MAX_STATEMENT_DEPTH = 200


@dataclass(frozen=True)
class Target:
    """A place for a mutation: a slot, and which of the statements in it (a byte's fraction)."""

    slot: int
    within: int = 0


@dataclass
class Draft:
    """The slots, and what has been used to fill them."""

    library: Library
    host: PreparedTest
    slots: list[list[Piece]]
    sources: dict[str, None] = field(default_factory=dict)
    statements: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        self.statements = sum(len(slot) for slot in self.slots)
        self.nodes = sum(piece.size for slot in self.slots for piece in slot)

    def places(self, target: Target) -> Iterator[tuple[int, int, Piece]]:
        """(slot, index in it, piece), from the target's piece on and around once."""
        count = len(self.slots)
        for offset in range(count):
            slot = (target.slot + offset) % count
            pieces = self.slots[slot]
            first = target.within * len(pieces) >> 8 if offset == 0 else 0
            for turn in range(len(pieces)):
                index = (first + turn) % len(pieces)
                yield slot, index, pieces[index]

    def put(self, slot: int, start: int, stop: int, pieces: list[Piece]) -> bool:
        """Put `pieces` in the place of slot[start:stop], unless the test would grow too large."""
        old = self.slots[slot][start:stop]
        statements = self.statements + len(pieces) - len(old)
        grown = sum(piece.size for piece in pieces) - sum(piece.size for piece in old)
        if grown > 0 and self.nodes + grown > MAX_NODES:
            return False
        if statements > max(MAX_STATEMENTS, self.statements):
            return False
        if any(piece.size > MAX_STATEMENT_NODES and piece not in old for piece in pieces):
            return False
        self.slots[slot][start:stop] = pieces
        self.statements, self.nodes = statements, self.nodes + grown
        return True

    def pieces(self) -> list[Piece]:
        return [piece for slot in self.slots for piece in slot]
