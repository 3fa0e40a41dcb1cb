"""Numbers, strings, regular expressions and template pieces as JavaScript text."""

import math
import re

from structure.nodes import Node

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b"}
_ESCAPES |= {"\f": "\\f", "\v": "\\v"}
_UNSAFE = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]')
_RAW_UNSAFE = re.compile("[\ud800-\udfff]")
# The raw text of a directive that may stand between double quotes.
_DOUBLE_QUOTABLE = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    short = _ESCAPES.get(char)
    if short is not None:
        return short
    return f"\\x{ord(char):02x}" if char < "\x80" else f"\\u{ord(char):04x}"


def string(text: str) -> str:
    """A double-quoted string; controls, line separators and lone surrogates are escaped."""
    return f'"{_UNSAFE.sub(_escape, text)}"'


def number(value: float) -> str:
    """A text that gives the same double again (infinity is a number too big)."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "1e400" if value > 0 else "-1e400"
    return repr(value)


def directive(raw: str) -> str:
    """A directive such as "use strict", from its raw text."""
    quote = '"' if _DOUBLE_QUOTABLE.fullmatch(raw) else "'"
    return f"{quote}{raw}{quote}"


def raw_text(text: str) -> str:
    """Text that stands in the output as it is, but for lone surrogates."""
    return _RAW_UNSAFE.sub(_escape, text)


def literal(node: Node, _indent: str) -> str:
    """Any Literal: by its regex where it has one, else by its value's Python type."""
    if "regex" in node:
        pattern = raw_text(node["regex"]["pattern"]) or "(?:)"
        return f"/{pattern}/{node['regex']['flags']}"
    value = node["value"]
    if isinstance(value, str):
        return string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    text = number(value)
    return f"({text})" if text[0] == "-" else text
