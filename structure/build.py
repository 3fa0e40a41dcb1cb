"""From bytes to a test.

The encoding keeps the effect of a byte local. A header of fixed width chooses the base: a corpus
test and a range of its statements. Records of fixed width follow, each one mutation with an
entropy of its own: which mutation, which statement (a fraction of the base's statements, whatever
the other records did), which node, and its parameters. The last record may be cut short.
Everything takes as few bytes as it can: a byte that decides nothing is dead entropy, it costs
the fuzzer executions of tests that it has seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from structure.draft import MAX_NODES, MAX_STATEMENTS, Draft, Target
from structure.entropy import Entropy
from structure.guarding import guarded
from structure.library import Library
from structure.mutations import FALLBACK, MUTATIONS
from structure.nodes import Node
from structure.pieces import Piece

# Test (2 bytes, modulo), range of its statements (1).
HEADER = 3
# Mutation (1), statement (1), then the node (1, or 2 in a large statement) and parameters.
RECORD = 7
TARGET = 2
MAX_MUTATIONS = 64
# Fewer statements would mostly be those that drop and create collections.
MIN_SLICE = 4
# Bytes beyond this change nothing: libFuzzer's -max_len.
MAX_INPUT = HEADER + MAX_MUTATIONS * RECORD

# One byte chooses; see the test of the sum of the weights.
_CHOICES = tuple((name, mutation) for name, weight, mutation in MUTATIONS for _ in range(weight))


@dataclass(frozen=True)
class Test:
    """A generated test: its statements, the corpus tests it uses and the mutations applied."""

    __test__ = False  # not one of pytest's

    pieces: tuple[Piece, ...]
    sources: tuple[str, ...]
    mutations: tuple[str, ...]

    @property
    def statements(self) -> tuple[Node, ...]:
        return tuple(piece.node for piece in self.pieces)

    @cached_property
    def text(self) -> str:
        return guarded(piece.text for piece in self.pieces)


def build(data: bytes, library: Library) -> Test:
    """The test that the bytes mean; the same for the same bytes and library, always."""
    draft = _base(Entropy(data[:HEADER]), library)
    applied = []
    for start in range(HEADER, min(len(data), MAX_INPUT), RECORD):
        name = _mutate(draft, data[start : min(start + RECORD, MAX_INPUT)])
        if name is not None:
            applied.append(name)
    return Test(tuple(draft.pieces()), tuple(draft.sources), tuple(applied))


def to_text(test: Test) -> str:
    """The JavaScript of a test."""
    return test.text


def encode_base(test_index: int, library: Library) -> bytes:
    """The bytes that mean the whole corpus test of that index, unmutated."""
    if not 0 <= test_index < min(len(library.tests), 1 << 16):
        raise IndexError(f"no corpus test {test_index}: there are {len(library.tests)}")
    return test_index.to_bytes(2, "big") + bytes(HEADER - 2)


def _base(entropy: Entropy, library: Library) -> Draft:
    """The statements of a corpus test; the calm choice is all of them."""
    host = library.tests[entropy.number(2) % len(library.tests)]
    count = len(host.pieces)
    chosen = _slice(entropy.number(1), count)
    pieces: list[Piece] = []
    nodes = 0
    for index in host.needed(chosen)[:MAX_STATEMENTS]:
        nodes += host.pieces[index].size
        if nodes > MAX_NODES:
            break
        pieces.append(host.pieces[index])
    return Draft(library, host, [[piece] for piece in pieces], {host.name: None})


def _slice(byte: int, count: int) -> range:
    """Half of the bytes: the whole test; a quarter: without its end; a quarter: without its start.

    The statements that bind the names of the chosen ones are kept in any case.
    """
    if byte < 128:
        return range(count)
    if byte < 192:
        return range(min(count, MIN_SLICE + (byte - 128) * count // 64))
    return range(max(0, (byte - 192) * count // 64 - MIN_SLICE), count)


def _mutate(draft: Draft, record: bytes) -> str | None:
    """Apply the mutation of one record; its name, or None if it changed nothing."""
    name, mutation = _CHOICES[record[0] * len(_CHOICES) >> 8]
    place = Entropy(record[1:TARGET]).number(1) * len(draft.slots)
    # What is left of the fraction chooses among the statements of the slot.
    target = Target(place >> 8, place & 255)
    parameters = record[TARGET:]
    if name == "nothing" or not draft.slots:
        return None
    for other, change in ((name, mutation), FALLBACK):
        if change(draft, target, Entropy(parameters)):
            return other
    return None
