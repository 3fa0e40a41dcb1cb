"""One verdict for each run: every way that a run can end, and which of them is a finding."""

import re
from dataclasses import dataclass

# kind -> is it a finding? What is not one says so here, not in the code that meets it.
KINDS = {
    "ok": False,  # the script ran to its end; errors of single statements are no verdict
    "error": False,  # the script itself threw (a hand-written test, or a mistake of ours)
    "time": False,  # the script reached its time limit while the server answered
    "memory": False,  # the script reached its memory limit
    "slow": False,  # no reply within the limit, but the server answers others
    "crash": True,  # the server process is gone
    "sanitizer": True,  # a sanitizer reported, whether or not the process lives
    "hang": True,  # the server lives, and answers nobody
    "lost": True,  # a server that is not ours cannot be reached any more
}

# What in the server's output tells the reason, most telling first; the group is the detail.
REASONS = (
    re.compile(r"(ERROR: \w+Sanitizer: [^\n]{1,200})"),
    re.compile(r"(\w[^\n:]{0,200}:\d+:\d+: runtime error: [^\n]{1,200})"),
    re.compile(r'"s":"F".{0,300}?"msg":"((?:Invariant|Fatal|Hit|Tripwire)[^"]{0,200})"'),
    re.compile(r'"s":"F".{0,300}?"msg":"(Got signal)'),
    re.compile(r'"msg":"(Exiting[^"]{0,200})"'),
)
SANITIZER_REPORT = re.compile(r"ERROR: \w+Sanitizer|runtime error: |WARNING: \w+Sanitizer")


@dataclass(frozen=True)
class Verdict:
    """`kind` is a key of KINDS; `detail` is for people; `status` is the server's, when it ended."""

    kind: str
    detail: str = ""
    status: int | None = None

    @property
    def finding(self) -> bool:
        """Whether it is the server's failure."""
        return KINDS[self.kind]

    def same_failure(self, kind: str, status: int | None) -> bool:
        """Whether this is the failure that an artifact recorded."""
        return self.finding and self.kind == kind and self.status == status

    def __str__(self) -> str:
        status = "" if self.status is None else f" (exit status {self.status})"
        return f"{self.kind}{status}" + (f": {self.detail}" if self.detail else "")


OK = Verdict("ok")


def of_death(status: int, output: str) -> Verdict:
    """The verdict for a server that ended with `status` after writing `output`."""
    kind = "sanitizer" if SANITIZER_REPORT.search(output) else "crash"
    for reason in REASONS:
        found = reason.search(output)
        if found:
            return Verdict(kind, found.group(1), status)
    return Verdict(kind, f"ended by signal {-status}" if status < 0 else "exited", status)
