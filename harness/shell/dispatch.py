"""The one Python function behind the shell: deny, record, send, count."""

import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bson

from harness.exits import ExitStatus, Problem
from harness.server.connection import Connection, ConnectionLost, top_level, with_database

DENIED = Path(__file__).with_name("denied.toml")
DENIED_CODE = 8_000_000  # a code that no server uses


@dataclass(frozen=True)
class Denial:
    """One line of the deny list."""

    fields: frozenset[str]
    reason: str


DenyList = Mapping[str, tuple[Denial, ...]]


def load_denied(path: Path = DENIED) -> DenyList:
    """Command name -> its denials. Raises Problem (USAGE) naming the file and the mistake."""
    try:
        return denied_of(tomllib.loads(path.read_text()).get("deny", []))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Problem(f"The deny list {path} is wrong: {error}.", ExitStatus.USAGE) from error


def denied_of(entries: Iterable[Mapping[str, Any]]) -> DenyList:
    """The table of a deny list's entries. Raises ValueError, KeyError or TypeError."""
    table: dict[str, tuple[Denial, ...]] = {}
    for entry in entries:
        unknown = sorted(set(entry) - {"command", "fields", "reason"})
        if unknown:
            raise ValueError(f"unknown key {unknown[0]!r} in {dict(entry)}")
        denial = Denial(frozenset(entry.get("fields", ())), str(entry["reason"]))
        table[entry["command"]] = (*table.get(entry["command"], ()), denial)
    return table


def denied_as_json(denied: DenyList) -> list[dict[str, Any]]:
    """The entries again, for a report; `denied_of` reads them."""
    return [
        {"command": command, "fields": sorted(denial.fields), "reason": denial.reason}
        for command, denials in denied.items()
        for denial in denials
    ]


def command_name(body: bytes) -> str:
    """The first key of an encoded document, "" of an empty one."""
    return "" if len(body) <= 5 else body[5 : body.index(0, 5)].decode(errors="replace")


@dataclass(frozen=True)
class Sent:
    """One command that reached the server: where, the bytes on the wire, what came back.

    `code` is 0 for success, the error's code, the first write error's, or -1 when no reply came.
    """

    database: str
    name: str
    body: bytes
    statement: int
    code: int

    @property
    def wire(self) -> bytes:
        """The document as the server got it."""
        return with_database(self.body, self.database)


@dataclass
class Step:
    """One top-level statement of a test: how far it came, how long it took, what it sent."""

    number: int
    started: float
    seconds: float = 0.0
    commands: int = 0
    error: str = ""
    state: str = "in flight"  # then "completed" or "failed"

    def close(self, now: float) -> None:
        """The next statement begins, or the test is over."""
        self.seconds = now - self.started
        if self.state == "in flight":
            self.state = "completed"


@dataclass
class Record:
    """What one run did: filled while it goes."""

    sent: list[Sent] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    denied: int = 0
    lost: ConnectionLost | None = None

    @property
    def accepted(self) -> int:
        """How many commands succeeded, write errors counting as failures."""
        return sum(1 for each in self.sent if each.code == 0)


PRINTED_LINES = 10_000  # a script that prints for ever must not fill the memory


class Dispatcher:
    """Implements engine.Host for one run over one connection."""

    def __init__(
        self,
        connection: Connection,
        denied: DenyList,
        watch: Callable[[Sent, bytes], None] | None = None,
    ) -> None:
        self.record = Record()
        self._connection = connection
        self._denied = denied
        self._watch = watch

    def send(self, database: str, body: bytes) -> tuple[bytes, bool] | None:
        """The reply and whether it is ok; None when the server is lost."""
        record = self.record
        if record.lost is not None:
            return None
        name = command_name(body)
        reason = self._denial(name, body)
        if reason is not None:
            record.denied += 1
            return _error_reply(f"denied by the harness: {name} {reason}"), False
        number = record.steps[-1].number if record.steps else 0
        if record.steps:
            record.steps[-1].commands += 1
        try:
            reply = self._connection.send(database, body)
        except ConnectionLost as error:
            record.lost = error
            record.sent.append(Sent(database, name, body, number, -1))
            return None
        top = top_level(reply)
        ok = bool(top.get("ok"))
        code = 0 if ok else int(top.get("code", -2))
        if ok and "writeErrors" in top:
            code = int(top["writeErrors"][0]["code"])
        sent = Sent(database, name, body, number, code)
        record.sent.append(sent)
        if self._watch is not None:
            self._watch(sent, reply)
        return reply, ok

    def step(self, number: int) -> None:
        """A top-level statement begins."""
        now = time.monotonic()
        if self.record.steps:
            self.record.steps[-1].close(now)
        self.record.steps.append(Step(number, now))

    def skip(self, text: str) -> None:
        """The statement that began last threw."""
        if self.record.steps:
            step = self.record.steps[-1]
            step.state, step.error = "failed", text

    def print(self, line: str) -> None:
        """A line that the script prints."""
        if len(self.record.printed) < PRINTED_LINES:
            self.record.printed.append(line)

    def _denial(self, name: str, body: bytes) -> str | None:
        for denial in self._denied.get(name, ()):
            if not denial.fields or not denial.fields.isdisjoint(top_level(body).keys()):
                return denial.reason
        return None


def _error_reply(message: str) -> bytes:
    return bson.encode(
        {"ok": 0.0, "errmsg": message, "code": DENIED_CODE, "codeName": "DeniedByHarness"}
    )
