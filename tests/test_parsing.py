"""Both parsers give one tree for one text, and every failure is a ParseError."""

import json
from typing import Any

import pytest

from structure.nodes import FIELDS, OPTIONAL, Node, literal, number, walk
from structure.parsing import ParseError, deep_calls, parse, parse_es5, parse_es2017


def exact(tree: Any) -> str:
    """A text that tells 1 from 1.0 and from True, which == on dicts does not."""
    return json.dumps(tree, sort_keys=True)


def only(source: str) -> Node:
    """The expression of the one statement of a text."""
    (statement,) = parse(source)["body"]
    expression = statement["expression"]
    assert isinstance(expression, dict)
    return expression


_LINES = """
a; /a/g; /[/]\\//gim; true; false; null; this
var x = 1e400, y = 0x10, z = .5, big = 99999999999999999999
"use strict"; a
('use strict'); a
'it\\'s'; b; 'not a directive'
({a: b, 'c': 1, 2: 3, get d() { return 1 }, set d(x) {}})
({if: 1, get: 2, set: 3})
[, a, , b,]
[,]
[]
({})
{ a: b }
{}
;
;;
if (a) b; else if (c) d
if (a); else b
if (a) { if (b) c } else d
for (;;) break
for (var i = 0, n = 9; i < n; i++) continue
for (var k in o);
for (k in o) { k }
for (o[k] in o);
for (i = ('a' in b); ;);
while (a) b
do a; while (b)
do { a } while (b) c
l: for (;;) break l
switch (a) { case 1: b; break; default: case 2: { c } }
try { a } catch (e) { b } finally { c }
try { a } finally { c }
throw a
debugger
function f(a, b) { 'use strict'; return }
function f() { return a, b }
(function () {})()
(function g(a) { return g })(1)
new a
new a.b(c)
new (a().b)(c)
new new a()()
a.b.c[d](e).f
-1; - -1; +a; !a; ~a; typeof a; void 0; delete a.b; ++a; a--
a + b - c * d / e % f
a << b >> c >>> d
a < b; a > b; a <= b; a >= b; a instanceof b; a in b
a == b != c === d !== e
a & b | c ^ d && e || f
a ? b : c ? d : e
a = b += c -= d *= e /= f %= g <<= h >>= i >>>= j &= k |= l ^= m
a, b, c
'\\0\\x41\\u2028\\ud800\\ud83d\\ude00\\n\\\\'
x = '\U0001f600'
x\\u0061
\u00e9 = 1
a // b
/* a */ b /* c */
\ufeffa
let x = 1; const y = 2
{ let x; const y = 1 }
get = set = of = static_ = async
"""
ES5 = ["'\\\r\nx'", "a\n++b", "a\rb", *_LINES.strip().split("\n")]


@pytest.mark.parametrize("source", ES5)
def test_both_parsers_agree(source: str) -> None:
    es5 = parse_es5(source)
    assert es5 is not None, "pyjsparser must read this itself"
    assert exact(es5) == exact(parse_es2017(source))
    assert exact(es5) == exact(parse(source))


@pytest.mark.parametrize("source", ES5)
def test_nodes_have_exactly_their_fields(source: str) -> None:
    for node in walk(parse(source)):
        names = set(node) - {"type"}
        wanted = set(FIELDS[node["type"]])
        assert wanted - OPTIONAL <= names <= wanted


def test_what_is_normalised() -> None:
    assert only("/a\\/b/gi") == {
        "type": "Literal",
        "value": None,
        "regex": {"pattern": "a\\/b", "flags": "gi"},
    }
    assert only("({a})")["properties"][0]["shorthand"] is True
    (function,) = parse("function f(a, b = 1) {}")["body"]
    assert [param["type"] for param in function["params"]] == ["Identifier", "AssignmentPattern"]
    assert function["async"] is False
    assert function["generator"] is False
    (attempt,) = parse("try {} catch {}")["body"]
    assert attempt["handler"]["param"] is None
    assert set(attempt) == {"type", "block", "handler", "finalizer"}
    assert only("`a\r\nb`")["quasis"][0]["value"] == {"raw": "a\nb", "cooked": "a\nb"}
    assert only("'\\ud83d\\ude00'")["value"] == "\U0001f600"
    assert only("'\\ud83d'")["value"] == "\ud83d"


