"""Conversion of program parts to and from JSON. Decoding calls only constructors of nodes.

null, booleans, integers and strings represent themselves, a list a tuple. Other values are objects with one key: see
grammar_docs/diff.md.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Callable
from dataclasses import fields as dataclass_fields
from enum import Enum
from typing import Any

from tvmscript.differ.errors import InvalidDiff, NotStorable
from tvmscript.ir.core import DType, Op
from tvmscript.ir.core.node import Node, Schema
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.core.values.leaf_values import array_parts, is_array
from tvmscript.ir.tir import ForKind, IterKind

Encode = Callable[[object], object]

_ENUMS: dict[str, type[Enum]] = {kind.__name__: kind for kind in (ForKind, IterKind)}


def encode_plain(value: object, encode: Encode) -> object:
    """Return the JSON form of a value other than a node; `encode` converts nested values. Raises `NotStorable`."""
    if isinstance(value, DType):
        return {"dtype": str(value)}
    if isinstance(value, Enum):
        if type(value).__name__ in _ENUMS:
            return {"enum": [type(value).__name__, value.name]}
    elif value is None or isinstance(value, (bool, int, str)):
        return value
    elif isinstance(value, float):
        return {"float": struct.pack(">d", value).hex()}
    elif isinstance(value, Op):
        return {"op": value.name}
    elif isinstance(value, (tuple, list)):
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


def _dict(given: Any, decode: Encode) -> dict[object, object]:
    return {decode(key): decode(item) for key, item in given}


_PLAIN: dict[str, Callable[[Any, Encode], object]] = {
    "dtype": lambda given, _: DType(given),
    "float": _float,
    "enum": _enum,
    "op": lambda given, _: Op.get(given),
    "data": _data,
    "dict": _dict,
}


def decode_plain(value: dict[str, object], decode: Encode) -> object:
    """Decode an object with one key. Raises `InvalidDiff` for an unknown key."""
    if len(value) == 1:
        [(key, given)] = value.items()
        if key in _PLAIN:
            return _PLAIN[key](given, decode)
    raise InvalidDiff(reason=f"unknown object with the keys {', '.join(sorted(value))}")


def arguments(cls: type[Node]) -> tuple[str, ...]:
    """Return the parameters of the constructor except the span."""
    schema: Schema = cls.schema
    return schema.arguments + schema.keywords


def class_name(cls: type[Node]) -> str:
    """Return the name of a node class in a patch. Relax classes have a prefix, since TIR has equal names."""
    return f"relax.{cls.__name__}" if cls.__module__.startswith("tvmscript.ir.relax.") else cls.__name__


def node_class(name: str) -> type[Node]:
    """Return the node class of a name. Raises `InvalidDiff`."""
    if not _classes.get(name):
        _classes.update(_subclasses(Node))
    if name not in _classes:
        raise InvalidDiff(reason=f"there is no node {name!r}")
    return _classes[name]


_classes: dict[str, type[Node]] = {}


def _subclasses(cls: type[Node]) -> dict[str, type[Node]]:
    classes = {class_name(cls): cls}
    for inner in cls.__subclasses__():
        classes.update(_subclasses(inner))
    return classes


def construct(cls: type[Node], fields: dict[str, object]) -> Node:
    """Construct a node from all of its fields. Raises `InvalidDiff` for a value of another type than its field has."""
    schema: Schema = cls.schema
    for entry in dataclass_fields(cls):
        if entry.name in fields and not _is_of_type(fields[entry.name], str(entry.type)):
            raise InvalidDiff(reason=f"the field {entry.name} of {class_name(cls)} is of type {entry.type}")
    make: Any = cls
    positional = [fields[name] for name in schema.arguments]
    instance: Node = make(*positional, **{name: fields[name] for name in schema.keywords})
    return instance


#: types whose values are known by the names of their classes
_PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "DType", "Enum", "ForKind", "IterKind", "None"})
_TUPLE_OF = re.compile(r"tuple\[(.*), \.\.\.\]")


def _is_of_type(value: object, written: str) -> bool:
    """Whether a value has a type, given the annotation of a field. Types that are not known have all values."""
    if tuple_of := _TUPLE_OF.fullmatch(written):
        return isinstance(value, tuple) and all(_is_of_type(item, tuple_of[1]) for item in value)
    if written.startswith("dict["):
        return isinstance(value, dict)
    if " | " in written and "[" not in written:
        return any(_is_of_type(value, part) for part in written.split(" | "))
    if written == "None":
        return value is None
    classes = {base.__name__ for base in type(value).__mro__}
    if written in _PLAIN_TYPES:
        return written in classes and not (written != "bool" and isinstance(value, bool))
    return (written not in _classes and f"relax.{written}" not in _classes) or written in classes
