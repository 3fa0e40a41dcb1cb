"""Ways to run JavaScript in a test: on the real server, or with a host that only records."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import bson

from harness.process import Run, process
from harness.server.target import OwnServer
from harness.shell.dispatch import DenyList, Sent
from harness.shell.engine import Engine, Host, Limits, ScriptEnd


@dataclass
class Shell:
    """Runs JavaScript on the real server."""

    target: OwnServer
    engine: Engine
    denied: DenyList
    _sent: list[Sent] = field(default_factory=list)

    def run(self, text: str, *, strict: bool = True) -> Run:
        """One run, whatever becomes of it."""
        run = process(text, self.target, self.engine, self.denied, strict=strict)
        self._sent += run.record.sent
        return run

    def passes(self, text: str) -> Run:
        """A run with live asserts that reaches its end."""
        run = self.run(text)
        assert run.verdict.kind == "ok", run.verdict
        return run

    def prints(self, text: str) -> list[str]:
        """The lines that such a run prints."""
        return self.passes(text).record.printed

    def clear(self) -> bool:
        """What the campaign does after each run; False when that took a new server."""
        sent, self._sent = self._sent, []
        return self.target.clear(sent)

    def limited(self, **limits: float) -> Shell:
        """The same server behind other limits."""
        return replace(self, engine=Engine(Limits(**limits)))  # type: ignore[arg-type]


@dataclass
class Recorder:
    """A host without a server: it keeps what a script sends, and replies as it is told."""

    engine: Engine
    reply: bytes = field(default_factory=lambda: bson.encode({"ok": 1}))
    ok: bool = True
    sent: list[tuple[str, bytes]] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def send(self, database: str, body: bytes) -> tuple[bytes, bool]:
        self.sent.append((database, body))
        return self.reply, self.ok

    def run(self, text: str) -> ScriptEnd:
        """One script; every list but `steps` and the rest of what was kept before stays."""
        host = Host(self.send, self.steps.append, self.skipped.append, self.printed.append)
        return self.engine.run(text, host)

    def body(self, text: str) -> bytes:
        """The document of the last command of a script that ends well."""
        end = self.run(text)
        assert end.kind == "ok", end
        return self.sent[-1][1]


def commands(run: Run) -> list[dict[str, Any]]:
    return [bson.decode(sent.body) for sent in run.record.sent]


def names(run: Run) -> list[str]:
    return [sent.name for sent in run.record.sent]
