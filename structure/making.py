"""Constructors beyond those of `nodes` for what preparation and mutations add."""

from __future__ import annotations

from collections.abc import Sequence

from structure.nodes import Node, call, identifier, member


def record(properties: Sequence[Node]) -> Node:
    """An object literal of properties."""
    return {"type": "ObjectExpression", "properties": list(properties)}


def method_call(owner: Node, method: str, arguments: Sequence[Node]) -> Node:
    return call(member(owner, method), arguments)


def binary(operator: str, left: Node, right: Node) -> Node:
    return {"type": "BinaryExpression", "operator": operator, "left": left, "right": right}


def logical(operator: str, left: Node, right: Node) -> Node:
    return {"type": "LogicalExpression", "operator": operator, "left": left, "right": right}


def increment(name: str) -> Node:
    argument = identifier(name)
    return {"type": "UpdateExpression", "operator": "++", "prefix": False, "argument": argument}


def assignment(left: Node, right: Node) -> Node:
    return {"type": "AssignmentExpression", "operator": "=", "left": left, "right": right}


def statement(expression: Node) -> Node:
    return {"type": "ExpressionStatement", "expression": expression}


def declarator(name: str, init: Node | None) -> Node:
    return {"type": "VariableDeclarator", "id": identifier(name), "init": init}


def variables(declarators: Sequence[Node]) -> Node:
    return {
        "type": "VariableDeclaration",
        "kind": "var",
        "declarations": list(declarators),
    }


def block(statements: Sequence[Node]) -> Node:
    if len(statements) == 1 and statements[0]["type"] == "BlockStatement":
        return statements[0]
    return {"type": "BlockStatement", "body": list(statements)}


def single(statements: Sequence[Node]) -> Node:
    return statements[0] if len(statements) == 1 else block(statements)


def key_of(property_: Node) -> str | None:
    """The name of a property, if it is known without running."""
    if property_["type"] != "Property" or property_.get("computed"):
        return None
    key = property_["key"]
    return str(key["name"] if key["type"] == "Identifier" else key["value"])
