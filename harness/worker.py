"""A fuzzing process: Atheris's bytes become tests, tests become runs, findings become artifacts."""

import itertools
import json
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structure
from harness import artifact, mutator
from harness.coverage.source import choose, open_coverage
from harness.exits import ExitStatus, Problem
from harness.learning import Learning
from harness.process import Run, process
from harness.server.connection import ConnectionLost
from harness.server.target import Target
from harness.settings import Settings
from harness.shell.dispatch import DENIED, denied_as_json, load_denied
from harness.shell.engine import Engine, Limits
from harness.tally import Tally
from structure.build import HEADER, MAX_INPUT, RECORD, build, encode_base
from structure.corpus import EmptyCorpus, load_corpus
from structure.library import Library, make_library
from structure.seeds import SeedError, load_seeds

# libFuzzer's options where the user gives no other. Our own limits end a run long before -timeout.
LIBFUZZER = {
    "max_len": str(MAX_INPUT),
    "timeout": "300",
    "rss_limit_mb": "4096",
    "len_control": "0",  # a short input is a small test already
    "handle_int": "0",
    "handle_term": "0",
    "print_final_stats": "1",
}


def load_library(settings: Settings) -> Library:
    """The corpus and what is learnt from it. Raises Problem (EMPTY_CORPUS, USAGE)."""
    try:
        return make_library(load_corpus([Path(path) for path in settings.corpus]), load_seeds())
    except EmptyCorpus as error:
        raise Problem(str(error), ExitStatus.EMPTY_CORPUS) from error
    except SeedError as error:
        raise Problem(str(error), ExitStatus.USAGE) from error


