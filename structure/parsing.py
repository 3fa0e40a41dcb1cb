"""From JavaScript text to a normalised tree, by pyjsparser and else by esprima."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from esprima.error_handler import Error as EsprimaError
from esprima.nodes import CatchClause
from esprima.parser import Parser as EsprimaParser
from pyjsparser.parser import PyJsParser, Token

from structure.nodes import Node, expression_statement, identifier
from structure.normalising import join_surrogates, normalise

# About 40 Python calls for a level of nesting; Python-to-Python calls use no C stack.
DEEPEST_CALL = 40_000

_END = "__end_of_the_text__"

# Text that pyjsparser would read wrongly without a word.
_NOT_FOR_ES5 = (
    # Module code knows no HTML-like comments; pyjsparser always takes them.
    re.compile("<!--|-->"),
    # The mark of the end must be ours alone.
    re.compile(_END),
)
_BRACE_NEXT = re.compile(r"\s*\{")
_LINE_END = re.compile("[\n\r\u2028\u2029]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ParseError(ValueError):
    """The text is not JavaScript that the parsers know: one sentence, and the line from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(source: str) -> Node:
    """Parse a whole text into a Program of plain dicts (the fields of nodes.FIELDS).

    Raises ParseError, and nothing else, for text that neither parser reads.
    """
    source = join_surrogates(source)
    lone = _LONE_SURROGATE.search(source)
    if lone is not None:
        line = source.count("\n", 0, lone.start()) + 1
        raise ParseError(f"Line {line}: the text holds a lone surrogate.", line)
    with deep_calls():
        tree = parse_es5(source)
        return parse_es2017(source) if tree is None else tree


@contextmanager
def deep_calls() -> Iterator[None]:
    """Allow deep recursion for as long as the block runs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST_CALL))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Es5Parser(PyJsParser):  # type: ignore[misc]
    """pyjsparser, keeping its own tree (its conversion to dicts recurses through C)."""

    tree: Any = None

    def parseProgram(self) -> None:  # noqa: N802
        self.tree = super().parseProgram()

    def parseScriptBody(self) -> list[Any]:  # noqa: N802
        return _mark_directives(super().parseScriptBody())

    def parseFunctionSourceElements(self) -> Any:  # noqa: N802
        block = super().parseFunctionSourceElements()
        _mark_directives(block.body)
        return block

    def parseStatement(self) -> Any:  # noqa: N802
        # Only here can one still tell the directive "use strict" from ("use strict").
        bare = self.lookahead["type"] == Token.StringLiteral
        statement = super().parseStatement()
        statement.bare = bare
        return statement


def _mark_directives(body: list[Any]) -> list[Any]:
    for statement in body:
        fields = statement.__dict__
        if not fields.get("bare") or fields["type"] != "ExpressionStatement":
            break
        expression = fields["expression"].__dict__
        if expression["type"] != "Literal":
            break
        statement.directive = expression["raw"][1:-1]
    return body


def parse_es5(source: str) -> Node | None:
    """The tree that pyjsparser gives, or None where it fails or cannot be trusted."""
    if any(pattern.search(source) for pattern in _NOT_FOR_ES5):
        return None
    parser = _Es5Parser()
    try:
        # It adds a `;` of its own, which would complete `while (1)`: the name shows that.
        parser.parse(f"{source}\n{_END}")
        tree = normalise(parser.tree)
    except Exception:  # it leaks TypeError, IndexError, KeyError, RecursionError and more
        return None
    if not tree["body"] or tree["body"].pop() != expression_statement(identifier(_END)):
        return None
    return tree


def parse_es2017(source: str) -> Node:
    """The tree that esprima gives: as a module, else as a script.

    Raises ParseError, with the trouble of whichever of the two got further.
    """
    try:
        return _esprima(source, EsprimaParser.parseModule)
    except ParseError as error:
        as_module = error
    try:
        return _esprima(source, EsprimaParser.parseScript)
    except ParseError as error:
        raise max(error, as_module, key=lambda each: each.line) from None


class _Es2017Parser(EsprimaParser):  # type: ignore[misc]
    """esprima, with `catch {`, and with `return` of a text that goes over several lines."""

    def nextToken(self) -> Any:  # noqa: N802
        token = super().nextToken()
        # It compares where tokens end, and so would read "return `a\\nb`" as two statements.
        ahead = self.lookahead
        between = _LINE_END.search(self.scanner.source, token.end, ahead.start)
        self.hasLineTerminator = between is not None
        return token

    def parseCatchClause(self) -> Any:  # noqa: N802
        if _BRACE_NEXT.match(self.scanner.source, self.scanner.index) is None:
            return super().parseCatchClause()
        node = self.createNode()
        self.expectKeyword("catch")
        return self.finalize(node, CatchClause(None, self.parseBlock()))


def _esprima(source: str, goal: Callable[[EsprimaParser], Any]) -> Node:
    parser: Any = None
    try:
        parser = _Es2017Parser(source)
        # It would hand the pattern to Python's re, which refuses what JavaScript takes.
        parser.scanner.testRegExp = lambda _pattern, _flags: None
        return normalise(goal(parser))
    except EsprimaError as error:
        line = error.lineNumber or 1
        text = str(error.message).removeprefix(f"Line {line}: ").rstrip(".")
        raise ParseError(f"Line {line}: {text}.", line) from None
    except RecursionError:
        line = parser.scanner.lineNumber
        raise ParseError(f"Line {line}: the text is nested too deeply.", line) from None
    except Exception as error:  # it leaks TypeError, AttributeError, IndexError and more
        line = parser.scanner.lineNumber if parser is not None else 1
        reason = f"the parser stopped with {type(error).__name__}"
        raise ParseError(f"Line {line}: {reason}.", line) from None
