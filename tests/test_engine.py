"""Whatever a script does, it ends in its own verdict, and the next one is unharmed."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import Any

import bson
import pytest
from shells import Recorder, Shell

from harness.shell.engine import Engine, Limits

ENDLESS = "new Proxy({}, {get(target, key) { for (;;); }})"
FOREVER = "{[Symbol.iterator]() { return {next() { return {value: 1, done: false}; }}; }}"


@pytest.fixture(scope="module")
def small_engine() -> Engine:
    return Engine(Limits(seconds=0.15, memory=32 << 20))


@pytest.fixture
def small(small_engine: Engine) -> Recorder:
    return Recorder(small_engine)


def unharmed(recorder: Recorder) -> None:
    """A script after another finds a shell as new."""
    sent = len(recorder.sent)
    recorder.reply = bson.encode({"ok": 1, "list": [1, "a", None]})
    end = recorder.run("""
        if (typeof leak !== "undefined" || Object.prototype.a || [].constructor !== Array) throw 1;
        var reply = db.runCommand({ping: 1, at: new Date(), id: ObjectId(), n: [1, -0, "é"]});
        print(tojson(reply.list), JSON.stringify(Object.keys(reply)));
    """)
    assert end.kind == "ok", end
    assert recorder.printed[-1] == '[1, "a", null] ["ok","list"]'
    assert len(recorder.sent) == sent + 1
    assert bson.decode(recorder.sent[-1][1])["ping"] == 1


@pytest.mark.parametrize(
    "script",
    [
        "while (1) {}",
        "while (1) { try { while (1); } catch (e) {} finally { continue; } }",
        "try { while (1); } finally { while (1); }",
        "[1].forEach(() => { while (1); })",
        "[2, 1].sort(() => { while (1); })",
        "'a'.replace(/a/, () => { while (1); })",
        "JSON.stringify({toJSON() { while (1); }})",
        "function* g() { while (1) yield 1; }  for (var each of g());",
        "db.runCommand({get a() { while (1); }})",
        f"db.runCommand({{a: {ENDLESS}}})",
        f"print({ENDLESS})",
        "step({valueOf() { while (1); }})",
        "skip({toString() { while (1); }})",
        "print({tojson() { while (1); }})",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "(async () => { while (1) await 0; })()",
        "(async () => { while (1) { try { await 0; } catch (e) {} } })()",
        "(function f() { Promise.resolve().then(f); })()",
        "Promise.resolve().then(() => { while (1); })",
        f"Array.from({FOREVER})",
        f"for (var each of {FOREVER});",
        "(function f() { try { f(); } finally { f(); } })()",
        "throw {toString() { while (1); }}",
        "for (;;) print('x')",
        "for (;;) db.runCommand({ping: 1})",
        "for (;;) sleep(1)",
        "assert.soon(() => { while (1); })",
        "var o = {}; o.__defineGetter__('x', function() { return this.x; });"
        " for (;;) try { o.x; } catch (e) {}",
    ],
)
def test_the_time_limit_holds_everywhere(small: Recorder, script: str) -> None:
    assert small.run(script).kind in {"time", "memory"}
    unharmed(small)


@pytest.mark.parametrize(
    "script",
    [
        "var a = []; while (1) a.push(new Array(1000).fill(1))",
        "var a = []; while (1) a.push('x'.repeat(1000000) + a.length)",
        "new Uint8Array(1e9)",
        "new ArrayBuffer(1e9)",
        "new Array(4e6).fill(0)",
        "'abc'.repeat(1e7).split('')",
    ],
)
def test_the_memory_limit_ends_the_script_alone(small: Recorder, script: str) -> None:
    # With the heap full to its last byte QuickJS has no room for an error and throws null.
    end = small.run(script)
    assert end.kind == "memory" or end.text == "null\n"
    unharmed(small)


@pytest.mark.parametrize(
    "script",
    [
        "(function f() { f(); })()",
        "var a = []; for (var i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)",
        "var a = {}; for (var i = 0; i < 1e5; i++) a = {a}; tojson(a)  + 1; JSON.stringify(a)",
        "JSON.parse('['.repeat(1e6))",
        "eval('['.repeat(1e6))",
        "eval('('.repeat(1e6))",
        "new RegExp('('.repeat(1e5))",
        "new Array(4294967295).join()",
        "Array(1e9)",
        "class A extends Array {}; new A(4294967295)",
        "db.runCommand(function f() {}.bind.apply(f, new Array(1e6)))",
    ],
)
def test_recursion_and_sizes_end_in_an_error(recorder: Recorder, script: str) -> None:
    assert recorder.run(script).kind == "error"
    unharmed(recorder)


def test_a_deep_recursion_can_be_caught(recorder: Recorder) -> None:
    assert recorder.run("try { (function f() { f(); })(); } catch (e) { skip(e); }").kind == "ok"
    assert recorder.skipped[0].startswith("RangeError: Maximum call stack size exceeded")


@pytest.mark.parametrize(
    "script",
    [
        "throw null",
        "throw undefined",
        "throw Symbol('x')",
        "throw 5n",
        "throw function () {}",
        "throw {}",
        "throw {toString() { throw 1; }}",
        "throw {toString() { throw this; }}",
        "throw new Proxy({}, {get() { throw 1; }})",
        "throw Object.create(null)",
        "throw new Error('\\ud800')",
        "throw '\\udfff'",
        "throw new Error('a\\0b')",
        "throw '\\0'",
        "throw new Error('x'.repeat(3e6))",
        "var e = new Error(); Object.defineProperty(e, 'message', {get() { throw 5; }}); throw e",
        "var e = new Error('x'); Object.defineProperty(e, 'stack', {value: 5n}); throw e",
        "var e = new Error('x'); Object.defineProperty(e, 'stack', {value: '\\ud800'}); throw e",
        "throw db",
        "throw db.c",
        "throw db.c.find()",
        "throw MinKey",
        "throw ObjectId",
        "Promise.resolve().then(() => { throw 1; }); throw 2",
        "syntax error",
        "var 1",
        "await 1",
        "import('x').then(() => 1); import x from 'y'",
        "db = 5; db.c.find()",
        "quit()",
    ],
)
def test_anything_can_be_thrown(recorder: Recorder, script: str) -> None:
    end = recorder.run(script)
    assert end.kind == "error"
    assert end.text
    unharmed(recorder)


@pytest.mark.parametrize(
    "script",
    [
        "10n ** 400n",
        "Symbol('x')",
        "({})",
        "(function () {})",
        "'\\ud800'",
        "'a\\0b'",
        "NaN",
        "db.c",
        "db.c.find()",
        "new Proxy({}, {get() { throw 1; }})",
        "Promise.reject(1)",
        "import('os')",
        "new Uint8Array(10)",
        "globalThis",
        "print(Symbol('x'))",
        "print('\\ud800', 'a\\0b', ['\\udfff'], {['\\0']: '\\0'})",
        "print(); print(undefined, null, 5n, () => 1, NaN, new Date(NaN), /x/, new Error('e'))",
        "skip(new Error('\\ud800\\0'))",
        "skip(null); skip(); skip(Symbol('x'))",
        "step(); step('x'); step({}); step(NaN); step(Infinity); step(1e300); step(-1); step(1, 2)",
        "sleep(); sleep(NaN); sleep(-1); sleep(-Infinity); sleep('x')",
        "db.getSiblingDB('\\ud800').runCommand({ping: 1})",
        "db.getSiblingDB('').runCommand({ping: 1})",
        "db.getCollection('\\ud800').insertOne({a: 1})",
        "db['a b'].insert({}); db[''].insert({}); db[5].insert({}); db[Symbol.iterator]",
    ],
)
def test_odd_values_are_no_errors(recorder: Recorder, script: str) -> None:
    assert recorder.run(script).kind == "ok"
    assert all(isinstance(each, str) for each in recorder.printed + recorder.skipped)
    assert all(isinstance(each, int) for each in recorder.steps)
    unharmed(recorder)


def test_text_for_python_has_no_lone_surrogates_and_no_null_bytes(recorder: Recorder) -> None:
    recorder.run("print('a\\ud800\\0b\\u{1f600}'); skip(new Error('c\\udfff\\0'));")
    assert recorder.printed == ["a\ufffd\\0b\U0001f600"]
    assert recorder.skipped[0].startswith("Error: c\ufffd\\0")
    recorder.run("db.getSiblingDB('x\\ud800').runCommand({ping: 1})")
    assert recorder.sent[-1][0] == "x\ufffd"


@pytest.mark.parametrize(
    "call",
    ["db.getSiblingDB('a\\0b')", "db.getCollection('a\\0b')", "db['\\0']", "db.c['\\0']"],
)
def test_names_with_a_null_byte_are_an_error(recorder: Recorder, call: str) -> None:
    recorder.run(f"try {{ {call}.c.find().toArray(); print('sent'); }} catch (e) {{ skip(e); }}")
    assert recorder.printed == []
    assert recorder.skipped[0].startswith("Error: invalid name")


def test_a_source_with_null_bytes_and_lone_surrogates_runs(recorder: Recorder) -> None:
    assert recorder.run("print('a\0b'.length, '\ud800'.length); // \0\udfff").kind == "ok"
    assert recorder.printed == ["3 1"]
    assert recorder.run("print(1);\0print(2)").kind == "error"


# What a script can do to the ground that the prelude stands on.
POISON = [
    "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)",
    "Object.preventExtensions(globalThis)",
    "Object.defineProperty(Object.prototype, 'a', {get() { throw 1; }, set() { throw 2; }})",
    "Object.defineProperty(Object.prototype, 'ok', {get() { throw 1; }, set() { throw 2; }})",
    "Object.defineProperty(Array.prototype, '0', {get() { throw 1; }, set() { throw 2; }})",
    "Object.prototype.get = function () { return 1; }",
    "Object.prototype.value = 5; Object.prototype.writable = 1; Object.prototype._id = 7",
    "Object.prototype.toString = Object.prototype.valueOf = () => { throw 1; }",
    "Object.prototype.session_ = {dress() { return 5; }}",
    "Array.prototype.push = () => { throw 1; }",
    "Array.prototype.map = Array.prototype.slice = () => 5",
    "Array.prototype[Symbol.iterator] = function* () { while (1) yield {}; }",
    "Array.prototype.join = () => ({}); Array.prototype.includes = () => 5n",
    "Object.keys = () => [1, 2, {}]",
    "Object.keys = function* () { while (1) yield 'a'; }",
    "Object.keys = () => ['a\\0b', '\\ud800']",
    "Object.keys = Object.defineProperty = Object.defineProperties = Object.create = undefined",
    "JSON = Reflect = Uint8Array = Symbol = Map = Proxy = undefined",
    "Object = Array = String = Number = Math = Date = RegExp = Error = BigInt = undefined",
    "delete globalThis.Object; delete globalThis.Array; delete globalThis.Uint8Array",
    "for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name]; }"
    " catch (e) {}",
    "String.prototype.includes = () => false",
    "String.prototype.charCodeAt = () => NaN",
    "String.prototype.charCodeAt = () => 1e9",
    "String.prototype.toWellFormed = function () { return this; }",
    "String.prototype.toWellFormed = () => '\\ud800'",
    "String.prototype.replaceAll = () => 5",
    "String.prototype.replaceAll = () => Symbol('x')",
    "String.prototype.replaceAll = () => 10n ** 50n",
    "String.prototype.replaceAll = () => ({})",
    "String.prototype.replaceAll = () => null",
    "String.prototype.replaceAll = () => '\\ud800'",
    "String.prototype.replaceAll = () => 'a\\0b'",
    "Number.isNaN = () => { throw 1; }; Math.abs = () => -5; Math.abs = () => 1e12",
    "Date.prototype.getTime = () => 'x'; Date.prototype.getTime = () => 1e300",
    "Uint8Array.prototype.set = () => {}; DataView.prototype.setInt32 = () => {}",
    "Uint8Array.prototype.__proto__.set = function () { leak = this; }",
    "ArrayBuffer.prototype.slice = function () { leak = this; return this; }",
    "ArrayBuffer.prototype.slice = () => new ArrayBuffer(0)",
    "DataView.prototype.setInt32 = function () { leak = this; throw 1; }",
    "DataView.prototype.getInt32 = () => -1; DataView.prototype.getInt32 = () => 1e9",
    "RegExp.prototype.test = () => true; RegExp.prototype.exec = () => ({})",
    "Symbol.prototype.toString = Function.prototype.toString = () => { while (1); }",
    "Error.prepareStackTrace = () => { throw 1; }; Error.prototype.toString = () => 5",
    "Error.prototype.toString = () => { throw new Error('again'); }",
    "Promise.prototype.then = () => { throw 1; }",
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null",
    "globalThis.__proto__ = new Proxy({}, {get() { throw 1; }, has() { return true; }})",
    "Object.setPrototypeOf(Object.prototype, null); Array.prototype.__proto__ = {}",
    "NumberLong.prototype.valueOf = () => 'x'; ObjectId = UUID = BinData = undefined",
    "Cursor = Collection = WriteResult = DB = Mongo = undefined; WriteError = 1",
    "db = assert = print = printjson = tojson = step = skip = first = undefined",
    "Object.getPrototypeOf(db).runCommand = null; Object.getPrototypeOf(db.c).find = 5",
]
USES = """
for (const use of [
    () => db.c.insert([{a: 1, b: ["é", 5n, NumberLong(1), UUID(), ObjectId(), new Date(), /x/]}]),
    () => db.c.find({a: {$in: [1]}}).sort({a: 1}).limit(2).toArray(),
    () => db.getSiblingDB("x").runCommand({b: NumberDecimal("1.5"), c: BinData(2, "AAAA")}),
    () => db.c.updateOne({_id: 1}, {$set: {a: 1}}),
    () => db.c.aggregate([{$match: {}}]).forEach((each) => print(each)),
    () => assert.eq({a: 1}, {a: 1}),
    () => { print("x", {a: [1]}); step(1); skip(new Error("x")); },
    () => print(Promise.resolve(1), tojson({a: NumberLong(5)})),
]) { try { use(); } catch (e) { try { skip(e); } catch (f) {} } }
"""


@pytest.mark.parametrize("poison", POISON)
def test_a_poisoned_script_harms_only_itself(small: Recorder, poison: str) -> None:
    small.reply = bson.encode({"ok": 1, "n": 1, "cursor": {"id": 0, "ns": "test.c",
                               "firstBatch": [{"a": 1}], "nextBatch": []}})  # fmt: skip
    end = small.run(f"{{ {poison}; }}\n{USES}")
    assert end.kind in {"ok", "error", "time"}
    assert all(type(each) is str for each in small.printed + small.skipped)
    assert all(type(each) is int for each in small.steps)
    assert all(type(database) is str for database, _ in small.sent)
    unharmed(small)


@pytest.mark.parametrize(
    "theft", ["leak.buffer.transfer()", "leak.buffer.transfer(9e7)", "leak.fill(255)"]
)
def test_a_stolen_buffer_is_of_no_use(small: Recorder, theft: str) -> None:
    small.run(f"""
        var set = leak = Uint8Array.prototype.set;
        Uint8Array.prototype.__proto__.set = function () {{ leak = this; }};
        try {{ db.runCommand({{a: UUID()}}); }} catch (e) {{ skip(e); }}
        try {{ {theft}; }} catch (e) {{ skip(e); }}
        db.runCommand({{a: 1}});
        print("end");
    """)
    unharmed(small)


@pytest.mark.parametrize(
    "forged",
    [
        "{[TYPE]: 'long'}",
        "{[TYPE]: 'long', big: 2n ** 70n}",
        "{[TYPE]: 'int', int: 1e300}",
        "{[TYPE]: 'nonsense'}",
        "{[TYPE]: 'constructor'}",
        "{[TYPE]: '__proto__'}",
        "{[TYPE]: 5}",
        "{[TYPE]: 'binary', type: 0, bytes: {length: -100000}}",
        "{[TYPE]: 'binary', type: 0, bytes: {length: 1e12}}",
        "{[TYPE]: 'binary', type: 0, bytes: {length: NaN}}",
        "{[TYPE]: 'binary', type: {}, bytes: [1, 2, 3]}",
        "{[TYPE]: 'decimal', bits: 'zz'}",
        "{[TYPE]: 'objectid', str: ''}",
        "{[TYPE]: 'code', code: 5, scope: 5}",
        "{[TYPE]: 'timestamp', t: -1, i: 1e300}",
        "{[TYPE]: {toString() { while (1); }}}",
    ],
)
def test_a_forged_type_is_at_most_an_error(small: Recorder, forged: str) -> None:
    end = small.run(f"""
        var TYPE = Object.getOwnPropertySymbols(NumberLong.prototype)[0];
        try {{ db.runCommand({{a: {forged}}}); }} catch (e) {{ skip(e); }}
    """)
    assert end.kind in {"ok", "time"}
    assert all(len(body) < 1000 for _, body in small.sent)
    unharmed(small)


def test_scripts_cannot_reach_the_host(recorder: Recorder) -> None:
    recorder.run("""
        var found = Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("_"));
        print(found.length, typeof __send, typeof __wire, typeof host, typeof wire);
    """)
    assert recorder.printed == ["0 undefined undefined undefined undefined"]


def test_nothing_of_one_run_is_left_in_the_next(recorder: Recorder) -> None:
    recorder.run("leak = 1; var b = 2; let c = 3; Array.prototype.x = 4; db.c.find = 5;")
    recorder.run("print(typeof leak, typeof b, typeof c, typeof [].x, typeof db.c.find)")
    assert recorder.printed == ["undefined undefined undefined undefined function"]


def test_a_lost_server_ends_the_script(recorder: Recorder) -> None:
    gone = replace(recorder)
    gone.send = lambda *_: None  # type: ignore[method-assign,assignment]
    assert gone.run("for (;;) try { db.runCommand({ping: 1}); } catch (e) {}").kind == "time"
    unharmed(recorder)


@pytest.mark.parametrize("error", [ValueError("x"), SystemError("y"), UnicodeError("z")])
def test_a_host_that_raises_is_an_error_in_the_script(recorder: Recorder, error: Exception) -> None:
    def send(_: str, __: bytes) -> tuple[bytes, bool]:
        raise error

    recorder.send = send  # type: ignore[method-assign]
    end = recorder.run("try { db.runCommand({a: 1}); } catch (e) { skip(e); } print('on');")
    assert end.kind == "ok"
    assert recorder.printed == ["on"]
    assert recorder.skipped[0].startswith("Error: the harness failed: ")


def test_an_interrupt_of_python_in_a_callback_passes(recorder: Recorder) -> None:
    def send(_: str, __: bytes) -> tuple[bytes, bool]:
        os.kill(os.getpid(), signal.SIGINT)
        return recorder.reply, True

    gone = replace(recorder)
    gone.send = send  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        gone.run("for (;;) try { db.runCommand({a: 1}); } catch (e) {}")
    unharmed(recorder)


def test_an_interrupt_of_python_during_a_loop_passes(recorder: Recorder) -> None:
    class Alarm(BaseException):
        pass

    def ring(*_: Any) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Alarm):
            recorder.run("while (1) {}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    unharmed(recorder)


CHANCE = """
print(Date.now(), new Date(), Date(), Math.random(), ObjectId(), UUID(), ISODate(), Random.rand());
print(new Date().getTime(), new ObjectId(), Random.randInt(1000), Math.random(), Timestamp());
db.c.insert([{a: 1}, {at: new Date()}]);
db.getMongo().startSession().getDatabase("x").c.insert({});
"""


def test_time_and_chance_are_the_same_in_every_run(recorder: Recorder) -> None:
    other = Recorder(Engine())
    for each in (recorder, other, recorder):
        assert each.run(CHANCE).kind == "ok"
    assert recorder.printed[:2] == recorder.printed[2:] == other.printed
    assert recorder.sent[:2] == recorder.sent[2:] == other.sent
    words = recorder.printed[0] + recorder.printed[1]
    assert len(set(words.split())) == len(words.split())  # and yet each value is another


def test_dates_are_dates(recorder: Recorder) -> None:
    recorder.run("""
        print(new Date(5).getTime(), new Date(2020, 0).getFullYear(), Date.UTC(1970, 0, 2));
        print(Date.parse("1970-01-01T00:00:01Z"), new Date() instanceof Date, typeof Date());
        print(Object.prototype.toString.call(new Date()), new Date().constructor === Date);
        print(Date.name, Array.name, new Date(NaN).getTime());
    """)
    assert recorder.printed == ["5 2020 86400000", "1000 true string", "[object Date] true",
                                "Date Array NaN"]  # fmt: skip


def test_arrays_are_arrays(recorder: Recorder) -> None:
    recorder.run("""
        class Sub extends Array {}
        print(Array(3).length, new Array(2, 3), Array("5"), Array.of(7), Array.from("ab"));
        print(Array.isArray(new Array(1)), [] instanceof Array, [].constructor === Array);
        print(Sub.from([1]) instanceof Sub, new Sub(1, 2).length, new Array(1 << 24).length);
        print([1].map((x) => x).constructor === Array);
    """)
    assert recorder.printed == ["3 [2, 3] [\"5\"] [7] [\"a\", \"b\"]", "true true true",
                                "true 2 16777216", "true"]  # fmt: skip


def test_a_run_on_the_server_after_one_that_was_cut_off(shell: Shell) -> None:
    run = shell.limited(seconds=0.3).run("for (;;) db.c.insert({a: 1})")
    assert run.verdict.kind == "time"
    assert run.record.lost is None
    shell.target.clear(run.record.sent)
    assert shell.prints("print(db.c.count())") == ["0"]
