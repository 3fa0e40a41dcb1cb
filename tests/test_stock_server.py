"""The packaged mongod under breakpoints: it serves, credits one connection, and ends cleanly."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pymongo import MongoClient

pytest.importorskip("iced_x86")
pytest.importorskip("elftools")

from harness.coverage import shared_map
from harness.coverage.blocks import find_blocks
from harness.coverage.preload import COMMAND_POOLS, BreakpointSource
from harness.coverage.symbols import Symbols, backtrace

package = importlib.util.find_spec("fiftyone")
locations = list(package.submodule_search_locations or ()) if package else []
MONGOD = next((p for where in locations if (p := Path(where) / "db/bin/mongod").exists()), None)

pytestmark = pytest.mark.skipif(
    MONGOD is None or shared_map.library_path() is None,
    reason="no mongod, or the preload library was not built",
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BreakpointSource]:
    assert MONGOD
    directory = tmp_path_factory.mktemp("coverage")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(directory))
        table = find_blocks(MONGOD, "functions")  # blocks take a while to decode
    made = BreakpointSource(table, directory / "map", max_hits=0)
    yield made
    made.close()


@pytest.fixture
def client(source: BreakpointSource) -> Iterator[MongoClient[dict[str, object]]]:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "db").mkdir()
        socket = directory / "m.sock"
        options = [f"--dbpath={directory / 'db'}", f"--bind_ip={socket}"]
        options += [f"--logpath={directory / 'log'}"]
        options += ["--setParameter=diagnosticDataCollectionEnabled=false"]
        process = subprocess.Popen(
            [str(MONGOD), *options], env=source.environment(), stdout=subprocess.DEVNULL
        )
        try:
            deadline = time.monotonic() + 30
            while not socket.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            uri = "mongodb://" + str(socket).replace("/", "%2F")
            made: MongoClient[dict[str, object]] = MongoClient(
                uri, directConnection=True, maxPoolSize=1
            )
            made.admin.command("ping")
            source.attach()
            yield made
            made.close()
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()


def functions(source: BreakpointSource, symbols: Symbols) -> set[str]:
    slots, blocks = source.map.slots(), source.map.blocks()
    hit = [source.locate(block)[1] for slot, block in enumerate(blocks) if slots[slot]]
    source.map.slots()[:] = bytes(source.map.slot_count)
    source.after_run()
    return {function.short_name for function in symbols.functions(hit)}


def test_credits_the_commands_of_one_connection(
    source: BreakpointSource, client: MongoClient[dict[str, object]]
) -> None:
    assert MONGOD
    pytest.importorskip("pycxxfilt")
    symbols = Symbols(MONGOD)
    number = int(str(client.admin.command("hello")["connectionId"]))
    source.map.credit([number], COMMAND_POOLS)
    client.admin.command("ping")
    functions(source, symbols)
    client.admin.command("ping")
    ping = functions(source, symbols)
    collection = client.test.c
    collection.insert_many([{"_id": n, "a": n % 3} for n in range(50)])
    inserted = functions(source, symbols)
    assert len(inserted - ping) > 200
    assert "mongo::CollectionImpl::insertDocuments" in inserted
    collection.create_index("a")
    built = functions(source, symbols)
    assert any("MultiIndexBlock" in name for name in built)  # by the index builds' own thread
    list(collection.aggregate([{"$group": {"_id": "$a", "n": {"$sum": 1}}}]))
    grouped = functions(source, symbols)
    assert any("DocumentSourceGroup" in name for name in grouped - inserted - built)
    time.sleep(0.2)  # the thread tidies up after its reply
    functions(source, symbols)
    source.map.credit([number + 1000])
    list(collection.find())
    assert not functions(source, symbols)
    reply = client.test.command("validate", "c", full=True)
    assert reply["valid"]


def test_a_new_server_keeps_the_map(
    source: BreakpointSource, client: MongoClient[dict[str, object]]
) -> None:
    used = source.map.used
    source.map.credit()
    client.test.c.insert_one({})
    assert source.map.used >= used > 0
    assert not source.map.full


def test_stack_traces_have_all_names(source: BreakpointSource) -> None:
    assert MONGOD
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "db").mkdir()
        socket, log = directory / "m.sock", directory / "log"
        options = [f"--dbpath={directory / 'db'}", f"--bind_ip={socket}", f"--logpath={log}"]
        process = subprocess.Popen(
            [str(MONGOD), *options], env=source.environment(), stdout=subprocess.DEVNULL
        )
        try:
            deadline = time.monotonic() + 30
            while not (log.exists() and "Waiting for connections" in log.read_text()):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            process.send_signal(signal.SIGABRT)
            assert process.wait(30) == -signal.SIGABRT
        finally:
            process.kill()
            process.wait()
        names = backtrace(log.read_text(), Symbols(MONGOD))
    assert "_ZN5mongo15printStackTraceEv" in names
    assert any("_initAndListen" in name for name in names)  # in an anonymous namespace
    assert "?" not in names


def test_paths_of_functions() -> None:
    assert MONGOD
    pytest.importorskip("pycxxfilt")
    symbols = Symbols(MONGOD)
    table = {
        "mongo::IndexBuildsCoordinator::": "src/mongo/db",
        "js::jit::CodeGenerator::": "src/third_party/mozjs",
        "__wt_block_": "src/third_party/wiredtiger",
    }
    sample = symbols.functions(symbols.starts[::40])
    for prefix, directory in table.items():
        found = [f.path for f in sample if f.name.startswith(prefix)]
        assert found
        right = sum(path.startswith(directory) for path in found)
        assert right >= 0.9 * len(found)
    assert sum(bool(f.directory) for f in sample) > 0.9 * len(sample)
    assert sum(f.namespace.startswith("mongo") for f in sample) > 0.4 * len(sample)
