"""Programs as JSON: `tvm.ir.save_json`, `load_json`. Nodes are listed once; a part that occurs twice stays one object.

    {"root": 2, "nodes": [["Var", {"name": "x", ...}], ...], "version": 1}

A value is a JSON scalar, `{"n": index}` for a node, `{"t": [...]}` for a tuple, `{"d": [[key, value], ...]}` for a
dict, and a tagged string for what else nodes hold. Nothing is executed: classes are those of the IR, and constructors
check what is read. The format is this package's own; TVM's is another one.
"""

from __future__ import annotations

import base64
import json
import math
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from tvmscript.ir.core import DType, Node, Op, TVMScriptError
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.relax import function as function  # the classes of the graph level
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.tir import ForKind, IterKind

_VERSION: Final = 1
_ENUMS: Final[dict[str, type[Enum]]] = {"ForKind": ForKind, "IterKind": IterKind}


class InvalidJson(TVMScriptError, ValueError, code="TS7041"):
    """A text is not what `save_json` wrote, or a node cannot be written as JSON."""

    message = "{reason}"


@deep_recursion
def save_json(node: object) -> str:
    """Return a node, or a container of nodes, as JSON. Raises `InvalidJson`."""
    nodes: list[Any] = []
    numbers: dict[int, int] = {}
    root = _encode(node, nodes, numbers)
    return json.dumps({"root": root, "nodes": nodes, "version": _VERSION})


def _encode(value: Any, nodes: list[Any], numbers: dict[int, int]) -> Any:
    if isinstance(value, Node):
        return {"n": _number_of(value, nodes, numbers)}
    if isinstance(value, (tuple, list)):
        return {"t": [_encode(item, nodes, numbers) for item in value]}
    if isinstance(value, dict):
        entries: dict[Any, Any] = value
        return {"d": [[_encode(key, nodes, numbers), _encode(item, nodes, numbers)] for key, item in entries.items()]}
    if isinstance(value, DType):
        return {"dtype": str(value)}
    if isinstance(value, Enum):
        return {"enum": [type(value).__name__, value.name]}
    if isinstance(value, Op):
        return {"op": value.name}
    if isinstance(value, float):
        return {"f": value.hex()}
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        raw = base64.b64encode(value.tobytes()).decode()
        return {"data": [str(value.dtype), list(value.shape), raw]}
    raise InvalidJson(reason=f"there is no JSON for {value!r} of type {type(value).__name__}")


def _number_of(node: Node, nodes: list[Any], numbers: dict[int, int]) -> int:
    number = numbers.get(id(node))
    if number is not None:
        return number
    schema = type(node).schema
    fields = {
        name: _encode(getattr(node, name), nodes, numbers)
        for name in (*schema.arguments, *schema.keywords)
        if name != "span"
    }
    nodes.append([type(node).__name__ if _is_tir(type(node)) else f"{_room(type(node))}.{type(node).__name__}", fields])
    numbers[id(node)] = len(nodes) - 1
    return numbers[id(node)]


def _room(cls: type) -> str:
    """Return the part of the IR that a class belongs to: core, tir, relax, arith, ..."""
    parts = cls.__module__.split(".")
    return parts[2] if parts[:2] == ["tvmscript", "ir"] else cls.__module__


def _is_tir(cls: type) -> bool:
    return _room(cls) == "tir"


def _classes() -> dict[str, type[Node]]:
    """Return the classes of nodes by their names in the text."""
    classes: dict[str, type[Node]] = {}
    waiting: list[type[Node]] = [Node]
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        if cls.__module__.startswith("tvmscript.ir."):
            classes[cls.__name__ if _is_tir(cls) else f"{_room(cls)}.{cls.__name__}"] = cls
    return classes


@deep_recursion
def load_json(json_str: str) -> Any:
    """Return what `save_json` wrote. Raises `InvalidJson`, and the errors of constructors."""
    try:
        text: Any = json.loads(json_str)
        entries, root = text["nodes"], text["root"]
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidJson(reason=f"this is not what save_json wrote: {error}") from error
    classes = _classes()
    new_nodes: list[Node] = []
    if not isinstance(entries, list):
        raise InvalidJson(reason="its nodes are not a list")
    for entry in entries:
        new_nodes.append(_make(entry, new_nodes, classes))
    try:
        return _decode(root, new_nodes)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        if isinstance(error, TVMScriptError):
            raise
        raise InvalidJson(reason=f"its root is not what save_json wrote: {error!r}") from error


