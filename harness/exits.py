"""Exit statuses of the programs, and the exception that carries one sentence to the user."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """How a program of ours ends; the README's table is this enum."""

    CLEAN = 0  # fuzz: nothing found; replay: the same failure came back
    INTERNAL = 1  # a bug of ours, with a traceback
    USAGE = 2  # the command line or an input file is wrong
    NO_SERVER = 3  # no mongod was found, or it did not start
    EMPTY_CORPUS = 4  # no corpus test could be parsed
    NOT_REPRODUCED = 5  # replay: it ran, and the failure did not come back
    COULD_NOT_RUN = 6  # replay: the test could not be run at all
    FAILED = 7  # replay --strict: a test failed
    STALLED = 8  # fuzz: the worker died and could not go on
    FOUND = 77  # fuzz: there are findings (libFuzzer's own status for a crash)
    INTERRUPTED = 130  # Ctrl-C


class Problem(Exception):
    """Ends a program: one clear sentence for the user, and the exit status that belongs to it."""

    def __init__(self, sentence: str, status: ExitStatus) -> None:
        super().__init__(sentence)
        self.status = status
