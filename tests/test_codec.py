"""BSON between JavaScript and Python: the bytes are those that pymongo's encoder gives."""

from __future__ import annotations

import re
import struct
from typing import Any
from uuid import UUID

import bson
import pytest
from bson import Binary, Code, DBRef, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.datetime_ms import DatetimeMS
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from shells import Recorder, Shell

OID = "65aabbccddeeff0011223344"
LIMIT = 16 * 1024 * 1024


def element(kind: int, payload: bytes, key: bytes = b"v") -> bytes:
    """A document with one element, spelt out: for the types that pymongo does not write."""
    body = bytes([kind]) + key + b"\0" + payload + b"\0"
    return struct.pack("<i", len(body) + 4) + body


def text(value: bytes) -> bytes:
    return struct.pack("<i", len(value) + 1) + value + b"\0"


# An expression, and the value whose encoding is expected.
VALUES: list[tuple[str, Any]] = [
    ("1", 1),
    ("2147483647", 2147483647),
    ("-2147483648", -2147483648),
    ("2147483648", 2147483648.0),
    ("-2147483649", -2147483649.0),
    ("0", 0),
    ("-0", -0.0),
    ("1.5", 1.5),
    ("NaN", float("nan")),
    ("Infinity", float("inf")),
    ("-Infinity", float("-inf")),
    ("5e-324", 5e-324),
    ("1.7976931348623157e308", 1.7976931348623157e308),
    ("9007199254740993", 9007199254740992.0),
    ("5n", Int64(5)),
    ("NumberLong(1)", Int64(1)),
    ("NumberLong('9223372036854775807')", Int64(2**63 - 1)),
    ("NumberLong('-9223372036854775808')", Int64(-(2**63))),
    ("NumberLong(NumberLong(7))", Int64(7)),
    ("NumberInt(5.9)", 5),
    ("NumberInt('2147483648')", -2147483648),
    ("Double(1)", 1.0),
    ("NumberDecimal('0.1')", Decimal128("0.1")),
    ("NumberDecimal('-0')", Decimal128("-0")),
    ("NumberDecimal('NaN')", Decimal128("NaN")),
    ("NumberDecimal('-Infinity')", Decimal128("-Infinity")),
    ("NumberDecimal('1E-6176')", Decimal128("1E-6176")),
    (
        "NumberDecimal('9.999999999999999999999999999999999E+6144')",
        Decimal128("9.999999999999999999999999999999999E+6144"),
    ),
    ("''", ""),
    ("'a\\0b'", "a\0b"),
    ("'\\ud800'", "\ufffd"),
    ("'\\udc00\\ud800x'", "\ufffd\ufffdx"),
    ("'a\\ud800'", "a\ufffd"),
    ("'\\u{1f600}\\u07ff\\u0800\\uffff'", "\U0001f600\u07ff\u0800\uffff"),
    ("true", True),
    ("false", False),
    ("null", None),
    ("new Date(0)", DatetimeMS(0)),
    ("new Date(-1)", DatetimeMS(-1)),
    ("new Date(8.64e15)", DatetimeMS(8640000000000000)),
    ("new Date(-8.64e15)", DatetimeMS(-8640000000000000)),
    ("new Date(NaN)", DatetimeMS(0)),  # as mongosh sends it
    ("ISODate('2024-02-29T12:00:00.5Z')", DatetimeMS(1709208000500)),
    ("ISODate('2024-02-29')", DatetimeMS(1709164800000)),
    ("/a\\/b/gims", Regex("a\\/b", re.I | re.M | re.S)),
    ("new RegExp('')", Regex("(?:)", 0)),
    (f"ObjectId('{OID.upper()}')", ObjectId(OID)),
    ("Timestamp(1, 2)", Timestamp(1, 2)),
    ("Timestamp({t: 3, i: 4})", Timestamp(3, 4)),
    ("Timestamp(4294967295, 4294967295)", Timestamp(2**32 - 1, 2**32 - 1)),
    ("MinKey", MinKey()),
    ("MinKey()", MinKey()),
    ("MaxKey", MaxKey()),
    ("MaxKey()", MaxKey()),
    ("BinData(0, '')", Binary(b"")),
    *((f"BinData({n}, 'AQID/w==')", Binary(b"\1\2\3\xff", n)) for n in (0, 1, 2, 5, 7, 128, 255)),
    ("HexData(2, 'beef')", Binary(b"\xbe\xef", 2)),
    (f"MD5('{'0aF1' * 8}')", Binary(bytes.fromhex("0aF1" * 8), 5)),
    (
        "UUID('00112233-4455-6677-8899-aabbccddeeff')",
        Binary(UUID("00112233-4455-6677-8899-aabbccddeeff").bytes, 4),
    ),
    ("Uint8Array.of(1, 2)", Binary(b"\1\2")),
    ("new Uint16Array([1, 258]).subarray(1)", Binary(b"\2\1")),
    ("Code('return 1')", Code("return 1")),
    ("Code('x', {})", Code("x", {})),
    ("Code('x', {a: {b: NumberLong(1)}})", Code("x", {"a": {"b": Int64(1)}})),
    ("Code('x', null)", Code("x")),
    ("function f(a) { return a; }", Code("function f(a) { return a; }")),
    ("DBRef('c', 1)", DBRef("c", 1)),
    (f"DBRef('c', ObjectId('{OID}'), 'd')", DBRef("c", ObjectId(OID), "d")),
    ("{}", {}),
    ("[]", []),
    ("[[], {}, [[]]]", [[], {}, [[]]]),
    ("{$date: 1}", {"$date": 1}),
    ("{$oid: 'x'}", {"$oid": "x"}),
    ("{$numberLong: '1'}", {"$numberLong": "1"}),
    ("{$numberDecimal: '1'}", {"$numberDecimal": "1"}),
    ("{$regex: 'x', $options: 'i'}", {"$regex": "x", "$options": "i"}),
    ("{$binary: {base64: '', subType: '0'}}", {"$binary": {"base64": "", "subType": "0"}}),
    ("{$undefined: true}", {"$undefined": True}),
    ("{$minKey: 1}", {"$minKey": 1}),
    ("{$timestamp: {t: 1, i: 1}}", {"$timestamp": {"t": 1, "i": 1}}),
    ("{_bsontype: 'Long', low: 1, high: 0}", {"_bsontype": "Long", "low": 1, "high": 0}),
    ("{big: 1, str: 'x', type: 1, bytes: 2}", {"big": 1, "str": "x", "type": 1, "bytes": 2}),
    ("{['__proto__']: {a: 1}}", {"__proto__": {"a": 1}}),
    ("JSON.parse('{\"__proto__\": 1, \"x\": 2}')", {"__proto__": 1, "x": 2}),
    (
        "{constructor: 1, toString: 2, valueOf: 3, length: 4, toJSON: 5, then: 6}",
        {"constructor": 1, "toString": 2, "valueOf": 3, "length": 4, "toJSON": 5, "then": 6},
    ),
    ("{'': 1, 'a.b': 2, '$c': 3, '$': 4, '.': 5}", {"": 1, "a.b": 2, "$c": 3, "$": 4, ".": 5}),
    ("{b: 1, a: 2, c: 3}", {"b": 1, "a": 2, "c": 3}),
    # JavaScript itself puts keys that are array indexes first, in every shell.
    ("{b: 1, 10: 2, 2: 3, '-1': 4, '01': 5}", {"2": 3, "10": 2, "b": 1, "-1": 4, "01": 5}),
    ("{'\\ud83d\\ude00': 1, '\\ud800': 2}", {"\U0001f600": 1, "\ufffd": 2}),
    ("(() => { var o = {a: 1}; return [o, o, {o: o}]; })()", [{"a": 1}, {"a": 1}, {"o": {"a": 1}}]),
    ("{get a() { return 1; }}", {"a": 1}),
    ("Object.create({inherited: 1})", {}),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), VALUES, ids=[each for each, _ in VALUES])
