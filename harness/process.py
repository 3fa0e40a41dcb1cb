"""Phase 3: JavaScript text in, a verdict out. It knows nothing of entropy or of structure.

The same function serves the campaign, the replay of an artifact and a hand-written test.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from harness.server.target import Target
from harness.shell.dispatch import DenyList, Dispatcher, Record, Sent
from harness.shell.engine import Engine, Host, ScriptEnd
from harness.verdict import Verdict


@dataclass(frozen=True)
class Run:
    """What one test did to the server, and what became of both."""

    verdict: Verdict
    end: ScriptEnd
    record: Record
    seconds: float


def process(
    text: str,
    target: Target,
    engine: Engine,
    denied: DenyList,
    *,
    strict: bool = False,
    watch: Callable[[Sent, bytes], None] | None = None,
) -> Run:
    """Run JavaScript against `target`. `strict`: asserts throw. `watch` sees every reply.

    Never raises for what the script or the server does: that is the verdict.
    """
    started = time.monotonic()
    dispatcher = Dispatcher(target.connection, denied, watch)
    record = dispatcher.record
    host = Host(dispatcher.send, dispatcher.step, dispatcher.skip, dispatcher.print)
    end = engine.run(text, host, strict=strict)
    now = time.monotonic()
    if record.steps and (record.lost is None):
        record.steps[-1].close(now)
    elif record.steps:
        record.steps[-1].seconds = now - record.steps[-1].started
        record.steps[-1].state = "in flight"
    return Run(_judge(target, record, end), end, record, now - started)


def _judge(target: Target, record: Record, end: ScriptEnd) -> Verdict:
    if record.lost is not None:
        return target.failure(record.lost)
    state = target.check()
    if state.finding:
        return state
    return Verdict(end.kind, end.text)
