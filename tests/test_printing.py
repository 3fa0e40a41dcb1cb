"""Printed text parses to the tree it came from, reads well, and QuickJS takes it."""

import json
from typing import Any

import pytest

from structure.nodes import (
    FIELDS,
    Node,
    array_expression,
    call,
    expression_statement,
    identifier,
    literal,
    member,
    object_expression,
    program,
    regex,
    unary,
    walk,
)
from structure.parsing import parse
from structure.printing import to_javascript
from structure.printing.layout import PRINTERS

quickjs = pytest.importorskip("quickjs")

SLOPPY = r"""
/a\/[/]/gimuy; /=/; a / /b/
1e400; 0x10; .5; 1e21; 5e-324; 123456789012345680000
"\0\x01\u2028\u2029\ud800\udc00\ud800'\"\\"; 'é😀\x7f\ufeff'
[,]; [,,]; [a,]; [a,,]; [,a]; [,,a,,]
({a, 'b': 2, 3: 4, [c]: 5, d() {}, *e() {}, async f() {}, get g() { return 1 }, set h(i) {}})
({get: 1, set: 2, async: 3, static: 4, get() {}, async() {}, if: 5, __proto__: null})
({...a, ...b}); [...a, ...b]; f(...a, b)
(function(){})(); (function(){}()); !function(){}(); void function a(){}()
({}).x; ({}.x); ({} + 1); (function a(){} + 1); +{}; (class {}); (class A {}).b; new class {}
({a} = b); ({a = 1} = b); ({a: b = 1, ...c} = d); [a, [b] = c, ...d] = e; (a) = b
for (var i = 0, a = ('x' in y); ;) break
for (('a' in b); ;) break
for (var i = [('a' in b)]; ;) break
for (let f = () => { ('a' in b) }; ;) break
for (let [a = ('b' in c)] of d);
for (let i of [1, 2, 3]) {}
for (const [k, v] of m);
for ({a} of b);
for ([a] in b);
for (a.b of c);
for (;;) break
for (a; b; c) continue
for (var i in a, b);
for (let i of (a, b));
new (foo().bar)(); new foo; new (foo()); new new a()(); new (a.b().c); new a.b.c(1); (new a).b
new (a`b`); new (a()`b`); new (a().b[c]); new (function(){}()); new f(...a)
- -x; + +a; -(-1); - --i; -(+a); a - -b; a+ +b; a - --b; a++ + ++b; !(!a); typeof typeof a; ~-a
a ** b; (a ** b) ** c; a ** b ** c; a ** -b; (a + b) ** c; a++ ** b
a || (b || c); a && b || c; a || b && c; (a || b) && c; a - (b - c); a - b - c; a % (b * c)
a & b | c ^ d; (a | b) & c; a < b == c; a < (b == c); a in b in c; (a = b) + c
a ? b : c ? d : e; (a ? b : c) ? d : e; (a, b) ? c : d; a ? (b, c) : d; a ? b = 1 : c = 2
a = b = c; a += (b, c); a >>>= b; a **= b; a = (b, c)
1..toString(); 1.5.toString(); 0x10.toString(); (1e21).toString(); (-1).toString()
a => a; () => ({}); () => ({}).x; () => {}; (a, b = 1, ...c) => 1; ({a}, [b]) => a; x => y => z
(a => a)(b); (a => a) || b; a || (b => b); (() => {}).c; a ? b => c : d => e; async => async
async (a) => await a; async a => a; async () => {}; async(a); (async () => {})(); f(async () => {})
async function f() { await a; (await b).c; await (c, d); -await e; (await f) ** 2 }
function* g() { yield; yield a; yield* b; const x = yield y; (yield) ? 1 : 2; f(yield, yield a) }
async function f() { for (const a of await b) await a }
`a${b}c`; `${`${x}`}`; `\``; `$`; `\${b}`; `$${b}$`; `a
b`
a`b${c}d`; a.b`c`; a()`b``c`
'use strict'; 'another'; a; 'not one'
('use strict'); with (a) b
"it's \"x\""; b
'say "x"'; b
function f() { 'use\x20strict'; ('no directive'); with (a) b }
() => { 'use strict'; }
if (a) if (b) c; else d
if (a) { if (b) c } else d
if (a); else b
if (a) { b } else if (c) d; else { e }
if (a) while (b) if (c) d; else e
if (a) function f() {}
while (a) b
while (a);
do a; while (b)
do { a } while (b)
do ; while (b)
a: b: for (;;) { break a; continue b }
a: { break a }
switch (a) { case 1: b; break; default: case 2: { c } }
switch (a) {}
try { a } catch (e) { b }
try { a } catch { b } finally { c }
try { a } catch ({b, c: [d]}) { b }
try { a } finally { b }
throw a
debugger
;
{}
{ ; { } }
var a, b = 1, {c, d: [e] = f} = g
let x = 1
const [y] = z
class A {}
class A extends (a, b) { constructor() { super(); super.x; super[y]() } }
class A extends B.c { static a() {} *b() {} async c() {} get d() { return 1 } set d(e) {} ; }
class A { 'a'() {} 1() {} [b]() {} static static() {} }
class A { get() {} set() {} async() {} static async g() {} }
function f(a, b = 1, {c}, [d] = [], ...e) { return }
function f() { return a, b }
function f() { return new.target }
this; null; true; a.if; a['b']; a[b, c]; (a, b).c; (a = b).c; a[0][1]
a, b, c; f((a, b)); delete a.b; void 0
a <!--b
let async; async; a.async
""".strip("\n")
MODULE = """
import a from 'b'
import * as a from 'b'
import a, * as b from 'c'
import a, {b, c as d} from 'e'
import {default as a} from 'b'
import 'a'
export {}
export {a, b as c}
export {a, b as default} from 'b'
export * from 'a'
export const x = 1, y = 2
export function f() {}
export class A {}
export default class {}
export default class A {}
export default function () {}
export default function f() {}
export default async function () {}
export default (function () {})
export default (class {})
export default {}
export default a => a
export default (a, b)
export default [a]
""".strip()