def test_a_value_is_sent_as_pymongo_encodes_it(
    recorder: Recorder, expression: str, value: Any
) -> None:
    assert recorder.body(f"db.runCommand({{v: {expression}}})") == bson.encode({"v": value})


RAW = [
    ("undefined", element(0x06, b"")),
    ("BSONSymbol('s')", element(0x0E, text(b"s"))),
    ("Symbol('s')", element(0x0E, text(b"s"))),
    (f"DBPointer('a.b', ObjectId('{OID}'))", element(0x0C, text(b"a.b") + bytes.fromhex(OID))),
    # A hole is sent as it reads: an array of two, the first undefined.
    ("[, 1]", element(0x04, b"\x0f\0\0\0\x060\0\x101\0\1\0\0\0\0")),
]


@pytest.mark.parametrize(("expression", "body"), RAW, ids=[each for each, _ in RAW])
def test_types_that_pymongo_does_not_write(
    recorder: Recorder, expression: str, body: bytes
) -> None:
    assert recorder.body(f"db.runCommand({{v: {expression}}})") == body


def echo(recorder: Recorder, body: bytes) -> bytes:
    """What a script sends that sends back a reply."""
    recorder.reply = body
    return recorder.body("db.runCommand(db.runCommand({give: 1}))")


@pytest.mark.parametrize("body", [body for _, body in RAW], ids=[each for each, _ in RAW])
def test_types_that_pymongo_does_not_write_come_back(recorder: Recorder, body: bytes) -> None:
    assert echo(recorder, body) == body


