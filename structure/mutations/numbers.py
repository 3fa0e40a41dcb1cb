"""Nudge a number: off by one, doubled, halved, negated, or right at a boundary."""

from __future__ import annotations

from collections.abc import Callable

from structure.draft import Draft
from structure.entropy import Entropy
from structure.fragments import kind_of
from structure.nodes import Node, literal
from structure.roles import Site

_NUDGES: tuple[Callable[[float], float], ...] = (
    lambda x: x + 1,
    lambda x: x - 1,
    lambda x: x * 2,
    lambda x: -x,
    lambda x: x / 2,
    lambda x: x + 0.5,
    lambda x: x * 1000,
    lambda x: x * 0,
)
_BOUNDARIES: tuple[float, ...] = (
    0,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**32,
    2**53,
    -(2**53),
    2.0**63,
    -(2.0**63),
    2.0**64,
    127,
    128,
    255,
    256,
    16777216,
)


def is_number(site: Site) -> int:
    return site.weight if site.role != "code" and kind_of(site.node) == "number" else 0


def nudge(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Mostly to a neighbour; one time in four to a boundary and its surroundings."""
    at_boundary = entropy.flag(1, 4)
    if at_boundary:
        return literal(entropy.choose(_BOUNDARIES) + entropy.choose((0, 1, -1)))
    value = value_of(site.node)
    return None if value is None else literal(entropy.choose(_NUDGES)(value))


def value_of(node: Node) -> float | None:
    """The value of a number literal with or without its sign."""
    if node["type"] == "UnaryExpression":
        value = value_of(node["argument"])
        return None if value is None else -value
    value = node.get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value
