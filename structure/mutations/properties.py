"""Mutations of the properties of an object."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.fragments import kind_of
from structure.localising import localised
from structure.making import key_of
from structure.mutations.placing import without_id
from structure.nodes import Node, property_node
from structure.pieces import FIELD_ROLES
from structure.roles import Site

# A stage or a command is named by its first key; more keys only make an error of it.
_SINGLE = frozenset({"stage"})
# Expressions of aggregations.
_OPERATIONS = frozenset({"accumulated", "expression", "projected", "window"})
# Objects that know all of their keys; a foreign one is refused.
_STRICT = frozenset({"collation", "command", "operation", "option", "payload", "stage options"})


def has_properties(site: Site) -> int:
    if _count(site) <= _fixed(site) or site.role in _SINGLE or _is_operation(site):
        return 0
    return 1 if site.role in _STRICT else site.weight


def has_two(site: Site) -> int:
    if _count(site) < 2 + _fixed(site):
        return 0
    return 1 if site.role in _STRICT else site.weight


def has_field_names(site: Site) -> int:
    return site.weight if _count(site) >= 1 and site.role in FIELD_ROLES else 0


def takes_more(site: Site) -> int:
    """Objects into which the seeds or the corpus have properties to put."""
    if site.node["type"] != "ObjectExpression" or site.role in (*_SINGLE, "payload"):
        return 0
    if _is_operation(site):
        return 0
    return 1 if site.role in _STRICT else site.weight


def _is_operation(site: Site) -> bool:
    """{$operator: arguments} of an aggregation: a second key is always an error."""
    properties = site.node["properties"]
    first = key_of(properties[0]) if properties else None
    return site.role in _OPERATIONS and (first or "").startswith("$")


def drop(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Without one property, the last one first: the first one may name the operation."""
    at = _count(site) - 1 - entropy.below(_count(site) - _fixed(site))
    properties = site.node["properties"]
    return _with(site.node, properties[:at] + properties[at + 1 :])


def swap(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Two properties change places: the order counts in BSON."""
    properties = list(site.node["properties"])
    fixed = _fixed(site)
    count = len(properties) - fixed
    a, b = entropy.below(count), entropy.below(count)
    if a == b:
        b = (a + 1) % count
    a, b = fixed + a, fixed + b
    properties[a], properties[b] = properties[b], properties[a]
    return _with(site.node, properties)


def swap_values(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Two properties of one kind exchange their values."""
    properties = list(site.node["properties"])
    a = entropy.below(len(properties))
    b = (a + 1 + entropy.below(len(properties) - 1)) % len(properties)
    one, two = properties[a], properties[b]
    if not (_plain(one) and _plain(two)) or kind_of(one["value"]) != kind_of(two["value"]):
        return None
    properties[a] = {**one, "value": two["value"]}
    properties[b] = {**two, "value": one["value"]}
    return _with(site.node, properties)


def duplicate(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """A property once more under another of the test's field names, or the same (last one wins)."""
    properties = site.node["properties"]
    source = entropy.choose(properties)
    at = entropy.below(len(properties) + 1)
    if not _plain(source):
        return None
    copy = source
    if draft.host.fields and not (key_of(source) or "").startswith("$"):
        copy = property_node(entropy.choose(draft.host.fields), source["value"])
    return _with(site.node, [*properties[:at], copy, *properties[at:]])


def rename(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """Another field name of the test, or a dotted path of two, or one of the corpus."""
    properties = list(site.node["properties"])
    at = entropy.below(len(properties))
    old = key_of(properties[at])
    names = draft.host.fields if not entropy.flag(1, 8) else draft.library.pool.fields
    if old is None or old.startswith("$") or not names or not _plain(properties[at]):
        return None
    name = entropy.choose(names)
    shape = entropy.weighted((("{1}", 6), ("{0}.{1}", 3), ("{1}.0", 1), ("{1}.{1}", 1)))
    new = shape.format(old, name)[:200]
    properties[at] = property_node(new, properties[at]["value"])
    return _with(site.node, properties)


def insert(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """A property of another object of the same role: of a seed (operators, options) or corpus."""
    library = draft.library
    offset = entropy.number(1)
    from_seeds = offset >= 128
    seeds = library.seeds.of_kind(site.role, "object")
    fragments = library.pool.of_role(site.role, "object")
    found = (seeds if from_seeds else fragments) or fragments or seeds
    donors = [node for node in found if node["properties"]]
    if not donors:
        return None
    donor = localised(entropy.choose(donors), site.role, draft.host.fields, offset)
    new = entropy.choose(without_id(donor, entropy)["properties"] or donor["properties"])
    properties = [
        other for other in site.node["properties"] if not _same_key(other, new) or entropy.exhausted
    ]
    at = len(properties) - entropy.below(len(properties) - min(_fixed(site), len(properties)) + 1)
    return _with(site.node, [*properties[:at], new, *properties[at:]])


def _same_key(one: Node, two: Node) -> bool:
    return key_of(one) is not None and key_of(one) == key_of(two)


def _plain(property_: Node) -> bool:
    return (
        property_["type"] == "Property"
        and property_["kind"] == "init"
        and not property_["method"]
        and not property_["shorthand"]
        and not property_["computed"]
    )


def _with(node: Node, properties: list[Node]) -> Node:
    return {**node, "properties": properties}


def _fixed(site: Site) -> int:
    """Leading properties that stay: the name of a command comes first."""
    return int(site.role == "command")


def _count(site: Site) -> int:
    return len(site.node["properties"]) if site.node["type"] == "ObjectExpression" else 0
