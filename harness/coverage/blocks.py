"""Where a server's basic blocks start: decoded from its text, kept in a cache by build-id.

Right before complete: a breakpoint anywhere but on an instruction's first byte corrupts the
server. So each function's range (from .eh_frame) is decoded linearly, every branch target and
every function symbol must fall on a decoded boundary, and a function where one doesn't keeps
its entry alone. Jump tables are data in .rodata, never followed; their targets are found as the
instructions after an unconditional end of a block.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import mmap
import os
import re
import struct
import sys
import tempfile
import tomllib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.coverage.pruning import implied, successors_of

Granularity = Literal["blocks", "functions"]
Progress = Callable[[float], None]

TABLE_MAGIC = 0x31304B4C465A5441  # mirrored in preload.h, as is the header
TABLE_VERSION = 1
PRUNING_VERSION = 2  # raised when the rules of pruning.py change, as they change what is cached
UNCOUNTED = Path(__file__).with_name("uncounted.toml")
TABLE_HEADER = struct.Struct("<QIIQQ32s")
INT3 = 0xCC
NOPS = (b"\x90", b"\x0f\x1f", b"\x66\x90", b"\x66\x0f\x1f", b"\x66\x2e", b"\x66\x66", b"\xcc")


class NoBlocksError(Exception):
    """This program's blocks can't be found: not ELF for x86-64, no unwind table, no decoder."""


@dataclass(frozen=True)
class BlockTable:
    """The sorted block starts of one program, in a file that the preload library reads too."""

    path: Path
    build_id: bytes
    text_start: int
    text_end: int
    addresses: memoryview  # of uint32: addresses as in the file, without the load address

    def __len__(self) -> int:
        return len(self.addresses)


def cache_directory() -> Path:
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "mongo-astfuzz"


def find_blocks(
    binary: Path, granularity: Granularity = "blocks", progress: Progress | None = None
) -> BlockTable:
    """The program's block starts; from the cache if this build was decoded before."""
    build_id = read_build_id(binary)
    rules = hashlib.sha256(UNCOUNTED.read_bytes()).hexdigest()[:8]
    name = f"{build_id.hex()}-{granularity}-{TABLE_VERSION}.{PRUNING_VERSION}-{rules}"
    path = cache_directory() / name
    with contextlib.suppress(OSError, ValueError):
        return open_table(path)
    text = _read_text(binary)
    addresses = _decode(text, granularity, progress)
    _write_table(path, build_id, text, addresses)
    return open_table(path)


