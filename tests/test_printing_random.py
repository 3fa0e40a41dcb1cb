"""Random trees of every type: what is printed parses to the same tree."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structure.nodes import Node, expression_statement, identifier, literal, program, regex, walk
from structure.parsing import parse
from structure.printing import to_javascript

quickjs = pytest.importorskip("quickjs")


def exact(tree: Any) -> str:
    """A text that tells 1 from 1.0 and from True, which == on dicts does not."""
    return json.dumps(tree, sort_keys=True)


BOUNDED = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
CHARS = st.characters() | st.characters(categories=["Cs", "Cc", "Zl", "Zp"])


@BOUNDED
@given(st.lists(CHARS, max_size=6).map("".join))
def test_any_string(text: str) -> None:
    printed = to_javascript(literal(text))
    wanted = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    (statement,) = parse(f"x({printed})")["body"]
    assert statement["expression"]["arguments"][0]["value"] == wanted
    printed.encode()
    assert (
        quickjs.Context().eval(f"{printed}.length")
        == len(text.encode("utf-16-le", "surrogatepass")) // 2
    )


@BOUNDED
@given(st.floats(allow_nan=False) | st.integers(-(2**70), 2**70))
def test_any_number(value: float) -> None:
    node = literal(value)
    (statement,) = parse(to_javascript(expression_statement(node)))["body"]
    assert exact(statement["expression"]) == exact(node)
    assert quickjs.Context().eval(to_javascript(node)) == float(value)


# No "async": esprima refuses `${async}`.
NAMES = st.sampled_from(["a", "b", "of", "get", "set", "$", "é", "undefined"])
NAMED = NAMES.map(identifier)
STRINGS = st.sampled_from(["", "a", '"', "use strict", "\\", "\n", "\u2028", "\ud800", "😀"])


def node(kind: str, /, **fields: Any) -> st.SearchStrategy[Node]:
    """A strategy of nodes; a field that is not a strategy is itself."""
    made = {k: v if isinstance(v, st.SearchStrategy) else st.just(v) for k, v in fields.items()}
    return st.fixed_dictionaries({"type": st.just(kind), **made})


def some(items: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=least, max_size=most)


LEAVES = st.one_of(
    NAMED,
    STRINGS.map(literal),
    st.sampled_from([0, 7, 1.5, 1e21, float("inf"), True, False, None]).map(literal),
    st.sampled_from(["a", "[/]", "=", "\\/"]).map(lambda text: regex(text, "g")),
    node("ThisExpression"),
)
BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "===",
    "!==",
    "<<",
    ">>",
    ">>>",
    "&",
    "|",
    "^",
    "in",
    "instanceof",
]
ASSIGN = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "**="]


def patterns(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    plain = node("AssignmentPattern", left=NAMED, right=inner)
    rest = node("RestElement", argument=NAMED)
    array = st.builds(
        lambda items, last: {"type": "ArrayPattern", "elements": items + last},
        some(st.none() | NAMED | plain),
        some(rest, most=1),
    )
    return NAMED | array | node("ObjectPattern", properties=some(properties(inner, NAMED | plain)))


def properties(
    key: st.SearchStrategy[Node], value: st.SearchStrategy[Node]
) -> st.SearchStrategy[Node]:
    fixed = {"kind": "init", "method": False, "shorthand": False, "value": value}
    plain = node("Property", key=NAMED | STRINGS.map(literal), computed=False, **fixed)
    return plain | node("Property", key=key, computed=True, **fixed)


def distinct(params: list[Node]) -> list[Node]:
    """Parameters without a name twice, which strict functions refuse."""
    for count, each in enumerate(each for param in params for each in walk(param)):
        if each["type"] == "Identifier":
            each["name"] = f"p{count}"
    return params


def function(kind: str, inner: st.SearchStrategy[Node], **fields: Any) -> st.SearchStrategy[Node]:
    body = node("BlockStatement", body=some(node("ReturnStatement", argument=inner), most=1))
    parts = {"id": st.none() | NAMED, "body": body, "generator": False, "async": False}
    parts |= {"params": some(patterns(inner), most=2).map(distinct), "expression": False, **fields}
    return node(kind, **parts)


def methods(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    parts = {"computed": False, "key": NAMED, "static": st.booleans(), "kind": "method"}
    value = function("FunctionExpression", inner, id=None)
    return node("MethodDefinition", value=value, **parts)


def quasi(text: str) -> Node:
    return {"type": "TemplateElement", "value": {"raw": text, "cooked": text}, "tail": False}


def template(texts: list[str], inner: list[Node]) -> Node:
    pieces = [quasi(text) for text in texts[: len(inner) + 1]]
    pieces[-1]["tail"] = True
    return {"type": "TemplateLiteral", "quasis": pieces, "expressions": inner}


def bigger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Expressions of every type, of smaller ones."""
    spread = inner | node("SpreadElement", argument=inner)
    dotted = node("MemberExpression", object=inner, property=NAMED, computed=False)
    indexed = node("MemberExpression", object=inner, property=inner, computed=True)
    quasis = some(st.sampled_from(["", "a", "$", "\n"]), 3, 3)
    templates = st.builds(template, quasis, some(inner, most=2))
    operation = {"left": inner, "right": inner}
    arrow = {"id": None, "expression": True, "body": inner}
    body = node("ClassBody", body=some(methods(inner), most=2))
    targets = patterns(inner)
    # esprima refuses `(-a) ** b`, which is JavaScript.
    base = inner.filter(lambda each: each["type"] not in ("UnaryExpression", "AwaitExpression"))
    return st.one_of(
        node("ArrayExpression", elements=some(st.none() | spread)),
        node("ObjectExpression", properties=some(properties(inner, inner))),
        node("BinaryExpression", operator=st.sampled_from(BINARY), **operation),
        node("BinaryExpression", operator="**", left=base, right=inner),
        node("LogicalExpression", operator=st.sampled_from(["&&", "||"]), **operation),
        node(
            "AssignmentExpression",
            operator=st.sampled_from(ASSIGN),
            left=NAMED | dotted,
            right=inner,
        ),
        node("AssignmentExpression", operator="=", left=targets, right=inner),
        node(
            "UnaryExpression",
            operator=st.sampled_from(["+", "-", "!", "~", "typeof", "void"]),
            prefix=True,
            argument=inner,
        ),
        node(
            "UpdateExpression",
            operator=st.sampled_from(["++", "--"]),
            prefix=st.booleans(),
            argument=NAMED | dotted,
        ),
        node("ConditionalExpression", test=inner, consequent=inner, alternate=inner),
        node("SequenceExpression", expressions=some(inner, 2)),
        node("CallExpression", callee=inner, arguments=some(spread)),
        node("NewExpression", callee=inner, arguments=some(spread)),
        dotted,
        indexed,
        templates,
        node("TaggedTemplateExpression", tag=inner, quasi=templates),
        function("FunctionExpression", inner),
        function("ArrowFunctionExpression", inner, id=None),
        function("ArrowFunctionExpression", inner, **arrow),
        node("ClassExpression", id=st.none() | NAMED, superClass=st.none() | inner, body=body),
    )


