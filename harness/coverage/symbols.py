"""Names for addresses in the server: function, namespace and source directory.

The packaged mongod has its symbols and no debug information. Source files are derived: the
server's assertions carry their file's path, so a function that uses such a string is in that
file (or in a header it includes), bundled libraries are known by their namespaces and prefixes,
and the linker keeps the functions of an object file together. So a function of neither kind is
placed by its neighbours: in the file, or else in the directory, that both sides agree on.
"""

from __future__ import annotations

import json
import os
import re
import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from harness.coverage.blocks import function_symbols, open_elf

# By the start of the demangled name, first match wins; "" leaves it to the paths around.
LIBRARIES = (
    (("mongo::", "std::", "__gnu_cxx::"), ""),
    (("js::", "JS::", "JS_", "js_", "mozilla::", "JSRuntime", "JSContext"), "mozjs"),
    (("blink::", "double_conversion::", "encoding_", "v8::", "fdlibm::"), "mozjs"),
    (("icu", "u_", "ucol_", "utrie", "uprv_", "unorm", "uset_", "uloc", "ures_"), "icu4c"),
    (("__wt_", "wiredtiger_", "__wti_"), "wiredtiger"),
    (("ZSTD_", "HUF_", "FSE_", "HIST_", "POOL_", "ZDICT_", "XXH"), "zstandard"),
    (("snappy::",), "snappy"),
    (("inflate", "deflate", "crc32", "adler32", "_tr_"), "zlib"),
    (("__bid", "__dpml", "bid", "__mongo_bid"), "IntelRDFPMathLib20U1"),
    (("tcmalloc::", "MallocHook", "MallocExtension", "base::internal::"), "gperftools"),
    (("boost::",), "boost"),
    (("asio::",), "asio-master"),
    (("absl::",), "abseil-cpp"),
    (("S2", "S1Angle", "R2", "Vector3", "MathUtil"), "s2"),
    (("fmt::",), "fmt"),
    (("YAML::",), "yaml-cpp"),
    (("pcrecpp::", "pcre_", "pcre2_"), "pcre"),
    (("_U", "unw_"), "unwind"),
    (("mc_", "mongocrypt", "_mongocrypt"), "libmongocrypt"),
    (("bson_", "_bson_", "kms_", "_kms_"), "mongo-c-driver"),
)
_SOURCE = re.compile(rb"\0(src/[\w./+-]+\.(?:cpp|cc|c|h|hpp|ipp))(?=\0)")
_LEA = re.compile(rb"[\x48\x4c]\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d](....)", re.DOTALL)
# Most symbols are of mongo:: and std::, and needn't be demangled to know that.
OWN = ("_ZN5mongo", "_ZNK5mongo", "_ZZN5mongo", "_ZZNK5mongo", "_ZNSt", "_ZNKSt", "_ZSt")
HEADER_LIBRARIES = ("/boost", "/abseil-cpp", "/asio-master", "/fmt")
SUFFIXES = (".cpp", ".cc", ".c")
REACH = 500  # functions to look at on each side for one that tells its place
_FRAME = re.compile(r'"msg":" *Frame".*?"frame":(\{[^{}]*\})')
_ANGLES = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class Function:
    """One function of the server; `start` is its address in the file."""

    start: int
    symbol: str  # as in the symbol table; mangled for C++
    path: str  # source file or directory, as far as it can be derived; or empty

    @property
    def name(self) -> str:
        return demangle(self.symbol)

    @property
    def short_name(self) -> str:
        """Without parameters and template arguments."""
        return shorten(self.name)

    @property
    def namespace(self) -> str:
        """The outer namespaces: mongo, mongo::optimizer, js; empty for C."""
        parts = self.short_name.split("::")[:-1]
        names = [part for part in parts if part[:1].islower() or part.startswith("(anon")]
        return "::".join(names[: 1 if names[:1] == ["std"] else 2])

    @property
    def directory(self) -> str:
        return _directory(self.path)


def _directory(path: str) -> str:
    return path.rpartition("/")[0] if path.endswith(SUFFIXES) else path


@lru_cache(maxsize=1 << 16)
def demangle(symbol: str) -> str:
    if not symbol.startswith("_Z"):
        return symbol
    import pycxxfilt

    try:
        return pycxxfilt.itanium_demangle(symbol) or symbol
    except ValueError:
        return symbol


def shorten(name: str) -> str:
    """mongo::f<int>(char const*) -> mongo::f; the return types of templates go too."""
    name = name.replace("(anonymous namespace)", "{anonymous}")
    name = name.replace("operator<=", "operator\1=").replace("operator<<", "operator\1\1")
    name = name.replace("operator<", "operator\1").replace("operator->", "operator-\2")
    while (shorter := _ANGLES.sub("", name)) != name:
        name = shorter
    depth, end = 0, len(name)
    for at, character in enumerate(name):
        if character == "(" and not name.startswith("operator()", at - 8):
            if depth == 0:
                end = at
                break
            depth += 1
    head = name[:end]
    head = head.removesuffix(" const")
    if "operator" not in head:  # conversions and new have a space of their own
        head = head.rsplit(" ", 1)[-1]
    return head.replace("\1", "<").replace("\2", ">").replace("{anonymous}", "(anonymous)")