def test_what_esprima_reads_wrongly() -> None:
    (function,) = parse("function f() { return `a\nb` }")["body"]
    (jump,) = function["body"]["body"]
    assert jump["argument"]["type"] == "TemplateLiteral"
    (function,) = parse("function f(a = `x`) { return 'a\\\nb' }")["body"]
    (jump,) = function["body"]["body"]
    assert jump["argument"] == literal("ab")


def test_directives_are_told_from_strings() -> None:
    assert parse("'use strict'")["body"][0]["directive"] == "use strict"
    assert "directive" not in parse("('use strict')")["body"][0]
    assert "directive" not in parse("a; 'use strict'")["body"][1]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("0x10", 16),
        ("0777", 511),
        ("0b11", 3),
        ("0o17", 15),
        ("9007199254740992", 2**53),
        ("9007199254740993", 2**53),
        ("9007199254740994", 9007199254740994.0),
        ("0xFFFFFFFFFFFFFFFFFF", float(0xFFFFFFFFFFFFFFFFFF)),
        ("1.0", 1),
        ("5e-324", 5e-324),
        ("1e400", float("inf")),
        ("0x" + "f" * 300, float("inf")),
    ],
)
def test_numbers(source: str, value: float) -> None:
    got = only(source)["value"]
    assert got == value
    assert type(got) is type(value)


def test_negative_numbers_are_operations() -> None:
    assert only("-1") == literal(-1)
    assert only("-0") == literal(-0.0)
    assert number(-0.0) == 0


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a;\nb c", 2),
        ("\n\n)", 3),
        ("while (1)", 1),
        ("if (a)", 1),
        ("for (;;)", 1),
        ("a:", 1),
        ("'a", 1),
        ("`a", 1),
        ("/* a", 1),
        ("a?.b", 1),
        ("a;\n'\ud800'", 2),
        ("\\", 1),
        ("\\u", 1),
        ("/", 1),
        ("'\\u", 1),
        ("0x", 1),
        ("return 1", 1),
        ("a = {get", 1),
        ("({a: 1, b}) = c => {", 1),
        ("\u0000", 1),
        ("__end_of_the_text__ +", 1),
    ],
)
def test_errors_have_a_line(source: str, line: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(source)
    assert caught.value.line == line
    assert caught.value.message.startswith(f"Line {line}: ")
    assert caught.value.message.endswith(".")


def test_every_prefix_of_a_text_parses_or_is_a_parse_error() -> None:
    text = (
        "class A { get [b]() { return `${c}` } }\nfor (let [d] of e) f(...g, /h/i, 'i\\u0041', 0x1)"
    )
    refused = 0
    for end in range(len(text)):
        try:
            parse(text[:end])
        except ParseError:
            refused += 1
    assert refused > 50


def test_the_mark_of_the_end_is_an_ordinary_name() -> None:
    assert only("__end_of_the_text__") == {"type": "Identifier", "name": "__end_of_the_text__"}


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("f(", ")")])
@pytest.mark.parametrize("before", ["x = ", "`esprima`; x = "])
def test_deep_nesting(opening: str, closing: str, before: str) -> None:
    parse(before + opening * 500 + "1" + closing * 500)
    with pytest.raises(ParseError):
        parse(before + opening * 20_000 + "1" + closing * 20_000)


def test_the_recursion_limit_is_put_back() -> None:
    import sys

    before = sys.getrecursionlimit()
    with deep_calls():
        assert sys.getrecursionlimit() > before
    assert sys.getrecursionlimit() == before
    with pytest.raises(ParseError):
        parse("(")
    assert sys.getrecursionlimit() == before


def test_a_walk_is_in_field_order_and_any_depth() -> None:
    names = [node.get("name") for node in walk(parse("a(b, [c], {d: e})")) if "name" in node]
    assert names == ["a", "b", "c", "d", "e"]
    node = literal(1)
    for _ in range(50_000):
        node = {"type": "ArrayExpression", "elements": [node, None]}
    assert sum(1 for _ in walk(node)) == 50_001
