"""A campaign: one worker watched from outside, so that its end is always orderly.

`atheris.Fuzz` never returns and runs no exit handlers, so the summary, the exit status and the
removal of files are the campaign's, in a process of its own. The worker's statistics come
through shared files and survive it.
"""

import fcntl
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness import artifact, tally
from harness.coverage.report import SUFFIX, count_functions, reached, read_addresses
from harness.coverage.symbols import Symbols
from harness.exits import ExitStatus
from harness.progress import Guidance, Progress, percent, status_line
from harness.server.mongod import make_directory, sweep
from harness.settings import ENVIRONMENT, ROOT, Settings

LOG_SECONDS = 2.0
LOGGED = ("seconds", "runs", "commands", "accepted", "blocks", "restarts", "findings")
MAP_FULL = (
    "the map of blocks is full: libFuzzer has no counters left, so new blocks were no longer "
    "news; known ones still guide. --coverage functions needs fewer counters."
)
STOP_SECONDS = 15.0  # a run in progress may end, and a finding be written
TAIL_LINES = 20
# The worker's program. It is killed with the campaign: in -fork mode no Python of it runs.
WORKER = (
    f"import ctypes; ctypes.CDLL(None).prctl(1, {int(signal.SIGKILL)})\n"
    "from harness.worker import main; main()"
)
PARENT = ("-fork=", "-jobs=", "-merge=")
# libFuzzer's lines are the result here: a list of options, what became of single files.
TOLD = ("-help=", "-merge=", "-minimize_crash=")
# Removes the directory when the campaign has gone, however it went; who dies may still write.
JANITOR = 'trap "" INT TERM HUP; read _; until rm -rf "$1"; do sleep 0.1; done'
# What a worker says by its own exit status; anything else is a mistake of ours, or its death.
WORKER_STATUSES = (ExitStatus.USAGE, ExitStatus.NO_SERVER, ExitStatus.EMPTY_CORPUS)
QUIET = ("WARNING: no interesting inputs", "INFO:", "Done ", "stat::", "WARNING: Failed to find")


@dataclass(frozen=True)
class Summary:
    """What a campaign came to."""

    seconds: float
    totals: dict[str, int]
    corpus: dict[str, Any]
    findings: list[dict[str, Any]]
    guidance: Guidance
    coverage: dict[str, Any]  # source, blocks, functions
    status: ExitStatus

    def as_json(self) -> dict[str, Any]:
        """The content of --json FILE."""
        known = {each["id"]: each for each in self.findings}
        counts = Counter(each["id"] for each in self.findings)
        keys = ("runs", "commands", "accepted", "denied", "restarts", "slow", "statements")
        parsed, skipped = self.corpus["parsed"], self.corpus["skipped"]
        return {
            "seconds": round(self.seconds, 3),
            **{key: self.totals[key] for key in keys},
            "corpus": {"files": parsed + len(skipped), "parsed": parsed, "skipped": len(skipped)},
            "findings": [
                {"id": name, "kind": known[name]["kind"], "count": counts[name]}
                for name in sorted(known)
            ],
            "coverage": self.coverage,
            "features": self.guidance.features,
            "exit_status": int(self.status),
        }

    def lines(self) -> list[str]:
        """For people."""
        totals, seconds = self.totals, max(self.seconds, 1e-9)
        lines = [
            f"{totals['runs']} runs in {self.seconds:.0f} s ({totals['runs'] / seconds:.1f}/s), "
            f"{totals['commands']} commands ({totals['commands'] / seconds:.0f}/s), "
            f"{percent(totals['accepted'], totals['commands'])} accepted, "
            f"{totals['denied']} denied, {totals['restarts']} server restarts",
            f"coverage: {self.coverage['source']}: {self.coverage['blocks']} blocks "
            f"in {self.coverage['functions']} functions, {self.guidance.features} features",
        ]
        if totals["map_full"]:
            lines.append(MAP_FULL)
        counts = Counter((each["id"], each["kind"], each["detail"]) for each in self.findings)
        lines += [
            f"finding {i}: {kind}, {n} times: {d}" for (i, kind, d), n in sorted(counts.items())
        ]
        return lines if counts else [*lines, "nothing was found"]


