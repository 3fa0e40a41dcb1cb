"""Mutations of the elements of an array: documents, stages, operands."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.localising import localised
from structure.mutations.placing import place_of_stage, without_id
from structure.nodes import Node
from structure.roles import RULES, Site


def has_elements(site: Site) -> int:
    return site.weight if _elements(site) else 0


def is_pipeline(site: Site) -> int:
    return site.weight if site.node["type"] == "ArrayExpression" and site.role == "pipeline" else 0


def drop(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    elements = _elements(site)
    at = entropy.below(len(elements))
    return _with(site, elements[:at] + elements[at + 1 :])


def duplicate(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    elements = _elements(site)
    at = entropy.below(len(elements))
    to = entropy.below(len(elements) + 1)
    copy = elements[at]
    if copy is not None and site.role == "document":
        copy = without_id(copy, entropy)
    return _with(site, [*elements[:to], copy, *elements[to:]])


def swap(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    elements = _elements(site)
    a, b = entropy.below(len(elements)), entropy.below(len(elements))
    if a == b:
        b = (a + 1) % len(elements)
    elements[a], elements[b] = elements[b], elements[a]
    return _with(site, elements)


def insert(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """An element that some other array of this role has, or a seed of the elements' role."""
    role = RULES[site.role].elements or site.role if site.role in RULES else site.role
    offset = entropy.number(1)
    from_seeds = offset >= 128
    seeds = draft.library.seeds.of_role(role)
    wanted = "object" if role in ("stage", "document", "query", "operation") else ""
    fragments = draft.library.pool.of_role(role, wanted or "number")
    if wanted:
        seeds = draft.library.seeds.of_kind(role, wanted)
    found = (seeds if from_seeds else fragments) or fragments or seeds
    if not found:
        return None
    elements = _elements(site)
    new = localised(entropy.choose(found), role, draft.host.fields, offset)
    if role == "stage":
        at = place_of_stage(new, elements, entropy)
    else:
        at = entropy.below(len(elements) + 1)
    if role == "document":
        new = without_id(new, entropy)
    return _with(site, [*elements[:at], new, *elements[at:]])


def _elements(site: Site) -> list[Node | None]:
    return list(site.node["elements"]) if site.node["type"] == "ArrayExpression" else []


def _with(site: Site, elements: list[Node | None]) -> Node:
    return {**site.node, "elements": elements}
