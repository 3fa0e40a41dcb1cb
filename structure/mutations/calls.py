"""Mutations of the calls themselves: a related method, a cursor's modifier, an option."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.localising import localised
from structure.making import method_call
from structure.methods import CURSOR_MODIFIERS, FAMILIES
from structure.nodes import Node, identifier
from structure.roles import Site, method_of

# Arguments before the options, for the methods that take options last.
_BEFORE_OPTIONS = {
    "aggregate": 1,
    "count": 1,
    "countDocuments": 1,
    "createIndex": 1,
    "deleteMany": 1,
    "deleteOne": 1,
    "distinct": 2,
    "findOneAndDelete": 1,
    "findOneAndReplace": 2,
    "findOneAndUpdate": 2,
    "insertMany": 1,
    "insertOne": 1,
    "replaceOne": 2,
    "updateMany": 2,
    "updateOne": 2,
}
_RELATED = {
    name: tuple(other for family in FAMILIES if name in family for other in family if other != name)
    for family in FAMILIES
    for name in family
}


def has_relatives(site: Site) -> int:
    return int(_method(site) in _RELATED)


def is_find(site: Site) -> int:
    return int(_method(site) == "find")


def lacks_options(site: Site) -> int:
    """Calls with all arguments but the options."""
    method = _method(site)
    return int(len(site.node["arguments"]) == _BEFORE_OPTIONS.get(method, -1)) if method else 0


def relate(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Another method that takes such arguments."""
    new = identifier(entropy.choose(_RELATED[_method(site)]))
    return {**site.node, "callee": {**site.node["callee"], "property": new}}


def modify_cursor(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """find(...) with one more modifier, its argument from the seeds or the corpus."""
    name, role = entropy.choose(CURSOR_MODIFIERS)
    argument = _argument(role, draft, entropy)
    return argument and method_call(site.node, name, [argument])


def add_options(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    role = "index options" if _method(site) == "createIndex" else "options"
    argument = _argument(role, draft, entropy)
    return argument and {**site.node, "arguments": [*site.node["arguments"], argument]}


def _argument(role: str, draft: Draft, entropy: Entropy) -> Node | None:
    from_seeds = not entropy.flag(1, 2)
    offset = entropy.number(1)
    seeds = draft.library.seeds.of_role(role)
    fragments = draft.library.pool.of_role(role, "number" if role == "count" else "object")
    found = (seeds if from_seeds else fragments) or seeds or fragments
    return localised(entropy.choose(found), role, draft.host.fields, offset) if found else None


def _method(site: Site) -> str:
    """The name of the method that is called on something; "" for anything else."""
    if site.node["type"] != "CallExpression":
        return ""
    return method_of(site.node) or "" if site.node["callee"]["type"] == "MemberExpression" else ""
