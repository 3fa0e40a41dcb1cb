"""What pays: which corpus tests, and which records, brought new blocks for the time they took.

libFuzzer chooses among inputs that it kept and knows nothing of their cost. Here the bases are the
arms of a bandit: one is chosen in proportion to its new blocks for each second, older experience
counting less; a base without experience is taken for as good as the best. Records that brought
something are remembered, to be used again with a byte changed.
"""

import random
from collections import deque

from structure.build import HEADER, RECORD

FADING = 0.95  # of a base's experience, at each of its runs
DOUBT = 0.5  # of choices go to any base, so that none is given up
REMEMBERED = 64  # records for each base, the newest
KNOWN = 1 / 4  # of the records of a new input come from those
OLDER_RECORDS = 512


class Learning:
    """Experience of one campaign's bases; fed after each run, asked for new inputs."""

    def __init__(self, bases: int) -> None:
        self._bases = bases
        self._news = [0.0] * bases
        self._seconds = [0.0] * bases
        self._records: list[deque[bytes]] = [deque(maxlen=REMEMBERED) for _ in range(bases)]
        self._anywhere: deque[bytes] = deque(maxlen=OLDER_RECORDS)

    def credit(self, data: bytes, news: int, seconds: float) -> None:
        """A run of `data` took `seconds` and reached `news` blocks for the first time."""
        if len(data) < HEADER + RECORD:
            return  # an unmutated test says nothing of mutations
        base = self._base_of(data)
        self._news[base] = self._news[base] * FADING + news
        self._seconds[base] = self._seconds[base] * FADING + seconds
        if news:
            records = [data[at : at + RECORD] for at in range(HEADER, len(data), RECORD)]
            self._records[base].extend(records)
            self._anywhere.extend(records[:4])

    def fresh(self, chance: random.Random, records: int) -> bytes:
        """A new input of so many records, on a base that pays."""
        base = self._choose(chance)
        header = base.to_bytes(2, "big") + chance.randbytes(HEADER - 2)
        return header + b"".join(self._record(chance, base) for _ in range(records))

    def _record(self, chance: random.Random, base: int) -> bytes:
        known = self._records[base] if chance.random() < 0.7 else self._anywhere
        if not known or chance.random() >= KNOWN:
            return chance.randbytes(RECORD)
        record = bytearray(chance.choice(known).ljust(RECORD, b"\0"))
        record[chance.randrange(1, RECORD)] = chance.randrange(256)
        return bytes(record)

    def _choose(self, chance: random.Random) -> int:
        if chance.random() < DOUBT:
            return chance.randrange(self._bases)
        rates = [
            news / seconds if seconds else -1.0
            for news, seconds in zip(self._news, self._seconds, strict=True)
        ]
        best = max(*rates, 1.0)
        weights = [rate if rate >= 0 else best for rate in rates]
        return chance.choices(range(self._bases), [w + best / 100 for w in weights])[0]

    def _base_of(self, data: bytes) -> int:
        return int.from_bytes(data[:2], "big") % self._bases
