#!/usr/bin/env python3
"""Run saved findings and hand-written tests: `python harness/replay.py --help`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

# Run as a script, the folder of this file is in front of the path, where its modules would hide
# others of the same name.
if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from harness import artifact
from harness.exits import ExitStatus, Problem
from harness.options import replay_parser, settings_of
from harness.process import Run, process
from harness.reaching import functions_reached
from harness.server.connection import ConnectionLost
from harness.server.target import Target
from harness.settings import Settings
from harness.shell.dispatch import DENIED, DenyList, denied_of, load_denied
from harness.shell.engine import Engine, Limits
from harness.verdict import Verdict


@dataclass(frozen=True)
class Case:
    """What is to be replayed: the text, the failure that is expected (None: any), the history."""

    name: str
    text: str
    kind: str | None = None
    status: int | None = None
    history: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # under which it was found

    def expects(self, verdict: Verdict) -> bool:
        """Whether the failure came back."""
        if self.kind is None:
            return verdict.finding
        return verdict.same_failure(self.kind, self.status)


def load_case(path: Path, settings: Settings) -> Case:
    """An artifact's folder, a .js file, or raw bytes. Raises Problem (COULD_NOT_RUN)."""
    if path.is_dir():
        saved = artifact.load(path)
        return Case(str(path), saved.text, saved.kind, saved.status, saved.history, saved.options)
    try:
        content = path.read_bytes()
        if path.suffix == ".js":
            return Case(str(path), content.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path} cannot be read: {error}.", ExitStatus.COULD_NOT_RUN) from error
    return _of_bytes(path, content, settings)


def _of_bytes(path: Path, content: bytes, settings: Settings) -> Case:
    from harness.worker import load_library  # parses the corpus: only raw bytes need that
    from structure.build import build

    library = load_library(settings)
    report = path.with_name("report.json")
    if path.name == "input.bin" and report.exists():
        try:
            digest = json.loads(report.read_text(encoding="utf-8"))["corpus_digest"]
        except (OSError, ValueError, KeyError, TypeError):
            digest = ""
        if digest != library.digest:
            print(
                f"{path}: the bytes were made for another corpus or version; "
                "the JavaScript beside them is used instead."
            )
            return load_case(path.parent, settings)
    return Case(str(path), build(content, library).text)


class Replayer:
    """Runs cases, each on a fresh server, under the options it was found with.

    What the command line gives (--deny, --storage-engine, --server-arg) goes before those.
    """

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        self._settings = settings
        self._engine = Engine(Limits(seconds=settings.script_seconds))
        self._denied = load_denied(Path(settings.denied) if settings.denied else DENIED)
        self._say = say

    def _adopt(self, options: Mapping[str, Any]) -> tuple[Settings, DenyList]:
        settings, denied = self._settings, self._denied
        if not settings.denied and "denied" in options:
            try:
                denied = denied_of(options["denied"])
            except (ValueError, KeyError, TypeError) as error:
                raise Problem(
                    f"The artifact's deny list is wrong: {error}.", ExitStatus.COULD_NOT_RUN
                ) from error
        if settings.storage_engine == Settings.storage_engine and "storage_engine" in options:
            settings = replace(settings, storage_engine=options["storage_engine"])
        if not settings.server_arguments:
            arguments = tuple(options.get("server_arguments", ()))
            settings = replace(settings, server_arguments=arguments)
        return settings, denied

    def replay(self, case: Case, *, strict: bool = False) -> Run:
        """The run of `case`: alone, and where that does not fail as expected, after its history."""
        run = self._on_fresh_server(case, (), strict)
        if not case.expects(run.verdict) and case.history:
            runs = len(case.history)
            print(f"{case.name}: alone: {run.verdict}; now after {runs} earlier runs", flush=True)
            run = self._on_fresh_server(case, case.history, strict)
        return run

    def reach(self, case: Case) -> Iterator[str]:
        """The server's functions that `case` reaches, a line each."""
        settings, denied = self._adopt(case.options)
        return functions_reached(case.text, settings, denied)

    def _on_fresh_server(self, case: Case, history: Sequence[str], strict: bool) -> Run:
        settings, denied = self._adopt(case.options)
        target = settings.open_target()
        try:
            for text in history:
                run = self._run_and_clear(target, text, denied)
                if run.verdict.finding or run.record.lost is not None:
                    return run
            return self._run_and_clear(target, case.text, denied, strict=strict)
        finally:
            target.end()

    def _run_and_clear(
        self, target: Target, text: str, denied: DenyList, *, strict: bool = False
    ) -> Run:
        run = self.run_on(target, text, denied, strict=strict)
        if not run.verdict.finding and run.record.lost is None:
            run = replace(run, verdict=self._after(target, run))
        return run

    def _after(self, target: Target, run: Run) -> Verdict:
        """Clearing can be what fails: the campaign would have met it too."""
        try:
            target.clear(run.record.sent)
        except ConnectionLost as error:
            return target.failure(error)
        return run.verdict

    def run_on(
        self, target: Target, text: str, denied: DenyList | None = None, *, strict: bool = False
    ) -> Run:
        """One text on a server that is already there."""
        denied = self._denied if denied is None else denied
        run = process(text, target, self._engine, denied, strict=strict)
        for line in run.record.printed:
            self._say(line)
        return run


