"""Entropy: the input's bytes as a finite source of choices.

After Rust's `arbitrary` and matklad's `arbtest`: a pseudo-random number generator that simply
hands out the bytes it was given and *ends*. Once it is exhausted every choice takes its calm
default (the first element, False, stop), so the amount of entropy measures the size of a test
and a shorter input is a simpler test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Spare bits per choice: with n * 2**SPARE <= 2**bits no value is favoured by more than a quarter.
# More would be more uniform, but the lowest bits of a choice are dead entropy.
SPARE_BITS = 2


def width_for(n: int) -> int:
    """Bytes that `below(n)` takes: a function of n only, so that choices stay where they are."""
    return ((n - 1).bit_length() + SPARE_BITS + 7) // 8 if n > 1 else 0


class Entropy:
    """Choices out of `data`; calm after its last byte."""

    __slots__ = ("_data", "_position")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    @property
    def remaining(self) -> int:
        return len(self._data) - self._position

    @property
    def exhausted(self) -> bool:
        return self._position >= len(self._data)

    def number(self, width: int) -> int:
        """The next `width` bytes, big-endian; missing bytes count as zero."""
        taken = self._data[self._position : self._position + width]
        self._position += len(taken)
        return int.from_bytes(taken, "big") << 8 * (width - len(taken))

    def below(self, n: int) -> int:
        """A number in [0, n): the bytes read as a fraction of n, so near bytes are near choices."""
        width = width_for(n)
        return self.number(width) * n >> 8 * width if width else 0

    def choose(self, sequence: Sequence[T]) -> T:
        """An element; the first one is the calm one. IndexError when there is none."""
        return sequence[self.below(len(sequence))]

    def flag(self, numerator: int, denominator: int) -> bool:
        """True with probability numerator/denominator; False when exhausted."""
        return self.below(denominator) >= denominator - numerator

    def weighted(self, table: Sequence[tuple[T, int]]) -> T:
        """An element of a table of (element, weight); the first one is the calm one."""
        point = self.below(sum(weight for _, weight in table))
        for element, weight in table:
            point -= weight
            if point < 0:
                return element
        raise ValueError("a table of choices needs a positive weight")

    def part(self, width: int) -> Entropy:
        """The next `width` bytes as an entropy of their own."""
        taken = self._data[self._position : self._position + width]
        self._position += len(taken)
        return Entropy(taken)
