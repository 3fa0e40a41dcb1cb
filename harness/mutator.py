"""Mutations of the input that respect its records: libFuzzer's custom mutator and crossover.

A record is one mutation of the test (structure.build). libFuzzer's own mutations change bytes and
do not know where a record begins; inserting, deleting, moving or tweaking whole records changes one
thing at a time. Its own keep a share, for what nobody thought of.
"""

import random
from collections.abc import Callable, Sequence

from harness.learning import Learning
from structure.build import HEADER, MAX_INPUT, RECORD

# A run costs its whole base test, so a step of one mutation wastes it: many at once.
INSERTED = (1, 2, 4, 8, 12)

Records = list[bytes]
Change = Callable[[random.Random, Records], None]


def _insert(chance: random.Random, records: Records) -> None:
    place = chance.randint(0, len(records))
    records[place:place] = [chance.randbytes(RECORD) for _ in range(chance.choice(INSERTED))]


def _delete(chance: random.Random, records: Records) -> None:
    if records:
        start = chance.randrange(len(records))
        del records[start : start + chance.choice((1, 1, 1, 2, 4))]


def _tweak(chance: random.Random, records: Records) -> None:
    """One byte of one record: another parameter, node, place or mutation."""
    if records:
        place = chance.randrange(len(records))
        record = bytearray(records[place].ljust(RECORD, b"\0"))
        record[chance.randrange(RECORD)] = chance.randrange(256)
        records[place] = bytes(record)


def _replace(chance: random.Random, records: Records) -> None:
    if records:
        records[chance.randrange(len(records))] = chance.randbytes(RECORD)


def _move(chance: random.Random, records: Records) -> None:
    if len(records) > 1:
        record = records.pop(chance.randrange(len(records)))
        records.insert(chance.randint(0, len(records)), record)


def _again(chance: random.Random, records: Records) -> None:
    """The same mutation once more, at another statement."""
    if records:
        record = bytearray(chance.choice(records).ljust(RECORD, b"\0"))
        record[1] = chance.randrange(256)
        records.insert(chance.randint(0, len(records)), bytes(record))


# Change, weight.
CHANGES: Sequence[tuple[Change, int]] = (
    (_insert, 8),
    (_tweak, 4),
    (_replace, 3),
    (_again, 2),
    (_delete, 2),
    (_move, 1),
)
_CHANGES = [change for change, _ in CHANGES]
_WEIGHTS = [weight for _, weight in CHANGES]
OTHER_BASE = 1 / 6  # the records on another corpus test
FRESH = 9 / 10  # a new input, of what paid before: libFuzzer's choice of inputs ignores their cost
FRESH_RECORDS = 16
MOST_RECORDS = 20  # more make a test slow and its commands refused
CROSSED = 1 / 5  # of what libFuzzer wants crossed, which is every other input; the rest is mutated
OWN = 1 / 10  # libFuzzer's share


def mutate(data: bytes, seed: int, learning: Learning, limit: int = MAX_INPUT) -> bytes:
    """A new input where that pays, or `data` with one to four changes of its records."""
    chance = random.Random(seed)
    if chance.random() < FRESH:
        return learning.fresh(chance, chance.randint(1, FRESH_RECORDS))[:limit]
    header, records = split(data)
    if chance.random() < OTHER_BASE:
        header = chance.randbytes(2) + header[2:]
    for change in chance.choices(_CHANGES, _WEIGHTS, k=chance.choice((1, 1, 2, 4))):
        change(chance, records)
    while len(records) > MOST_RECORDS:
        del records[chance.randrange(len(records))]
    return join(header, records, limit)


def cross_or_mutate(
    first: bytes, second: bytes, seed: int, learning: Learning, limit: int = MAX_INPUT
) -> bytes:
    """What libFuzzer gets when it asks for a crossover."""
    if random.Random(~seed).random() < CROSSED:
        return crossover(first, second, seed, limit)
    return mutate(first, seed, learning, limit)


def crossover(first: bytes, second: bytes, seed: int, limit: int = MAX_INPUT) -> bytes:
    """The base and a part of the records of `first`, with a part of the records of `second`."""
    chance = random.Random(seed)
    header, ours = split(first)
    _, theirs = split(second)
    start = chance.randint(0, len(theirs))
    end = chance.randint(start, len(theirs))
    place = chance.randint(0, len(ours))
    kept = ours[place:] if chance.random() < 0.5 else []
    return join(header, ours[:place] + theirs[start:end] + kept, limit)


def split(data: bytes) -> tuple[bytes, Records]:
    """The header (short of bytes when `data` is) and the records, the last may be short."""
    records = [data[at : at + RECORD] for at in range(HEADER, len(data), RECORD)]
    return data[:HEADER], records


def join(header: bytes, records: Records, limit: int) -> bytes:
    """The input again; a short record in the middle is filled up."""
    whole = b"".join(record.ljust(RECORD, b"\0") for record in records)
    return (header.ljust(HEADER, b"\0") + whole)[:limit]
