"""Which functions of the server one test reaches: `replay.py --coverage`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from harness.coverage.source import choose, open_coverage
from harness.coverage.symbols import Symbols
from harness.exits import ExitStatus, Problem
from harness.process import process
from harness.server.mongod import make_directory
from harness.settings import Settings
from harness.shell.dispatch import DenyList
from harness.shell.engine import Engine, Limits


def functions_reached(text: str, settings: Settings, denied: DenyList) -> Iterator[str]:
    """Lines: the verdict, then each function, its source directory first, in that order.

    The server is fresh and warmed, so what it does at its start is not among them.
    Raises Problem (USAGE) for a server that shows no coverage.
    """
    choice = choose("auto", settings.mongod)
    if choice.name == "replies":
        raise Problem(f"--coverage needs a server that shows it: {choice.why}.", ExitStatus.USAGE)
    directory = make_directory()
    try:
        coverage = open_coverage(choice, settings.mongod, directory, max_hits=0)
        target = settings.open_target(coverage)
        try:
            engine = Engine(Limits(seconds=settings.script_seconds))
            run = process(text, target, engine, denied)
            addresses = [address for module, address in coverage.hit() if not module]
        finally:
            target.end()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    functions = Symbols(Path(settings.mongod)).functions(addresses)
    yield f"{run.verdict}: {len(addresses)} blocks in {len(functions)} functions"
    yield from sorted(f"{function.directory or '-'}  {function.name}" for function in functions)
