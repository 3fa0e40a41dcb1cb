"""What printers of all kinds share: the table, precedence, lists and blocks."""

from collections.abc import Callable, Sequence
from typing import Any

from structure.nodes import Node
from structure.printing.literals import directive

Printer = Callable[[Node, str], str]

# Node type -> printer(node, indent of its line) -> text; filled by the package.
PRINTERS: dict[str, Printer] = {}

STEP = "    "
WIDTH = 90

SEQUENCE, ASSIGNMENT, CONDITIONAL = 0, 1, 2
POWER, UNARY, UPDATE, CALL, PRIMARY = 13, 14, 15, 16, 17

OPERATORS: dict[str, int] = {
    operator: level
    for level, operators in enumerate(
        (
            "||",
            "&&",
            "|",
            "^",
            "&",
            "== != === !==",
            "< > <= >= instanceof in",
            "<< >> >>>",
            "+ -",
            "* / %",
            "**",
        ),
        start=CONDITIONAL + 1,
    )
    for operator in operators.split()
}

# How tightly a type binds; operations bind by their operator, all others are PRIMARY.
LEVELS: dict[str, int] = {
    "SequenceExpression": SEQUENCE,
    "ArrowFunctionExpression": ASSIGNMENT,
    "AssignmentExpression": ASSIGNMENT,
    "AssignmentPattern": ASSIGNMENT,
    "YieldExpression": ASSIGNMENT,
    "ConditionalExpression": CONDITIONAL,
    "AwaitExpression": UNARY,
    "UnaryExpression": UNARY,
    "UpdateExpression": UPDATE,
    "CallExpression": CALL,
    "NewExpression": CALL,
    "MemberExpression": CALL,
    "TaggedTemplateExpression": CALL,
}
# Not a type of ESTree: the printers put it around what must keep its parentheses.
PARENTHESISED = "Parenthesised"
OPERATIONS = ("BinaryExpression", "LogicalExpression")


def expression(node: Node, indent: str, least: int = ASSIGNMENT) -> str:
    """An expression or pattern, in parentheses where it binds less tightly than `least`."""
    kind = node["type"]
    text = PRINTERS[kind](node, indent)
    level = LEVELS.get(kind, PRIMARY)
    if kind in OPERATIONS:
        level = OPERATORS[node["operator"]]
    return f"({text})" if level < least else text


def statement(node: Node, indent: str) -> str:
    """A statement without the indentation of its first line and without a line end."""
    return PRINTERS[node["type"]](node, indent)


def optional(node: Node | None, indent: str, before: str = "", least: int = SEQUENCE) -> str:
    """`before` and the expression, or nothing where there is none."""
    return "" if node is None else before + expression(node, indent, least)


def bracketed(parts: Sequence[str], indent: str, opening: str, closing: str, pad: str) -> str:
    """A list on one line where it is short, else one part a line (printed for that depth)."""
    if not parts:
        return opening + closing
    line = f"{opening}{pad}{', '.join(parts)}{pad}{closing}"
    if len(indent) + len(line) <= WIDTH and "\n" not in line:
        return line
    inner = "\n" + indent + STEP
    # No comma at the end: none may follow a rest element.
    return f"{opening}{inner}{f',{inner}'.join(parts)}\n{indent}{closing}"


def list_of(nodes: Sequence[Node], indent: str) -> str:
    """Arguments or parameters between parentheses."""
    return f"({', '.join([expression(node, indent) for node in nodes])})"


def lines(body: Sequence[Node], indent: str) -> list[str]:
    """One text for each statement, each with its indentation."""
    return [indent + statement(node, indent) for node in body]


def body_lines(body: Sequence[Node], indent: str) -> list[str]:
    """As `lines`, for a program or function, whose first strings may be directives."""
    count = 0
    for node in body:
        if not is_directive(node):
            break
        count += 1
    texts = [f"{indent}{directive(node['directive'])};" for node in body[:count]]
    texts += lines(body[count:], indent)
    if count < len(body) and _is_string_statement(body[count]):
        text = expression(body[count]["expression"], indent)
        texts[count] = f"{indent}({text});"
    return texts


def is_directive(node: Node) -> bool:
    """Whether the statement is a string that was written as a directive."""
    return isinstance(node.get("directive"), str) and _is_string_statement(node)


def _is_string_statement(node: Node) -> bool:
    if node["type"] != "ExpressionStatement":
        return False
    inner: dict[str, Any] = node["expression"]
    return inner["type"] == "Literal" and isinstance(inner.get("value"), str)


def braces(texts: Sequence[str], indent: str) -> str:
    """A block of lines that have their indentation."""
    if not texts:
        return "{}"
    return "{\n" + "\n".join(texts) + f"\n{indent}}}"
