"""The custom mutator: records stay whole, sizes hold, what pays is used again."""

import random

from harness import mutator
from harness.learning import Learning
from structure.build import HEADER, RECORD


def _input(records: int) -> bytes:
    return random.Random(records).randbytes(HEADER + RECORD * records)


def test_split_and_join_are_inverse() -> None:
    for records in (0, 1, 7):
        data = _input(records)
        assert mutator.join(*mutator.split(data), limit=10_000) == data


def test_a_short_record_is_filled_only_within() -> None:
    header, records = mutator.split(_input(1)[:-3])
    assert len(records[0]) == RECORD - 3
    assert len(mutator.join(header, [*records, records[0]], 10_000)) == HEADER + 2 * RECORD


def test_mutations_keep_within_the_limit_and_whole_records() -> None:
    learning = Learning(85)
    for seed in range(3000):
        data = mutator.mutate(_input(seed % 30), seed, learning)
        assert HEADER <= len(data) <= HEADER + RECORD * mutator.MOST_RECORDS
        assert (len(data) - HEADER) % RECORD == 0
    assert len(mutator.mutate(_input(20), 1, learning, limit=11)) <= 11
    assert mutator.mutate(b"", 1, learning) != mutator.mutate(b"", 2, learning)


def test_each_change_leaves_other_records_alone() -> None:
    for change, _ in mutator.CHANGES:
        for seed in range(50):
            records = mutator.split(_input(6))[1]
            before = list(records)
            change(random.Random(seed), records)
            assert len(set(before) & set(records)) >= 2, change.__name__


def test_crossover_takes_records_of_both() -> None:
    first, second = _input(6), _input(9)
    both = set()
    for seed in range(200):
        records = mutator.split(mutator.crossover(first, second, seed))[1]
        theirs = set(mutator.split(second)[1])
        ours = set(mutator.split(first)[1])
        assert set(records) <= ours | theirs
        both.add((bool(ours & set(records)), bool(theirs & set(records))))
    assert (True, True) in both


def test_bases_that_pay_are_chosen_more_often() -> None:
    learning = Learning(10)
    for base in range(10):
        data = base.to_bytes(2, "big") + bytes(HEADER - 2 + RECORD)
        for _ in range(20):
            learning.credit(data, 50 if base == 7 else 0, 0.01)
    chance = random.Random(1)
    chosen = [int.from_bytes(learning.fresh(chance, 1)[:2], "big") for _ in range(1000)]
    assert chosen.count(7) > 400
    assert len(set(chosen)) == 10  # none is given up


def test_records_that_paid_come_back_with_one_byte_changed() -> None:
    learning = Learning(2)
    paid = bytes(range(100, 100 + RECORD))
    learning.credit(bytes(HEADER) + paid, 10, 0.01)
    chance = random.Random(1)
    near = 0
    for _ in range(200):
        for record in mutator.split(learning.fresh(chance, 4))[1]:
            near += sum(a != b for a, b in zip(record, paid, strict=True)) <= 1
    assert near > 50


def test_unmutated_inputs_teach_nothing() -> None:
    learning = Learning(2)
    learning.credit(bytes(HEADER), 100_000, 0.01)
    chance = random.Random(1)
    chosen = [learning.fresh(chance, 0)[1] for _ in range(400)]
    assert 120 < chosen.count(0) < 280