EXPRESSIONS = st.recursive(LEAVES, bigger, max_leaves=8)


def compound(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Statements of smaller ones."""
    value = EXPRESSIONS
    block = node("BlockStatement", body=some(inner))
    declarator = node("VariableDeclarator", id=NAMED, init=st.none() | value)
    one = node("VariableDeclarator", id=patterns(LEAVES), init=None)
    each = node("VariableDeclaration", kind="var", declarations=some(one, 1, 1))
    several = node("VariableDeclaration", kind="var", declarations=some(declarator, 1))
    catch = node("CatchClause", param=st.none() | NAMED, body=block)
    case = node("SwitchCase", test=value, consequent=some(inner, most=2))
    maybe = st.none() | value
    return st.one_of(
        block,
        several,
        function("FunctionDeclaration", value, id=NAMED),
        node("IfStatement", test=value, consequent=block, alternate=st.none() | inner),
        node("WhileStatement", test=value, body=inner),
        node("DoWhileStatement", test=value, body=inner),
        node("ForStatement", init=maybe | several, test=maybe, update=maybe, body=inner),
        node("ForInStatement", left=each, right=value, body=inner),
        node("ForOfStatement", left=each, right=value, body=inner),
        node("SwitchStatement", discriminant=value, cases=some(case)),
        node("TryStatement", block=block, handler=catch, finalizer=st.none() | block),
        node("ThrowStatement", argument=value),
    )


SIMPLE = node("ExpressionStatement", expression=EXPRESSIONS) | node("EmptyStatement")
STATEMENTS = st.recursive(SIMPLE, compound, max_leaves=4)


@BOUNDED
@given(EXPRESSIONS)
def test_any_expression(tree: Node) -> None:
    whole = program([expression_statement(tree)])
    text = to_javascript(whole)
    assert exact(parse(text)) == exact(whole), text


@BOUNDED
@given(some(STATEMENTS, 1))
def test_any_statements(body: list[Node]) -> None:
    text = to_javascript(program(body))
    assert exact(parse(text)) == exact(program(body)), text
