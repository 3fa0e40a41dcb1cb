"""Printers of statements, declarations and module items."""

import re
from typing import Any

from structure.nodes import Node, walk
from structure.printing.layout import (
    ASSIGNMENT,
    CALL,
    PARENTHESISED,
    SEQUENCE,
    STEP,
    Printer,
    body_lines,
    braces,
    bracketed,
    expression,
    lines,
    optional,
    statement,
)

# Words that begin a statement or declaration of their own, not an expression.
_NOT_AT_START = re.compile(r"\{|(?:function|class|let|async\s+function)(?![\w$])")
_DECLARATIONS = ("ClassDeclaration", "FunctionDeclaration")
_LAST_PART = {
    "ForInStatement": "body",
    "ForOfStatement": "body",
    "ForStatement": "body",
    "LabeledStatement": "body",
    "WhileStatement": "body",
    "WithStatement": "body",
}


def _program(node: Node, indent: str) -> str:
    return "".join([line + "\n" for line in body_lines(node["body"], indent)])


def _start(text: str) -> str:
    """Parentheses where an expression would be read as a statement or declaration."""
    return f"({text})" if _NOT_AT_START.match(text) else text


def _expression_statement(node: Node, indent: str) -> str:
    return _start(expression(node["expression"], indent, SEQUENCE)) + ";"


def _block(node: Node, indent: str) -> str:
    return braces(lines(node["body"], indent + STEP), indent)


def _under(node: Node, indent: str, *, in_braces: bool = False) -> str:
    """The body of an `if` or a loop, with the space or line end before it."""
    kind = node["type"]
    lexical = kind == "VariableDeclaration" and node["kind"] != "var"
    if in_braces or lexical or kind == "ClassDeclaration":
        return " " + braces(lines([node], indent + STEP), indent)
    if kind == "BlockStatement":
        return " " + statement(node, indent)
    if kind == "EmptyStatement":
        return ";"
    inner = indent + STEP
    return f"\n{inner}{statement(node, inner)}"


def _takes_else(node: Node) -> bool:
    """Whether an `else` right after this statement would belong to an `if` inside it."""
    current = node
    while True:
        if current["type"] == "IfStatement":
            if current["alternate"] is None:
                return True
            current = current["alternate"]
        elif current["type"] in _LAST_PART:
            current = current[_LAST_PART[current["type"]]]
        else:
            return False


def _if(node: Node, indent: str) -> str:
    yes, no = node["consequent"], node["alternate"]
    in_braces = no is not None and _takes_else(yes)
    body = _under(yes, indent, in_braces=in_braces)
    text = f"if ({expression(node['test'], indent, SEQUENCE)}){body}"
    if no is None:
        return text
    text += _after(body, indent) + "else"
    if no["type"] == "IfStatement":
        return f"{text} {statement(no, indent)}"
    return text + _under(no, indent)


def _after(body: str, indent: str) -> str:
    """What stands between a body and the word that goes on with the statement."""
    return " " if body[0] == " " else f"\n{indent}"


def _while(node: Node, indent: str) -> str:
    return f"while ({expression(node['test'], indent, SEQUENCE)})" + _under(node["body"], indent)


def _do_while(node: Node, indent: str) -> str:
    body = _under(node["body"], indent)
    test = expression(node["test"], indent, SEQUENCE)
    return f"do{body}{_after(body, indent)}while ({test});"


def _with(node: Node, indent: str) -> str:
    return f"with ({expression(node['object'], indent, SEQUENCE)})" + _under(node["body"], indent)


def _guarded(node: Node) -> Node:
    """The node, with parentheses around each `in` operation, which a `for` would take as its own.

    Esprima wants them even inside brackets, where the language does not.
    """
    if not any(each.get("operator") == "in" for each in walk(node)):
        return node
    copied = {name: _guarded_value(value) for name, value in node.items()}
    if node.get("operator") == "in":
        return {"type": PARENTHESISED, "expression": copied}
    return copied


def _guarded_value(value: Any) -> Any:
    if isinstance(value, dict) and "type" in value:
        return _guarded(value)
    if isinstance(value, list):
        return [_guarded_value(item) for item in value]
    return value


def _variables(node: Node, indent: str) -> str:
    parts = []
    for item in node["declarations"]:
        value = optional(item["init"], indent, " = ", ASSIGNMENT)
        parts.append(expression(item["id"], indent) + value)
    return f"{node['kind']} {', '.join(parts)}"


