"""Pieces: statements of a test together with what is known about them.

Pieces of the corpus are shared by all generated tests, so what was computed for one (its text,
its marked nodes) is kept; a mutation makes a new piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from structure.corpus import CorpusTest
from structure.guarding import statement_text
from structure.making import key_of
from structure.nodes import Node
from structure.preparing import Loops, prepare
from structure.roles import Site, sites
from structure.scoping import closed, collections, defined, used
from structure.traversal import size

# Roles of the objects whose plain keys are names of fields.
FIELD_ROLES = frozenset(
    {"document", "keys", "match", "projection", "query", "sort", "update fields", "value"}
)


@dataclass(frozen=True, eq=False)
class Piece:
    """One statement of a test."""

    node: Node

    @cached_property
    def text(self) -> str:
        return statement_text(self.node)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return sites(self.node)

    @cached_property
    def size(self) -> int:
        return size(self.node)

    @cached_property
    def used(self) -> tuple[str, ...]:
        return used(self.node)

    @cached_property
    def defined(self) -> tuple[str, ...]:
        return defined(self.node)


@dataclass(frozen=True, eq=False)
class PreparedTest:
    """A test of the corpus, ready to be mutated."""

    name: str
    pieces: tuple[Piece, ...]

    @cached_property
    def collections(self) -> tuple[str, ...]:
        """Names of its collections, in order of appearance."""
        found = (name for piece in self.pieces for name in collections(piece.node))
        return tuple(dict.fromkeys(found))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields of its documents and queries, in order of appearance."""
        return tuple(dict.fromkeys(name for piece in self.pieces for name in fields(piece.sites)))

    @cached_property
    def indexes(self) -> tuple[Node, ...]:
        """Key patterns of its indexes."""
        found = (site for piece in self.pieces for site in piece.sites)
        return tuple(site.node for site in found if _is_pattern(site))

    def needed(self, wanted: Sequence[int]) -> list[int]:
        """`wanted` and the earlier statements that bind the names they use, in order."""
        chosen = set(wanted)
        pending = sorted(chosen)
        while pending:
            index = pending.pop()
            names = set(self.pieces[index].used)
            for earlier in range(index):
                if earlier not in chosen and names.intersection(self.pieces[earlier].defined):
                    chosen.add(earlier)
                    pending.append(earlier)
        return sorted(chosen)


def prepare_test(test: CorpusTest, loops: Loops) -> PreparedTest:
    pieces = tuple(Piece(node) for node in prepare(test.statements, loops))
    return PreparedTest(test.name, pieces)


def _is_pattern(site: Site) -> bool:
    return site.role == "keys" and site.node["type"] == "ObjectExpression" and closed(site.node)


def fields(marked: Sequence[Site]) -> list[str]:
    """Field names among the keys of the marked objects."""
    keys = (
        key_of(property_)
        for site in marked
        if site.node["type"] == "ObjectExpression" and site.role in FIELD_ROLES
        for property_ in site.node["properties"]
    )
    return [key for key in keys if key and not key.startswith("$")]
