"""Programs as JSON: `tvm.ir.save_json`, `load_json`. Nodes are listed once; a part that occurs twice stays one object.

    {"root": 2, "nodes": [["Var", {"name": "x", ...}], ...], "version": 1}

A value is a JSON scalar, `{"n": index}` for a node, `{"t": [...]}` for a tuple, `{"d": [[key, value], ...]}` for a
dict, and a tagged string for what else nodes hold. Nothing is executed: classes are those of the IR, and constructors
check what is read. The format is this package's own; TVM's is another one.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from tvmscript.ir.core import DType, Node, Op, TVMScriptError
from tvmscript.ir.core.constant_data import Data
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.relax import function as function  # the classes of the graph level
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
    known = numbers.get(id(node))
    if known is not None:
        return known
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
    known: dict[str, type[Node]] = {}
    waiting: list[type[Node]] = [Node]
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        if cls.__module__.startswith("tvmscript.ir."):
            known[cls.__name__ if _is_tir(cls) else f"{_room(cls)}.{cls.__name__}"] = cls
    return known


@deep_recursion
def load_json(json_str: str) -> Any:
    """Return what `save_json` wrote. Raises `InvalidJson`, and the errors of constructors."""
    try:
        text: Any = json.loads(json_str)
        entries, root = text["nodes"], text["root"]
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidJson(reason=f"this is not what save_json wrote: {error}") from error
    classes = _classes()
    made: list[Node] = []
    if not isinstance(entries, list):
        raise InvalidJson(reason="its nodes are not a list")
    for entry in entries:
        made.append(_make(entry, made, classes))
    try:
        return _decode(root, made)
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
            if _is_checked(cls) and not _fits(value, _annotation(cls, field), classes):
                raise InvalidJson(reason=f"the field {field} of node {len(made)} is no {_annotation(cls, field)}")
        arguments = [values.pop(field) for field in schema.arguments]
        node: Node = cls(*arguments, **values)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        if isinstance(error, TVMScriptError):
            raise
        raise InvalidJson(reason=f"node {len(made)} is not what save_json wrote: {error!r}") from error
    return node


def _is_checked(cls: type) -> bool:
    """Return whether the fields of a class have the types that it says; graphs hold parts of all kinds."""
    return not cls.__module__.startswith("tvmscript.ir.relax.")


def _annotation(cls: type, field: str) -> str:
    """Return the type of a field as the class says it; empty where it says nothing."""
    annotations = [vars(each).get("__annotations__", {}) for each in cls.__mro__]
    return str(next((each[field] for each in annotations if field in each), ""))


def _fits(value: object, annotation: str, classes: Mapping[str, type]) -> bool:
    """Return whether a value has the type of an annotation, as far as it names classes of nodes and of Python."""
    parts = annotation.split(" | ") if "[" not in annotation.partition(" | ")[0] else [annotation]
    if len(parts) > 1:
        return any(_fits(value, part, classes) for part in parts)
    if annotation.startswith("tuple[") and annotation.endswith(", ...]"):
        inner = annotation.removeprefix("tuple[").removesuffix(", ...]")
        return isinstance(value, tuple) and all(_fits(item, inner, classes) for item in value)
    if annotation == "None":
        return value is None
    if annotation.startswith("dict["):
        key, item = annotation.removeprefix("dict[").removesuffix("]").split(", ", 1)
        pairs = value.items() if isinstance(value, dict) else ()
        return isinstance(value, dict) and all(_fits(a, key, classes) and _fits(b, item, classes) for a, b in pairs)
    # several parts of the IR have a class of one name
    expected = _PLAIN.get(annotation) or tuple([each for each in classes.values() if each.__name__ == annotation])
    return not expected or isinstance(value, expected)


_PLAIN: Final[dict[str, type]] = {"str": str, "int": int, "DType": DType}


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
        return {_decode(key, made): _decode(item, made) for key, item in content}
    return _LEAVES[tag](content)


_LEAVES: Final[dict[str, Callable[[Any], Any]]] = {
    "dtype": DType,
    "enum": lambda names: _ENUMS[names[0]][names[1]],
    "op": Op.get,
    "f": float.fromhex,
    "data": lambda parts: Data(parts[0], tuple(parts[1]), base64.b64decode(parts[2])),
}
