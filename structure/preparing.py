"""Preparation of a test for fuzzing: a flat list of statements without branches.

MongoDB's own fuzzer takes the branches out of the tests that it mutates: a mutated condition
would otherwise hide whole statements. Here both sides of a branch become plain statements and
loops get a visible cap, so that collections are still filled as the test meant. Each statement
will run in a `try` of its own, hence top-level bindings become `var`. Functions keep their
structure (a callback needs its `return`), only their loops are capped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from structure.making import (
    assignment,
    binary,
    block,
    declarator,
    increment,
    logical,
    single,
    variables,
)
from structure.nodes import Node, call, expression_statement, identifier, literal, member
from structure.traversal import FUNCTIONS, descend, mapped

Loops = Literal["cap", "unroll"]

# Iterations of a loop, of a loop in a loop, of anything deeper.
LOOP_CAPS = (50, 8, 3)
LOOPS = frozenset(
    {"ForStatement", "WhileStatement", "DoWhileStatement", "ForInStatement", "ForOfStatement"}
)
# What a generated test calls by itself: a test's own variable of that name would hide it.
RESERVED = frozenset({"step", "skip"})
_EFFECTS = frozenset(
    {
        "AssignmentExpression",
        "AwaitExpression",
        "CallExpression",
        "NewExpression",
        "TaggedTemplateExpression",
        "UpdateExpression",
    }
)
_DROPPED = frozenset(
    {
        "BreakStatement",
        "ContinueStatement",
        "DebuggerStatement",
        "EmptyStatement",
        "ExportAllDeclaration",
        "ImportDeclaration",
        "ThrowStatement",
    }
)


def prepare(statements: Sequence[Node], loops: Loops = "cap") -> tuple[Node, ...]:
    """Flat statements; function declarations first, since `try` blocks end their hoisting."""
    flat = _Preparation(statements, loops).flat(statements, top=True, depth=0)
    functions = [node for node in flat if node["type"] == "FunctionDeclaration"]
    others = [node for node in flat if node["type"] != "FunctionDeclaration"]
    return tuple(_renamed(node) for node in functions + others)


class _Preparation:
    def __init__(self, statements: Iterable[Node], loops: Loops) -> None:
        self._loops = loops
        self._taken = {
            node["name"]
            for statement in statements
            for node in descend(statement)
            if node["type"] == "Identifier"
        }
        self._count = 0

    def flat(self, statements: Iterable[Node], *, top: bool, depth: int) -> list[Node]:
        return [
            flat
            for statement in statements
            for flat in self.statement(statement, top=top, depth=depth)
        ]

    def statement(self, node: Node | None, *, top: bool, depth: int) -> list[Node]:
        """Statements without branches; in a loop's body (not top) bindings keep their blocks."""
        if node is None or node["type"] in _DROPPED:
            return []
        if node["type"] in LOOPS:
            return self._loop(node, top=top, depth=depth)
        rule = _RULES.get(node["type"])
        if rule is None:
            return [self.inner(node, depth)]
        return rule(self, node, top, depth)

    def inner(self, node: Node, depth: int) -> Node:
        """Any node whose structure stays: functions and expressions; loops in it are capped."""
        kind = node["type"]
        if kind in LOOPS:
            body = self.inner(node["body"], depth + 1)
            return single(self._capped({**node, "body": body}, depth))
        if kind == "LabeledStatement" and node["body"]["type"] in LOOPS:
            loop = node["body"]
            body = self.inner(loop["body"], depth + 1)
            *before, capped = self._capped({**loop, "body": body}, depth)
            return single([*before, {**node, "body": capped}])
        return mapped(node, lambda child: self.inner(child, depth))

    def _loop(self, node: Node, *, top: bool, depth: int) -> list[Node]:
        if self._loops == "unroll":
            first = [*_first_round(node), node["body"]]
            return self.flat(first, top=top, depth=depth)
        body = block(self.statement(node["body"], top=False, depth=depth + 1))
        head = mapped({**node, "body": None}, lambda child: self.inner(child, depth))
        return [single(self._capped({**head, "body": body}, depth))]

    def _capped(self, node: Node, depth: int) -> list[Node]:
        """The loop with a counter; declarations that must precede it come before."""
        counter = self._counter()
        cap = LOOP_CAPS[min(depth, len(LOOP_CAPS) - 1)]
        below = binary("<", increment(counter), literal(cap))
        zero = declarator(counter, literal(0))
        kind = node["type"]
        if kind in ("ForInStatement", "ForOfStatement"):
            enough = binary(">=", increment(counter), literal(cap))
            leave: Node = {"type": "BreakStatement", "label": None}
            stop = {"type": "IfStatement", "test": enough, "consequent": leave, "alternate": None}
            return [variables([zero]), {**node, "body": block([stop, node["body"]])}]
        before: list[Node] = []
        init, update, test = variables([zero]), None, node.get("test")
        if kind == "ForStatement":
            update = node["update"]
            own = node["init"]
            if own is not None and own["type"] == "VariableDeclaration" and own["kind"] != "const":
                init = {**own, "declarations": [*own["declarations"], zero]}
            elif own is not None:
                before = [
                    own if own["type"] == "VariableDeclaration" else expression_statement(own)
                ]
        if kind == "DoWhileStatement":
            # The first round runs unconditionally.
            first = binary("===", increment(counter), literal(0))
            below = binary("<", identifier(counter), literal(cap))
            test = logical("||", first, test) if test is not None else first
        condition = below if test is None else logical("&&", below, test)
        loop: Node = {"type": "ForStatement", "init": init, "test": condition}
        return [*before, {**loop, "update": update, "body": node["body"]}]

    def _counter(self) -> str:
        while True:
            self._count += 1
            name = f"n{self._count}"
            if name not in self._taken:
                return name


