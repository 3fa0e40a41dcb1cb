"""Replace a value: by one that the corpus used in the same role, by a seed, or by anything."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.fragments import kind_of
from structure.localising import localised
from structure.making import key_of
from structure.mutations.placing import without_id
from structure.nodes import Node, array_expression
from structure.roles import Site

# Kinds that a server seldom tells apart where it takes a value at all.
_VALUE_KINDS = ("number", "string", "bson", "object", "array", "constant", "regex")
_VALUE_ROLES = frozenset({"value", "match", "expression", "option", "bounds"})


def is_value(site: Site) -> int:
    """The weight of a site that holds a value; the calls of the test itself are none."""
    if site.role in ("code", "payload"):
        return 0
    return site.weight if kind_of(site.node) != "other" else 0


def is_loose(site: Site) -> int:
    """The same where the server takes values of any kind; elsewhere seldom."""
    weight = is_value(site)
    return weight * 4 if site.role in _VALUE_ROLES else min(weight, 1)


def by_fragment(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By a fragment of the same role and kind; the fields mostly this test's."""
    offset = entropy.number(1)
    native = offset >= 192
    pool = draft.library.pool
    kind = kind_of(site.node)
    found = pool.of_role(site.role, kind) or pool.of_kind(kind)
    new = _alike(site.node, found, entropy)
    if new is None or native:
        return new
    new = localised(new, site.role, draft.host.fields, offset)
    return without_id(new, entropy) if site.role == "document" else new


def by_same_kind(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By a fragment of the same kind from whatever role."""
    found = draft.library.pool.of_kind(kind_of(site.node))
    return entropy.choose(found) if found else None


def by_other_kind(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By a fragment of another kind: of the same role, where that takes values of any kind."""
    pool = draft.library.pool
    kind = entropy.choose(_VALUE_KINDS)
    if site.role in _VALUE_ROLES:
        found = pool.of_role(site.role, kind) or pool.of_role("value", kind)
    else:
        found = pool.of_kind(kind)
    return entropy.choose(found) if found else None


def by_seed(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By a seed of the same role; of the same kind if the role wants its kind."""
    offset = entropy.number(1)
    seeds = draft.library.seeds
    role = site.role
    if role == "pipeline" and kind_of(site.node) == "array":
        stages = [entropy.choose(seeds.of_role("stage")) for _ in range(1 + entropy.below(3))]
        return localised(array_expression(stages), role, draft.host.fields, offset)
    if role in ("document", "update fields"):
        found = seeds.of_kind("value", kind_of(site.node))
    elif role in _VALUE_ROLES:
        found = seeds.of_role(role)
        if role == "match" and entropy.flag(1, 3):
            found = seeds.of_role("value")
    else:
        found = seeds.of_kind(role, kind_of(site.node))
    new = entropy.choose(found) if found else None
    return new and localised(new, site.role, draft.host.fields, offset)


def by_any_seed(_site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By any seed at all: what the argument checks are there for."""
    role = entropy.choose(tuple(draft.library.seeds.by_role))
    return entropy.choose(draft.library.seeds.of_role(role))


def _alike(node: Node, found: tuple[Node, ...], entropy: Entropy) -> Node | None:
    """One of `found`; among objects mostly one that starts with the same sort of key."""
    if not found:
        return None
    if node["type"] == "ObjectExpression" and not entropy.flag(1, 8):
        operator = _has_operator(node)
        found = tuple(other for other in found if _has_operator(other) == operator) or found
    return entropy.choose(found)


def _has_operator(node: Node) -> bool:
    return any((key_of(property_) or "").startswith("$") for property_ in node["properties"][:1])
