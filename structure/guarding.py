"""The text of a generated test: every statement guarded, so that one failure does not end it.

A bare `db.c.find(...)` sends nothing until somebody looks at the cursor, which an interactive
shell does. It is printed as `first(db.c.find(...))`, so that every shell fetches the first batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structure.methods import CURSOR_METHODS
from structure.nodes import Node, call, expression_statement, identifier
from structure.printing import to_javascript

_INDENT = "    "


def to_text(statements: Sequence[Node]) -> str:
    """Readable JavaScript: each statement in a `try` of its own, numbered from 1."""
    return guarded(statement_text(statement) for statement in statements)


def statement_text(statement: Node) -> str:
    """A statement as it stands in a generated test, still without its guard."""
    if _is_bare_cursor(statement):
        fetched = call(identifier("first"), [statement["expression"]])
        return to_javascript(expression_statement(fetched))
    return to_javascript(statement)


def _is_bare_cursor(statement: Node) -> bool:
    if statement["type"] != "ExpressionStatement":
        return False
    if statement["expression"]["type"] != "CallExpression":
        return False
    callee = statement["expression"]["callee"]
    return (
        callee["type"] == "MemberExpression"
        and not callee["computed"]
        and callee["property"].get("name") in CURSOR_METHODS
    )


def guarded(texts: Iterable[str]) -> str:
    """The same of statements that are printed already."""
    return "".join(
        f"try {{ step({number});\n{_indented(text)}\n}} catch (e) {{ skip(e); }}\n"
        for number, text in enumerate(texts, 1)
    )


def _indented(text: str) -> str:
    text = text.rstrip("\n")
    # The lines of a template literal are part of a value.
    return text if "`" in text else _INDENT + text.replace("\n", "\n" + _INDENT)