def test_a_pattern_comes_back_as_it_was_whatever_javascript_makes_of_it(recorder: Recorder) -> None:
    for pattern in ("a/b", "", "\n", "(?<n>x)(?P<m>y)", "(?i)x", "[", "a\\/b"):
        body = bson.encode({"v": Regex(pattern, "ilmsux")})
        assert echo(recorder, body) == body


def test_what_javascript_numbers_and_dates_cannot_carry(recorder: Recorder) -> None:
    """A whole double in the range of int32 comes back as one, as in mongosh; so do far dates."""
    assert echo(recorder, bson.encode({"v": 7.0})) == bson.encode({"v": 7})
    assert echo(recorder, bson.encode({"v": 2.0**31})) == bson.encode({"v": 2.0**31})
    assert echo(recorder, bson.encode({"v": -0.0})) == bson.encode({"v": -0.0})
    far = bson.encode({"v": DatetimeMS(2**63 - 1)})
    assert echo(recorder, far) == bson.encode({"v": DatetimeMS(0)})


def carried(value: float) -> bool:
    """Whether a double stays one (see above)."""
    return not (value.is_integer() and abs(value) <= 2**31) or str(value) == "-0.0"


def not_an_index(key: str) -> bool:
    """JavaScript puts keys that are array indexes first, so that their place is lost."""
    return re.fullmatch("0|[1-9][0-9]*", key) is None


KEYS = st.one_of(
    st.sampled_from(
        ["__proto__", "constructor", "length", "$date", "$oid", "_bsontype", "a.b", "$x", "", "_id"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6).filter(
        not_an_index
    ),
)
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**31), 2**31 - 1),
    st.integers(-(2**63), 2**63 - 1).map(Int64),
    st.floats().filter(carried),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.binary(min_size=12, max_size=12).map(ObjectId),
    st.integers(-8640000000000000, 8640000000000000).map(DatetimeMS),
    st.builds(Timestamp, st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
    st.builds(Binary, st.binary(max_size=20), st.integers(0, 255)),
    st.binary(min_size=16, max_size=16).map(Decimal128.from_bid),
    st.builds(
        Regex,
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
        st.integers(0, 255).map(lambda bits: bits & (re.I | re.L | re.M | re.S | re.U | re.X)),
    ),
    st.builds(Code, st.text(st.characters(exclude_categories=["Cs"]), max_size=8)),
    st.sampled_from([MinKey(), MaxKey()]),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=4),
        st.builds(Code, st.text("ab", max_size=3), st.dictionaries(KEYS, inner, max_size=2)),
    ),
    max_leaves=12,
)


