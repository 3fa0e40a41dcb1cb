"""The nodes of the syntax tree: their fields in evaluation order, a walk, and constructors."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

Node = dict[str, Any]

_PLAIN_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_FUNCTION = ("id", "params", "body", "generator", "async", "expression")
_PROPERTY = ("computed", "key", "value", "kind")
_OPERATION = ("left", "operator", "right")

# Every field of each type, children in the order in which JavaScript evaluates them.
# A normalised node has "type" and exactly these; OPTIONAL lists the ones it may lack.
FIELDS: dict[str, tuple[str, ...]] = {
    "ArrayExpression": ("elements",),
    "ArrayPattern": ("elements",),
    "ArrowFunctionExpression": _FUNCTION,
    "AssignmentExpression": _OPERATION,
    "AssignmentPattern": ("left", "right"),
    "AwaitExpression": ("argument",),
    "BinaryExpression": _OPERATION,
    "BlockStatement": ("body",),
    "BreakStatement": ("label",),
    "CallExpression": ("callee", "arguments"),
    "CatchClause": ("param", "body"),
    "ClassBody": ("body",),
    "ClassDeclaration": ("id", "superClass", "body"),
    "ClassExpression": ("id", "superClass", "body"),
    "ConditionalExpression": ("test", "consequent", "alternate"),
    "ContinueStatement": ("label",),
    "DebuggerStatement": (),
    "DoWhileStatement": ("body", "test"),
    "EmptyStatement": (),
    "ExportAllDeclaration": ("source",),
    "ExportDefaultDeclaration": ("declaration",),
    "ExportNamedDeclaration": ("declaration", "specifiers", "source"),
    "ExportSpecifier": ("local", "exported"),
    "ExpressionStatement": ("expression", "directive"),
    "ForInStatement": ("left", "right", "body"),
    "ForOfStatement": ("left", "right", "body"),
    "ForStatement": ("init", "test", "update", "body"),
    "FunctionDeclaration": _FUNCTION,
    "FunctionExpression": _FUNCTION,
    "Identifier": ("name",),
    "IfStatement": ("test", "consequent", "alternate"),
    "Import": (),
    "ImportDeclaration": ("specifiers", "source"),
    "ImportDefaultSpecifier": ("local",),
    "ImportNamespaceSpecifier": ("local",),
    "ImportSpecifier": ("imported", "local"),
    "LabeledStatement": ("label", "body"),
    "Literal": ("value", "regex"),
    "LogicalExpression": _OPERATION,
    "MemberExpression": ("object", "property", "computed"),
    "MetaProperty": ("meta", "property"),
    "MethodDefinition": (*_PROPERTY, "static"),
    "NewExpression": ("callee", "arguments"),
    "ObjectExpression": ("properties",),
    "ObjectPattern": ("properties",),
    "Program": ("body",),
    "Property": (*_PROPERTY, "method", "shorthand"),
    "RestElement": ("argument",),
    "ReturnStatement": ("argument",),
    "SequenceExpression": ("expressions",),
    "SpreadElement": ("argument",),
    "Super": (),
    "SwitchCase": ("test", "consequent"),
    "SwitchStatement": ("discriminant", "cases"),
    "TaggedTemplateExpression": ("tag", "quasi"),
    "TemplateElement": ("value", "tail"),
    "TemplateLiteral": ("quasis", "expressions"),
    "ThisExpression": (),
    "ThrowStatement": ("argument",),
    "TryStatement": ("block", "handler", "finalizer"),
    "UnaryExpression": ("operator", "prefix", "argument"),
    "UpdateExpression": ("operator", "prefix", "argument"),
    "VariableDeclaration": ("kind", "declarations"),
    "VariableDeclarator": ("id", "init"),
    "WhileStatement": ("test", "body"),
    "WithStatement": ("object", "body"),
    "YieldExpression": ("argument", "delegate"),
}

# Fields that stand on a node only when they say something.
OPTIONAL: frozenset[str] = frozenset({"directive", "regex"})


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and every node below it, a parent before its children, in field order.

    It keeps its own stack, so any depth is fine; a node's children are read when the walk goes
    past it, so the caller may replace the children of the node that it has just been given.
    """
    stack: list[Node] = [node]
    while stack:
        current = stack.pop()
        yield current
        below: list[Node] = []
        for field in FIELDS.get(current["type"], ()):
            value = current.get(field)
            if isinstance(value, dict):
                if "type" in value:
                    below.append(value)
            elif isinstance(value, list):
                below += [item for item in value if isinstance(item, dict) and "type" in item]
        below.reverse()
        stack += below


def identifier(name: str) -> Node:
    """A name: {"type": "Identifier", "name": name}."""
    return {"type": "Identifier", "name": name}


def literal(value: str | bool | int | float | None) -> Node:
    """A string, number, boolean or null; a negative number (and -0.0) is a unary minus of one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if str(value).startswith("-"):
            return unary("-", literal(-value))
        value = number(value)
    return {"type": "Literal", "value": value}


def regex(pattern: str, flags: str = "") -> Node:
    """A regular expression; its value is None, as no Python object stands for it."""
    return {"type": "Literal", "value": None, "regex": {"pattern": pattern, "flags": flags}}


def unary(operator: str, argument: Node) -> Node:
    """A prefix operator such as "-", "!" or "typeof"."""
    return {
        "type": "UnaryExpression",
        "operator": operator,
        "prefix": True,
        "argument": argument,
    }


def member(target: Node, name: str | Node) -> Node:
    """`target.name` for a str, `target[name]` for a node."""
    key = identifier(name) if isinstance(name, str) else name
    return {
        "type": "MemberExpression",
        "object": target,
        "property": key,
        "computed": not isinstance(name, str),
    }


def call(callee: Node, arguments: Sequence[Node] = ()) -> Node:
    """`callee(...arguments)`."""
    return {"type": "CallExpression", "callee": callee, "arguments": list(arguments)}


def property_node(key: str | Node, value: Node) -> Node:
    """One `key: value` of an object; a str that is not a plain name becomes a string key."""
    if isinstance(key, str):
        key = identifier(key) if _PLAIN_NAME.fullmatch(key) else literal(key)
    return {
        "type": "Property",
        "computed": False,
        "key": key,
        "value": value,
        "kind": "init",
        "method": False,
        "shorthand": False,
    }


def object_expression(entries: Sequence[tuple[str | Node, Node]] = ()) -> Node:
    """An object literal from (key, value) pairs, in their order."""
    return {"type": "ObjectExpression", "properties": [property_node(k, v) for k, v in entries]}


def array_expression(elements: Sequence[Node | None] = ()) -> Node:
    """An array literal; None is a hole."""
    return {"type": "ArrayExpression", "elements": list(elements)}


def expression_statement(expression: Node) -> Node:
    """The statement `expression;`."""
    return {"type": "ExpressionStatement", "expression": expression}


def program(body: Sequence[Node]) -> Node:
    """A whole text."""
    return {"type": "Program", "body": list(body)}


def number(value: float) -> int | float:
    """The one Python form of a JavaScript number: int up to 2**53 where whole, else float."""
    try:
        double = float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    whole = double.is_integer() and abs(double) <= 2.0**53
    return int(double) if whole else double
