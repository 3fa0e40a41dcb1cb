"""The library: everything besides the bytes that a generated test depends on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from structure.corpus import Corpus
from structure.fragments import Pool, harvest
from structure.pieces import PreparedTest, prepare_test
from structure.preparing import Loops
from structure.seeds import Seeds


@dataclass(frozen=True)
class Library:
    """Prepared tests, fragments and seeds. Same digest and bytes: same JavaScript."""

    corpus: Corpus
    tests: tuple[PreparedTest, ...]
    pool: Pool
    seeds: Seeds
    loops: Loops
    digest: str


def make_library(corpus: Corpus, seeds: Seeds, loops: Loops = "cap") -> Library:
    """Prepare every test of the corpus once; the tests that `build` makes share the result."""
    tests = tuple(prepare_test(test, loops) for test in corpus.tests)
    inputs = f"{corpus.digest} {seeds.digest} {loops}"
    digest = hashlib.sha256(inputs.encode()).hexdigest()
    return Library(corpus, tests, harvest(tests), seeds, loops, digest)
