"""Wrap a node: the same thing one level deeper, as its role allows."""

from __future__ import annotations

from collections.abc import Callable

from structure.draft import Draft
from structure.entropy import Entropy
from structure.fragments import kind_of
from structure.making import key_of
from structure.nodes import Node, array_expression, literal, object_expression
from structure.roles import Site

Wrapper = Callable[[Node], Node]


def _in(*keys: str) -> Wrapper:
    """{key: {key: x}}."""

    def wrap(node: Node) -> Node:
        for key in reversed(keys):
            node = object_expression([(key, node)])
        return node

    return wrap


def _listed(key: str) -> Wrapper:
    """{key: [x]}."""
    return lambda node: object_expression([(key, array_expression([node]))])


def _twice(key: str) -> Wrapper:
    return lambda node: object_expression([(key, array_expression([node, node]))])


def _array(node: Node) -> Node:
    return array_expression([node])


def _default(node: Node) -> Node:
    return object_expression([("$ifNull", array_expression([node, literal(None)]))])


_VALUE: tuple[Wrapper, ...] = (_array, _in("a"), _in(""), lambda x: _array(_array(x)), _twice("a"))
_WRAPPERS: dict[str, tuple[Wrapper, ...]] = {
    "document": (_array,),
    "expression": (
        _listed("$not"),
        _array,
        _in("$literal"),
        _default,
        _twice("$add"),
        _twice("$eq"),
        _in("$type"),
        _twice("$concatArrays"),
        _in("a"),
        _in("$toString"),
    ),
    "pipeline": (lambda x: array_expression([_in("$facet", "a")(x)]),),
    "query": (_listed("$and"), _listed("$or"), _listed("$nor"), _twice("$or")),
    "stage": (),
    "value": _VALUE,
}
_PREDICATES: tuple[Wrapper, ...] = (_in("$not"), _in("$elemMatch"), _in("$not", "$elemMatch"))
_EQUALITIES: tuple[Wrapper, ...] = (
    _in("$eq"),
    _in("$ne"),
    _in("$gte"),
    _in("$lt"),
    _listed("$in"),
    _listed("$nin"),
    _listed("$all"),
    _array,
    _in("$not", "$eq"),
)


def is_wrappable(site: Site) -> int:
    return site.weight if _wrappers(site) and kind_of(site.node) != "other" else 0


def wrap(site: Site, _draft: Draft, entropy: Entropy) -> Node | None:
    return entropy.choose(_wrappers(site))(site.node)


def _wrappers(site: Site) -> tuple[Wrapper, ...]:
    if site.role != "match":
        return _WRAPPERS.get(site.role, ())
    properties = site.node.get("properties", ())
    operator = properties and (key_of(properties[0]) or "").startswith("$")
    return _PREDICATES if operator else _EQUALITIES