def describe(case: Case, run: Run) -> Iterator[str]:
    """What a person wants to know of a replay."""
    if case.kind is None:
        yield f"{case.name}: {run.verdict}"
    elif case.expects(run.verdict):
        yield f"{case.name}: reproduced: {run.verdict}"
    else:
        expected = Verdict(case.kind, status=case.status)
        yield f"{case.name}: not reproduced: expected {expected}, got {run.verdict}"
    for step in run.record.steps:
        if step.state == "in flight":
            yield f"  statement {step.number} was in flight ({step.commands} commands)"


def strict_tests(paths: Sequence[str]) -> list[Path]:
    """The .js files named or below the folders named. Raises Problem (USAGE)."""
    tests: list[Path] = []
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise Problem(f"{path}: there is no such file or folder.", ExitStatus.USAGE)
        tests += sorted(path.rglob("*.js")) if path.is_dir() else [path]
    return tests


def run_strict(options: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Hand-written tests with live asserts, a line for each, on one server cleared in between."""
    replayer = Replayer(settings, print if options.print else lambda _: None)
    failed = 0
    tests = strict_tests(options.paths)
    target = settings.open_target()
    try:
        for path in tests:
            case = load_case(path, settings)
            run = replayer.run_on(target, case.text, strict=True)
            renew = run.record.lost is not None or run.verdict.finding
            try:
                if not renew:
                    target.clear(run.record.sent)
            except ConnectionLost as error:
                run, renew = replace(run, verdict=target.failure(error)), True
            passed = run.verdict.kind == "ok"
            failed += not passed
            print(f"passed {path}" if passed else f"failed {path}: {run.verdict}")
            if renew:
                target.renew()
    finally:
        target.end()
    print(f"{len(tests) - failed} passed, {failed} failed")
    return ExitStatus.FAILED if failed else ExitStatus.CLEAN


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay by the command line; returns the exit status."""
    try:
        options = replay_parser().parse_args(arguments)
        settings = settings_of(options)
        if options.strict:
            return run_strict(options, settings)
        replayer = Replayer(settings, print if options.print else lambda _: None)
        status = ExitStatus.CLEAN
        for name in options.paths:
            path = Path(name)
            if not path.exists():
                raise Problem(
                    f"{path}: there is no such artifact or file.", ExitStatus.COULD_NOT_RUN
                )
            case = load_case(path, settings)
            if options.coverage:
                print("\n".join(replayer.reach(case)))
                continue
            run = replayer.replay(case)
            print("\n".join(describe(case, run)))
            if not case.expects(run.verdict):
                status = ExitStatus.NOT_REPRODUCED
    except Problem as problem:
        print(f"mongo-astfuzz: {problem}", file=sys.stderr)
        return problem.status
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
