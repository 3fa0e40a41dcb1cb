"""One script in one fresh QuickJS context, within limits of time, memory and stack."""

import ctypes
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


class Engine:
    """Compiles the prelude once; every `run` has a context of its own."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        parts = [(PRELUDE / name).read_text() for name in FILES]
        source = '(function () {\n"use strict";\n' + "".join(parts) + "})();\n"
        self._prelude = native.compile_script(source, "prelude.js")
        self._wire = (ctypes.c_uint8 * WIRE)()
        self._deadline = native.Deadline()
        self._handler = native.deadline_handler(self._deadline.expired)

    def run(self, source: str, host: Host, *, strict: bool = False) -> ScriptEnd:
        """Run `source` as a sloppy script with the shell's globals around it."""
        context = quickjs.Context()
        context.set_memory_limit(self.limits.memory)
        context.set_max_stack_size(self.limits.stack)
        native.share_buffer(context, "__wire", self._wire)
        self._install(context, host)
        context.set("__strict", strict)
        native.run_bytecode(context, self._prelude)
        native.set_interrupt(context, self._handler)
        self._deadline.at = time.monotonic() + self.limits.seconds
        try:
            context.eval(source)
            while context.execute_pending_job():
                pass
        except quickjs.JSException as error:
            text = str(error)
            for mark, kind in ENDS:
                if text.startswith(mark):
                    return ScriptEnd(kind, text)
            return ScriptEnd("error", text)
        except (SystemError, UnicodeError) as error:  # a thrown value that has no UTF-8
            return ScriptEnd("error", f"unprintable error ({type(error).__name__})")
        return ScriptEnd("ok")

    def _install(self, context: quickjs.Context, host: Host) -> None:
        wire = memoryview(self._wire).cast("B")
        deadline = self._deadline

        def send(database: str, length: int) -> int:
            answer = host.send(database, bytes(wire[: int(length)]))
            if answer is None:
                deadline.at = 0.0  # nothing that this script still does can reach a server
                return 0
            reply, ok = answer
            wire[: len(reply)] = reply
            return len(reply) if ok else -len(reply)

        def sleep(milliseconds: float) -> None:
            left = max(0.0, deadline.at - time.monotonic())
            time.sleep(min(max(0.0, milliseconds / 1000), 0.1, left))

        context.add_callable("__send", send)
        context.add_callable("__step", lambda number: host.step(int(number)))
        context.add_callable("__skip", host.skip)
        context.add_callable("__print", host.print)
        context.add_callable("__sleep", sleep)
        context.add_callable("__decimalBits", decimal_bits)
        context.add_callable(
            "__decimalText", lambda bits: str(Decimal128.from_bid(bytes.fromhex(bits)))
        )


def decimal_bits(text: str) -> str:
    """The 16 bytes of a decimal128 in hexadecimal, or "" when `text` is not one."""
    try:
        return Decimal128(text).bid.hex()
    except (ArithmeticError, ValueError, TypeError, bson.errors.BSONError):
        return ""