LONG = [
    "function f() { return `a\nb` }",
    "function f() { return 'a\\\nb' }",
    "`c`; function f() { return 'a\\\nb' }",
    "`c`; function f() { return /*\n*/ a }",
    "throw `a\nb`",
    "a = `b\nc`\nd++",
]


def exact(tree: Any) -> str:
    """A text that tells 1 from 1.0 and from True, which == on dicts does not."""
    return json.dumps(tree, sort_keys=True)


def snippets(text: str) -> list[str]:
    return text.replace("`a\nb`", "`a\\u000ab`").split("\n")


def accepted(text: str) -> bool:
    """Whether QuickJS compiles the text as the body of a function."""
    try:
        quickjs.Context().eval(f"(function () {{\n{text}\n}})")
    except quickjs.JSException:
        return False
    return True


@pytest.mark.parametrize(
    "source", [*snippets(SLOPPY), *snippets(MODULE), "`a\nb`", "a\n-->b", *LONG]
)
def test_round_trip(source: str) -> None:
    tree = parse(source)
    before = exact(tree)
    text = to_javascript(tree)
    assert exact(parse(text)) == before
    assert exact(tree) == before, "printing must not change the tree"
    assert to_javascript(parse(text)) == text


@pytest.mark.parametrize("source", snippets(SLOPPY))
def test_quickjs_takes_what_is_printed(source: str) -> None:
    assert accepted(to_javascript(parse(source)))


def test_every_type_has_a_printer_and_a_snippet() -> None:
    seen = {
        node["type"]
        for source in [*snippets(SLOPPY), *snippets(MODULE), "import('a')"]
        for node in walk(parse(source))
    }
    assert seen == set(FIELDS)
    parts = {"CatchClause", "ClassBody", "SwitchCase", "TemplateElement", "VariableDeclarator"}
    parts |= {name for name in FIELDS if name.endswith("Specifier")}
    assert set(FIELDS) - set(PRINTERS) == parts


def test_layout() -> None:
    text = to_javascript(
        parse(
            "if(a){b({c:1,d:[2,3]})}else if(e)f;else{for(;;){g(function(h){return h})}}"
            f"x={{first:'{'1' * 50}',second:'{'2' * 50}'}};var y='it\\'s'"
        )
    )
    assert text.split("\n") == [
        "if (a) {",
        "    b({ c: 1, d: [2, 3] });",
        "} else if (e)",
        "    f;",
        "else {",
        "    for (;;) {",
        "        g(function(h) {",
        "            return h;",
        "        });",
        "    }",
        "}",
        "x = {",
        f'    first: "{"1" * 50}",',
        f'    second: "{"2" * 50}"',
        "};",
        'var y = "it\'s";',
        "",
    ]


def test_what_only_mutations_make() -> None:
    inner: Node = {
        "type": "IfStatement",
        "test": identifier("b"),
        "consequent": {"type": "EmptyStatement"},
        "alternate": None,
    }
    outer = {**inner, "consequent": inner, "alternate": {"type": "EmptyStatement"}}
    (got,) = parse(to_javascript(outer))["body"]
    assert got["alternate"] is not None
    negative = {"type": "Literal", "value": -1}
    assert to_javascript(member(negative, "a")) == "(-1).a"
    renamed = parse("({a})")
    renamed["body"][0]["expression"]["properties"][0]["key"]["name"] = "b"
    assert to_javascript(renamed) == "({ b: a });\n"
    assert to_javascript(regex("")) == "/(?:)/"
    assert to_javascript(literal(float("nan"))) == "NaN"
    (declaration,) = parse("let a")["body"]
    assert to_javascript({**inner, "consequent": declaration}) == "if (b) {\n    let a;\n}"


def test_constructors() -> None:
    entries: list[tuple[str | Node, Node]] = [("$a", literal(1)), ("b-c", array_expression([None]))]
    made = call(member(member(identifier("db"), "c"), literal("d e")), [object_expression(entries)])
    tree = program([expression_statement(unary("!", made)), expression_statement(literal(-2.5))])
    assert to_javascript(tree) == '!db.c["d e"]({ $a: 1, "b-c": [,] });\n-2.5;\n'
    assert exact(parse(to_javascript(tree))) == exact(tree)


NESTINGS = [("[", "]"), ("{a: ", "}"), ("f(", ")"), ("(a, ", ")"), ("function() { return ", "}")]


@pytest.mark.parametrize(
    ("opening", "closing"), [*NESTINGS, ("!", ""), ("a + ", ""), ("a => ", "")]
)
def test_deep_nesting(opening: str, closing: str) -> None:
    tree = parse("x = " + opening * 500 + "1" + closing * 500)
    text = to_javascript(tree)
    assert to_javascript(parse(text)) == text


def test_a_very_long_sum() -> None:
    tree = parse("a" + " + b" * 20_000)
    assert to_javascript(tree) == "a" + " + b" * 20_000 + ";\n"
