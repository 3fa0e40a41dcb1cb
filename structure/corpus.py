"""The corpus: JavaScript tests read from folders, parsed and split in top-level statements.

A file that cannot be used never stops the campaign: it is named in `Corpus.skipped`. Reading
these files (and the seeds) is the only I/O of the package.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from structure.nodes import Node
from structure.parsing import ParseError, parse
from structure.traversal import depth

# A larger file is data, not a test; parsing it would take minutes.
MAX_FILE_BYTES = 256 * 1024
# Mutations walk the tree by recursion.
MAX_DEPTH = 150


class EmptyCorpus(Exception):
    """No test at all could be read."""


@dataclass(frozen=True)
class CorpusTest:
    """One parsed file; `name` is relative to its folder."""

    name: str
    statements: tuple[Node, ...]


@dataclass(frozen=True)
class Skipped:
    """A file that is not part of the corpus, and why."""

    path: Path
    reason: str


@dataclass(frozen=True)
class Corpus:
    """The tests in the order of the paths, then of the names; the digest covers both."""

    tests: tuple[CorpusTest, ...]
    skipped: tuple[Skipped, ...]
    digest: str


def load_corpus(paths: Sequence[Path]) -> Corpus:
    """Read every *.js under `paths` (folders or files). EmptyCorpus when nothing is left."""
    tests: list[CorpusTest] = []
    skipped: list[Skipped] = []
    hasher = hashlib.sha256()
    seen: set[str] = set()
    for path, name in _files(paths, skipped):
        real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        content = _content(path)
        statements = content if isinstance(content, str) else _statements(content)
        if isinstance(statements, str):
            skipped.append(Skipped(path, statements))
            continue
        assert isinstance(content, bytes)
        tests.append(CorpusTest(name, statements))
        hasher.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())
        hasher.update(hashlib.sha256(content).digest())
    if not tests:
        raise EmptyCorpus(_emptiness(paths, skipped))
    return Corpus(tuple(tests), tuple(skipped), hasher.hexdigest())


def _files(paths: Sequence[Path], skipped: list[Skipped]) -> Iterator[tuple[Path, str]]:
    """(file, name relative to the given folder) in a fixed order; links to folders stay closed."""
    for root in paths:
        if not root.is_dir():
            yield root, root.name
            continue

        def unreadable(error: OSError, root: Path = root) -> None:
            skipped.append(Skipped(Path(error.filename or root), _os_reason(error)))

        found: list[tuple[str, Path]] = []
        for folder, folders, names in os.walk(root, onerror=unreadable):
            folders.sort()
            for name in names:
                if name.endswith(".js"):
                    path = Path(folder) / name
                    found.append((path.relative_to(root).as_posix(), path))
        for relative, path in sorted(found):
            yield path, relative


def _content(path: Path) -> bytes | str:
    """The bytes of a file, or the reason why there are none."""
    try:
        if not path.exists():
            return "no such file or folder"
        if not path.is_file():
            return "not a regular file"
        if path.stat().st_size > MAX_FILE_BYTES:
            return f"larger than {MAX_FILE_BYTES // 1024} KiB"
        return path.read_bytes()
    except OSError as error:
        return _os_reason(error)


def _statements(content: bytes) -> tuple[Node, ...] | str:
    """The top-level statements of a source, or the reason why there are none."""
    try:
        source = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte {error.start} is 0x{content[error.start]:02x}"
    try:
        statements = tuple(parse(source)["body"])
    except ParseError as error:
        return str(error)
    if any(depth(statement) > MAX_DEPTH for statement in statements):
        return f"nested more than {MAX_DEPTH} levels deep"
    return statements or "no statement"


def _os_reason(error: OSError) -> str:
    return f"unreadable: {error.strerror or error}"


def _emptiness(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    where = ", ".join(str(path) for path in paths) or "no folder given"
    if not skipped:
        return f"the corpus is empty: no *.js under {where}"
    first = skipped[0]
    return (
        f"the corpus is empty: none of {len(skipped)} files under {where} could be used; "
        f"the first one, {first.path}: {first.reason}"
    )
