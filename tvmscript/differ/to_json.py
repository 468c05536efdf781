"""Parts of programs as JSON values, and back. Reading makes nodes through their constructors and runs nothing else.

null, booleans, integers, strings stand for themselves, a list for a tuple. Everything else is an object with one
telling key: see grammar_docs/diff.md.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from enum import Enum
from typing import Any

from tvmscript.differ.errors import InvalidDiff, NotStorable
from tvmscript.ir.core.constant_data import Data
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.leaf_values import array_parts, is_array
from tvmscript.ir.core.node import Node, Schema
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.expr import IterKind
from tvmscript.ir.tir.stmt import ForKind

Encode = Callable[[Any], Any]

_ENUMS: dict[str, type[Enum]] = {kind.__name__: kind for kind in (ForKind, IterKind)}


def encode_plain(value: Any, encode: Encode) -> Any:
    """The JSON form of whatever is no node; `encode` is asked for what is inside. Raises `NotStorable`."""
    if isinstance(value, DType):
        return {"dtype": str(value)}
    if isinstance(value, Enum):
        if type(value).__name__ in _ENUMS:
            return {"enum": [type(value).__name__, value.name]}
    elif value is None or isinstance(value, bool | int | str):
        return value
    elif isinstance(value, float):
        return {"float": struct.pack(">d", value).hex()}
    elif isinstance(value, Op):
        return {"op": value.name}
    elif isinstance(value, tuple | list):
        return [encode(item) for item in value]
    elif isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    elif is_array(value):
        dtype, shape, data = array_parts(value)
        return {"data": {"dtype": dtype, "shape": list(shape), "base64": base64.b64encode(data).decode()}}
    raise NotStorable(value=repr(value), kind=type(value).__name__)


def _float(given: Any, decode: Encode) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(given))[0]
    return value


def _enum(given: Any, decode: Encode) -> Enum:
    kind, name = given
    return _ENUMS[kind][name]


def _data(given: Any, decode: Encode) -> Data:
    shape = tuple(int(extent) for extent in given["shape"])
    return Data(str(DType(given["dtype"])), shape, base64.b64decode(given["base64"], validate=True))


def _dict(given: Any, decode: Encode) -> dict[Any, Any]:
    return {decode(key): decode(item) for key, item in given}


_PLAIN: dict[str, Callable[[Any, Encode], Any]] = {
    "dtype": lambda given, _: DType(given),
    "float": _float,
    "enum": _enum,
    "op": lambda given, _: Op.get(given),
    "data": _data,
    "dict": _dict,
}


def decode_plain(value: dict[str, Any], decode: Encode) -> Any:
    """The value of an object with one telling key. Raises `InvalidDiff` for an unknown key."""
    if len(value) == 1:
        [(key, given)] = value.items()
        if key in _PLAIN:
            return _PLAIN[key](given, decode)
    raise InvalidDiff(reason=f"an object with the keys {', '.join(sorted(value))} means nothing")


def arguments(cls: type[Node]) -> tuple[str, ...]:
    """The fields that the constructor takes, the span aside."""
    schema: Schema = cls.schema
    return schema.arguments + schema.keywords


def class_name(cls: type[Node]) -> str:
    """What a node class is called in a patch; those of the graph level may share a name with the tensor level's."""
    return f"relax.{cls.__name__}" if cls.__module__.startswith("tvmscript.ir.relax.") else cls.__name__


def node_class(name: str) -> type[Node]:
    """The node class of this name. Raises `InvalidDiff`."""
    if not _classes.get(name):
        _classes.update(_subclasses(Node))
    if name not in _classes:
        raise InvalidDiff(reason=f"there is no node {name!r}")
    return _classes[name]


_classes: dict[str, type[Node]] = {}


def _subclasses(cls: type[Node]) -> dict[str, type[Node]]:
    found = {class_name(cls): cls}
    for inner in cls.__subclasses__():
        found.update(_subclasses(inner))
    return found


def construct(cls: type[Node], fields: dict[str, Any]) -> Node:
    """A node of the class from all of its fields; the constructor checks them."""
    schema: Schema = cls.schema
    make: Any = cls
    positional = [fields[name] for name in schema.arguments]
    made: Node = make(*positional, **{name: fields[name] for name in schema.keywords})
    return made
