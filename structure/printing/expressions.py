"""Printers of expressions, patterns, functions, classes and templates."""

import re

from structure.nodes import Node
from structure.printing.layout import (
    ASSIGNMENT,
    CALL,
    CONDITIONAL,
    OPERATIONS,
    OPERATORS,
    PARENTHESISED,
    POWER,
    SEQUENCE,
    STEP,
    UNARY,
    UPDATE,
    Printer,
    body_lines,
    braces,
    bracketed,
    expression,
    list_of,
    optional,
)
from structure.printing.literals import literal, raw_text

_WORD = re.compile(r"[a-z]+")
_NOT_AS_TARGET = ("FunctionExpression", "ObjectExpression", "ClassExpression")
_DECIMAL = re.compile(r"\d+")


def _array(node: Node, indent: str) -> str:
    elements = node["elements"]
    inner = indent + STEP
    parts = ["" if item is None else expression(item, inner) for item in elements]
    if elements and elements[-1] is None:
        parts[-1] = ","  # the comma after the last element does not count
    return bracketed(parts, indent, "[", "]", "")


def _object(node: Node, indent: str) -> str:
    inner = indent + STEP
    parts = [expression(item, inner) for item in node["properties"]]
    return bracketed(parts, indent, "{", "}", " ")


def _key(node: Node, indent: str) -> str:
    text = expression(node["key"], indent)
    return f"[{text}]" if node["computed"] else text


def _method(node: Node, indent: str) -> str:
    """A method, getter or setter, of an object or a class."""
    value = node["value"]
    words = node["kind"] + " " if node["kind"] in ("get", "set") else ""
    if value["async"]:
        words += "async "
    if value["generator"]:
        words += "*"
    return words + _key(node, indent) + _parameters_and_body(value, indent)


def _class_method(node: Node, indent: str) -> str:
    return ("static " if node["static"] else "") + _method(node, indent)


def _property(node: Node, indent: str) -> str:
    value = node["value"]
    if value["type"] == "FunctionExpression" and (node["method"] or node["kind"] != "init"):
        return _method(node, indent)
    key = _key(node, indent)
    text = expression(value, indent)
    if node["shorthand"] and not node["computed"]:
        # A mutation may have renamed one side: then the short form would lose the other.
        target = value["left"] if value["type"] == "AssignmentPattern" else value
        if target["type"] == "Identifier" and target["name"] == node["key"].get("name"):
            return text
    return f"{key}: {text}"


def _parameters_and_body(node: Node, indent: str) -> str:
    body = braces(body_lines(node["body"]["body"], indent + STEP), indent)
    return f"{list_of(node['params'], indent)} {body}"


def _function(node: Node, indent: str) -> str:
    words = "async function" if node["async"] else "function"
    if node["generator"]:
        words += "*"
    if node["id"] is not None:
        words += " " + node["id"]["name"]
    return words + _parameters_and_body(node, indent)


def _arrow(node: Node, indent: str) -> str:
    body = node["body"]
    words = "async " if node["async"] else ""
    if body["type"] == "BlockStatement":
        text = braces(body_lines(body["body"], indent + STEP), indent)
    else:
        text = expression(body, indent)
        if text[0] == "{":
            text = f"({text})"
    return f"{words}{list_of(node['params'], indent)} => {text}"


def _class(node: Node, indent: str) -> str:
    name = "" if node["id"] is None else " " + node["id"]["name"]
    parent = optional(node["superClass"], indent, " extends ", CALL)
    inner = indent + STEP
    members = [inner + _class_method(item, inner) for item in node["body"]["body"]]
    return f"class{name}{parent} {braces(members, indent)}"


def _unary(node: Node, indent: str) -> str:
    operator: str = node["operator"]
    text = expression(node["argument"], indent, UNARY)
    apart = " " if _WORD.match(operator) or text[0] == operator else ""
    return operator + apart + text


def _update(node: Node, indent: str) -> str:
    text = expression(node["argument"], indent, CALL)
    operator: str = node["operator"]
    return operator + text if node["prefix"] else text + operator


def _operation(node: Node, indent: str) -> str:
    operator = node["operator"]
    level = OPERATORS[operator]
    # `-a ** b` is an error, and `**` is the one operator that groups to the right.
    left, right = (UPDATE, POWER) if operator == "**" else (level, level + 1)
    after = f" {operator} {expression(node['right'], indent, right)}"
    # A sum of many terms leans to the left: a loop, as it may be longer than calls can nest.
    rest = [after]
    inner = node["left"]
    while inner["type"] in OPERATIONS and left <= OPERATORS[inner["operator"]] < POWER:
        operator = inner["operator"]
        left = OPERATORS[operator]
        rest.append(f" {operator} {expression(inner['right'], indent, left + 1)}")
        inner = inner["left"]
    rest.append(expression(inner, indent, left))
    return "".join(reversed(rest))