def _make(entry: Any, made: list[Node], classes: dict[str, type[Node]]) -> Node:
    try:
        name, fields = entry
        cls: Any = classes[name]
        schema = cls.schema
        values = {field: _decode(value, made) for field, value in fields.items()}
        for field, value in values.items():
            annotation, names = _annotation(cls, field)
            annotation = _TYPES.get((name, field), annotation)
            if not _fits(value, annotation, names, classes):
                raise InvalidJson(reason=f"the field {field} of node {len(made)} is no {annotation}")
        arguments = [values.pop(field) for field in schema.arguments]
        node: Node = cls(*arguments, **values)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        if isinstance(error, TVMScriptError):
            raise
        raise InvalidJson(reason=f"node {len(made)} is not what save_json wrote: {error!r}") from error
    return node


def _annotation(cls: type, field: str) -> tuple[str, Mapping[str, Any]]:
    """Return the type of a field as the class says it, `Any` where it says nothing, and the names of its module."""
    for each in cls.__mro__:
        if field in vars(each).get("__annotations__", {}):
            return str(each.__annotations__[field]), vars(sys.modules[each.__module__])
    return "Any", {}


def _fits(value: object, annotation: str, names: Mapping[str, Any], classes: Mapping[str, type]) -> bool:
    """Return whether a value has the type of an annotation, as far as it names classes of nodes and of Python."""
    parts = _split(annotation, " | ")
    if len(parts) > 1:
        return any(_fits(value, part, names, classes) for part in parts)
    if annotation in _PLAIN:
        return isinstance(value, _PLAIN[annotation])
    outer, _, inner = annotation.removesuffix("]").partition("[")
    arguments = _split(inner, ", ")
    if outer == "tuple":
        return isinstance(value, tuple) and all(_fits(item, arguments[0], names, classes) for item in value)
    if outer == "dict":
        key, item = arguments
        return isinstance(value, dict) and all(
            _fits(a, key, names, classes) and _fits(b, item, names, classes) for a, b in value.items()
        )
    expected = names.get(annotation)
    if expected is RelaxExpr:
        return isinstance(value, (RelaxExpr, GlobalVar))  # functions of the module are values as well
    if isinstance(expected, type):
        return isinstance(value, expected)
    # a name that the module imports for type checkers only; several parts of the IR have a class of one name
    same_name = tuple([each for each in classes.values() if each.__name__ == annotation])
    return not same_name or isinstance(value, same_name)


def _split(text: str, separator: str) -> list[str]:
    """Split the text of a type at a separator outside of brackets."""
    parts: list[str] = []
    for part in text.split(separator):
        if parts and parts[-1].count("[") > parts[-1].count("]"):
            parts[-1] += separator + part
        else:
            parts.append(part)
    return parts


_PLAIN: Final[dict[str, type]] = {
    "str": str, "int": int, "bool": bool, "float": float, "None": type(None), "DType": DType, "Op": Op,
    "Any": object, "Data": Data, "TargetKind": str,
}  # fmt: skip
#: fields of any type, as far as Python knows
_TYPES: Final = {
    ("relax.Constant", "data"): "Data",
    ("AllocateConst", "data"): "Data",
    ("relax.Call", "op"): "Op | GlobalVar | RelaxExpr",
}


def _decode(value: Any, made: list[Node]) -> Any:
    if not isinstance(value, dict):
        return value
    given: dict[str, Any] = value
    ((tag, content),) = given.items()
    if tag == "n":
        return made[content]
    if tag == "t":
        return tuple([_decode(item, made) for item in content])
    if tag == "d":
        entries = {_decode(key, made): _decode(item, made) for key, item in content}
        kinds = {str if isinstance(key, str) else Node if isinstance(key, Node) else None for key in entries}
        if None in kinds or len(kinds) > 1:
            raise InvalidJson(reason="the keys of a dict are strings, or nodes")
        return entries
    return _LEAVES[tag](content)


def _read_data(dtype: str, shape: list[int], raw: str) -> Data:
    """Return constant data; its bytes are those of its shape."""
    content = base64.b64decode(raw)
    if any(type(extent) is not int or extent < 0 for extent in shape):
        raise InvalidJson(reason=f"{shape} is no shape of constant data")
    size = DType(dtype).itemsize
    if len(content) != math.prod(shape) * size:
        raise InvalidJson(reason=f"constant data of {math.prod(shape)} elements of {dtype} has {len(content)} bytes")
    return Data(dtype, tuple(shape), content)


_LEAVES: Final[dict[str, Callable[[Any], Any]]] = {
    "dtype": DType,
    "enum": lambda names: _ENUMS[names[0]][names[1]],
    "op": Op.get,
    "f": float.fromhex,
    "data": lambda parts: _read_data(*parts),
}
