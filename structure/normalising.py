"""One form for what the two parsers give: plain dicts that hold the fields of nodes.FIELDS."""

import re
from typing import Any

from structure.nodes import FIELDS, OPTIONAL, Node, number

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n?")

# What a parser leaves out when it is false or absent; any other missing field is None.
_DEFAULTS: dict[str, Any] = {
    "async": False,
    "computed": False,
    "delegate": False,
    "expression": False,
    "generator": False,
    "method": False,
    "shorthand": False,
    "static": False,
}


class UnknownNode(ValueError):
    """A parser gave a node of a type that is not in nodes.FIELDS."""


def join_surrogates(text: str) -> str:
    """Make each surrogate pair one character; lone surrogates stay."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def normalise(tree: Any) -> Node:
    """Copy a parser's tree (nested objects or dicts) into plain nodes.

    Raises UnknownNode for a type outside nodes.FIELDS. Iterative, so depth does not matter.
    """
    top: list[Any] = [None]
    stack: list[tuple[Any, Any, Any]] = [(tree, top, 0)]
    while stack:
        raw, holder, key = stack.pop()
        if isinstance(raw, list):
            copied: list[Any] = [None] * len(raw)
            holder[key] = copied
            stack += [(item, copied, index) for index, item in enumerate(raw)]
            continue
        fields = raw if isinstance(raw, dict) else getattr(raw, "__dict__", None)
        if fields is None or "type" not in fields:
            holder[key] = raw
            continue
        node = _node(fields)
        holder[key] = node
        stack += [
            (value, node, name)
            for name, value in node.items()
            if value is not None and not isinstance(value, (str, bool, int, float))
        ]
    result = top[0]
    if not isinstance(result, dict):
        raise UnknownNode("The parser gave no tree.")
    return result


def _node(raw: dict[str, Any]) -> Node:
    """A node whose fields still hold the parser's own children."""
    kind = raw["type"]
    if kind not in FIELDS:
        raise UnknownNode(f"The parser gave a node of the unknown type {kind}.")
    if kind == "Literal":
        return _literal(raw)
    if kind == "TemplateElement":
        return {"type": kind, "value": _template(raw["value"]), "tail": bool(raw["tail"])}
    node: Node = {"type": kind}
    for field in FIELDS[kind]:
        value = raw.get(field)
        if field == "async" and value is None:
            value = raw.get("isAsync")
        if value is None:
            if field in OPTIONAL:
                continue
            value = _DEFAULTS.get(field)
        elif field == "directive":
            value = _LINE_END.sub("\n", value)
        node[field] = value
    if raw.get("defaults"):
        node["params"] = _parameters(raw["params"], raw["defaults"])
    return node


def _parameters(params: list[Any], defaults: list[Any]) -> list[Any]:
    """pyjsparser keeps the defaults beside the parameters, ESTree within them."""
    padded = defaults + [None] * (len(params) - len(defaults))
    return [
        param if default is None else {"type": "AssignmentPattern", "left": param, "right": default}
        for param, default in zip(params, padded, strict=True)
    ]


def _literal(raw: dict[str, Any]) -> Node:
    expression = raw.get("regex")
    if expression:
        source = expression if isinstance(expression, dict) else expression.__dict__
        pattern, flags = source["pattern"], source["flags"]
        return {
            "type": "Literal",
            "value": None,
            "regex": {"pattern": pattern, "flags": flags},
        }
    value = raw["value"]
    if isinstance(value, str):
        # pyjsparser gives true, false and null as the token's text; only its raw form tells.
        if raw["raw"][:1] in "\"'":
            value = join_surrogates(value)
        else:
            value = {"true": True, "false": False, "null": None}[value]
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        value = number(value)
    return {"type": "Literal", "value": value}


def _template(value: Any) -> dict[str, Any]:
    """The raw and cooked text of a template piece; the language reads CR LF in it as LF."""
    source = value if isinstance(value, dict) else value.__dict__
    cooked = source["cooked"]
    return {
        "raw": _LINE_END.sub("\n", source["raw"]),
        "cooked": None if cooked is None else join_surrogates(cooked),
    }