def _if(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    return (
        self.flat(_evaluated(node["test"]), top=top, depth=depth)
        + self.statement(node["consequent"], top=top, depth=depth)
        + self.statement(node["alternate"], top=top, depth=depth)
    )


def _switch(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    inside = [statement for case in node["cases"] for statement in case["consequent"]]
    return self.flat([*_evaluated(node["discriminant"]), *inside], top=top, depth=depth)


def _try(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    both = [node["block"], node.get("finalizer")]
    return [flat for part in both for flat in self.statement(part, top=top, depth=depth)]


def _flat_block(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    inside = self.flat(node["body"], top=top, depth=depth)
    return inside if top else [block(inside)]


def _labelled(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    return self.statement(node["body"], top=top, depth=depth)


def _returned(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    return self.flat(_evaluated(node["argument"]), top=top, depth=depth)


def _declared(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    return [{**self.inner(node, depth), "kind": "var" if top else node["kind"]}]


def _class(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    whole = self.inner(node, depth)
    if not top:
        return [whole]
    return [variables([{**declarator("", {**whole, "type": "ClassExpression"}), "id": node["id"]}])]


def _exported(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    declared = node.get("declaration")
    if declared is not None and not declared["type"].endswith("Declaration"):
        declared = expression_statement(declared)
    return self.statement(declared, top=top, depth=depth)


def _plain(self: _Preparation, node: Node, top: bool, depth: int) -> list[Node]:
    expression = node["expression"]
    if expression["type"] == "Literal" and isinstance(expression["value"], str):
        return []  # "use strict" would forbid what the mutations write
    if expression["type"] == "CallExpression":
        callee = expression["callee"]
        if callee["type"] == "Identifier" and callee["name"] == "load":
            return []  # an import: ignored
        if _is_scope(callee) and not expression["arguments"]:
            return self.statement(callee["body"], top=top, depth=depth)
    return [self.inner(node, depth)]


def _is_scope(node: Node) -> bool:
    """`(function() {...})()`: the old way of keeping a test's variables to itself."""
    return (
        node["type"] in FUNCTIONS
        and not node["params"]
        and not node.get("generator")
        and node["body"]["type"] == "BlockStatement"
    )


_RULES: dict[str, Callable[[_Preparation, Node, bool, int], list[Node]]] = {
    "BlockStatement": _flat_block,
    "ClassDeclaration": _class,
    "ExportDefaultDeclaration": _exported,
    "ExportNamedDeclaration": _exported,
    "ExpressionStatement": _plain,
    "IfStatement": _if,
    "LabeledStatement": _labelled,
    "ReturnStatement": _returned,
    "SwitchStatement": _switch,
    "TryStatement": _try,
    "VariableDeclaration": _declared,
}


def _evaluated(expression: Node | None) -> list[Node]:
    """The expression as a statement, if evaluating it can do anything."""
    if expression is None or not any(node["type"] in _EFFECTS for node in descend(expression)):
        return []
    return [expression_statement(expression)]


def _first_round(node: Node) -> list[Node]:
    """What binds the variables of a loop's first round."""
    if node["type"] == "ForStatement":
        init = node["init"]
        if init is None:
            return []
        return [init if init["type"] == "VariableDeclaration" else expression_statement(init)]
    if node["type"] not in ("ForInStatement", "ForOfStatement"):
        return _evaluated(node["test"])
    right = node["right"]
    if node["type"] == "ForInStatement":
        keys = member(identifier("Object"), "keys")
        right = call(keys, [right])
    first = member(right, literal(0))
    left = node["left"]
    if left["type"] == "VariableDeclaration":
        return [{**left, "declarations": [{**left["declarations"][0], "init": first}]}]
    return [expression_statement(assignment(left, first))]


def _renamed(node: Node) -> Node:
    if node["type"] == "Identifier" and node["name"] in RESERVED:
        return {**node, "name": node["name"] + "_"}
    if node["type"] == "MemberExpression" and not node["computed"]:
        return {**node, "object": _renamed(node["object"])}
    if node["type"] == "Property" and not node["computed"]:
        if node.get("shorthand"):
            return {**node, "shorthand": False, "value": _renamed(node["value"])}
        return {**node, "value": _renamed(node["value"])}
    if node["type"] == "MethodDefinition":
        return {**node, "value": _renamed(node["value"])}
    return mapped(node, _renamed)
