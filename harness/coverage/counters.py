"""Where counters enter libFuzzer: memory of ours that it clears and reads at every run.

libFuzzer has room for 2^21 features, 8 to a counter; counters beyond 2^18 alias. Registering
must come after `atheris.Setup` and before `atheris.Fuzz`, once, and the memory must outlive the
process's exit path: it is never freed.
"""

import ctypes
import importlib.util

ENTRY = ctypes.c_uint64 * 2  # (program counter, flags)
FUNCTION_ENTRY = 1
_kept: list[object] = []


def register(address: int, count: int, pcs: "ctypes.Array[ctypes.c_uint64] | None" = None) -> None:
    """Make `count` bytes at `address` the process's coverage counters.

    `pcs` has 2 * count words: (program counter, flags) of each counter. Without it counters get
    numbers for addresses. Raises RuntimeError when Atheris lacks the functions.
    """
    spec = importlib.util.find_spec("atheris.core_with_libfuzzer")
    if spec is None or spec.origin is None:
        raise RuntimeError("Atheris has no libFuzzer of its own; counters cannot be registered.")
    # libFuzzer looks for a custom mutator when its file is loaded, and not again: first those.
    for name in ("atheris.custom_mutator", "atheris.custom_crossover"):
        hook = importlib.util.find_spec(name)
        if hook is not None and hook.origin is not None:
            ctypes.CDLL(hook.origin, mode=ctypes.RTLD_GLOBAL)
    core = ctypes.CDLL(spec.origin)  # the very file that Atheris loads in Fuzz()
    if pcs is None:
        pcs = (ctypes.c_uint64 * (2 * count))()
        for index in range(count):
            pcs[2 * index] = index + 1
    _kept.append(pcs)
    start = ctypes.c_void_p(address)
    core["__sanitizer_cov_8bit_counters_init"](start, ctypes.c_void_p(address + count))
    table = ctypes.addressof(pcs)
    core["__sanitizer_cov_pcs_init"](ctypes.c_void_p(table), ctypes.c_void_p(table + 16 * count))
