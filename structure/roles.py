"""Roles: what a node of a statement is for the server, by its position.

A value is worth most where the server expects one of its kind: random replacement mostly tests
the argument checks. The role follows the method's argument index and, inside it, the operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from structure.making import key_of
from structure.methods import ARGUMENTS, BSON_CONSTRUCTORS, SERVER_METHODS
from structure.nodes import Node
from structure.traversal import FUNCTIONS, Path, descend, steps


@dataclass(frozen=True)
class Rule:
    """Roles of what an object or array of some role contains."""

    fields: str = "value"
    operators: str = "value"
    elements: str = ""  # "" = the role itself
    keys: dict[str, str] = field(default_factory=dict)


def _all(role: str) -> Rule:
    return Rule(fields=role, operators=role, elements=role)


_QUERY_KEYS = {"$and": "query", "$or": "query", "$nor": "query", "$expr": "expression"}
_PLAIN_KEYS = {
    "$where": "function",
    "$text": "option",
    "$comment": "option",
    "$jsonSchema": "schema",
}
_STAGES = {
    "$addFields": "expressions",
    "$bucket": "stage options",
    "$bucketAuto": "stage options",
    "$count": "path",
    "$facet": "facets",
    "$fill": "stage options",
    "$geoNear": "stage options",
    "$graphLookup": "stage options",
    "$group": "group",
    "$limit": "count",
    "$lookup": "stage options",
    "$match": "query",
    "$merge": "stage options",
    "$out": "collection",
    "$project": "projection",
    "$redact": "expression",
    "$replaceRoot": "stage options",
    "$replaceWith": "expression",
    "$sample": "stage options",
    "$set": "expressions",
    "$setWindowFields": "windows options",
    "$skip": "count",
    "$sort": "sort",
    "$sortByCount": "expression",
    "$unionWith": "stage options",
    "$unset": "path",
    "$unwind": "expression",
}
_NAMED = {
    "arrayFilters": "query",
    "as": "path",
    "coll": "collection",
    "collation": "collation",
    "connectFromField": "path",
    "connectToField": "path",
    "deletes": "command",
    "distinct": "collection",
    "document": "document",
    "documents": "document",
    "fields": "projection",
    "filter": "query",
    "foreignField": "path",
    "from": "collection",
    "groupBy": "expression",
    "hint": "keys",
    "indexes": "command",
    "into": "collection",
    "key": "keys",
    "let": "expressions",
    "localField": "path",
    "max": "bounds",
    "maxTimeMS": "fixed",
    "min": "bounds",
    "newRoot": "expression",
    "output": "group",
    "partialFilterExpression": "query",
    "partitionBy": "expression",
    "pipeline": "pipeline",
    "projection": "projection",
    "q": "query",
    "query": "query",
    "replacement": "document",
    "restrictSearchWithMatch": "query",
    "size": "count",
    "sort": "sort",
    "sortBy": "sort",
    "startWith": "expression",
    "u": "update",
    "update": "update",
    "updates": "command",
    "validator": "query",
    "whenMatched": "option",
}
# The first key of a command names the collection, unless it is one of an update's fields.
_COMMAND_NAMES = frozenset(
    {
        "aggregate",
        "collMod",
        "collStats",
        "count",
        "create",
        "createIndexes",
        "delete",
        "distinct",
        "drop",
        "dropIndexes",
        "explain",
        "find",
        "findAndModify",
        "findandmodify",
        "insert",
        "listIndexes",
        "mapReduce",
        "reIndex",
        "update",
        "validate",
    }
)

RULES: dict[str, Rule] = {
    "accumulated": Rule(fields="option", operators="expression"),
    "aggregate options": Rule(fields="option", keys=_NAMED),
    "bounds": Rule(),
    "collation": Rule(fields="collation field"),
    "collection options": Rule(fields="option", keys=_NAMED),
    "command": Rule(fields="option", elements="command", keys=_NAMED),
    "delete options": Rule(fields="option", keys=_NAMED),
    "document": Rule(),
    "expression": _all("expression"),
    "expressions": Rule(fields="expression", operators="expression"),
    "facets": Rule(fields="pipeline"),
    "group": Rule(fields="accumulated", keys={"_id": "expression"}),
    "index options": Rule(fields="option", keys=_NAMED),
    "keys": Rule(fields="direction", operators="direction"),
    "keys list": Rule(elements="keys"),
    "match": Rule(
        elements="value", keys={"$not": "match", "$elemMatch": "query", "$mod": "option"}
    ),
    "operation": Rule(fields="command"),
    "operations": Rule(elements="operation"),
    "option": Rule(fields="option", operators="option", keys=_NAMED),
    "options": Rule(fields="option", keys=_NAMED),
    "pipeline": Rule(elements="stage"),
    "projected": _all("expression"),
    "projection": Rule(fields="projected", operators="expression"),
    "query": Rule(fields="match", keys={**_QUERY_KEYS, **_PLAIN_KEYS}),
    "sort": Rule(fields="direction"),
    "schema": Rule(fields="schema", keys={"properties": "schema fields"}),
    "schema fields": Rule(fields="schema"),
    "stage": Rule(operators="stage options", keys=_STAGES),
    "stage options": Rule(fields="option", keys=_NAMED),
    "update": Rule(
        operators="update fields",
        elements="stage",
        keys={"$pull": "query", "$rename": "paths"},
    ),
    "update fields": Rule(),
    "update options": Rule(fields="option", keys=_NAMED),
    "value": Rule(),
    "paths": Rule(fields="path"),
    "window": Rule(fields="option", operators="expression"),
    "windows": Rule(fields="window"),
    "windows options": Rule(fields="option", keys={**_NAMED, "output": "windows"}),
}
_VALUE = RULES["value"]

# How often a node of this type is chosen; objects carry the server's languages.
WEIGHTS = {
    "ObjectExpression": 8,
    "ArrayExpression": 5,
    "CallExpression": 3,
    "NewExpression": 3,
    "Literal": 2,
    "UnaryExpression": 2,
    "TemplateLiteral": 1,
}


@dataclass(frozen=True, slots=True)
class Site:
    """A node that a mutation may change: where it is in its statement and what it is there."""

    path: Path
    node: Node
    role: str
    weight: int


def sites(statement: Node) -> tuple[Site, ...]:
    """The marked nodes of a statement, parents first; none in a statement that only drops."""
    if _is_drop(statement):
        return ()
    return tuple(_sites(statement, (), "code"))


def method_of(node: Node) -> str | None:
    """The method or function that a call names."""
    if node["type"] not in ("CallExpression", "NewExpression"):
        return None
    callee = node["callee"]
    if callee["type"] == "MemberExpression" and not callee["computed"]:
        callee = callee["property"]
    return callee["name"] if callee["type"] == "Identifier" else None


def is_bson(node: Node) -> bool:
    """A call such as NumberLong(1) or new Date(0)."""
    return (
        node["type"] in ("CallExpression", "NewExpression")
        and node["callee"]["type"] == "Identifier"
        and node["callee"]["name"] in BSON_CONSTRUCTORS
    )


def _sites(node: Node, path: Path, role: str) -> Iterator[Site]:
    if role in ("expected", "fixed"):
        return
    kind = node["type"]
    weight = WEIGHTS.get(kind, 0)
    if weight and (role != "code" or kind != "Literal"):
        yield Site(path, node, role, 1 if role == "code" else weight)
    for step, child, child_role in children(node, role):
        yield from _sites(child, path + step, child_role)


def children(node: Node, role: str) -> Iterator[tuple[Path, Node, str]]:
    kind = node["type"]
    if kind == "ObjectExpression":
        rule = RULES.get(role, _VALUE)
        for index, property_ in enumerate(node["properties"]):
            if property_["type"] == "Property" and property_.get("kind", "init") == "init":
                inner = _property_role(rule, role, key_of(property_), index)
                yield ("properties", index, "value"), property_["value"], inner
    elif kind == "ArrayExpression":
        inner = RULES.get(role, _VALUE).elements or role
        for index, element in enumerate(node["elements"]):
            if element is not None:
                yield ("elements", index), element, inner
    elif kind in ("CallExpression", "NewExpression"):
        yield from _call(node)
    elif kind == "MemberExpression":
        yield ("object",), node["object"], "code"
    elif kind in ("UnaryExpression", "TemplateLiteral"):
        if kind == "UnaryExpression" and node["argument"]["type"] != "Literal":
            yield ("argument",), node["argument"], "code"
    elif kind == "VariableDeclarator":
        if node["init"] is not None:
            yield ("init",), node["init"], _guess(node["init"])
    elif kind == "AssignmentExpression":
        yield ("right",), node["right"], _guess(node["right"])
    elif kind == "ForStatement" or kind in FUNCTIONS:
        yield ("body",), node["body"], "code"
    elif kind != "IfStatement" or node["consequent"]["type"] != "BreakStatement":
        for step, child in steps(node):
            yield step, child, role if kind == "ConditionalExpression" else "code"


def _property_role(rule: Rule, role: str, key: str | None, index: int) -> str:
    if key is None:
        return rule.fields
    if role == "command" and index == 0 and key in _COMMAND_NAMES:
        return "command" if key == "explain" else "collection"
    return rule.keys.get(key) or (rule.operators if key.startswith("$") else rule.fields)


def _call(node: Node) -> Iterator[tuple[Path, Node, str]]:
    method = method_of(node)
    arguments = node["arguments"]
    yield ("callee",), node["callee"], "code"
    roles = ARGUMENTS.get(method or "", ())
    checks = _is_assertion(node["callee"])
    if len(arguments) == 1 and roles[1:2] == ("update",):
        roles = ("update",)  # bulk.find(query).update(update)
    for index, argument in enumerate(arguments):
        step: Path = ("arguments", index)
        if checks:
            yield step, argument, "code" if talks(argument) else "expected"
        elif roles:
            yield step, argument, roles[min(index, len(roles) - 1)]
        elif is_bson(node):
            yield step, argument, "payload"
        elif argument["type"] in ("ObjectExpression", "ArrayExpression"):
            yield step, argument, _guess(argument)
        else:
            yield step, argument, "code"


def talks(node: Node) -> bool:
    """Whether evaluating the node asks the server for something."""
    return any(method_of(inner) in SERVER_METHODS for inner in descend(node))


def _is_assertion(callee: Node) -> bool:
    root = callee["object"] if callee["type"] == "MemberExpression" else callee
    return root["type"] == "Identifier" and root["name"] in ("assert", "print", "printjson")


def _is_drop(statement: Node) -> bool:
    if statement["type"] != "ExpressionStatement":
        return False
    expression = statement["expression"]
    return method_of(expression) in ("drop", "dropDatabase") and not expression["arguments"]


def _guess(node: Node) -> str:
    """The role of a value bound to a name, by its first key."""
    if node["type"] == "ArrayExpression" and node["elements"]:
        first = node["elements"][0]
        inner = _guess(first) if first is not None else ""
        return "pipeline" if inner == "stage" else "document"
    if node["type"] != "ObjectExpression" or not node["properties"]:
        return "document" if node["type"] in ("ObjectExpression", "ArrayExpression") else "code"
    key = key_of(node["properties"][0]) or ""
    if key in _STAGES or key in ("$densify", "$documents"):
        return "stage"
    if key in _QUERY_KEYS:
        return "query"
    if key in _COMMAND_NAMES and len(node["properties"]) > 1:
        return "command"
    return "match" if key.startswith("$") else "document"
