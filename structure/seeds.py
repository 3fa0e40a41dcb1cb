"""Seeds: edge cases that a corpus seldom has, typed by role and kind, out of seeds.toml."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from structure.fragments import kind_of
from structure.nodes import Node
from structure.parsing import ParseError, parse

SEEDS_FILE = Path(__file__).with_name("seeds.toml")


class SeedError(Exception):
    """A seed file is wrong; the message names the file and the line."""


@dataclass(frozen=True)
class Seeds:
    """Seeds by role, in the order of the file, and the digest of the file."""

    by_role: dict[str, tuple[Node, ...]]
    digest: str

    def of_role(self, role: str) -> tuple[Node, ...]:
        return self.by_role.get(role, ())

    def of_kind(self, role: str, kind: str) -> tuple[Node, ...]:
        return tuple(seed for seed in self.of_role(role) if kind_of(seed) == kind)


def load_seeds(path: Path = SEEDS_FILE) -> Seeds:
    """Read and parse a seed file; SeedError names the line of the first mistake."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
        groups = tomllib.loads(text).get("group", [])
    except OSError as error:
        raise SeedError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SeedError(f"{path}, line {line}: not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise SeedError(f"{path}: {error}") from error
    by_role: dict[str, list[Node]] = {}
    for number, group in enumerate(groups, 1):
        role, expressions = group.get("role"), group.get("expressions")
        if not isinstance(role, str) or not isinstance(expressions, list):
            where = f"{path}, line {_line_of_group(text, number)}"
            raise SeedError(f"{where}: a group needs a role and a list of expressions")
        found = by_role.setdefault(role, [])
        for source in expressions:
            node = _expression(source)
            if isinstance(node, str):
                raise SeedError(f"{path}, line {_line_of(text, source, number)}: {node}")
            found.append(node)
    if not by_role:
        raise SeedError(f"{path}: no [[group]] of seeds")
    digest = hashlib.sha256(content).hexdigest()
    return Seeds({role: tuple(found) for role, found in by_role.items()}, digest)


def _expression(source: object) -> Node | str:
    """The expression of a seed, or what is wrong with it."""
    if not isinstance(source, str):
        return f"a seed is a string with a JavaScript expression, not {source!r}"
    try:
        body = parse(f"({source}\n);")["body"]
    except ParseError as error:
        return f"{source!r} is not an expression: {error}"
    if len(body) != 1 or body[0]["type"] != "ExpressionStatement":
        return f"{source!r} is not one expression"
    expression: Node = body[0]["expression"]
    return expression


def _line_of_group(text: str, number: int) -> int:
    """The line of the group's header: tomllib does not tell."""
    headers = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == "[[group]]"]
    return headers[number - 1] if number <= len(headers) else 1


def _line_of(text: str, source: object, number: int) -> int:
    start = _line_of_group(text, number)
    shown = source if isinstance(source, str) else str(source)
    for line, content in enumerate(text.splitlines(), 1):
        if line > start and shown in content:
            return line
    return start
