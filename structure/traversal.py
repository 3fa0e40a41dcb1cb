"""Moving through an AST by paths, and changing it by copying only the nodes along a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from structure.nodes import Node

# ("expression", "arguments", 0): keys of nodes and indices of lists, from the root down.
Path = tuple[str | int, ...]

FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})


def is_node(value: Any) -> bool:
    return isinstance(value, dict) and "type" in value


def steps(node: Node) -> Iterator[tuple[Path, Node]]:
    """The direct children with their paths, in the order of the source."""
    for key, value in node.items():
        if isinstance(value, dict):
            if "type" in value:
                yield (key,), value
        elif isinstance(value, list):
            for index, element in enumerate(value):
                if isinstance(element, dict) and "type" in element:
                    yield (key, index), element


def descend(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first."""
    yield node
    for _, child in steps(node):
        yield from descend(child)


def size(node: Node) -> int:
    """Number of nodes; long strings count for their length too, as they make text."""
    total = 0
    stack: list[Any] = [node]
    # A plain loop: this runs for every mutation.
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if "type" in value:
                total += 1
                stack += value.values()
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, str):
            total += len(value) // 32
    return total


def replaced(root: Node, path: Path, new: Any) -> Node:
    """A copy of `root` with `new` at `path`; everything off the path stays shared."""
    return _replaced(root, path, 0, new)  # type: ignore[no-any-return]


def _replaced(value: Any, path: Path, depth: int, new: Any) -> Any:
    if depth == len(path):
        return new
    step = path[depth]
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[step] = _replaced(value[step], path, depth + 1, new)  # type: ignore[index]
    return copy


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """A copy of `node` with every direct child changed."""

    def item(value: Any) -> Any:
        if is_node(value):
            return change(value)
        if isinstance(value, list):
            return [change(element) if is_node(element) else element for element in value]
        return value

    return {key: item(value) for key, value in node.items()}


def depth(node: Node) -> int:
    """Levels of the tree, without recursion: it may be deeper than Python's stack."""
    levels = 0
    level = [node]
    while level:
        levels += 1
        level = [child for parent in level for _, child in steps(parent)]
    return levels
