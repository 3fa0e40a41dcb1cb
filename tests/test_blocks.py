"""Where blocks start: against another decoder, and the cache."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("iced_x86")
pytest.importorskip("elftools")

from harness.coverage import blocks
from harness.coverage.symbols import Symbols, shorten

FIXTURE = Path(__file__).parent / "fixture"
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")


def build(target: Path, *options: str) -> Path:
    subprocess.run(
        ["gcc", "-O2", "-o", str(target), str(FIXTURE / "target.c"), "-lpthread", *options],
        check=True,
    )
    return target


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return build(tmp_path / "target")


@needs_gcc
@pytest.mark.skipif(not shutil.which("objdump"), reason="no objdump")
@pytest.mark.parametrize("options", [(), ("-no-pie",), ("-O0",), ("-Wl,--build-id=none",)])
def test_every_start_is_an_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = build(tmp_path / "target", *options)
    command = ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(program)]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    instructions = {int(m.group(1), 16) for m in re.finditer(r"^ +([0-9a-f]+):", listing, re.M)}
    # The C runtime's own few have no unwind entry.
    jumps = re.findall(r"\tj\w+ +([0-9a-f]+) <(?!.*(?:@plt|tm_clones|__do_))", listing)
    pruned = set(blocks.find_blocks(program).addresses)
    monkeypatch.setattr(blocks, "implied", lambda *_: set())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "whole"))
    table = blocks.find_blocks(program)
    starts = set(table.addresses)
    assert pruned < starts
    assert list(table.addresses) == sorted(starts)
    assert starts <= instructions
    names = {f.symbol for f in Symbols(program).functions(starts)}
    assert {"main", "hot", "in_child", "call_in_child"} <= names
    assert {int(jump, 16) for jump in jumps} <= starts
    functions = blocks.find_blocks(program, "functions")
    assert set(functions.addresses) <= pruned
    assert len(functions) < len(table)


@needs_gcc
def test_cache_is_used_and_survives_damage(program: Path, tmp_path: Path) -> None:
    seen: list[float] = []
    table = blocks.find_blocks(program, progress=seen.append)
    assert seen[-1] == 1.0
    assert table.path.is_relative_to(tmp_path / "cache" / "mongo-astfuzz")
    again = blocks.find_blocks(program, progress=lambda _: pytest.fail("decoded again"))
    expected = list(table.addresses)  # the file below the map changes in this test
    assert list(again.addresses) == expected
    whole = table.path.read_bytes()
    for damaged in (b"", whole[:-1], b"x" * len(whole)):
        table.path.write_bytes(damaged)
        assert list(blocks.find_blocks(program).addresses) == expected
    assert len(list(table.path.parent.iterdir())) == 1


@needs_gcc
def test_data_between_instructions_is_never_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A jump over data: decoded linearly the data swallow the next instruction's first byte."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source = tmp_path / "data.c"
    source.write_text(
        "int main(void) { return 0; }\n"
        'asm(".text\\n.globl odd\\n.type odd,@function\\nodd: .cfi_startproc\\n'
        " test %edi,%edi\\n je 2f\\n jmp 2f\\n .byte 0x48,0xb8\\n"
        '2: mov $1,%eax\\n ret\\n .cfi_endproc\\n.size odd,.-odd\\n");\n'
    )
    program = tmp_path / "data"
    subprocess.run(["gcc", "-o", str(program), str(source)], check=True)
    table, symbols = blocks.find_blocks(program), Symbols(program)
    found = [symbols.lookup(address) for address in table.addresses]
    odd = [f for f in found if f and f.symbol == "odd"]
    assert len(odd) == 1  # the entry only


def test_what_is_no_program(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a program")
    with pytest.raises(blocks.NoBlocksError):
        blocks.find_blocks(text)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("mongo::f<int, g<h>>(char const*)", "mongo::f"),
        ("void std::vector<int>::push<A>(A&&) const", "std::vector::push"),
        ("mongo::(anonymous namespace)::C::run(int)::{lambda()#1}::operator()() const", None),
        ("mongo::operator<<(std::ostream&, int)", "mongo::operator<<"),
        ("mongo::C::operator()(int)", "mongo::C::operator()"),
        ("__wt_block_open", "__wt_block_open"),
        ("non-virtual thunk to mongo::C::~C()", "mongo::C::~C"),
    ],
)
def test_short_names(name: str, short: str | None) -> None:
    assert shorten(name) == (short or "mongo::(anonymous)::C::run")
