"""The text of a generated test: every statement guarded, so that one failure does not end it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structure.nodes import Node
from structure.printing import to_javascript

_INDENT = "    "


def to_text(statements: Sequence[Node]) -> str:
    """Readable JavaScript: each statement in a `try` of its own, numbered from 1."""
    return guarded(to_javascript(statement) for statement in statements)


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
