"""Which blocks others imply, on small control flows with exact answers."""

import pytest

from harness.coverage.pruning import implied, successors_of

IF_THEN = {0: (1, 2), 1: (2,), 2: ()}
DIAMOND = {0: (5,), 5: (1, 2), 1: (3,), 2: (3,), 3: ()}
CHAIN = {0: (1,), 1: (2,), 2: ()}
LOOP = {0: (1,), 1: (2, 3), 2: (1,), 3: ()}
LANDING_PAD = {0: (1,), 1: (), 7: (8, 9), 8: (), 9: ()}
TAIL_CALL = {0: (1, 2), 1: (900,), 2: ()}


@pytest.mark.parametrize(
    ("flow", "entries", "expected"),
    [
        # The join may be reached past block 1: it tells nothing of it, and nothing tells of it.
        (IF_THEN, {0}, set()),
        # The fork shows in its arms; the arms show that the join was reached.
        (DIAMOND, {0}, {5, 3}),
        # Of a chain the last one tells of all.
        (CHAIN, {0}, {1}),
        # A loop's head shows in its body and its exit.
        (LOOP, {0}, {1}),
        # Nothing jumps to 7: an exception does, so it is kept.
        (LANDING_PAD, {0}, set()),
        # What lies outside tells nothing.
        (TAIL_CALL, {0}, set()),
        # Another function jumps into the middle.
        (CHAIN, {0, 1}, set()),
        (DIAMOND, {0, 1}, {3}),
    ],
    ids=["if", "diamond", "chain", "loop", "pad", "tail", "entered", "entered arm"],
)
def test_implied(flow: dict[int, tuple[int, ...]], entries: set[int], expected: set[int]) -> None:
    assert implied(entries, flow) == expected


def test_every_block_is_implied_by_kept_ones() -> None:
    """Any path from the entry to an end can be told from the kept blocks on it."""
    flow = {0: (1, 2), 1: (3,), 2: (3, 4), 3: (5, 6), 4: (6,), 5: (7,), 6: (7,), 7: ()}
    kept = set(flow) - implied({0}, flow)
    paths: list[tuple[int, ...]] = []

    def walk(path: tuple[int, ...]) -> None:
        for each in flow[path[-1]]:
            walk((*path, each))
        if not flow[path[-1]]:
            paths.append(path)

    walk((0,))
    covered = [frozenset(path) for path in paths]
    shown = [frozenset(path) & kept for path in paths]
    # Different sets of blocks run show as different sets of kept blocks.
    assert len(set(shown)) == len(set(covered))


def test_successors() -> None:
    ends = {12: (30, 14), 25: (), 34: (10,)}
    assert successors_of([10, 14, 30], ends, 40) == {10: (30, 14), 14: (), 30: (10,)}
    # A block without a branch falls into the next one; the last one falls out.
    assert successors_of([10, 20, 30], {}, 40) == {10: (20,), 20: (30,), 30: ()}
