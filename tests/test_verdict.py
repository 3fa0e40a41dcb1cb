"""The verdict on a server's death, read from what it wrote."""

from __future__ import annotations

import pytest

from harness.verdict import KINDS, OK, Verdict, of_death

FATAL = '{"t":{"$date":"x"},"s":"F",  "c":"-", "id":1, "ctx":"c","msg":"%s","attr":{}}\n'


@pytest.mark.parametrize(
    ("status", "output", "kind", "detail"),
    [
        (-9, "", "crash", "ended by signal 9"),
        (14, "", "crash", "exited"),
        (-6, FATAL % "Invariant failure", "crash", "Invariant failure"),
        (-6, FATAL % "Fatal assertion", "crash", "Fatal assertion"),
        (-11, FATAL % "Got signal: 11 (Segmentation fault).\\n", "crash", "Got signal"),
        (14, '{"s":"I","msg":"Exiting after x","attr":{}}', "crash", "Exiting after x"),
        (
            1,
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\n",
            "sanitizer",
            "ERROR: AddressSanitizer: heap-use-after-free on address 0x6",
        ),
        (
            1,
            "src/a.cpp:3:5: runtime error: signed integer overflow\n",
            "sanitizer",
            "src/a.cpp:3:5: runtime error: signed integer overflow",
        ),
        (
            -6,
            FATAL % "Invariant failure" + "ERROR: LeakSanitizer: detected memory leaks\n",
            "sanitizer",
            "ERROR: LeakSanitizer: detected memory leaks",
        ),
    ],
)
def test_death(status: int, output: str, kind: str, detail: str) -> None:
    assert of_death(status, output) == Verdict(kind, detail, status)


def test_what_a_script_can_make_the_server_write_is_no_sanitizer_report() -> None:
    said = '{"s":"I","msg":"client metadata","attr":{"x":"the words runtime errors"}}\n'
    assert of_death(14, said).kind == "crash"


def test_the_same_failure_needs_the_kind_and_the_status() -> None:
    crash = Verdict("crash", "words", -11)
    assert crash.same_failure("crash", -11)
    assert not crash.same_failure("crash", -6)
    assert not crash.same_failure("sanitizer", -11)
    assert not OK.same_failure("ok", None)


def test_findings_are_the_servers_failures() -> None:
    found = {kind for kind in KINDS if Verdict(kind).finding}
    assert found == {"crash", "sanitizer", "hang", "lost"}


def test_for_people() -> None:
    assert str(Verdict("crash", "words", -11)) == "crash (exit status -11): words"
    assert str(OK) == "ok"
