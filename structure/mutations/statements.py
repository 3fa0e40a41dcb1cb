"""Mutations of whole statements: drop, duplicate, swap, move, and weave in another test's."""

from __future__ import annotations

from structure.draft import Draft, Target
from structure.entropy import Entropy
from structure.pieces import Piece, PreparedTest
from structure.roles import talks
from structure.scoping import moved, renamed

# A woven statement brings at most this many that it needs.
MAX_WOVEN = 8


def drop(draft: Draft, target: Target, _entropy: Entropy) -> bool:
    """Drop a statement that talks to the server and binds nothing."""
    for slot, index, piece in draft.places(target):
        if not piece.defined and talks(piece.node):
            return draft.put(slot, index, index + 1, [])
    return False


def duplicate(draft: Draft, target: Target, entropy: Entropy) -> bool:
    """A statement once more: there, or later."""
    for slot, index, piece in draft.places(target):
        if talks(piece.node):
            later = slot + entropy.below(len(draft.slots) - slot)
            at = index + 1 if later == slot else len(draft.slots[later])
            return draft.put(later, at, at, [piece])
    return False


def swap(draft: Draft, target: Target, entropy: Entropy) -> bool:
    """Two neighbourhoods of statements exchange places."""
    other = entropy.below(len(draft.slots))
    if other == target.slot:
        other = (other + 1) % len(draft.slots)
    slots = draft.slots
    slots[target.slot], slots[other] = slots[other], slots[target.slot]
    return other != target.slot


def move(draft: Draft, target: Target, entropy: Entropy) -> bool:
    """A statement to another place."""
    for slot, index, piece in draft.places(target):
        to = entropy.below(len(draft.slots))
        if to == slot:
            to = (slot + 1) % len(draft.slots)
        if to == slot or piece.defined:
            return False
        draft.slots[slot].pop(index)
        draft.slots[to].append(piece)
        return True
    return False


def weave(draft: Draft, target: Target, entropy: Entropy) -> bool:
    """A statement of another test, with what it needs; half of the time on this test's data."""
    guest = entropy.choose(draft.library.tests)
    wanted = entropy.below(len(guest.pieces))
    at_home = entropy.flag(1, 2)
    count = 1 + entropy.below(3)
    chosen = guest.needed(range(wanted, min(wanted + count, len(guest.pieces))))
    if len(chosen) > MAX_WOVEN:
        chosen = chosen[-MAX_WOVEN:]
    pieces = _at_home(guest, chosen, draft.host, entropy) if at_home else _apart(guest, chosen)
    end = len(draft.slots[target.slot])
    if not pieces or not draft.put(target.slot, end, end, pieces):
        return False
    draft.sources[guest.name] = None
    return True


def _apart(guest: PreparedTest, chosen: list[int]) -> list[Piece]:
    """The guest's statements under names of their own, so that the host keeps its variables."""
    pieces = [guest.pieces[index] for index in chosen]
    names = {name: name + "_" for piece in pieces for name in piece.defined if name != "db"}
    return [Piece(renamed(piece.node, names)) if names else piece for piece in pieces]


def _at_home(
    guest: PreparedTest, chosen: list[int], host: PreparedTest, entropy: Entropy
) -> list[Piece]:
    """The guest's statements on the host's collections; what the host binds too is not brought."""
    bound = {name for piece in host.pieces for name in piece.defined}
    pieces = [guest.pieces[index] for index in chosen]
    kept = [
        piece
        for piece in pieces
        if not (piece.defined and bound.issuperset(piece.defined)) or piece is pieces[-1]
    ]
    names: dict[str, str] = {}
    if host.collections:
        first = entropy.below(len(host.collections))
        for offset, name in enumerate(guest.collections):
            names[name] = host.collections[(first + offset) % len(host.collections)]
    return [Piece(moved(piece.node, names)) for piece in kept]
