"""Edit a string: another known name where it names something, else another text."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.fragments import kind_of
from structure.nodes import Node, literal
from structure.roles import Site

MAX_LENGTH = 2_000
_SHAPES = (
    ("{0}{1}", 2),
    ("{1}{0}", 2),
    ("{0}.{1}", 2),
    ("{0}\u0000", 1),
    ("{0}{0}", 2),
    (" {0}", 1),
    ("{0}\u0301", 1),
)


def is_string(site: Site) -> int:
    return site.weight if site.role != "code" and kind_of(site.node) == "string" else 0


def edit(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """By what the string is: collection, path, reference to a field, or any text."""
    old = site.node["value"]
    fields = draft.host.fields
    if site.role == "collection":
        names = draft.host.collections or draft.library.pool.collections
        return literal(entropy.choose(names)) if names else None
    if fields and (site.role == "path" or old.startswith("$")):
        name = entropy.choose(fields)
        shapes = (("{name}", 5), ("{old}.{name}", 2), ("{name}.{name}", 1), ("{name}.0", 1))
        shape = entropy.weighted(shapes)
        sign = "$" if old.startswith("$") and not old.startswith("$$") else ""
        new = sign + shape.format(name=name, old=old.removeprefix(sign))
        return literal(new[:MAX_LENGTH])
    found = draft.library.pool.of_kind("string")
    other = entropy.choose(found)["value"] if found else ""
    if entropy.flag(1, 2):
        return literal(other)
    cut = entropy.below(len(old) + 1)
    if entropy.flag(1, 2):
        return literal(old[:cut] + old[cut + 1 :])
    return literal(entropy.weighted(_SHAPES).format(old, other)[:MAX_LENGTH])
