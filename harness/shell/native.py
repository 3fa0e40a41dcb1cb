"""What quickjs-ng's Python package does not offer, reached through the C API that it exports.

- a time limit that also holds while scripts call Python (the package's own forbids callbacks);
- an ArrayBuffer over our memory, through which BSON goes both ways without a copy in JavaScript;
- compiled bytecode, so that a fresh context costs no parsing of the prelude.

The package keeps `JSRuntime *` and `JSContext *` as the first two fields of its Context object;
`Handles` checks that before anything is done with them, and the dependency is pinned to 0.17.
"""

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import _quickjs
import quickjs

_api = ctypes.PyDLL(_quickjs.__file__)  # PyDLL: the GIL stays ours during these short calls

_HEAD = object.__basicsize__  # where a C object's own fields begin
_POINTER = ctypes.sizeof(ctypes.c_void_p)
COMPILE_ONLY = 1 << 5
BYTECODE = 1 << 0
STRIP_SOURCE = 1 << 4
TAG_EXCEPTION = 6


class JSValue(ctypes.Structure):
    """A JavaScript value as the C API passes it: 16 bytes, by value."""

    _fields_ = (("payload", ctypes.c_uint64), ("tag", ctypes.c_int64))


INTERRUPT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(_api, name)
    function.restype = result  # type: ignore[attr-defined]
    function.argtypes = arguments  # type: ignore[attr-defined]
    return function


_ptr = ctypes.c_void_p
_get_runtime = _function("JS_GetRuntime", _ptr, _ptr)
_get_global = _function("JS_GetGlobalObject", JSValue, _ptr)
_free_value = _function("JS_FreeValue", None, _ptr, JSValue)
_set_property = _function(
    "JS_SetPropertyStr", ctypes.c_int, _ptr, JSValue, ctypes.c_char_p, JSValue
)
_new_array_buffer = _function(
    "JS_NewArrayBuffer", JSValue, _ptr, _ptr, ctypes.c_size_t, ctypes.c_size_t, _ptr, _ptr,
    ctypes.c_bool,
)  # fmt: skip
_set_interrupt = _function("JS_SetInterruptHandler", None, _ptr, INTERRUPT, _ptr)
_eval = _function(
    "JS_Eval", JSValue, _ptr, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int
)
_eval_function = _function("JS_EvalFunction", JSValue, _ptr, JSValue)
_write_object = _function(
    "JS_WriteObject", _ptr, _ptr, ctypes.POINTER(ctypes.c_size_t), JSValue, ctypes.c_int
)
_read_object = _function(
    "JS_ReadObject", JSValue, _ptr, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
)
_js_free = _function("js_free", None, _ptr, _ptr)


@dataclass(frozen=True)
class Handles:
    """The C pointers of one quickjs.Context."""

    runtime: int
    context: int


def handles(context: quickjs.Context) -> Handles:
    """The pointers behind `context`. Raises RuntimeError when the package's layout has changed."""
    runtime = ctypes.c_void_p.from_address(id(context) + _HEAD).value or 0
    inner = ctypes.c_void_p.from_address(id(context) + _HEAD + _POINTER).value or 0
    if not runtime or not inner or _get_runtime(inner) != runtime:
        raise RuntimeError("quickjs-ng has changed the layout of its Context object.")
    return Handles(runtime, inner)


def interrupt_handler(ended: Callable[[], bool]) -> Any:
    """A handler for `set_interrupt`; the caller keeps it alive as long as the context."""
    return INTERRUPT(lambda _runtime, _opaque: 1 if ended() else 0)


def set_interrupt(context: quickjs.Context, handler: Any) -> None:
    """Let QuickJS ask `handler` every 10,000 operations or so whether to stop the script."""
    _set_interrupt(handles(context).runtime, handler, None)


def share_buffer(context: quickjs.Context, name: str, buffer: ctypes.Array[Any]) -> None:
    """Make `buffer` the ArrayBuffer `globalThis[name]`; the caller keeps it alive."""
    inner = handles(context).context
    value = _new_array_buffer(inner, ctypes.addressof(buffer), len(buffer), 0, None, None, False)
    whole = _get_global(inner)
    _set_property(inner, whole, name.encode(), value)
    _free_value(inner, whole)


def compile_script(source: str, name: str) -> bytes:
    """Bytecode of a script, for `run_bytecode` in any context of this process."""
    context = quickjs.Context()
    inner = handles(context).context
    text = source.encode()
    value = _eval(inner, text, len(text), name.encode(), COMPILE_ONLY)
    if value.tag == TAG_EXCEPTION:
        context.eval(source)  # raises the syntax error with its message
        raise RuntimeError(f"{name} does not compile.")
    size = ctypes.c_size_t()
    memory = _write_object(inner, ctypes.byref(size), value, BYTECODE)
    code = ctypes.string_at(memory, size.value)
    _js_free(inner, memory)
    _free_value(inner, value)
    return code


def run_bytecode(context: quickjs.Context, code: bytes) -> None:
    """Run what `compile_script` gave. Raises RuntimeError when the script throws."""
    inner = handles(context).context
    value = _eval_function(inner, _read_object(inner, code, len(code), BYTECODE))
    failed = value.tag == TAG_EXCEPTION
    _free_value(inner, value)
    if failed:
        raise RuntimeError("The prelude failed to run.")


class Deadline:
    """A point in time that an interrupt handler compares with; moved at each run.

    `interrupt` is what Python was told (Ctrl-C) while a script ran: C code drops exceptions.
    """

    def __init__(self) -> None:
        self.at = float("inf")
        self.interrupt: BaseException | None = None

    def expired(self) -> bool:
        """Whether it has passed."""
        return time.monotonic() > self.at

    def stop(self, error: BaseException | None = None) -> None:
        """End the script as soon as possible, for `error` to be raised after it."""
        self.at = 0.0
        self.interrupt = self.interrupt or error
