"""Every test of the corpus passes with live asserts, and sends the same in every run."""

from __future__ import annotations

from pathlib import Path

import pytest
from shells import Shell

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
TESTS = sorted(CORPUS.glob("*.js"))


def test_the_corpus_is_large_enough() -> None:
    assert len(TESTS) >= 60


@pytest.mark.parametrize("path", TESTS, ids=[path.stem for path in TESTS])
def test_a_corpus_test_passes_in_strict_mode(shell: Shell, path: Path) -> None:
    run = shell.passes(path.read_text())
    assert run.record.sent
    assert run.record.denied == 0


@pytest.mark.parametrize(
    "name", ["crud_insert_find", "bulk_unordered", "bson_types", "query_geo_2d"]
)
def test_a_corpus_test_sends_the_same_bytes_again(shell: Shell, name: str) -> None:
    """Where the server gives out numbers (ids of cursors, process ids), those differ."""
    text = (CORPUS / f"{name}.js").read_text()
    first = [(sent.database, sent.wire) for sent in shell.passes(text).record.sent]
    shell.clear()
    second = [(sent.database, sent.wire) for sent in shell.passes(text).record.sent]
    assert len(first) > 5
    assert first == second
