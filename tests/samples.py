"""Samples for the tests of `structure`: a small corpus of its own, and bytes out of sha256."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from structure.corpus import load_corpus
from structure.library import Library, make_library
from structure.seeds import load_seeds

FOLDER = Path(__file__).with_name("samples")


@cache
def library() -> Library:
    return make_library(load_corpus([FOLDER]), load_seeds())


def noise(index: int, size: int) -> bytes:
    """`size` bytes that look random and are always the same."""
    return hashlib.shake_256(b"%d" % index).digest(size)