class Worker:
    """One fuzzing process: its library, its server, its statistics."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.library = load_library(settings)
        self.denied = load_denied(Path(settings.denied) if settings.denied else DENIED)
        self.engine = Engine(Limits(seconds=settings.script_seconds))
        self.coverage = open_coverage(
            choose(settings.coverage, settings.mongod),
            settings.mongod,
            Path(settings.run_directory),
            # -merge compares inputs with each other: each must show all that it reaches.
            0 if "-merge=1" in settings.libfuzzer else settings.max_hits,
            settings.guide,
            tell_decoding,
        )
        self.learning = Learning(len(self.library.tests))
        self._known = 0
        self.history = artifact.History()
        self.run_directory = Path(settings.run_directory)
        self.tally = Tally.of_this_process(self.run_directory)
        self.stopping = False
        # Unbuffered: a worker ends without closing files.
        self.record = open(settings.record, "ab", 0) if settings.record else None  # noqa: PTH123, SIM115
        self._target: Target | None = None

    @property
    def target(self) -> Target:
        """The server; started at the first run, which parents of -fork and -merge never have."""
        if self._target is None:
            observer = None if self.settings.uri else self.coverage
            self._target = self.settings.open_target(observer)
        return self._target

    def one_input(self, data: bytes) -> None:
        """The fuzz target. Raises only with --stop-on-finding, after the artifact is saved."""
        if self.stopping:
            os._exit(ExitStatus.CLEAN)
        target = self.target
        if not self.tally.get("fuzzing_since"):
            self.tally.set("fuzzing_since", int(time.monotonic() * 1000))
        test = build(data, self.library)
        text = test.text
        watch = self.coverage.replies.watch
        run = process(text, target, self.engine, self.denied, watch=watch)
        self._count(run)
        if run.verdict.kind == "slow":
            self.tally.add("slow")
            self._renew()
        elif not run.verdict.finding:
            self.history.add(text)
            run = self._clear(run)
        if run.verdict.finding:
            about = {"sources": list(test.sources), "mutations": list(test.mutations)}
            self._keep(run, text, data, about)
            self._renew()
            if self.settings.stop_on_finding:
                raise RuntimeError(str(run.verdict))
        known = self._known
        self._cover()
        self.learning.credit(data, self._known - known, run.seconds)

    def _clear(self, run: Run) -> Run:
        """Empty the server; when that fails it, the run that was before gets the blame."""
        try:
            if not self.target.clear(run.record.sent):
                self.tally.add("restarts")
                self.history.clear()
        except ConnectionLost as error:
            verdict = self.target.failure(error)
            if not verdict.finding:
                self._renew()
            return Run(verdict, run.end, run.record, run.seconds)
        return run

    def _cover(self) -> None:
        self.coverage.after_run()
        self._known = self.coverage.known
        self.tally.set("blocks", self.coverage.blocks)
        self.tally.set("map_full", int(self.coverage.full))

    def _count(self, run: Run) -> None:
        tally = self.tally
        tally.add("runs")
        tally.add("commands", len(run.record.sent))
        tally.add("accepted", run.record.accepted)
        tally.add("denied", run.record.denied)
        tally.add("statements", len(run.record.steps))
        if self.record is not None:
            self.record.write(b"".join(sent.wire for sent in run.record.sent))

    def _renew(self) -> None:
        self.history.clear()
        self.target.renew()
        self.tally.add("restarts")

    def _keep(self, run: Run, text: str, data: bytes, about: dict[str, Any]) -> None:
        finding = artifact.Finding(
            run, text, data, self.target.evidence(), self.history, {**self.about(), **about}
        )
        name, new = artifact.save(Path(self.settings.crashes), finding)
        self.tally.add("findings")
        line = json.dumps(
            {"id": name, "kind": run.verdict.kind, "detail": run.verdict.detail, "new": new}
        )
        with (self.run_directory / "findings.jsonl").open("a") as log:
            log.write(line + "\n")

    def about(self) -> dict[str, Any]:
        """What every report says of the campaign."""
        settings = self.settings
        about: dict[str, Any] = {
            "corpus_digest": self.library.digest,
            "structure_version": structure.VERSION,
            "command_line": [without_password(word) for word in settings.command_line],
            "options": {
                "storage_engine": settings.storage_engine,
                "server_arguments": list(settings.server_arguments),
                "denied": denied_as_json(self.denied),
            },
        }
        if settings.uri:
            return {**about, "uri": without_password(settings.uri)}
        options = settings.server_options()
        line = options.command_line(Path("<directory>"))
        return {**about, "mongod": options.binary.describe(), "server_command_line": line}

    def write_inputs(self) -> Path:
        """The first inputs: each corpus test as it is. Returns their folder."""
        folder = self.run_directory / "first-inputs"
        if not folder.exists():  # children of libFuzzer find them made
            making = folder.with_name(f"making-{os.getpid()}")
            making.mkdir()
            for index in range(min(len(self.library.tests), 1 << 16)):
                (making / f"test-{index:05}").write_bytes(encode_base(index, self.library))
            try:
                making.rename(folder)
            except OSError:
                pass
        return folder


def tell_decoding(share: float) -> None:
    """Said once, where nothing is cached yet: it takes some seconds."""
    if share == 0:
        sentence = "mongo-astfuzz: reading the server's machine code, once for each server"
        print(sentence, file=sys.stderr, flush=True)


def without_password(text: str) -> str:
    """A report may be shown to others."""
    return re.sub(r"(mongodb(?:\+srv)?://[^:/@]*):[^@/]*@", r"\1:***@", text)


def libfuzzer_arguments(settings: Settings, program: str, inputs: Path) -> list[str]:
    """argv for Atheris: the user's options over our defaults; first the user's folders."""
    given = {option[1:].split("=", 1)[0] for option in settings.libfuzzer}
    defaults = [f"-{name}={value}" for name, value in LIBFUZZER.items() if name not in given]
    if "artifact_prefix" not in given:
        defaults.append(f"-artifact_prefix={settings.crashes}/")
    files = [path for path in settings.inputs if Path(path).is_file()]
    if files or "merge" in given:
        return [program, *defaults, *settings.libfuzzer, *settings.inputs]
    folders = list(settings.inputs) or [str(Path(settings.run_directory) / "inputs")]
    Path(folders[0]).mkdir(exist_ok=True)
    return [program, *defaults, *settings.libfuzzer, *folders, str(inputs)]


def write_program(run_directory: Path) -> Path:
    """argv[0] for libFuzzer, which -fork, -jobs and -merge start again: this very interpreter."""
    program = run_directory / "fuzz"
    text = f"#!{sys.executable}\nfrom harness.worker import main\nmain()\n"
    if not program.exists():
        making = run_directory / f"fuzz-{os.getpid()}"
        making.write_text(text)
        making.chmod(0o755)
        making.rename(program)
    return program


def _die_with_campaign(liveness: int) -> None:
    """End when the campaign ends: children of libFuzzer have other parents in between."""

    def wait() -> None:
        try:
            os.read(liveness, 1)
        finally:
            os._exit(ExitStatus.STALLED)

    threading.Thread(target=wait, name="liveness", daemon=True).start()


def main() -> None:
    """Fuzz by the settings in the environment. Never returns."""
    settings = Settings.from_json(os.environ["MONGO_ASTFUZZ_WORKER"])
    _die_with_campaign(settings.liveness)
    try:
        worker = Worker(settings)
    except Problem as problem:
        print(f"mongo-astfuzz: {problem}", file=sys.stderr, flush=True)
        sys.exit(problem.status)
    corpus = worker.library.corpus
    skipped = [[str(each.path), each.reason] for each in corpus.skipped]
    choice = worker.coverage.choice
    told = {"parsed": len(corpus.tests), "skipped": skipped, "source": choice.name}
    making = worker.run_directory / f"corpus-{os.getpid()}"
    making.write_text(json.dumps(told))
    making.rename(worker.run_directory / "corpus.json")  # the campaign never reads half of it
    print(f"mongo-astfuzz: coverage: {choice.name} ({choice.why})", file=sys.stderr, flush=True)

    def stop(_number: int, _frame: object) -> None:
        worker.stopping = True

    signal.signal(signal.SIGTERM, stop)
    (_fuzz_blind if settings.blind else _fuzz)(worker)


def _fuzz_blind(worker: Worker) -> None:
    """The same engine on a PRNG's bytes, as MongoDB's own JavaScript fuzzer works: no guidance."""
    chance = random.Random(worker.settings.seed)
    one_input = _reporting(worker)
    most = worker.settings.blind_mutations
    runs = next((int(o[6:]) for o in worker.settings.libfuzzer if o.startswith("-runs=")), -1)
    for number in itertools.count():
        if number == runs:
            os._exit(ExitStatus.CLEAN)
        if number < len(worker.library.tests) or not most:
            one_input(encode_base(number % len(worker.library.tests), worker.library))
        else:
            one_input(chance.randbytes(HEADER + RECORD * chance.randint(0, most)))


def _reporting(worker: Worker) -> Callable[[bytes], None]:
    """`one_input`, with an end in one sentence when it cannot go on."""

    def one_input(data: bytes) -> None:
        try:
            worker.one_input(data)
        except (Problem, OSError) as problem:
            print(f"mongo-astfuzz: {problem}", file=sys.stderr, flush=True)
            os._exit(getattr(problem, "status", ExitStatus.STALLED))

    return one_input


def _fuzz(worker: Worker) -> None:
    import atheris  # only here: its import must not cost the other programs anything

    if len(sys.argv) > 1:  # a child of libFuzzer: its parent has made the arguments
        arguments = sys.argv
    else:
        program = write_program(worker.run_directory)
        arguments = libfuzzer_arguments(worker.settings, str(program), worker.write_inputs())

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        # libFuzzer's own mutations keep their share; an exception here would hang for ever.
        try:
            if seed % 1000 < 1000 * mutator.OWN:
                return bytes(atheris.Mutate(data, max_size))
            return mutator.mutate(bytes(data), seed, worker.learning, max_size)
        except Exception:
            return bytes(data[:max_size])

    def crossover(first: bytes, second: bytes, max_size: int, seed: int) -> bytes:
        try:
            return mutator.cross_or_mutate(
                bytes(first), bytes(second), seed, worker.learning, max_size
            )
        except Exception:
            return bytes(first[:max_size])

    atheris.Setup(arguments, _reporting(worker), custom_mutator=mutate, custom_crossover=crossover)
    worker.coverage.register()
    atheris.Fuzz()
