"""The server that runs are sent to: our own, or somebody else's behind `--uri`."""

import ipaddress
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from pymongo.errors import PyMongoError
from pymongo.uri_parser import parse_uri

from harness import verdict
from harness.exits import ExitStatus, Problem
from harness.server import mongod
from harness.server.clearing import Clearing, NotCleared
from harness.server.connection import (
    Connection,
    ConnectionLost,
    ReplyTimeout,
    answers,
    uri_of_socket,
)
from harness.shell.dispatch import Sent
from harness.verdict import Verdict

PING_SECONDS = 5.0
DEATH_SECONDS = 30.0  # a sanitizer build writes its report and its core before it is gone


@dataclass(frozen=True)
class Evidence:
    """What a server left behind: the tail of its output, its sanitizers' reports."""

    log: bytes = b""
    sanitizer: bytes = b""


class Observer(Protocol):
    """Who takes part in every start of our server: its coverage."""

    def environment(self) -> Mapping[str, str]:
        """For the server that is about to start."""

    def attach(self, connection: Connection) -> None:
        """It is up, and this is the connection that will serve the runs."""


class Target(Protocol):
    """A server as a run sees it. `pid` is 0 when the process is not ours."""

    connection: Connection
    pid: int

    def failure(self, lost: ConnectionLost) -> Verdict:
        """What a lost connection means."""

    def check(self) -> Verdict:
        """The verdict on a server whose run went through: a sanitizer may have reported."""

    def evidence(self) -> Evidence:
        """For the artifact, before `renew`."""

    def clear(self, sent: Iterable[Sent]) -> bool:
        """Make it empty again; False when that took a new server."""

    def renew(self) -> None:
        """Start over with a new server, or a new connection to the same."""

    def end(self) -> None:
        """Leave nothing behind."""


class OwnServer:
    """A mongod that the harness starts, clears, and starts again after its death."""

    def __init__(
        self,
        options: mongod.ServerOptions,
        reply_seconds: float = 10.0,
        observer: Observer | None = None,
    ) -> None:
        self._options = options
        self._reply_seconds = reply_seconds
        self._observer = observer
        self._start()

    def _start(self) -> None:
        options, observer = self._options, self._observer
        if observer is not None:
            environment = {**options.environment, **observer.environment()}
            options = replace(options, environment=environment)
        self._server = mongod.start(options)
        try:
            self.connection = Connection(uri_of_socket(self._server.socket), self._reply_seconds)
            if observer is not None:
                observer.attach(self.connection)
            self._clearing = Clearing(self.connection)
        except BaseException:
            self._server.end()
            raise
        self._server.exit_status()
        self.pid = self._server.pid
        self._changed = self._directory_change()

    @property
    def server(self) -> mongod.Server:
        """The process at this moment."""
        return self._server

    def failure(self, lost: ConnectionLost) -> Verdict:
        """Dead, hung, or merely slow."""
        hopeful = isinstance(lost, ReplyTimeout)
        status = self._server.exit_status(wait=0.0 if hopeful else DEATH_SECONDS)
        if status is not None:
            output = self._server.log_tail() + self._sanitizer_reports()
            return verdict.of_death(status, output.decode(errors="replace"))
        if answers(uri_of_socket(self._server.socket), PING_SECONDS):
            return Verdict("slow", str(lost))
        status = self._server.exit_status(wait=1.0)
        if status is not None:
            return verdict.of_death(status, self._server.log_tail().decode(errors="replace"))
        return Verdict("hang", "the server lives and answers nobody")

    def check(self) -> Verdict:
        """A report file appears in the server's directory when a sanitizer goes on."""
        changed = self._directory_change()
        if changed != self._changed:
            self._changed = changed
            reports = self._sanitizer_reports()
            if reports:
                first = reports.decode(errors="replace").strip().splitlines()[:1]
                return Verdict("sanitizer", "".join(first)[:300])
        return verdict.OK

    def _directory_change(self) -> int:
        return self._server.directory.stat().st_mtime_ns

    def _sanitizer_reports(self) -> bytes:
        return b"".join(p.read_bytes() for p in sorted(self._server.directory.glob("sanitizer.*")))

    def evidence(self) -> Evidence:
        """The log's tail and the sanitizers' reports."""
        return Evidence(self._server.log_tail(), self._sanitizer_reports())

    def clear(self, sent: Iterable[Sent]) -> bool:
        """Drop and undo; a server that refuses is replaced."""
        try:
            self._clearing.clear(self.connection, sent)
        except NotCleared:
            self.renew()
            return False
        return True

    def renew(self) -> None:
        """Kill what is left and start a fresh server."""
        self.end()
        self._start()

    def end(self) -> None:
        """Kill the server and remove its directory."""
        self.connection.close()
        self._server.end()


