"""Fragments: values harvested from all tests of the corpus, to be put in the place of others.

LangFuzz's idea: code that once broke something, recombined, breaks more than invented code. A
fragment is filed under its role (a query, a stage, ...) and its kind, and it must mean the same
in any test, so one that mentions a test's variables is not taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from structure.nodes import Node
from structure.pieces import PreparedTest
from structure.roles import Site, is_bson
from structure.scoping import closed
from structure.traversal import FUNCTIONS, size

# A larger fragment is a data set; it would crowd out the test.
MAX_FRAGMENT_SIZE = 150


@dataclass(frozen=True)
class Pool:
    """Fragments by (role, kind) and by kind, and the names that the corpus uses."""

    by_role: dict[tuple[str, str], tuple[Node, ...]]
    by_kind: dict[str, tuple[Node, ...]]
    collections: tuple[str, ...]
    fields: tuple[str, ...]

    def of_role(self, role: str, kind: str) -> tuple[Node, ...]:
        return self.by_role.get((role, kind), ())

    def of_kind(self, kind: str) -> tuple[Node, ...]:
        return self.by_kind.get(kind, ())


def kind_of(node: Node) -> str:
    """The coarse kind of an expression: what BSON makes of it."""
    kind = node["type"]
    if kind == "Literal":
        return _literal_kind(node)
    if kind == "UnaryExpression":
        return "number" if node["operator"] == "-" else "other"
    if kind in FUNCTIONS:
        return "function"
    if is_bson(node):
        return "bson"
    return {"ObjectExpression": "object", "ArrayExpression": "array"}.get(kind, "other")


def _literal_kind(node: Node) -> str:
    value = node["value"]
    if node.get("regex"):
        return "regex"
    if value is None or isinstance(value, bool):
        return "constant"
    return "string" if isinstance(value, str) else "number"


def harvest(tests: Sequence[PreparedTest]) -> Pool:
    """All closed values of the tests, each once, in the order of the corpus."""
    by_role: dict[tuple[str, str], dict[str, Node]] = {}
    by_kind: dict[str, dict[str, Node]] = {}
    for site in _sites(tests):
        kind = kind_of(site.node)
        if kind == "other" or site.role == "payload" or size(site.node) > MAX_FRAGMENT_SIZE:
            continue
        if not closed(site.node):
            continue
        # Stands for the printed text: equal trees print alike, and this is much quicker.
        key = json.dumps(site.node)
        if site.role != "code":
            by_role.setdefault((site.role, kind), {}).setdefault(key, site.node)
        by_kind.setdefault(kind, {}).setdefault(key, site.node)
    return Pool(
        {key: tuple(found.values()) for key, found in by_role.items()},
        {key: tuple(found.values()) for key, found in by_kind.items()},
        _distinct(name for test in tests for name in test.collections),
        _distinct(name for test in tests for name in test.fields),
    )


def _sites(tests: Sequence[PreparedTest]) -> Iterable[Site]:
    return (site for test in tests for piece in test.pieces for site in piece.sites)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
