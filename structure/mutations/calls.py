"""Mutations of the calls themselves: a related method, a cursor's modifier, an option."""

from __future__ import annotations

from structure.draft import Draft
from structure.entropy import Entropy
from structure.localising import localised
from structure.making import method_call
from structure.methods import ARGUMENTS, COLLECTION_FAMILIES, CURSOR_FAMILIES, CURSOR_MODIFIERS
from structure.nodes import Node, identifier, literal, object_expression
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
# Methods whose relatives give the same type of result.
_CHAINED = frozenset({"batchSize", "hint", "limit", "max", "min", "skip", "sort"})
# What every collection can be read by.
_INDEXES = tuple(object_expression([(key, literal(1))]) for key in ("_id", "$natural"))


def _by_name(families: tuple[tuple[str, ...], ...]) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(name for family in families for name in family)
    return {
        name: tuple(
            other for family in families if name in family for other in family if other != name
        )
        for name in names
    }


_OF_COLLECTION = _by_name(COLLECTION_FAMILIES)
_OF_CURSOR = _by_name(CURSOR_FAMILIES)


def has_relatives(site: Site) -> int:
    return int(bool(_relatives(site)))


def is_find(site: Site) -> int:
    """A cursor; the find of a bulk operation is none."""
    if _method(site) != "find":
        return 0
    return int("bulk" not in site.node["callee"]["object"].get("name", "").lower())


def _relatives(site: Site) -> tuple[str, ...]:
    """Methods of the same receiver, a collection or a cursor, whose result fits too."""
    method = _method(site)
    if not method or (_is_used(site) and method not in _CHAINED):
        return ()
    receiver = method_of(site.node["callee"]["object"])
    of_collection = receiver in (None, "getCollection")
    return (_OF_COLLECTION if of_collection else _OF_CURSOR).get(method, ())


def _is_used(site: Site) -> bool:
    """Whether a method or a member of the call's result is used: it must be of its type then."""
    return site.path[-1:] == ("object",)


def lacks_options(site: Site) -> int:
    """Calls with all arguments but the options."""
    method = _method(site)
    return int(len(site.node["arguments"]) == _BEFORE_OPTIONS.get(method, -1)) if method else 0


def relate(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    """Another method that takes such arguments."""
    new = identifier(entropy.choose(_relatives(site)))
    return {**site.node, "callee": {**site.node["callee"], "property": new}}


def modify_cursor(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    """find(...) with one more modifier, its argument from the seeds or the corpus."""
    name, role = entropy.weighted(CURSOR_MODIFIERS)
    if name == "hint" and not entropy.flag(1, 8):
        argument: Node | None = entropy.choose((*_INDEXES, *draft.host.indexes))
    else:
        argument = _argument(role, draft, entropy)
    return argument and method_call(site.node, name, [argument])


def add_options(site: Site, draft: Draft, entropy: Entropy) -> Node | None:
    method = _method(site)
    role = ARGUMENTS[method][_BEFORE_OPTIONS[method]]
    argument = _argument(role, draft, entropy)
    return argument and {**site.node, "arguments": [*site.node["arguments"], argument]}


def _argument(role: str, draft: Draft, entropy: Entropy) -> Node | None:
    offset = entropy.number(1)
    from_seeds = offset < 128
    seeds = draft.library.seeds.of_role(role)
    fragments = draft.library.pool.of_role(role, "number" if role == "count" else "object")
    found = (seeds if from_seeds else fragments) or seeds or fragments
    return localised(entropy.choose(found), role, draft.host.fields, offset) if found else None


def _method(site: Site) -> str:
    """The name of the method that is called on something; "" for anything else."""
    if site.node["type"] != "CallExpression":
        return ""
    return method_of(site.node) or "" if site.node["callee"]["type"] == "MemberExpression" else ""
