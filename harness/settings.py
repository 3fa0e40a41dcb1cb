"""What a campaign was asked to do: from the command line, and onwards to its workers."""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from harness.coverage.preload import MAX_HITS
from harness.server.locate import describe
from harness.server.mongod import ServerOptions
from harness.server.target import (
    ForeignServer,
    Observer,
    OwnServer,
    Target,
    sanitizer_environment,
)

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = "MONGO_ASTFUZZ_WORKER"  # children of libFuzzer find the settings here


@dataclass(frozen=True)
class Settings:
    """The harness's options, all of them plain values: they travel as JSON."""

    mongod: str = ""  # the binary's path; "" with `uri`
    uri: str = ""
    storage_engine: str = "wiredTiger"
    server_arguments: tuple[str, ...] = ()
    corpus: tuple[str, ...] = (str(ROOT / "corpus"),)
    crashes: str = str(ROOT / "crashes")
    denied: str = ""
    seconds: float = 0.0
    script_seconds: float = 10.0
    reply_seconds: float = 10.0
    stop_on_finding: bool = False
    coverage: str = "auto"  # one of source.CHOICES
    guide: str = "server"  # one of source.GUIDES
    blind: bool = False
    seed: int = 1  # of a blind campaign
    blind_mutations: int = 16  # at most, in a test of a blind campaign
    max_hits: int = MAX_HITS
    coverage_report: str = ""  # a folder
    record: str = ""
    command_line: tuple[str, ...] = ()
    run_directory: str = ""
    liveness: int = -1  # a pipe that ends with the campaign
    inputs: tuple[str, ...] = field(default=())
    libfuzzer: tuple[str, ...] = ()

    def to_json(self) -> str:
        """For the environment of a worker."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Settings":
        """What `to_json` gave."""
        values: dict[str, Any] = json.loads(text)
        tuples = {f.name for f in fields(cls) if str(f.type).startswith("tuple")}
        values.update({name: tuple(values[name]) for name in tuples})
        return cls(**values)

    def server_options(self) -> ServerOptions:
        """How our own server is started."""
        return ServerOptions(
            describe(Path(self.mongod)),
            storage_engine=self.storage_engine,
            arguments=self.server_arguments,
            environment=sanitizer_environment(),
        )

    def open_target(self, observer: Observer | None = None) -> Target:
        """Start our server, or connect to the foreign one. Raises Problem (NO_SERVER)."""
        if self.uri:
            return ForeignServer(self.uri, self.reply_seconds)
        return OwnServer(self.server_options(), self.reply_seconds, observer)
