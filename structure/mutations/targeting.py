"""From a change of one node to a mutation of a test: the choice of the node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structure.draft import MAX_STATEMENT_DEPTH, Draft, Target
from structure.entropy import Entropy
from structure.nodes import Node
from structure.pieces import Piece
from structure.roles import Site
from structure.traversal import depth, replaced

# Changes a draft at a target; False when there was nothing to change.
Mutation = Callable[[Draft, Target, Entropy], bool]
# Another node for the one at a site, or None when there is none.
Change = Callable[[Site, Draft, Entropy], Node | None]
# How much a site is wanted; 0 = it is no target.
Wanted = Callable[[Site], int]

# A second statement is tried if the first has no use for the change, and so on.
TRIES = 4


def at_site(wanted: Wanted, change: Change) -> Mutation:
    """The mutation that makes `change` at one of the wanted sites of the target."""

    def mutate(draft: Draft, target: Target, entropy: Entropy) -> bool:
        fraction: int | None = None
        tries = 0
        for slot, index, piece in draft.places(target):
            weights = [wanted(site) for site in piece.sites]
            total = sum(weights)
            if not total:
                continue
            if fraction is None:
                fraction = entropy.number(1) << 8
                if total > 256:
                    fraction += entropy.number(1)
            site = _pick(piece, weights, fraction * total >> 16)
            new = change(site, draft, entropy)
            if new is not None and new != site.node:
                statement = replaced(piece.node, site.path, new)
                fits = depth(statement) <= MAX_STATEMENT_DEPTH
                if fits and draft.put(slot, index, index + 1, [Piece(statement)]):
                    return True
            tries += 1
            if tries == TRIES:
                break
        return False

    return mutate


def _pick(piece: Piece, weights: Sequence[int], point: int) -> Site:
    """The site at a point of the sum of the weights."""
    for site, weight in zip(piece.sites, weights, strict=True):
        point -= weight
        if point < 0:
            return site
    raise AssertionError("the point is below the sum")
