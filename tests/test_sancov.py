"""The counters of sanitizer builds: a program with a library, and the server with planted bugs."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pymongo import MongoClient
from pymongo.errors import AutoReconnect, PyMongoError

pytest.importorskip("elftools")

from harness.coverage import shared_map
from harness.coverage.preload import SancovSource
from harness.coverage.shared_map import CREDIT_BY_NAME, CREDIT_NONE, CoverageError
from harness.coverage.symbols import Symbols

FIXTURE = Path(__file__).parent / "fixture"
CLANG = next((path for name in ("clang", "clang-16") if (path := shutil.which(name))), None)
FLAGS = ["-g", "-O1", "-fsanitize=address,undefined,fuzzer-no-link"]

pytestmark = pytest.mark.skipif(
    CLANG is None or shared_map.library_path() is None,
    reason="no clang, or the preload library was not built",
)


def compile_c(target: Path, *arguments: str | Path) -> Path:
    subprocess.run([str(CLANG), *FLAGS, "-o", target, *map(str, arguments)], check=True)
    return target


@pytest.fixture
def source(tmp_path: Path) -> Iterator[SancovSource]:
    made = SancovSource(tmp_path / "map", b"id")
    yield made
    made.close()


def reached(source: SancovSource, program: Path) -> set[tuple[str, str]]:
    """Module and function of what the last run reached."""
    source.map.slots()[:] = bytes(source.map.slot_count)
    source.after_run()
    slots, found = source.map.slots(), set()
    for slot, block in enumerate(source.map.blocks()):
        if slots[slot]:
            module, address = source.locate(block)
            found.add((module, address))
    names = set()
    for module, address in found:
        function = Symbols(Path(module) if module else program).lookup(address)
        assert function
        names.add((Path(module).name, function.symbol))
    return names


@pytest.mark.parametrize("pie", ["-pie", "-no-pie"])
def test_program_and_library(tmp_path: Path, source: SancovSource, pie: str) -> None:
    code = FIXTURE / "counted.c"
    library = compile_c(tmp_path / "libcounted.so", "-DLIBRARY", "-shared", "-fPIC", code)
    compiled = ["-fPIE"] if pie == "-pie" else ["-fno-pie"]
    program = compile_c(
        tmp_path / "counted", pie, *compiled, code, library, f"-Wl,-rpath,{tmp_path}"
    )
    process = subprocess.Popen(
        [str(program)],
        env=source.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout

    def do(action: str) -> int:
        assert process.stdin and process.stdout
        process.stdin.write(action)
        process.stdin.flush()
        return int(process.stdout.readline())

    with process:
        assert do("v") == 33  # the neighbours' values
        source.attach()
        assert [Path(module.path).name for module in source.modules] == ["", "libcounted.so"]
        reached(source, program)
        assert do("p") == 6
        names = reached(source, program)
        assert ("", "in_program") in names
        assert ("libcounted.so", "in_library") not in names
        assert do("l") == 4
        assert ("libcounted.so", "in_library") in reached(source, program)
        assert do("f") == 11  # a child doesn't share its parent's variables
        assert do("v") == 33
        process.stdin.close()
        assert process.wait(10) == 0


def test_without_counters(source: SancovSource) -> None:
    subprocess.run(["/bin/true"], env=source.environment(), check=True)
    with pytest.raises(CoverageError, match="no sanitizer"):
        source.attach(timeout=0.01)


class Server:
    def __init__(self, program: Path, directory: Path, source: SancovSource) -> None:
        socket = directory / "m.sock"
        socket.unlink(missing_ok=True)
        self.errors = directory / "errors"
        self.process = subprocess.Popen(
            [str(program), f"--bind_ip={socket}", f"--logpath={directory / 'log'}"],
            env=source.environment(),
            stderr=self.errors.open("w"),
        )
        deadline = time.monotonic() + 10
        while not socket.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        uri = "mongodb://" + str(socket).replace("/", "%2F")
        self.client: MongoClient[dict[str, object]] = MongoClient(
            uri, directConnection=True, retryWrites=False, retryReads=False, socketTimeoutMS=1000
        )
        self.client.admin.command("ping")
        source.attach()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("pkg-config"):
        pytest.skip("no pkg-config")
    command = ["pkg-config", "--cflags", "--libs", "libbson-1.0"]
    bson = subprocess.run(command, capture_output=True, text=True, check=False)
    if bson.returncode:
        pytest.skip("no libbson")
    return compile_c(
        tmp_path_factory.mktemp("server") / "server",
        "-fno-sanitize-recover=undefined",
        FIXTURE / "server.c",
        FIXTURE / "bugs.c",
        "-lpthread",
        *bson.stdout.split(),
    )


@pytest.fixture
def server(program: Path, tmp_path: Path, source: SancovSource) -> Iterator[Server]:
    made = Server(program, tmp_path, source)
    yield made
    made.client.close()
    made.process.kill()
    made.process.wait()


def test_each_condition_is_new_coverage(server: Server, source: SancovSource) -> None:
    collection = server.client.test.c
    order = [("a", 1), ("b", 1)]
    collection.insert_one({"_id": 1})
    assert list(collection.find()) == [{"_id": 1}]
    list(collection.find(skip=5, limit=5))
    source.after_run()
    used = source.map.used
    for options in ({}, {"skip": 1}, {"skip": 1, "limit": 1}, {"skip": 70000, "limit": 1}):
        list(collection.find(sort=order, **options))
        source.after_run()
        assert source.map.used > used, options
        used = source.map.used
    list(collection.find(sort=order, skip=70000, limit=1))
    source.after_run()
    assert source.map.used == used


BIG = 2**31 - 1
BUGS = {
    "heap-buffer-overflow": {
        "aggregate": "c",
        "cursor": {},
        "pipeline": [
            {
                "$group": {
                    "_id": {"a": 1, "b": 1},
                    "x": {"$push": {"a": 1}},
                    "y": {"$sum": 1},
                    "z": {"$sum": 1},
                }
            }
        ],
    },
    "heap-use-after-free": {
        "update": "c",
        "updates": [
            {
                "q": {},
                "u": {"$set": {"a": 1}, "$unset": {"b": 1}, "$rename": {"c": "d"}},
                "upsert": True,
                "multi": True,
            }
        ],
    },
    "signed integer overflow": {"find": "c", "sort": {"a": 1, "b": 1}, "skip": BIG, "limit": BIG},
    "ABRT": {
        "aggregate": "c",
        "cursor": {},
        "pipeline": [
            {"$facet": {"x": [{"$lookup": {"pipeline": [{"$unwind": "$a"}, {"$match": {}}]}}]}}
        ],
    },
}


@pytest.mark.parametrize("report", BUGS)
def test_planted_bugs_end_the_server(server: Server, report: str) -> None:
    with pytest.raises(AutoReconnect):
        server.client.test.command(BUGS[report])
    assert server.process.wait(10) != 0
    assert report in server.errors.read_text()


def test_planted_endless_loop(server: Server) -> None:
    stage = {"groupBy": {"a": 1}, "default": 1, "boundaries": [3, 3]}
    with pytest.raises(PyMongoError):  # the socket's timeout
        server.client.test.command("aggregate", "c", pipeline=[{"$bucket": stage}], cursor={})
    assert server.process.poll() is None


def test_nothing_counts_while_nobody_is_credited(server: Server, source: SancovSource) -> None:
    source.map.header.credit_mode = CREDIT_NONE
    list(server.client.test.c.find())
    assert source.after_run() > 0
    assert source.map.used == 0
    source.map.header.credit_mode = CREDIT_BY_NAME
    list(server.client.test.c.find())
    source.after_run()
    assert source.map.used > 0
