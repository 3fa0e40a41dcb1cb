"""Blocks that need no breakpoint, because others tell of them.

The rule is that of LLVM's SanitizerCoverage: a block that dominates all its successors was run when
one of them was; a block with several predecessors that post-dominates them all (here: each has no
other successor) was run when one of them was. An entry is always kept, and a function with an
indirect jump keeps all its blocks: what such a jump leads to is not known.
"""

from collections.abc import Mapping, Sequence, Set

# Start of a block -> starts of the blocks that control goes to from its end.
Successors = Mapping[int, Sequence[int]]
Predecessors = Mapping[int, Sequence[int]]
ROOT = -1  # where control comes from outside


def implied(entries: Set[int], successors: Successors) -> set[int]:
    """The blocks of one function whose execution others imply.

    `entries` are the blocks that control can come to from elsewhere; they are kept.
    """
    predecessors: dict[int, list[int]] = {block: [] for block in successors}
    for block, nexts in successors.items():
        for each in nexts:
            if each in predecessors:
                predecessors[each].append(block)
    # A block without predecessors is reached by an exception, or not at all.
    roots = {block for block, before in predecessors.items() if block in entries or not before}
    above = immediate_dominators(roots, successors, predecessors)
    found = set()
    for block, nexts in successors.items():
        if block in roots:
            continue
        before = predecessors[block]
        dominates = any(each != block for each in nexts) and all(
            each == block or above.get(each) == block for each in nexts
        )
        follows = len(before) > 1 and all(
            len(successors[each]) == 1 and each != block for each in before
        )
        if dominates or follows:
            found.add(block)
    return found


def immediate_dominators(
    roots: Set[int], successors: Successors, predecessors: Predecessors
) -> dict[int, int]:
    """By the algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"."""
    order = _postorder(roots, successors, predecessors)
    number = {block: index for index, block in enumerate(order)}
    number[ROOT] = len(order)
    above = {ROOT: ROOT}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            new = ROOT if block in roots else None
            for each in predecessors[block]:
                if each not in above:
                    continue
                if new is None:
                    new = each
                    continue
                other = each
                while other != new:  # to the nearest common dominator
                    if number[other] < number[new]:
                        other = above[other]
                    else:
                        new = above[new]
            if new is not None and above.get(block) != new:
                above[block] = new
                changed = True
    return above


def _postorder(roots: Set[int], successors: Successors, predecessors: Predecessors) -> list[int]:
    order: list[int] = []
    seen: set[int] = set()
    for root in sorted(roots):
        pending = [(root, False)]
        while pending:
            block, done = pending.pop()
            if done:
                order.append(block)
            elif block not in seen:
                seen.add(block)
                pending.append((block, True))
                pending += [(each, False) for each in successors[block] if each in predecessors]
    return order


def successors_of(
    starts: Sequence[int], ends: Mapping[int, tuple[int, ...]], high: int
) -> dict[int, tuple[int, ...]]:
    """Each block's successors: by the branch that ends it, or by falling into the next one.

    `starts` are the function's blocks in order; `ends` maps the address of a branch, return or
    other last instruction to where control goes from there; `high` is the function's end.
    """
    last = sorted(ends)
    found: dict[int, tuple[int, ...]] = {}
    at = 0
    for index, start in enumerate(starts):
        following = starts[index + 1] if index + 1 < len(starts) else high
        while at < len(last) and last[at] < start:
            at += 1
        if at < len(last) and last[at] < following:
            found[start] = ends[last[at]]
        else:
            found[start] = (following,) if following < high else ()
    return found