def _assignment(node: Node, indent: str) -> str:
    target = expression(node["left"], indent, CALL)
    return f"{target} {node['operator']} {expression(node['right'], indent)}"


def _default(node: Node, indent: str) -> str:
    return f"{expression(node['left'], indent, CALL)} = {expression(node['right'], indent)}"


def _conditional(node: Node, indent: str) -> str:
    test = expression(node["test"], indent, CONDITIONAL + 1)
    yes, no = expression(node["consequent"], indent), expression(node["alternate"], indent)
    return f"{test} ? {yes} : {no}"


def _target(node: Node, indent: str) -> str:
    """What stands before a dot, a bracket, arguments or a template."""
    text = expression(node, indent, CALL)
    return f"({text})" if node["type"] in _NOT_AS_TARGET else text


def _call(node: Node, indent: str) -> str:
    return _target(node["callee"], indent) + list_of(node["arguments"], indent)


def _new(node: Node, indent: str) -> str:
    callee = node["callee"]
    text = _target(callee, indent)
    # `new f().g()` would construct f: a call anywhere in the chain needs parentheses.
    while callee["type"] in ("MemberExpression", "TaggedTemplateExpression"):
        callee = callee["object"] if callee["type"] == "MemberExpression" else callee["tag"]
    if callee["type"] in ("CallExpression", "Import"):
        text = f"({text})"
    return f"new {text}{list_of(node['arguments'], indent)}"


def _member(node: Node, indent: str) -> str:
    target = _target(node["object"], indent)
    if node["computed"]:
        return f"{target}[{expression(node['property'], indent, SEQUENCE)}]"
    if _DECIMAL.fullmatch(target):
        target = f"({target})"
    return f"{target}.{node['property']['name']}"


def _template(node: Node, indent: str) -> str:
    pieces = [raw_text(quasi["value"]["raw"]) for quasi in node["quasis"]]
    text = pieces[0]
    for inner, piece in zip(node["expressions"], pieces[1:], strict=True):
        text += f"${{{expression(inner, indent, SEQUENCE)}}}{piece}"
    return f"`{text}`"


def _tagged(node: Node, indent: str) -> str:
    return _target(node["tag"], indent) + _template(node["quasi"], indent)


def _yield(node: Node, indent: str) -> str:
    word = "yield*" if node["delegate"] else "yield"
    return word + optional(node["argument"], indent, " ", ASSIGNMENT)


def _sequence(node: Node, indent: str) -> str:
    return ", ".join([expression(item, indent) for item in node["expressions"]])


def _spread(node: Node, indent: str) -> str:
    return "..." + expression(node["argument"], indent)


TABLE: dict[str, Printer] = {
    "ArrayExpression": _array,
    "ArrayPattern": _array,
    "ArrowFunctionExpression": _arrow,
    "AssignmentExpression": _assignment,
    "AssignmentPattern": _default,
    "AwaitExpression": lambda node, indent: "await " + expression(node["argument"], indent, UNARY),
    "BinaryExpression": _operation,
    "CallExpression": _call,
    "ClassDeclaration": _class,
    "ClassExpression": _class,
    "ConditionalExpression": _conditional,
    "FunctionDeclaration": _function,
    "FunctionExpression": _function,
    "Identifier": lambda node, _indent: str(node["name"]),
    "Import": lambda _node, _indent: "import",
    "Literal": literal,
    "LogicalExpression": _operation,
    "MemberExpression": _member,
    "MetaProperty": lambda node, _indent: f"{node['meta']['name']}.{node['property']['name']}",
    "MethodDefinition": _class_method,
    "NewExpression": _new,
    "ObjectExpression": _object,
    "ObjectPattern": _object,
    "Property": _property,
    PARENTHESISED: lambda node, indent: f"({expression(node['expression'], indent)})",
    "RestElement": _spread,
    "SequenceExpression": _sequence,
    "SpreadElement": _spread,
    "Super": lambda _node, _indent: "super",
    "TaggedTemplateExpression": _tagged,
    "TemplateLiteral": _template,
    "ThisExpression": lambda _node, _indent: "this",
    "UnaryExpression": _unary,
    "UpdateExpression": _update,
    "YieldExpression": _yield,
}
