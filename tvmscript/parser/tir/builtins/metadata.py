"""Constants in the section `metadata`: `metadata = {...}`, or the JSON graph of TVM 0.17 (`tvm.ir.load_json`)."""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final

from tvmscript.ir.core import DType, Span, WrongType
from tvmscript.ir.core.values.constant_data import Data, fingerprint, pack
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import FloatImm, IntImm, StringImm
from tvmscript.parser.builtins.argument_checks import integer, text
from tvmscript.parser.builtins.table import construct, value
from tvmscript.parser.diagnostics.errors import ChangedConstant, InvalidMetadata, MissingConstant
from tvmscript.parser.diagnostics.limits import Limits
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.reader import Reader
from tvmscript.parser.tir.builtins.constructors import as_dtype


@value("data")
def data(dtype: object, shape: Any, values: Any, span: Span | None = None) -> Data:
    """Constant data of a dtype and a shape: a list of elements, or their bytes in base64."""
    kind = as_dtype(dtype)
    sizes = tuple(integer("T.data", extent) for extent in shape)
    if any(extent < 0 for extent in sizes):
        raise WrongType(where="T.data", expected="extents of 0 or more", got=min(sizes), span=span)
    if isinstance(values, str):
        return _decoded(kind, sizes, values, span)
    items = [item.value if isinstance(item, (IntImm, FloatImm)) else item for item in values]
    items = [float(item) if item in ("inf", "-inf", "nan") else item for item in items]
    if len(items) != math.prod(sizes):
        raise WrongType(where="T.data", expected=f"{math.prod(sizes)} elements", got=len(items), span=span)
    return pack(items, kind, sizes)


def _decoded(dtype: DType, shape: tuple[int, ...], encoded: str, span: Span | None) -> Data:
    try:
        raw = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise WrongType(where="T.data", expected="bytes in base64", got=str(error), span=span) from error
    expected = math.prod(shape) * dtype.itemsize
    if len(raw) != expected or dtype in FORMATS:
        raise WrongType(where="T.data", expected=f"{expected} bytes of {dtype}", got=len(raw), span=span)
    return Data(str(dtype), shape, raw)


@construct("metadata")
def metadata(parser: Reader, span: Span, name: object) -> Any:
    """The constant with this fingerprint in the section `metadata`."""
    key = text("T.metadata", name)
    constant = parser.constants().get(key)
    if constant is None:
        raise MissingConstant(name=key, span=span)
    if fingerprint(constant) != key:
        raise ChangedConstant(name=key, found=fingerprint(constant), span=span)
    return constant


# TVM 0.17's section: a graph of nodes as JSON


def decode_graph(loaded: object, span: Span | None) -> object:
    """Decode the JSON graph of nodes that TVM 0.17 writes. Raises `InvalidMetadata` for unknown nodes."""
    return _Graph(loaded, span).root()


def decode_array(encoded: str) -> object:
    """Return the Relax constant of an array: header and elements in base64. Raises `InvalidMetadata`."""
    return _RELAX_CONSTANTS["constant"](*_array(encoded, None))


class _Graph:
    """A JSON graph of nodes that refer to each other by position."""

    def __init__(self, loaded: Any, span: Span | None) -> None:
        self.nodes: list[dict[str, Any]] = loaded["nodes"]
        self.arrays: list[str] = loaded.get("b64ndarrays", [])
        self.first = int(loaded["root"])
        self.span = span
        self.known: dict[int, object] = {}
        self.open: set[int] = set()
        self.limits = Limits()

    def root(self) -> object:
        return self.at(self.first)

    def at(self, position: Any) -> Any:
        """Return the value of a node."""
        index = int(position)
        if index not in self.known:
            if index in self.open or index < 0:
                raise InvalidMetadata(reason="a node is part of itself", span=self.span)
            self.open.add(index)
            node = self.nodes[index]
            read = _KINDS.get(node["type_key"])
            if read is None:
                types = ", ".join(sorted(filter(None, _KINDS)))
                reason = f"unknown node type {node['type_key']}"
                raise InvalidMetadata(reason=reason, span=self.span, hint=f"supported types: {types}")
            known_value = self.known[index] = read(self, node)
            self.open.discard(index)
            if isinstance(known_value, (list, dict)) and not self.limits.fits(known_value):
                raise InvalidMetadata(reason="the constants are too large", span=self.span)
        return self.known[index]


def _map(graph: _Graph, node: Mapping[str, Any]) -> dict[Any, Any]:
    if "keys" in node:
        return {str(key): graph.at(item) for key, item in zip(node["keys"], node["data"], strict=True)}
    items = [graph.at(item) for item in node.get("data", ())]
    return dict(zip(items[::2], items[1::2], strict=True))


def _string(graph: _Graph, node: Mapping[str, Any]) -> str:
    if "repr_b64" not in node:
        return str(node["repr_str"])
    raw = base64.b64decode(node["repr_b64"], validate=True)
    (length,) = struct.unpack_from("<Q", raw)
    return raw[8 : 8 + length].decode("utf-8", "surrogateescape")


#: header of an NDArray: magic, reserved, device, rank, dtype
_HEADER: Final = struct.Struct("<QQiiiBBH")
_MAGIC: Final = 0xDD5E40F096B4A13F
_CODES: Final = {0: "int", 1: "uint", 2: "float", 4: "bfloat"}


def _array(encoded: str, span: Span | None) -> tuple[Data, DType]:
    """Return the data of an array and its dtype. Narrow floats are stored as bit patterns."""
    raw = base64.b64decode(encoded, validate=True)
    magic, _, _, _, rank, code, bits, lanes = _HEADER.unpack_from(raw)
    if magic != _MAGIC or code not in _CODES or lanes != 1:
        raise InvalidMetadata(reason="invalid format of an array", span=span)
    *shape, size = struct.unpack_from(f"<{rank}qq", raw, _HEADER.size)
    start = _HEADER.size + 8 * (rank + 1)
    dtype = DType("bool" if (code, bits) == (1, 1) else f"{_CODES[code]}{bits}")
    content = raw[start : start + size]
    if len(content) != size or any(extent < 0 for extent in shape) or size != math.prod(shape) * dtype.itemsize:
        raise InvalidMetadata(reason="an array is truncated", span=span)
    held = f"uint{bits}" if dtype in FORMATS else str(dtype)
    return Data(held, tuple(shape), content), dtype


def _constant(graph: _Graph, node: Mapping[str, Any]) -> Any:
    """Return a Relax constant, whose array is in the list `b64ndarrays`."""
    return _RELAX_CONSTANTS["constant"](*_array(graph.arrays[int(node["attrs"]["data"])], graph.span))


_RELAX_CONSTANTS: Final = LazyTable("constants of Relax")

_KINDS: Final[dict[str, Callable[[_Graph, Mapping[str, Any]], object]]] = {
    "": lambda graph, node: None,
    "Map": _map,
    "Array": lambda graph, node: [graph.at(item) for item in node.get("data", ())],
    "runtime.String": _string,
    "runtime.NDArray": lambda graph, node: _array(node["repr_str"], graph.span)[0],
    "relax.expr.Constant": _constant,
    "tir.StringImm": lambda graph, node: StringImm(graph.at(node["attrs"]["value"])),
    "IntImm": lambda graph, node: IntImm(DType(node["attrs"]["dtype"]), int(node["attrs"]["value"])),
    "FloatImm": lambda graph, node: FloatImm(DType(node["attrs"]["dtype"]), float(node["attrs"]["value"])),
}
