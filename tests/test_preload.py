"""Breakpoints that remove themselves, in a program that does what a server does to signals."""

from __future__ import annotations

import ctypes
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("iced_x86")
pytest.importorskip("elftools")

from harness.coverage import preload, shared_map
from harness.coverage.blocks import TABLE_HEADER, find_blocks
from harness.coverage.preload import BreakpointSource
from harness.coverage.shared_map import CREDIT_EVERY_THREAD, CoverageError, MapHeader
from harness.coverage.symbols import Symbols

pytestmark = pytest.mark.skipif(
    not shutil.which("gcc") or shared_map.library_path() is None,
    reason="no gcc, or the preload library was not built",
)


class Target:
    """The program of tests/fixture/target.c, under coverage."""

    def __init__(self, program: Path, source: BreakpointSource) -> None:
        self.source = source
        self.symbols = Symbols(program)
        self.process = subprocess.Popen(
            [str(program)],
            env=source.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        source.attach()

    def do(self, action: str) -> int:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(action)
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def reached(self, action: str) -> set[str]:
        """The functions that this action's run is credited with; then the re-arm."""
        self.clear()
        self.do(action)
        names = self.names()
        self.source.after_run()
        return names

    def clear(self) -> None:
        slots = self.source.map.slots()
        slots[:] = bytes(len(slots))

    def names(self) -> set[str]:
        found, slots = self.source.map.blocks(), self.source.map.slots()
        hit = [self.source.locate(b)[1] for slot, b in enumerate(found) if slots[slot]]
        return {function.symbol for function in self.symbols.functions(hit)}

    def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(10)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("target") / "target"
    source = Path(__file__).parent / "fixture" / "target.c"
    subprocess.run(["gcc", "-O2", "-o", str(target), str(source), "-lpthread"], check=True)
    return target


@pytest.fixture
def source(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[BreakpointSource]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = BreakpointSource(find_blocks(program), tmp_path / "map", max_hits=0)
    yield made
    made.close()


@pytest.fixture
def target(program: Path, source: BreakpointSource) -> Iterator[Target]:
    made = Target(program, source)
    yield made
    made.process.kill()
    with made.process:
        pass


def test_layout_is_the_c_headers() -> None:
    library = shared_map.load_library()
    expected = [
        shared_map.MAP_VERSION,
        ctypes.sizeof(MapHeader),
        TABLE_HEADER.size,
        ctypes.sizeof(preload.RawHeader),
        ctypes.sizeof(preload.RawModule),
        MapHeader.text_start.offset,
        MapHeader.slots_at.offset,
        MapHeader.connections.offset,
        MapHeader.prefixes.offset,
        MapHeader.build_id.offset,
        MapHeader.message.offset,
        shared_map.LIST_SLACK,
    ]
    assert [library.astfuzz_layout(index) for index in range(len(expected))] == expected
    assert library.astfuzz_layout(len(expected)) == 0
    assert ctypes.sizeof(MapHeader) <= shared_map.PAGE


def test_credits_threads_that_work_for_the_fuzzer(target: Target) -> None:
    assert "in_first_connection" in target.reached("1")
    assert "in_second_connection" in target.reached("2")
    assert "in_pool" in target.reached("p")
    assert not target.reached("b")
    target.source.map.credit([1])
    assert "in_first_connection" in target.reached("1")
    assert not target.reached("2")
    assert not target.reached("p")
    target.source.map.credit([7, 2], ["IndexBu."])
    assert not target.reached("1")
    assert "in_second_connection" in target.reached("2")
    assert "in_pool" in target.reached("p")
    target.source.map.header.credit_mode = CREDIT_EVERY_THREAD
    assert "in_background" in target.reached("b")
    assert target.end() == 0


def test_an_uncredited_hit_does_not_hide_a_block(target: Target) -> None:
    target.source.map.credit([1])
    target.reached("2")
    target.source.map.credit([2])
    assert "in_second_connection" in target.reached("2")
    # ... but what background threads keep hitting is left to them.
    target.source.map.credit([1])
    for _ in range(preload.MAX_IDLE + 2):
        target.reached("2")
    traps = target.source.map.header.traps
    target.do("2")
    assert target.source.map.header.traps - traps < 10


def test_the_other_branch_is_another_block(target: Target) -> None:
    target.do("1")
    used = target.source.map.used
    target.source.after_run()
    target.do("1")
    assert target.source.map.used == used
    target.do("0")
    assert target.source.map.used > used


def test_rearmed_until_known_well(target: Target) -> None:
    target.source.map.header.max_hits = 3
    assert [bool(target.reached("1")) for _ in range(5)] == [True] * 3 + [False] * 2


def test_signals_do_not_get_in_the_way(target: Target) -> None:
    assert "with_all_blocked" in target.reached("m")
    assert "in_handler" in target.reached("h")
    assert "own_handler" in target.reached("t")
    assert target.do("t") == 4  # the program's own int3 and raise, twice
    assert target.end() == 0


def test_children(target: Target) -> None:
    assert "in_child" in target.reached("f")
    assert target.do("f") == 7
    assert target.do("e") == 0  # no preload in a program that the server starts
    assert target.end() == 0


def test_the_programs_own_breakpoint_still_ends_it(target: Target) -> None:
    with pytest.raises(ValueError):
        target.do("x")
    assert target.process.wait(10) == -signal.SIGTRAP


def test_threads_race_with_the_rearm(target: Target) -> None:
    # Else a block is armed again MAX_IDLE times only, and these are few blocks.
    target.source.map.header.credit_mode = shared_map.CREDIT_EVERY_THREAD
    expected = target.do("r")
    assert expected != -1
    assert target.process.stdin and target.process.stdout
    rearmed = 0
    for _ in range(100):  # how often the two meet is the scheduler's affair
        if rearmed > 100:
            break
        target.process.stdin.write("r")
        target.process.stdin.flush()
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            rearmed += target.source.after_run()
        assert int(target.process.stdout.readline()) == expected
    assert rearmed > 100
    assert target.end() == 0


def test_a_new_server_keeps_slots_and_counts(target: Target, program: Path, tmp_path: Path) -> None:
    source = target.source
    source.map.header.max_hits = 1
    target.reached("1")
    blocks = list(source.map.blocks())
    target.end()
    second = Target(program, source)
    assert second.source.map.header.armed == len(source.table) - len(set(blocks))
    assert not second.reached("1")  # known well
    assert second.reached("2")
    assert list(source.map.blocks())[: len(blocks)] == blocks
    second.end()
    resumed = BreakpointSource(source.table, tmp_path / "map", resume=True)
    assert list(resumed.map.blocks())[: len(blocks)] == blocks
    resumed.close()


def test_a_full_map_goes_on(program: Path, source: BreakpointSource, tmp_path: Path) -> None:
    shared_map.create_map(tmp_path / "map", len(source.table), source.table.build_id, slot_count=2)
    small = BreakpointSource(source.table, tmp_path / "map", max_hits=0, resume=True)
    target = Target(program, small)
    target.do("1")
    target.do("2")
    assert small.map.full
    assert small.map.used == 2
    assert target.end() == 0
    small.close()


def test_not_for_other_programs(source: BreakpointSource, tmp_path: Path) -> None:
    run = subprocess.run(
        ["/bin/sh", "-c", "echo $ASTFUZZ_MAP"],
        env=source.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(tmp_path / "map")  # for the server that a wrapper starts
    with pytest.raises(CoverageError, match="did not start"):
        source.attach(timeout=0.01)


def test_a_table_of_other_bytes_is_refused(program: Path, source: BreakpointSource) -> None:
    path = source.table.path
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    subprocess.run([str(program)], env=source.environment(), input=b"12", check=True)
    with pytest.raises(CoverageError, match="bytes differ"):
        source.attach(timeout=1)


def test_a_map_of_another_server_is_refused(source: BreakpointSource, tmp_path: Path) -> None:
    shared_map.create_map(tmp_path / "other", len(source.table), b"other")
    with pytest.raises(CoverageError, match="another server"):
        BreakpointSource(source.table, tmp_path / "other", resume=True)
    (tmp_path / "text").write_text("x" * 10000)
    with pytest.raises(CoverageError, match="not a coverage map"):
        shared_map.SharedMap(tmp_path / "text")


def test_what_is_settled_is_no_news(target: Target) -> None:
    target.source.map.header.max_hits = 8
    target.reached("1")
    target.source.map.settle()
    assert not any(target.source.map.slots())
    target.do("1")  # armed since the run before
    target.source.after_run()
    assert not target.reached("1")
    assert target.reached("0")
