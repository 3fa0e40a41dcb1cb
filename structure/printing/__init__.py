"""From a tree to readable JavaScript text that parses to the same tree."""

from structure.nodes import Node
from structure.parsing import deep_calls
from structure.printing import expressions, statements
from structure.printing.layout import PRINTERS, expression

PRINTERS.update(expressions.TABLE)
PRINTERS.update(statements.TABLE)


def to_javascript(node: Node) -> str:
    """Print any node: a Program with one statement a line, or any part of one.

    `parse(to_javascript(tree)) == tree` for every tree that `parse` gives. Raises KeyError for a
    node of a type without a printer or without one of its fields.
    """
    with deep_calls():
        return expression(node, "", 0)
