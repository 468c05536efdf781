"""`tvm.ir.load_json`: constants of a text as JSON, in the formats of TVM 0.17 and 0.27.

Of the format of TVM 0.27, what its printer writes is read: strings, arrays, targets, and lists and maps of them.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

from tvmscript.ir.core import Span, Target
from tvmscript.ir.tir import StringImm
from tvmscript.parser.diagnostics.errors import InvalidMetadata
from tvmscript.parser.diagnostics.limits import Limits
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.metadata import decode_array, decode_graph

#: nesting depth of nodes; graphs that TVM writes for constants have depth five
_DEPTH = 64


def load_json(text: str, span: Span | None = None) -> object:
    """Return the constants of a text: kind -> list of values. Raises `InvalidMetadata`."""
    if not isinstance(text, str):
        raise InvalidMetadata(reason=f"a JSON text is needed, not {text!r:.40}", span=span)
    try:
        loaded = json.loads(text)
        if isinstance(loaded, dict) and "root_index" in loaded and "nodes" in loaded:
            return _Nodes(loaded["nodes"]).value(loaded["root_index"], _DEPTH)
        return decode_graph(loaded, span)
    except (
        ValueError, OverflowError, KeyError, IndexError, TypeError, AttributeError, RecursionError, struct.error,
    ) as error:  # fmt: skip
        reason = f"it is no JSON of TVM's nodes ({type(error).__name__}: {error})"
        raise InvalidMetadata(reason=reason, span=span) from error


class _Nodes:
    """Nodes that refer to each other by position. One that is part of several others is one value."""

    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes
        self.limits = Limits()
        #: position -> value, and the depth that was left for its parts
        self.values: dict[int, tuple[Any, int]] = {}

    def value(self, index: object, depth: int) -> Any:
        """Return the value of a node, which may nest as deep as `depth`. Raises `ValueError`."""
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(self.nodes):
            raise ValueError(f"{index!r} is no node")
        if depth == 0:
            raise ValueError("the nodes nest too deeply")
        if index in self.values and self.values[index][1] <= depth:
            return self.values[index][0]
        node = self.nodes[index]
        rule = _RULES.get(node["type"])
        if rule is None:
            raise ValueError(f"a constant of type {node['type']}")
        value = rule(node.get("data"), lambda item: self.value(item, depth - 1))
        if isinstance(value, (list, dict)) and not self.limits.fits(value):
            raise ValueError("the constants are too large")
        self.values[index] = value, depth
        return value


def _pairs(data: Any, of: Callable[[object], object]) -> dict[object, object]:
    values = [of(item) for item in data]
    return dict(zip(values[::2], values[1::2], strict=True))


def _array(data: Any, of: Callable[[object], Any]) -> object:
    """Return a Relax constant of an array, whose bytes are in base64."""
    encoded = data if isinstance(data, str) else data["data"]
    return decode_array(encoded if isinstance(encoded, str) else of(encoded))


def _target(data: Any, of: Callable[[object], Any]) -> Target:
    config = data if isinstance(data, (str, dict)) else of(data)
    if isinstance(config, dict):
        config = {key: of(item) if isinstance(item, int) else item for key, item in config.items()}
    return Target.make(config)


_RULES: dict[str, Callable[[Any, Callable[[object], Any]], Any]] = {
    "None": lambda data, of: None,
    "bool": lambda data, of: bool(data),
    "int": lambda data, of: int(data),
    "float": lambda data, of: float(data),
    "ffi.String": lambda data, of: str(data),
    "ffi.Array": lambda data, of: [of(item) for item in data],
    "ffi.Map": _pairs,
    "ir.StringType": lambda data, of: None,
    "ffi.Tensor": _array,
    "runtime.Tensor": _array,
    "runtime.NDArray": _array,
    # its type follows from its value
    "ir.GenericConst": lambda data, of: of(data["value"]),
    "relax.expr.Constant": lambda data, of: of(data["data"]),
    "target.Target": _target,
    "Target": _target,
    "ir.StringImm": lambda data, of: StringImm(of(data["value"])),
}


FUNCTIONS: dict[str, Builtin] = {"load_json": Builtin("tvm.ir.load_json", load_json)}