def _head(node: Node | None, indent: str, least: int) -> str:
    """What stands first in a `for`."""
    if node is None:
        return ""
    node = _guarded(node)
    if node["type"] == "VariableDeclaration":
        return _variables(node, indent)
    text = expression(node, indent, least)
    # A pattern opens with a brace too, and must stay bare.
    return text if text[0] == "{" else _start(text)


def _for(node: Node, indent: str) -> str:
    head = _head(node["init"], indent, SEQUENCE) + ";"
    head += optional(node["test"], indent, " ") + ";" + optional(node["update"], indent, " ")
    return f"for ({head})" + _under(node["body"], indent)


def _for_in(node: Node, indent: str) -> str:
    right = expression(node["right"], indent, SEQUENCE)
    return f"for ({_head(node['left'], indent, CALL)} in {right})" + _under(node["body"], indent)


def _for_of(node: Node, indent: str) -> str:
    right = expression(node["right"], indent)
    return f"for ({_head(node['left'], indent, CALL)} of {right})" + _under(node["body"], indent)


def _labeled(node: Node, indent: str) -> str:
    return f"{node['label']['name']}: {statement(node['body'], indent)}"


def _switch(node: Node, indent: str) -> str:
    inner = indent + STEP
    texts = []
    for case in node["cases"]:
        test = optional(case["test"], inner, "case ") or "default"
        texts += [f"{inner}{test}:", *lines(case["consequent"], inner + STEP)]
    return f"switch ({expression(node['discriminant'], indent, SEQUENCE)}) {braces(texts, indent)}"


def _try(node: Node, indent: str) -> str:
    text = "try " + _block(node["block"], indent)
    handler = node["handler"]
    if handler is not None:
        param = optional(handler["param"], indent, "(")
        text += f" catch {param + ') ' if param else ''}{_block(handler['body'], indent)}"
    if node["finalizer"] is not None:
        text += " finally " + _block(node["finalizer"], indent)
    return text


def _jump(word: str, field: str) -> Printer:
    return lambda node, indent: word + optional(node[field], indent, " ") + ";"


def _module_name(node: Node, local: str, other: str) -> str:
    first, second = node[local]["name"], node[other]["name"]
    return str(first) if first == second else f"{first} as {second}"


def _import(node: Node, indent: str) -> str:
    source = expression(node["source"], indent)
    if not node["specifiers"]:
        return f"import {source};"
    parts, names = [], []
    for item in node["specifiers"]:
        if item["type"] == "ImportSpecifier":
            names.append(_module_name(item, "imported", "local"))
        elif item["type"] == "ImportNamespaceSpecifier":
            parts.append(f"* as {item['local']['name']}")
        else:
            parts.append(item["local"]["name"])
    if names:
        parts.append(bracketed(names, indent, "{", "}", " "))
    return f"import {', '.join(parts)} from {source};"


def _export_named(node: Node, indent: str) -> str:
    if node["declaration"] is not None:
        return "export " + statement(node["declaration"], indent)
    names = [_module_name(item, "local", "exported") for item in node["specifiers"]]
    source = optional(node["source"], indent, " from ")
    return f"export {bracketed(names, indent, '{', '}', ' ')}{source};"


def _export_default(node: Node, indent: str) -> str:
    inner = node["declaration"]
    if inner["type"] in _DECLARATIONS:
        return "export default " + statement(inner, indent)
    text = expression(inner, indent)
    return f"export default {text if text[0] == '{' else _start(text)};"


TABLE: dict[str, Printer] = {
    "BlockStatement": _block,
    "BreakStatement": _jump("break", "label"),
    "ContinueStatement": _jump("continue", "label"),
    "DebuggerStatement": lambda _node, _indent: "debugger;",
    "DoWhileStatement": _do_while,
    "EmptyStatement": lambda _node, _indent: ";",
    "ExportAllDeclaration": lambda node, indent: (
        f"export * from {expression(node['source'], indent)};"
    ),
    "ExportDefaultDeclaration": _export_default,
    "ExportNamedDeclaration": _export_named,
    "ExpressionStatement": _expression_statement,
    "ForInStatement": _for_in,
    "ForOfStatement": _for_of,
    "ForStatement": _for,
    "IfStatement": _if,
    "ImportDeclaration": _import,
    "LabeledStatement": _labeled,
    "Program": _program,
    "ReturnStatement": _jump("return", "argument"),
    "SwitchStatement": _switch,
    "ThrowStatement": _jump("throw", "argument"),
    "TryStatement": _try,
    "VariableDeclaration": lambda node, indent: _variables(node, indent) + ";",
    "WhileStatement": _while,
    "WithStatement": _with,
}
