"""The JSON of TVM 0.27's objects, as far as its texts keep constants in it: strings, and lists and maps of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.tir.expr import StringImm

#: Levels of nodes in nodes; the graphs that TVM writes for constants have five.
_DEPTH = 64


def is_ffi_json(loaded: Any) -> bool:
    """Whether a loaded JSON text is one of 0.27."""
    return isinstance(loaded, dict) and "root_index" in loaded and "nodes" in loaded


def ffi_value(loaded: dict[str, Any]) -> Any:
    """The value of the graph's root. Raises `KeyError`, `ValueError`, `TypeError` for what is no such graph."""
    return _value(loaded["nodes"], loaded["root_index"], _DEPTH)


def _value(nodes: list[Any], index: Any, depth: int) -> Any:
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(nodes):
        raise ValueError(f"{index!r} is no node")
    if depth == 0:
        raise ValueError("the nodes nest too deeply")
    node = nodes[index]
    rule = _RULES.get(node["type"])
    if rule is None:
        raise ValueError(f"a constant of type {node['type']}")
    return rule(node.get("data"), lambda item: _value(nodes, item, depth - 1))


def _pairs(data: Any, of: Callable[[Any], Any]) -> dict[Any, Any]:
    values = [of(item) for item in data]
    return dict(zip(values[::2], values[1::2], strict=True))


_RULES: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "None": lambda data, of: None,
    "bool": lambda data, of: bool(data),
    "int": lambda data, of: int(data),
    "float": lambda data, of: float(data),
    "ffi.String": lambda data, of: str(data),
    "ffi.Array": lambda data, of: [of(item) for item in data],
    "ffi.Map": _pairs,
    "ir.StringType": lambda data, of: None,
    "ir.StringImm": lambda data, of: StringImm(of(data["value"])),
}
