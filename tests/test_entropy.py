"""Entropy: finite, calm at its end, uniform enough before it."""

from collections import Counter

import pytest
from samples import noise

from structure.entropy import Entropy, width_for


def test_exhausted_entropy_is_calm() -> None:
    entropy = Entropy(b"")
    assert entropy.exhausted
    assert entropy.remaining == 0
    assert entropy.below(1000) == 0
    assert entropy.choose("xyz") == "x"
    assert entropy.flag(99, 100) is False
    assert entropy.weighted((("calm", 1), ("wild", 1000))) == "calm"
    assert entropy.number(4) == 0
    assert entropy.part(8).exhausted


def test_bytes_are_used_up_and_a_missing_one_is_zero() -> None:
    entropy = Entropy(b"\xff\xff\xff")
    assert entropy.number(2) == 0xFFFF
    assert (entropy.remaining, entropy.exhausted) == (1, False)
    assert entropy.number(2) == 0xFF00
    assert entropy.exhausted


@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 17, 100, 256, 1000, 5000])
def test_below_stays_below_and_is_roughly_uniform(n: int) -> None:
    draws = 40 * n if n <= 256 else 20_000
    entropy = Entropy(noise(n, width_for(n) * draws))
    counts = Counter(entropy.below(n) for _ in range(draws))
    assert entropy.exhausted
    assert min(counts) >= 0
    assert max(counts) < n
    if n <= 256:
        assert set(counts) == set(range(n))
        expected = draws / n
        chi2 = sum((count - expected) ** 2 / expected for count in counts.values())
        assert chi2 < 2 * n + 20 + draws / 50


@pytest.mark.parametrize("n", [2, 5, 16, 17, 200, 256, 4096])
def test_no_value_is_favoured_by_more_than_a_quarter(n: int) -> None:
    width = width_for(n)
    counts = Counter(Entropy(x.to_bytes(width, "big")).below(n) for x in range(256**width))
    assert max(counts.values()) <= (1 + 1 / 4) * 256**width / n + 1
    assert len(counts) == n


def test_the_width_depends_on_n_only() -> None:
    for filler in (b"\x00", b"\xff"):
        entropy = Entropy(filler * 10)
        entropy.below(300)
        assert entropy.remaining == 10 - width_for(300)
    assert width_for(1) == 0


def test_flag_has_its_probability() -> None:
    entropy = Entropy(noise(1, 4000))
    share = sum(entropy.flag(1, 4) for _ in range(4000)) / 4000
    assert 0.2 < share < 0.3


def test_weighted_follows_the_weights_and_never_takes_a_zero() -> None:
    table = (("a", 1), ("never", 0), ("b", 3))
    entropy = Entropy(noise(2, 4000))
    counts = Counter(entropy.weighted(table) for _ in range(4000))
    assert set(counts) == {"a", "b"}
    assert 0.7 < counts["b"] / 4000 < 0.8
    with pytest.raises(ValueError, match="positive weight"):
        Entropy(b"").weighted((("a", 0),))


def test_a_part_is_an_entropy_of_its_own() -> None:
    entropy = Entropy(b"abcd")
    part = entropy.part(2)
    assert part.number(4) == int.from_bytes(b"ab\0\0", "big")
    assert entropy.number(2) == int.from_bytes(b"cd", "big")
