"""Making a foreign value at home: its field names become names of the test that receives it.

A query on fields that no document of the test has matches nothing and tests little.
"""

from __future__ import annotations

from collections.abc import Sequence

from structure.making import key_of
from structure.nodes import Node, literal, property_node
from structure.pieces import FIELD_ROLES
from structure.roles import children
from structure.traversal import replaced


def localised(node: Node, role: str, fields: Sequence[str], offset: int) -> Node:
    """A copy with each unknown field name replaced by one of `fields`, the same for the same."""
    if not fields:
        return node
    return _Guest(fields, offset).adopt(node, role)


class _Guest:
    def __init__(self, fields: Sequence[str], offset: int) -> None:
        self._fields = fields
        self._offset = offset
        self._names: dict[str, str] = {}

    def adopt(self, node: Node, role: str) -> Node:
        if node["type"] == "Literal":
            return self._string(node, role)
        for path, child, inner in list(children(node, role)):
            new = self.adopt(child, inner)
            if new is not child:
                node = replaced(node, path, new)
        if node["type"] == "ObjectExpression" and role in FIELD_ROLES:
            properties = [self._property(property_) for property_ in node["properties"]]
            node = {**node, "properties": properties}
        return node

    def _property(self, property_: Node) -> Node:
        key = key_of(property_)
        # A shorthand or a method says its name twice.
        if key is None or property_["shorthand"] or property_["method"]:
            return property_
        new = self._field(key)
        return property_ if new == key else property_node(new, property_["value"])

    def _string(self, node: Node, role: str) -> Node:
        value = node["value"]
        if not isinstance(value, str):
            return node
        if role == "path":
            return literal(self._field(value))
        if role == "expression" and value.startswith("$") and not value.startswith("$$"):
            return literal("$" + self._field(value[1:]))
        return node

    def _field(self, name: str) -> str:
        if not name or name.startswith(("$", "_id")) or name in self._fields:
            return name
        first, dot, rest = name.partition(".")
        if first not in self._names:
            taken = self._fields[(self._offset + len(self._names)) % len(self._fields)]
            self._names[first] = first if first in self._fields else taken.partition(".")[0]
        return (self._names[first] or first) + dot + rest
