"""Names: which ones a statement uses and binds, and how to rename them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from structure.methods import DATABASE_METHODS
from structure.nodes import Node, identifier, literal, member, walk
from structure.traversal import FUNCTIONS, mapped, steps

# Every test can count on these; a fragment may use them anywhere.
GLOBALS = frozenset(
    {
        "Array", "BinData", "Boolean", "Code", "DBRef", "Date", "HexData", "ISODate", "Infinity",
        "JSON", "MD5", "Map", "Math", "MaxKey", "MinKey", "NaN", "Number", "NumberDecimal",
        "NumberInt", "NumberLong", "Object", "ObjectId", "RegExp", "Set", "String", "Symbol",
        "Timestamp", "UUID", "arguments", "db", "emit", "isNaN", "parseFloat", "parseInt", "print",
        "tojson", "undefined",
    }
)  # fmt: skip

_LABELS = frozenset({"LabeledStatement", "BreakStatement", "ContinueStatement", "MetaProperty"})


def used(node: Node) -> tuple[str, ...]:
    """Names that the node mentions, itself binding them or not, in the order of the source."""
    return tuple(dict.fromkeys(_mentioned(node)))


def defined(statement: Node) -> tuple[str, ...]:
    """Names that a top-level statement binds or assigns."""
    names: dict[str, None] = {}
    for node in walk(statement):
        kind = node["type"]
        if kind == "VariableDeclarator":
            names.update(dict.fromkeys(_mentioned(node["id"])))
        elif kind in ("FunctionDeclaration", "ClassDeclaration") and node["id"]:
            names[node["id"]["name"]] = None
        elif kind == "AssignmentExpression" and node["left"]["type"] == "Identifier":
            names[node["left"]["name"]] = None
    return tuple(names)


def closed(node: Node) -> bool:
    """Whether the node means the same in any test: it mentions no other variable."""
    bound = {name for inner in walk(node) for name in _bound(inner)}
    return all(name in GLOBALS or name in bound for name in _mentioned(node))


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """A copy with the variables of `names` called otherwise."""
    if not names:
        return node

    def change(inner: Node) -> Node:
        kind = inner["type"]
        if kind == "Identifier":
            new = names.get(inner["name"])
            return inner if new is None else identifier(new)
        if kind == "MemberExpression" and not inner["computed"]:
            return {**inner, "object": change(inner["object"])}
        if kind == "Property" and not inner["computed"]:
            shorthand = inner["shorthand"] and inner["value"] == change(inner["value"])
            return {**inner, "shorthand": shorthand, "value": change(inner["value"])}
        if kind == "MethodDefinition" and not inner["computed"]:
            return {**inner, "value": change(inner["value"])}
        return mapped(inner, change)

    return change(node)


def collections(node: Node) -> tuple[str, ...]:
    """Names of collections that the node reaches as db.name or db.getCollection("name")."""
    found = (_collection(inner) for inner in walk(node))
    return tuple(dict.fromkeys(name for name in found if name))


def moved(node: Node, names: Mapping[str, str]) -> Node:
    """A copy that uses other collections: db.name and the strings that name one."""
    if not names:
        return node

    def change(inner: Node) -> Node:
        name = _collection(inner)
        if inner["type"] == "MemberExpression" and name is not None and name in names:
            new = names[name]
            return member(identifier("db"), new if new.isidentifier() else literal(new))
        if inner["type"] == "Literal" and isinstance(inner["value"], str):
            return literal(names[inner["value"]]) if inner["value"] in names else inner
        return mapped(inner, change)

    return change(node)


def _collection(node: Node) -> str | None:
    # db.name.method(...): the callee's object; a method of db itself is a callee.
    if node["type"] == "MemberExpression":
        owner, name = node["object"], node["property"]
        if owner == identifier("db") and not node["computed"]:
            return str(name["name"]) if name["name"] not in DATABASE_METHODS else None
    if node["type"] == "CallExpression" and len(node["arguments"]) == 1:
        callee, argument = node["callee"], node["arguments"][0]
        if callee["type"] == "MemberExpression" and callee["property"].get("name") in (
            "getCollection",
            "createCollection",
        ):
            value = argument.get("value") if argument["type"] == "Literal" else None
            return value if isinstance(value, str) else None
    return None


def _mentioned(node: Node) -> Iterator[str]:
    kind = node["type"]
    if kind == "Identifier":
        yield node["name"]
        return
    fixed = kind in ("MemberExpression", "Property", "MethodDefinition") and not node["computed"]
    for step, child in steps(node):
        if fixed and step[0] in ("property", "key"):
            continue
        if kind in _LABELS and step[0] != "body":
            continue
        yield from _mentioned(child)


def _bound(node: Node) -> Iterator[str]:
    kind = node["type"]
    if kind in FUNCTIONS:
        for param in node["params"]:
            yield from _mentioned(param)
        if node["id"]:
            yield node["id"]["name"]
    elif kind == "VariableDeclarator":
        yield from _mentioned(node["id"])
    elif kind == "CatchClause" and node["param"]:
        yield from _mentioned(node["param"])
