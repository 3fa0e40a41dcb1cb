"""Where a new thing may stand so that the server does not reject all of it for that alone."""

from __future__ import annotations

from collections.abc import Sequence

from structure.entropy import Entropy
from structure.making import key_of
from structure.nodes import Node

_FIRST = frozenset(
    {
        "$changeStream",
        "$collStats",
        "$documents",
        "$geoNear",
        "$indexStats",
        "$listSessions",
        "$planCacheStats",
    }
)
_LAST = frozenset({"$merge", "$out"})


def place_of_stage(stage: Node, others: Sequence[Node | None], entropy: Entropy) -> int:
    """An index for a stage; one time in eight any, whatever the stage."""
    anywhere = entropy.flag(1, 8)
    if not anywhere and _name(stage) in _FIRST:
        return 0
    if not anywhere and _name(stage) in _LAST:
        return len(others)
    first = int(bool(others) and _name(others[0]) in _FIRST)
    last = len(others) - int(bool(others) and _name(others[-1]) in _LAST)
    return first + entropy.below(max(0, last - first) + 1)


def without_id(document: Node, entropy: Entropy) -> Node:
    """The document without its _id (7 times in 8): a second one of the same _id is only refused."""
    if document["type"] != "ObjectExpression" or entropy.flag(1, 8):
        return document
    kept = [property_ for property_ in document["properties"] if key_of(property_) != "_id"]
    return {**document, "properties": kept}


def _name(stage: Node | None) -> str | None:
    if stage is None or stage["type"] != "ObjectExpression" or not stage["properties"]:
        return None
    return key_of(stage["properties"][0])