def open_table(path: Path) -> BlockTable:
    """Maps a table file; ValueError if it is not a whole one of this version."""
    with path.open("rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if len(memory) < TABLE_HEADER.size:
        raise ValueError(f"{path} is not a block table")
    magic, version, count, start, end, build_id = TABLE_HEADER.unpack_from(memory)
    size = TABLE_HEADER.size + 5 * count
    if magic != TABLE_MAGIC or version != TABLE_VERSION or len(memory) != size:
        raise ValueError(f"{path} is not a block table")
    addresses = memoryview(memory)[TABLE_HEADER.size : TABLE_HEADER.size + 4 * count].cast("I")
    return BlockTable(path, build_id, start, end, addresses)


def read_build_id(binary: Path) -> bytes:
    """The linker's build-id, or a hash of the file where there is none."""
    elf = open_elf(binary)
    section = elf.get_section_by_name(".note.gnu.build-id")
    if section is not None:
        for note in section.iter_notes():
            if note["n_type"] == "NT_GNU_BUILD_ID":
                return bytes.fromhex(note["n_desc"])[:32]
    with binary.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


@dataclass(frozen=True)
class _Text:
    code: bytes
    start: int
    functions: list[tuple[int, int]]  # sorted (start, end), inside the code, without overlap
    symbols: list[int]  # function symbols' addresses: they must be boundaries
    has_build_id: bool

    @property
    def end(self) -> int:
        return self.start + len(self.code)


def open_elf(binary: Path) -> Any:
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError as error:
        raise NoBlocksError("pyelftools is not installed") from error
    try:
        elf = ELFFile.load_from_path(str(binary))
    except (OSError, ELFError) as error:
        raise NoBlocksError(f"{binary} is not an ELF program: {error}") from error
    if elf.get_machine_arch() != "x64":
        raise NoBlocksError(f"{binary} is not for x86-64")
    return elf


@dataclass(frozen=True)
class _Flow:
    """One function's branches: address of the last instruction -> where control goes."""

    low: int
    high: int
    ends: dict[int, tuple[int, ...]]


def _read_text(binary: Path) -> _Text:
    elf = open_elf(binary)
    text = elf.get_section_by_name(".text")
    if text is None:
        raise NoBlocksError(f"{binary} has no .text")
    start, code = text["sh_addr"], text.data()
    end = start + len(code)
    if end >= 1 << 32:
        raise NoBlocksError(f"{binary}: addresses beyond 4 GB")
    symtab = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
    symbols = [(value, size) for value, size, _ in function_symbols(symtab) if start <= value < end]
    uncounted = _uncounted(elf, symtab)
    ranges = _unwind_ranges(elf) or [(value, value + size) for value, size in symbols if size]
    functions: list[tuple[int, int]] = []
    for low, high in sorted(set(ranges)):
        if start <= low < high <= end and (not functions or low >= functions[-1][1]):
            functions.append((low, high))
    functions = [(low, high) for low, high in functions if low not in uncounted]
    if not functions:
        raise NoBlocksError(f"{binary} has neither an unwind table nor function symbols")
    has_build_id = elf.get_section_by_name(".note.gnu.build-id") is not None
    return _Text(code, start, functions, sorted({value for value, _ in symbols}), has_build_id)


def _uncounted(elf: Any, symtab: Any) -> set[int]:
    """Where the functions of uncounted.toml begin."""
    if symtab is None:
        return set()
    entries = tomllib.loads(UNCOUNTED.read_text())["uncounted"]
    pattern = re.compile("|".join(f"(?:{entry['symbols']})" for entry in entries).encode())
    strings = elf.get_section(symtab["sh_link"]).data()
    return {value for value, _, name in function_symbols(symtab) if pattern.match(strings, name)}


def function_symbols(section: Any) -> Iterator[tuple[int, int, int]]:
    """Address, size and the name's place in the string table, of every defined function."""
    # Not pyelftools's own iteration: 340,000 symbols take it half a minute.
    if section is None:
        return
    for name, info, _, _, value, size in struct.iter_unpack("<IBBHQQ", section.data()):
        if info & 15 == 2 and value:  # STT_FUNC, defined
            yield value, size, name


def _unwind_ranges(elf: Any) -> list[tuple[int, int]]:
    """The function ranges of .eh_frame: of each FDE only the first two fields are needed."""
    section = elf.get_section_by_name(".eh_frame")
    if section is None:
        return []
    data, base = section.data(), section["sh_addr"]
    plain: dict[int, bool] = {}  # by CIE: addresses are 4 bytes, relative to their own place
    ranges = []
    at = 0
    while at + 8 <= len(data):
        (length,) = struct.unpack_from("<I", data, at)
        if length in {0, 0xFFFFFFFF}:
            break
        (back,) = struct.unpack_from("<I", data, at + 4)
        cie = at + 4 - back
        if back:
            if cie not in plain:
                plain[cie] = _has_plain_addresses(data, cie)
            if plain[cie]:
                relative, size = struct.unpack_from("<iI", data, at + 8)
                low = base + at + 8 + relative
                ranges.append((low, low + size))
        at += 4 + length
    return ranges


def _has_plain_addresses(data: bytes, cie: int) -> bool:
    """Does this CIE say DW_EH_PE_pcrel | DW_EH_PE_sdata4, as every x86-64 compiler does?"""
    (length,) = struct.unpack_from("<I", data, cie)
    record = data[cie + 8 : cie + 4 + length]
    augmentation, _, rest = record[1:].partition(b"\0")
    if not augmentation.startswith(b"z"):
        return False
    at = 0
    for _ in range(4):  # code and data alignment, return register, augmentation length: LEB128
        while rest[at] & 0x80:
            at += 1
        at += 1
    for letter in augmentation[1:].decode("ascii", "replace"):
        if letter == "R":
            return rest[at] == 0x1B
        if letter == "L":
            at += 1
        elif letter == "P":
            at += 1 + {0: 8, 2: 2, 3: 4, 4: 8}.get(rest[at] & 7, 8)
        elif letter not in "SB":
            return False
    return False


def _decode(text: _Text, granularity: Granularity, progress: Progress | None) -> array[int]:
    if granularity == "functions":
        starts = (low for low, _ in text.functions)
        return array("I", (s for s in starts if text.code[s - text.start] != INT3))
    if not importlib.util.find_spec("iced_x86"):
        raise NoBlocksError("iced-x86 is not installed")
    boundary = bytearray(len(text.code))  # 1: an instruction starts here
    targets: set[int] = set()
    flows: list[_Flow] = []
    for done, (low, high) in enumerate(text.functions):
        if progress and done % 4096 == 0:
            progress(done / len(text.functions))
        flow = _decode_function(text, low, high, boundary, targets)
        if flow is not None:
            flows.append(flow)
    if progress:
        progress(1.0)
    checked = targets.union(text.symbols)
    return _without_implied(_keep_trusted(text, boundary, checked), flows)


def _without_implied(kept: array[int], flows: Sequence[_Flow]) -> array[int]:
    """Drops the blocks that others imply (pruning.py)."""
    dropped: set[int] = set()
    entries = {flow.low for flow in flows}
    for flow in flows:
        for targets in flow.ends.values():
            entries.update(target for target in targets if not flow.low <= target < flow.high)
    for flow in flows:
        first, last = bisect_left(kept, flow.low), bisect_left(kept, flow.high)
        starts = kept[first:last]
        if len(starts) > 2 and starts[0] == flow.low:
            dropped |= implied(entries, successors_of(starts, flow.ends, flow.high))
    return array("I", (address for address in kept if address not in dropped))


def _decode_function(
    text: _Text, low: int, high: int, boundary: bytearray, targets: set[int]
) -> _Flow | None:
    """Marks instructions and block starts; the control flow, where all of it can be told."""
    from iced_x86 import Code, Decoder, FlowControl

    code = text.code[low - text.start : high - text.start]
    plain, call = int(FlowControl.NEXT), (int(FlowControl.CALL), int(FlowControl.INDIRECT_CALL))
    conditional = (int(FlowControl.CONDITIONAL_BRANCH), int(FlowControl.XBEGIN_XABORT_XEND))
    interrupt, jump = int(FlowControl.INTERRUPT), int(FlowControl.UNCONDITIONAL_BRANCH)
    indirect = int(FlowControl.INDIRECT_BRANCH)
    targets.add(low)
    base = text.start
    after_end = False  # the instruction before never falls through
    ends: dict[int, tuple[int, ...]] = {}
    known = True  # no indirect jump so far
    for instruction in Decoder(64, code, ip=low):
        ip = instruction.ip
        flow = instruction.flow_control
        if instruction.code == Code.INVALID:
            return None
        boundary[ip - base] = 1
        if after_end and not code.startswith(NOPS, ip - low):
            targets.add(ip)
            after_end = False
        if flow == plain or flow in call:
            continue
        if flow in conditional or flow == jump:
            if instruction.near_branch_target:  # 0: xend and xabort
                targets.add(instruction.near_branch_target)
            if flow != jump and instruction.next_ip < high:
                targets.add(instruction.next_ip)
        after_end = flow not in conditional and flow != interrupt
        if flow == indirect:
            known = False
        target = instruction.near_branch_target
        if flow in conditional:
            ends[ip] = (target, instruction.next_ip) if target else ()
        elif after_end:
            ends[ip] = (target,) if flow == jump and target else ()
    return _Flow(low, high, ends) if known else None


def _keep_trusted(text: _Text, boundary: bytearray, checked: set[int]) -> array[int]:
    """Drops what isn't a boundary, and all but the entry of the functions where it lies."""
    addresses = array("I", sorted(a for a in checked if text.start <= a < text.end))
    functions = iter([*text.functions, (text.end, text.end + 1)])
    low, high = next(functions)
    kept, inside = array("I"), array("I")
    trusted = True
    for address in [*addresses, text.end]:
        while address >= high:
            kept.extend(inside if trusted else inside[:1])
            inside, trusted = array("I"), True
            low, high = next(functions)
        if address < low or address == text.end:
            continue  # between functions: nothing is known about these bytes
        if not boundary[address - text.start]:
            trusted = False
        elif text.code[address - text.start] != INT3:
            inside.append(address)
    return kept


def _write_table(path: Path, build_id: bytes, text: _Text, addresses: array[int]) -> None:
    if sys.byteorder != "little" or addresses.itemsize != 4:
        raise NoBlocksError("block tables are for x86-64")
    # A hash in place of a build-id names the cache file only: the library can't see it.
    known = build_id if text.has_build_id else b""
    header = TABLE_HEADER.pack(
        TABLE_MAGIC, TABLE_VERSION, len(addresses), text.start, text.end, known
    )
    firsts = bytes(text.code[address - text.start] for address in addresses)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(header + addresses.tobytes() + firsts)
            file.flush()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