class ForeignServer:
    """A server that somebody else started; it is never ended, only cleared."""

    pid = 0

    def __init__(self, uri: str, reply_seconds: float = 10.0) -> None:
        self._uri = uri
        self._reply_seconds = reply_seconds
        self._connect()

    def _connect(self) -> None:
        try:
            self.connection = Connection(self._uri, self._reply_seconds)
        except ConnectionLost as error:
            raise Problem(
                f"No server answers at {self._uri}: {str(error)[:200]}", ExitStatus.NO_SERVER
            ) from error
        self._clearing = Clearing(self.connection)

    def failure(self, lost: ConnectionLost) -> Verdict:
        """Slow when it still answers others, else lost."""
        if answers(self._uri, PING_SECONDS):
            return Verdict("slow", str(lost))
        return Verdict("lost", str(lost)[:300])

    def check(self) -> Verdict:
        """Nothing to see from outside."""
        return verdict.OK

    def evidence(self) -> Evidence:
        """None: its files are not ours."""
        return Evidence()

    def clear(self, sent: Iterable[Sent]) -> bool:
        """Drop and undo; what refuses stays."""
        try:
            self._clearing.clear(self.connection, sent)
        except NotCleared:
            return False
        return True

    def renew(self) -> None:
        """Connect again. Raises Problem (NO_SERVER) when it has gone for good."""
        self.connection.close()
        self._connect()

    def end(self) -> None:
        """Only our connection ends."""
        self.connection.close()


def check_uri(uri: str, allow_remote: bool) -> str:
    """The URI, when every host in it is this machine. Raises Problem (USAGE)."""
    uri = uri if "://" in uri else f"mongodb://{uri}"
    if uri.startswith("mongodb+srv:"):  # even asking for the hosts would leave this machine
        if allow_remote:
            return uri
        raise Problem(
            "--uri has hosts that a name server tells, which may be anywhere: a fuzzer destroys "
            "data, so give --allow-remote if that is what you want.",
            ExitStatus.USAGE,
        )
    try:
        nodes = parse_uri(uri, validate=False)["nodelist"]
    except (PyMongoError, ValueError) as error:
        raise Problem(
            f"--uri {uri!r} is not a connection string: {error}.", ExitStatus.USAGE
        ) from error
    for host, _ in nodes:
        if not allow_remote and not _is_local(host):
            raise Problem(
                f"--uri names {host}, which is not this machine: a fuzzer destroys data, so give "
                "--allow-remote if that is what you want.",
                ExitStatus.USAGE,
            )
    if len(nodes) > 1:
        raise Problem(
            f"--uri names {len(nodes)} hosts; a campaign needs one server.", ExitStatus.USAGE
        )
    return uri


def _is_local(host: str) -> bool:
    if host.lower() == "localhost" or host.endswith(".sock"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def sanitizer_environment(directory_pattern: str = "sanitizer") -> dict[str, str]:
    """Options for a sanitizer build: reports go to files beside the log; ours come first."""
    environment = {}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
        theirs = os.environ.get(name, "")
        if "log_path" not in theirs:
            ours = f"log_path={directory_pattern}:print_stacktrace=1"
            environment[name] = f"{ours}:{theirs}" if theirs else ours
    return environment
