"""The table of operators: (domain, name) -> versions -> the function that converts a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import Array, Value

if TYPE_CHECKING:
    from tvmscript.frontend.onnx.context import Context

#: what a converter returns: the only output, or a sequence of all
Outputs = Value | Array | Sequence[Value | Array]
Converter = Callable[["Context", Node], Outputs]

#: domains of the same operators
_DEFAULT_DOMAINS: Final = ("", "ai.onnx")
MICROSOFT: Final = "com.microsoft"
#: (domain, name) -> first opset -> converter
OPERATORS: Final[dict[tuple[str, str], dict[int, Converter]]] = {}


def operator(name: str, since: int = 1, domain: str = "") -> Callable[[Converter], Converter]:
    """Register a function as the converter of an operator from an opset on."""

    def register(convert: Converter) -> Converter:
        OPERATORS.setdefault((domain, name), {})[since] = convert
        return convert

    return register


def elementwise(name: str, function: Callable[..., Any], since: int = 1, domain: str = "") -> None:
    """Register a function of the tensors that a node has as inputs."""
    operator(name, since, domain)(lambda context, node: function(*node.tensors()))


def find_converter(domain: str, name: str, version: int) -> Converter | None:
    """Return the converter of an operator: the newest that is not newer than the opset."""
    key = ("" if domain in _DEFAULT_DOMAINS else domain, name)
    versions = [since for since in OPERATORS.get(key, ()) if since <= version]
    return OPERATORS[key][max(versions)] if versions else None