class Campaign:
    """One worker process, from its start to the summary."""

    def __init__(self, settings: Settings) -> None:
        self._interrupted = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)
        sweep()
        artifact.sweep(Path(settings.crashes))
        self.directory = make_directory()
        self._janitor = subprocess.Popen(
            ["/bin/sh", "-c", JANITOR, "janitor", str(self.directory)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._lock = os.open(self.directory / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._alive, self._ours = os.pipe()
        self.settings = replace(settings, run_directory=str(self.directory), liveness=self._alive)
        self.guidance = Guidance()
        self._tail: list[str] = []
        self._shown = 0
        self._killed = False
        self._logged = 0.0  # when the next line of time.csv is due
        self._log = (self.directory / "libfuzzer.log").open("w")

    def run(self) -> Summary:
        """Until the time is over, the worker ends, or Ctrl-C."""
        progress = Progress()
        worker = self._start()
        try:
            ended = self._watch(worker, progress)
            if not ended:
                self._stop(worker, progress)
        finally:
            progress.close()
            os.close(self._ours)  # whatever the worker started ends now
            summary = self._summary(worker.wait())
            self._log.close()
            self._clean()
        return summary

    def _clean(self) -> None:
        assert self._janitor.stdin is not None
        self._janitor.stdin.close()
        self._janitor.wait()
        shutil.rmtree(self.directory, ignore_errors=True)  # should the janitor have been killed

    def _interrupt(self, _number: int, _frame: object) -> None:
        self._interrupted = True

    def _start(self) -> "subprocess.Popen[bytes]":
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        return subprocess.Popen(
            [sys.executable, "-P", "-c", WORKER],
            env={**os.environ, ENVIRONMENT: self.settings.to_json(), "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[self._alive],
        )

    def _watch(self, worker: "subprocess.Popen[bytes]", progress: Progress) -> bool:
        """True when the worker ended by itself."""
        assert worker.stdout is not None
        os.set_blocking(worker.stdout.fileno(), False)
        selector = selectors.DefaultSelector()
        selector.register(worker.stdout, selectors.EVENT_READ)
        held = b""
        while not self._interrupted:
            if selector.select(timeout=0.25):
                block = os.read(worker.stdout.fileno(), 1 << 16)
                if not block:
                    return True
                *lines, held = (held + block).split(b"\n")
                for line in lines:
                    self._take(line.decode(errors="replace"), progress)
            elif worker.poll() is not None:
                return True  # somebody whom it left behind holds its output open
            totals = tally.total(self.directory)
            seconds = self._seconds(totals)
            progress.show(status_line(seconds, totals, self.guidance))
            self._tell_findings(progress)
            self._log_coverage(seconds, totals)
            if self.settings.seconds and seconds >= self.settings.seconds:
                return False
        return False

    def _log_coverage(self, seconds: float, totals: dict[str, int]) -> None:
        if not self.settings.coverage_report or seconds < self._logged:
            return
        self._logged = seconds + LOG_SECONDS
        log = Path(self.settings.coverage_report) / "time.csv"
        with log.open("a") as file:
            if not file.tell():
                file.write(",".join(LOGGED) + "\n")
            row = [f"{seconds:.1f}", *(str(totals[name]) for name in LOGGED[1:])]
            file.write(",".join(row) + "\n")

    def _take(self, line: str, progress: Progress) -> None:
        self._log.write(line + "\n")
        if self.guidance.read(line):
            return
        if line.startswith("mongo-astfuzz: ") or self._told:
            progress.say(line)
        elif line.strip() and not line.startswith(QUIET):
            self._tail = [*self._tail[-TAIL_LINES:], line]

    @property
    def _told(self) -> bool:
        """Whether what libFuzzer says is what the user wants to read."""
        settings = self.settings
        files = any(Path(each).is_file() for each in settings.inputs)
        return files or any(each.startswith(TOLD) for each in settings.libfuzzer)

    def _findings(self) -> list[dict[str, Any]]:
        log = self.directory / "findings.jsonl"
        lines = log.read_text().splitlines(keepends=True) if log.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def _tell_findings(self, progress: Progress) -> None:
        findings = self._findings()
        for each in findings[self._shown :]:
            if not each["new"]:
                continue  # the status line counts it
            place = Path(self.settings.crashes) / each["id"]
            progress.say(f"finding: {each['kind']}: {each['detail']} -> {place}")
        self._shown = len(findings)

    def _stop(self, worker: "subprocess.Popen[bytes]", progress: Progress) -> None:
        assert worker.stdout is not None
        _signal_group(worker.pid, signal.SIGTERM)
        limit = time.monotonic() + STOP_SECONDS
        while worker.poll() is None and time.monotonic() < limit:
            try:
                os.read(worker.stdout.fileno(), 1 << 16)
            except BlockingIOError:
                pass
            if self._parent and not self._children(worker.pid):
                break  # libFuzzer's parent takes no signal; its children have ended orderly
            time.sleep(0.02)
        else:
            if worker.poll() is None:
                progress.say("the worker does not stop by itself; it is killed")
        self._killed = True
        _signal_group(worker.pid, signal.SIGKILL)

    @property
    def _parent(self) -> bool:
        """Whether the worker only starts others, by -fork, -jobs or -merge."""
        return any(each.startswith(PARENT) for each in self.settings.libfuzzer)

    def _children(self, group: int) -> list[int]:
        """The fuzzing processes of the worker's group that live, but for itself."""
        living = []
        for path in self.directory.glob("*" + tally.SUFFIX):
            pid = int(path.stem)
            try:
                if pid != group and os.getpgid(pid) == group:
                    living.append(pid)
            except ProcessLookupError:
                pass
        return living

    def _seconds(self, totals: dict[str, int]) -> float:
        since = totals["fuzzing_since"]
        return time.monotonic() - since / 1000 if since else 0.0

    def _summary(self, returncode: int) -> Summary:
        totals = tally.total(self.directory)
        corpus: dict[str, Any] = {"parsed": 0, "skipped": []}
        if (self.directory / "corpus.json").exists():
            corpus = json.loads((self.directory / "corpus.json").read_text())
        findings = self._findings()
        return Summary(
            self._seconds(totals),
            totals,
            corpus,
            findings,
            self.guidance,
            self._coverage(corpus.get("source", "none"), totals),
            self._status(returncode, bool(findings)),
        )

    def _coverage(self, source: str, totals: dict[str, int]) -> dict[str, Any]:
        """Blocks and functions reached; written out when --coverage-report asks for it."""
        figures = {"source": source, "blocks": totals["blocks"], "functions": 0}
        tables = sorted(self.directory.glob("coverage-*" + SUFFIX))
        if not totals["blocks"] or not self.settings.mongod:
            return figures
        addresses = read_addresses(tables)
        symbols = Symbols(Path(self.settings.mongod))
        figures.update(blocks=len(addresses), functions=count_functions(addresses, symbols))
        if self.settings.coverage_report:
            folder = Path(self.settings.coverage_report)
            lines = reached(addresses, symbols).lines(most=1000)
            (folder / "report.txt").write_text("\n".join(lines) + "\n")
            (folder / "blocks.txt").write_text("".join(f"{a:#x}\n" for a in addresses))
        return figures

    def _status(self, returncode: int, found: bool) -> ExitStatus:
        if found:
            return ExitStatus.FOUND
        if self._interrupted:
            return ExitStatus.INTERRUPTED
        if returncode == 0 or self._killed:
            return ExitStatus.CLEAN
        if returncode < 0:
            print(f"mongo-astfuzz: the worker was ended by signal {-returncode}.", file=sys.stderr)
        for line in self._tail:
            print(line, file=sys.stderr)
        if returncode in WORKER_STATUSES:
            return ExitStatus(returncode)
        return ExitStatus.STALLED


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        pass
