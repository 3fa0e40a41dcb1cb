"""One script in one fresh QuickJS context, within limits of time, memory and stack."""

import ctypes
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bson
import quickjs
from bson.decimal128 import Decimal128

from harness.shell import native

PRELUDE = Path(__file__).with_name("prelude")
# One scope, in this order; the first takes the host's functions away from scripts.
FILES = (
    "host.js", "types.js", "codec.js", "cursor.js", "database.js", "results.js", "collection.js",
    "bulk.js", "assert.js", "globals.js",
)  # fmt: skip
MINIMUM = 5  # bytes of an empty document
WIRE = 48_000_000 + (1 << 20)  # the server's largest message, in or out


@dataclass(frozen=True)
class Limits:
    """What one script may use: seconds of wall time, bytes of heap and of stack."""

    seconds: float = 10.0
    memory: int = 256 << 20
    stack: int = 1 << 20


@dataclass(frozen=True)
class ScriptEnd:
    """How a script ended: `ok`, or `error` (thrown), `time`, `memory`; with the error's text."""

    kind: str
    text: str = ""


@dataclass(frozen=True)
class Host:
    """What a script can ask of Python. `send` gives the reply, and whether it is ok; or None."""

    send: Callable[[str, bytes], tuple[bytes, bool] | None]
    step: Callable[[int], None]
    skip: Callable[[str], None]
    print: Callable[[str], None]


# The texts with which QuickJS ends a script that reached a limit.
ENDS = (("InternalError: interrupted", "time"), ("InternalError: out of memory", "memory"))
UNPRINTABLE = "(Failed obtaining QuickJS error string"


class Engine:
    """Compiles the prelude once; every `run` has a context of its own."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        parts = [(PRELUDE / name).read_text() for name in FILES]
        source = '(function () {\n"use strict";\n' + "".join(parts) + "})();\n"
        self._prelude = native.compile_script(source, "prelude.js")
        self._wire = (ctypes.c_uint8 * WIRE)()
        self._deadline = native.Deadline()
        self._handler = native.interrupt_handler(self._deadline.expired)

    def run(self, source: str, host: Host, *, strict: bool = False) -> ScriptEnd:
        """Run `source` as a sloppy script with the shell's globals around it.

        Raises nothing for what the script does; an interrupt of Python itself (Ctrl-C) passes.
        """
        context = quickjs.Context()
        context.set_memory_limit(self.limits.memory)
        context.set_max_stack_size(self.limits.stack)
        native.share_buffer(context, "__wire", self._wire)
        self._install(context, host)
        context.set("__strict", strict)
        native.run_bytecode(context, self._prelude)
        native.set_interrupt(context, self._handler)
        self._deadline.interrupt = None
        self._deadline.at = time.monotonic() + self.limits.seconds
        # Ctrl-C during a loop is raised in the interrupt handler, from where it goes only here.
        before, sys.unraisablehook = sys.unraisablehook, self._unraisable
        try:
            end = self._evaluate(context, transportable(source))
        finally:
            sys.unraisablehook = before
        if self._deadline.interrupt is not None:
            raise self._deadline.interrupt
        return end

    def _unraisable(self, what: "sys.UnraisableHookArgs") -> None:
        if isinstance(what.exc_value, Exception):
            sys.__unraisablehook__(what)
        else:
            self._deadline.stop(what.exc_value)

    def _evaluate(self, context: quickjs.Context, source: str) -> ScriptEnd:
        try:
            try:
                context.eval(source)
            except (UnicodeDecodeError, TypeError):
                pass  # it ended well; only its last value is one that Python cannot have
            while context.execute_pending_job():
                if self._deadline.expired():
                    return ScriptEnd("time", "promises without end")
            return ScriptEnd("ok")
        except quickjs.JSException as error:
            text = str(error)
            for mark, kind in ENDS:
                if text.startswith(mark):
                    return ScriptEnd(kind, text)
            if not text.startswith(UNPRINTABLE):
                return ScriptEnd("error", text)
        except (SystemError, UnicodeError) as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise error.__cause__ from None
        # The limit may have been reached while the thrown value was asked for its text.
        kind = "time" if self._deadline.expired() else "error"
        return ScriptEnd(kind, "the script threw what cannot be printed")

    def _install(self, context: quickjs.Context, host: Host) -> None:
        wire = memoryview(self._wire).cast("B")
        deadline = self._deadline

        gone = False  # the statement in flight is the last: what still runs after it says nothing

        def send(database: str, length: int) -> int:
            nonlocal gone
            answer = host.send(_text(database), bytes(wire[: _between(MINIMUM, length, WIRE)]))
            if answer is None:
                gone = True
                deadline.stop()  # nothing that this script still does can reach a server
                return 0
            reply, ok = answer
            wire[: len(reply)] = reply
            return len(reply) if ok else -len(reply)

        def sleep(milliseconds: float) -> None:
            left = max(0.0, deadline.at - time.monotonic())
            time.sleep(min(max(0.0, milliseconds / 1000), 0.1, left))

        def add(name: str, function: Callable[..., object]) -> None:
            def call(*arguments: object) -> object:
                try:  # what is raised here would stay set and spoil every later call
                    return function(*arguments)
                except Exception as error:
                    return f"{type(error).__name__}: {error}"
                except BaseException as error:
                    deadline.stop(error)
                    return 0

            context.add_callable(name, call)

        add("__send", send)

        def step(number: object) -> None:
            if not gone:
                host.step(_between(-(1 << 31), number, 1 << 31))

        def skip(text: object) -> None:
            if not gone:
                host.skip(_text(text))

        add("__step", step)
        add("__skip", skip)
        add("__print", lambda text: host.print(_text(text)))
        add("__sleep", sleep)
        add("__decimalBits", decimal_bits)
        add("__decimalText", lambda bits: str(Decimal128.from_bid(bytes.fromhex(bits))))


# A script can replace what the prelude stands on, so that the host is called with anything.


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    return value


def _between(low: int, value: object, high: int) -> int:
    if not isinstance(value, int | float) or not low <= value <= high:
        raise TypeError(f"not a number of the right size: {type(value).__name__}")
    return int(value)


def transportable(source: str) -> str:
    """The same script without what C strings lack: null bytes and lone surrogates."""
    if "\0" in source:  # legal in literals, where the escape means the same
        source = source.replace("\0", "\\x00")
    try:
        source.encode()
    except UnicodeEncodeError:
        return source.encode(errors="replace").decode()
    return source


def decimal_bits(text: str) -> str:
    """The 16 bytes of a decimal128 in hexadecimal, or "" when `text` is not one."""
    try:
        return Decimal128(text).bid.hex()
    except (ArithmeticError, ValueError, TypeError, bson.errors.BSONError):
        return ""