@settings(
    max_examples=300,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example({"v": float("nan")})
@example({"__proto__": {"__proto__": None}, "constructor": []})
@given(st.dictionaries(KEYS, TREES, max_size=5))
def test_every_document_comes_back_byte_for_byte(
    recorder: Recorder, document: dict[str, Any]
) -> None:
    body = bson.encode(document)
    assert echo(recorder, body) == body


def nested(levels: int) -> dict[str, Any]:
    document: dict[str, Any] = {"leaf": 1}
    for _ in range(levels):
        document = {"a": document}
    return document


NEST = "function nest(n) { var d = {leaf: 1}; for (var i = 0; i < n; i++) d = {a: d}; return d; }\n"


def test_nesting_to_200_levels_reaches_the_server_as_written(shell: Shell) -> None:
    run = shell.passes(NEST + "db.runCommand({insert: 'c', documents: [nest(100)]});"
                              "db.runCommand({ping: 1, comment: nest(200)});"
                              "assert.commandWorked(db.runCommand({ping: 1}));")  # fmt: skip
    first, second, third = run.record.sent
    assert bson.decode(first.body) == {"insert": "c", "documents": [nested(100)]}
    assert second.body == bson.encode({"ping": 1, "comment": nested(200)})
    assert (first.code, third.code) == (0, 0)
    assert second.code != 0  # the server's own limit is lower: it answers, and stays


@pytest.mark.parametrize(
    "command",
    [
        "nest(1001)",
        "nest(100000)",
        "{a: Array.from({length: 2000}).reduce((inner) => [inner], 1)}",
        "(() => { var o = {}; o.o = o; return o; })()",
        "(() => { var a = []; a.push({a: a}); return {a: a}; })()",
        "{['a\\0b']: 1}",
        "{v: new RegExp('a\\0')}",
        "{v: DBRef('c', {['\\0']: 1})}",
        "{v: Code('x', {['\\0']: 1})}",
        "{v: 'x'.repeat(17e6)}",
        "{v: new Uint8Array(17e6)}",
        "{v: new Array(1 << 24)}",
        "{v: [new Uint8Array(16.7e6), 'é'.repeat(60000)]}",
        "{get a() { throw new Error('no'); }}",
        "new Proxy({}, {ownKeys() { throw new Error('no'); }})",
    ],
)
def test_what_cannot_be_encoded_is_an_error_of_its_statement(
    recorder: Recorder, command: str
) -> None:
    end = recorder.run(
        NEST + f"try {{ db.runCommand({command}); print('sent'); }} catch (e) {{ skip(e); }}"
        "db.runCommand({a: 'next'});"
    )
    assert end.kind == "ok"
    assert recorder.printed == []
    assert recorder.skipped[0].startswith(("RangeError", "Error", "SyntaxError"))
    assert recorder.sent == [("test", bson.encode({"a": "next"}))]


def test_documents_up_to_16_mb_are_stored_and_one_byte_more_is_refused(shell: Shell) -> None:
    empty = len(bson.encode({"_id": 1, "b": b""}))
    run = shell.passes(f"""
        var fits = db.c.insert({{_id: 1, b: new Uint8Array({LIMIT - empty})}});
        assert.eq(fits.nInserted, 1);
        var sizes = [{{$project: {{size: {{$bsonSize: "$$ROOT"}}}}}}];
        assert.eq(db.c.aggregate(sizes).next().size, {LIMIT});
        var tooLarge = {{_id: 2, b: new Uint8Array({LIMIT - empty + 1})}};
        assert.writeErrorWithCode(db.c.insert(tooLarge), 2);
        assert.throws(() => db.c.insert({{_id: 3, b: new Uint8Array({LIMIT + 20000})}}));
        assert.eq(db.c.count(), 1);
    """)
    assert run.record.lost is None


def test_a_command_as_large_as_the_server_takes_and_one_byte_larger(shell: Shell) -> None:
    """What the codec lets through above the server's limit is the server's to refuse."""
    most = LIMIT + 16 * 1024
    overhead = len(bson.encode({"ping": 1, "comment": b"", "$db": "test"}))
    run = shell.passes(f"""
        var send = (n) => db.runCommand({{ping: 1, comment: new Uint8Array(n)}});
        assert.commandWorked(send({most - overhead}));
        assert.commandFailedWithCode(send({most - overhead + 1}), 10334);
        assert.throws(() => send({most}));
        assert.commandWorked(db.runCommand({{ping: 1}}));
    """)
    assert len(run.record.sent) == 3


def test_many_large_documents_are_split_among_commands(shell: Shell) -> None:
    run = shell.passes("""
        var documents = Array.from({length: 5}, (_, i) => ({_id: i, b: new Uint8Array(6e6)}));
        var result = db.c.insertMany(documents);
        assert.eq(result.insertedIds, [0, 1, 2, 3, 4]);
        assert.eq(result.insertedCount, 5);
    """)
    counts = [len(bson.decode(sent.body)["documents"]) for sent in run.record.sent]
    assert counts == [2, 2, 1]


def test_a_getter_may_send_a_command_of_its_own(recorder: Recorder) -> None:
    recorder.run("""
        db.runCommand({before: "x", get a() { return db.runCommand({inner: "y".repeat(99)}).ok; },
                       after: [1, {get b() { db.runCommand({more: 1}); return 2; }}]});
    """)
    assert [bson.decode(body) for _, body in recorder.sent] == [
        {"inner": "y" * 99},
        {"more": 1},
        {"before": "x", "a": 1, "after": [1, {"b": 2}]},
    ]


def test_a_getter_that_fails_leaves_no_trace_in_the_next_command(recorder: Recorder) -> None:
    recorder.run("""
        try { db.runCommand({a: {get b() { db.runCommand({inner: 1}); throw 1; }}}); } catch (e) {}
        db.runCommand({last: 1});
    """)
    assert [bson.decode(body) for _, body in recorder.sent] == [{"inner": 1}, {"last": 1}]


def test_reply_types_that_scripts_see(recorder: Recorder) -> None:
    recorder.reply = bson.encode(
        {
            "long": Int64(2**53 + 1),
            "int": 5,
            "whole": 5.0,
            "decimal": Decimal128("1.10"),
            "date": DatetimeMS(1),
            "uuid": Binary(bytes(15) + b"\1", 4),
            "code": Code("x", {"a": 1}),
            "regex": Regex("a", re.I),
            "ts": Timestamp(1, 2),
            "__proto__": {"x": 1},
        }
    )
    assert recorder.run("""
        var r = db.runCommand({a: 1});
        print(r.long, r.int + r.whole, r.decimal, r.date, r.uuid, r.regex, r.ts);
        print(r.code.code, r.code.scope.a, Object.keys(r).pop());
        print(Object.getPrototypeOf(r) === Object.prototype);
    """).kind == "ok"  # fmt: skip
    assert recorder.printed == [
        'NumberLong("9007199254740993") 10 NumberDecimal("1.10") '
        'ISODate("1970-01-01T00:00:00.001Z") '
        'UUID("00000000-0000-0000-0000-000000000001") /a/i Timestamp(1, 2)',
        "x 1 __proto__",
        "true",
    ]