class Symbols:
    """The symbol table of one program or library, for lookups by file address."""

    def __init__(self, binary: Path) -> None:
        elf = open_elf(binary)
        table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
        self._starts: array[int] = array("Q")
        self._names: array[int] = array("I")
        self._ends: array[int] = array("Q")
        self._strings = b""
        if table is not None:
            self._strings = elf.get_section(table["sh_link"]).data()
            found = {value: (size, name) for value, size, name in function_symbols(table)}
            for value in sorted(found):
                size, name = found[value]
                self._starts.append(value)
                self._ends.append(value + size)
                self._names.append(name)
        self._binary = binary

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def starts(self) -> array[int]:
        """The addresses of all functions, sorted."""
        return self._starts

    def lookup(self, address: int) -> Function | None:
        """The function that contains this address."""
        index = self.index(address)
        return None if index is None else self._function(index)

    def index(self, address: int) -> int | None:
        """The number of the function that contains this address."""
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= max(self._ends[index], self._starts[index] + 1):
            return None
        return index

    def functions(self, addresses: Iterable[int]) -> list[Function]:
        """The different functions of these addresses, in the order of their addresses."""
        found = {function.start: function for a in addresses if (function := self.lookup(a))}
        return [found[start] for start in sorted(found)]

    @lru_cache(maxsize=1 << 18)  # noqa: B019 (one object for the life of a report)
    def _function(self, index: int) -> Function:
        return Function(self._starts[index], self._symbol(index), self._path(index))

    def _path(self, index: int) -> str:
        own = self._anchor(index)
        if own:
            return own
        name = shorten(demangle(self._symbol(index)))
        # The server's own code has the server's own code around it: what lies between is
        # templates of libraries, put where they were first used.
        root = "src/mongo" if "mongo::" in name else "src/"
        left = self._nearest(range(index, max(index - REACH, -1), -1), root)
        right = self._nearest(range(index, min(index + REACH, len(self._starts))), root)
        if left == right or not left or not right:
            return left or right
        shared = os.path.commonpath([_directory(left), _directory(right)])
        return shared if shared.startswith("src/mongo") else root.removesuffix("src/")

    def _nearest(self, indices: range, root: str) -> str:
        for index in indices:
            path = self._anchor(index)
            if path.startswith(root) and not path.endswith(HEADER_LIBRARIES):
                return path
        return ""

    @lru_cache(maxsize=1 << 18)  # noqa: B019 (one object for the life of a report)
    def _anchor(self, index: int) -> str:
        """Where this function is, if it tells so itself."""
        path = self._source_paths.get(self._starts[index])
        if path:
            return path
        symbol = self._symbol(index)
        if symbol.startswith(OWN):
            return ""
        name = shorten(demangle(symbol))
        for prefixes, library in LIBRARIES:
            if name.startswith(prefixes):
                return f"src/third_party/{library}" if library else ""
        return ""

    def _symbol(self, index: int) -> str:
        at = self._names[index]
        return self._strings[at : self._strings.index(b"\0", at)].decode("utf-8", "replace")

    @cached_property
    def _source_paths(self) -> dict[int, str]:
        """Functions that name their own source file, by address: about 8,600 of mongod's."""
        elf = open_elf(self._binary)
        text, constants = (elf.get_section_by_name(name) for name in (".text", ".rodata"))
        if text is None or constants is None:
            return {}
        base, data = constants["sh_addr"], constants.data()
        strings = {base + m.start(1): m.group(1).decode() for m in _SOURCE.finditer(data)}
        found: dict[int, str] = {}
        start, code = text["sh_addr"], text.data()
        for match in _LEA.finditer(code):
            (relative,) = struct.unpack("<i", match.group(1))
            path = strings.get(start + match.end() + relative, "")
            # A header's path would say where an inlined function comes from, not this one.
            if path.endswith(SUFFIXES):
                index = bisect_right(self._starts, start + match.start()) - 1
                if index >= 0:
                    found.setdefault(self._starts[index], path)
        return found


def backtrace(log: str, symbols: Symbols) -> list[str]:
    """The functions of the last stack trace that mongod wrote to its log, innermost first.

    Under breakpoints mongod itself can't name functions without a dynamic symbol (those in
    anonymous namespaces): their text isn't mapped from its file. Their addresses are right.
    """
    frames: list[dict[str, str]] = []
    for line in log.splitlines():
        if '"BACKTRACE"' in line:
            frames = []
        elif match := _FRAME.search(line):
            frames.append(json.loads(match.group(1)))
    found = [symbols.lookup(int(frame["o"], 16)) for frame in frames]
    ours = [function.symbol if function else "?" for function in found]
    # The server's own load address is the one where both agree on a name.
    bases = {f["b"] for f, name in zip(frames, ours, strict=True) if f.get("s") == name}
    return [
        frame.get("s") or (name if frame["b"] in bases else "?")
        for frame, name in zip(frames, ours, strict=True)
    ]
