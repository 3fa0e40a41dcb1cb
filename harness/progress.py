"""What a person sees of a campaign: one line refreshed in place, or plain lines elsewhere."""

import re
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live
from rich.text import Text

PLAIN_SECONDS = 10.0  # between lines where there is no terminal
STATUS = re.compile(
    r"^#(?P<runs>\d+)\s+(?P<event>\w+)(?: +cov: (?P<cov>\d+))?(?: +ft: (?P<ft>\d+))?"
    r"(?: +corp: (?P<corp>\d+)/(?P<size>\S+))?"
)


@dataclass
class Guidance:
    """What libFuzzer last said of itself."""

    covered: int = 0
    features: int = 0
    inputs: int = 0

    def read(self, line: str) -> bool:
        """Take a line of libFuzzer's; False when it is not one of its status lines."""
        match = STATUS.match(line)
        if match is None:
            return False
        self.covered = int(match["cov"] or self.covered)
        self.features = int(match["ft"] or self.features)
        self.inputs = int(match["corp"] or self.inputs)
        return True


def seconds_text(seconds: float) -> str:
    """h:mm:ss."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def percent(part: int, whole: int) -> str:
    """A share for people; a dash of nothing."""
    return f"{100 * part / whole:.1f}%" if whole else "-"


def status_line(seconds: float, tally: dict[str, int], guidance: Guidance) -> str:
    """Everything that matters, in one line."""
    rate = max(seconds, 1e-9)
    return "  ".join(
        (
            seconds_text(seconds),
            f"runs {tally['runs']} ({tally['runs'] / rate:.0f}/s)",
            f"commands {tally['commands']} ({tally['commands'] / rate:.0f}/s)",
            f"accepted {percent(tally['accepted'], tally['commands'])}",
            f"cov {guidance.covered} ft {guidance.features}",
            f"inputs {guidance.inputs}",
            f"findings {tally['findings']}",
            f"restarts {tally['restarts']}",
        )
    )


class Progress:
    """Shows status lines until it is closed; messages stay above them."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stdout, highlight=False)
        self._live = None
        if self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=4, transient=True)
            self._live.start()
        self._last = time.monotonic()

    def show(self, line: str) -> None:
        """The state at this moment."""
        if self._live is not None:
            self._live.update(Text(line))
        elif time.monotonic() - self._last >= PLAIN_SECONDS:
            self._last = time.monotonic()
            print(line, flush=True)

    def say(self, line: str) -> None:
        """Something that stays on the screen."""
        if self._live is not None:
            self._console.print(Text(line))
        else:
            print(line, flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.stop()
