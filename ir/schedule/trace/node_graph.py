"""TVM's JSON of expressions and index maps: a list of nodes that refer to each other by their places in it.

    {"root": 1, "nodes": [{"type_key": ""}, {"type_key": "tir.Add", "attrs": {"a": "2", "b": "3", "dtype": "int32"}}]}

Place 0 stands for None. Numbers, dtypes and places are strings. Format: TVM 0.17, `tvm.ir.save_json`.
"""

from __future__ import annotations

import json
from typing import Any

from tvmscript.ir.core import IRError, Node, Op, TVMScriptError
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as nodes_of
from tvmscript.ir.tir.expr import BinaryOp, Call, Cast, FloatImm, IntImm, Not, Select, SizeVar, StringImm, Var
from tvmscript.ir.tir.index_map import IndexMap

_OPERATIONS = "Add Sub Mul Div Mod FloorDiv FloorMod Min Max EQ NE LT LE GT GE And Or"
#: TVM's key of an operation of two operands -> our class
_BINARY: dict[str, type[BinaryOp]] = {f"tir.{name}": getattr(nodes_of, name) for name in _OPERATIONS.split()}
_KEYS: dict[type, str] = {cls: key for key, cls in _BINARY.items()}


#: nodes of an expression, shared ones counted at each use
_MAX_SIZE = 1 << 16


class BadNodeGraph(IRError, code="TS4200"):
    """A JSON text of nodes, as TVM writes them for index maps in traces, that cannot be read."""

    message = "this is no JSON of an expression or index map: {problem}"
    advice = "only what tvm.ir.save_json makes of index maps and integer or float expressions is read"


def dump(item: Node) -> str:
    """The JSON text of an index map or an expression. Raises `BadNodeGraph` for other nodes."""
    writer = _Writer()
    root = writer.place(item)
    graph = {"root": root, "nodes": writer.nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.17.0"}}
    return json.dumps(graph)


def load(text: str) -> Any:
    """The index map or expression of a JSON text. Raises `BadNodeGraph`."""
    try:
        graph = json.loads(text)
        item = _Reader(graph["nodes"]).at(int(graph["root"]))
        if not isinstance(item, (Expr, IndexMap)):
            raise BadNodeGraph(problem=f"its root is {type(item).__name__}")
        return item
    except (ValueError, OverflowError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise BadNodeGraph(problem=f"{type(error).__name__}: {error}") from error
    except BadNodeGraph:
        raise
    except TVMScriptError as error:
        raise BadNodeGraph(problem=error.text) from error


class _Writer:
    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = [{"type_key": ""}]
        #: variables have one place each; other nodes are written where they are used
        self.places: dict[Node, int] = {}

    def place(self, item: Any) -> int:
        """The place of a node in the list; where it is not there yet it is put there, before its parts."""
        if item is None:
            return 0
        if item in self.places:
            return self.places[item]
        entry: dict[str, Any] = {}
        self.nodes.append(entry)
        place = len(self.nodes) - 1
        if isinstance(item, Var):
            self.places[item] = place
        entry.update(self.written(item))
        return place

    def array(self, items: Any) -> int:
        entry: dict[str, Any] = {"type_key": "Array"}
        self.nodes.append(entry)
        place = len(self.nodes) - 1
        entry["data"] = [self.place(item) for item in items]
        return place

    def text(self, key: str, text: str) -> int:
        self.nodes.append({"type_key": key, "repr_str": text})
        return len(self.nodes) - 1

    def written(self, item: Any) -> dict[str, Any]:
        if isinstance(item, IndexMap):
            attrs: dict[str, Any] = {"initial_indices": self.array(item.initial_indices)}
            attrs["final_indices"] = self.array(item.final_indices)
            attrs["inverse_index_map"] = self.place(item.inverse_index_map)
            return _entry("tir.IndexMap", attrs)
        if not isinstance(item, Expr):
            raise BadNodeGraph(problem=f"{type(item).__name__} is neither")
        return _entry(*self.expression(item), dtype=str(item.dtype), span="0")

    def expression(self, item: Expr) -> tuple[str, dict[str, Any]]:
        """TVM's key and the attributes of an expression, without its dtype."""
        if isinstance(item, Var):
            self.nodes.append({"type_key": "PrimType", "attrs": {"dtype": str(item.dtype)}})
            kind = len(self.nodes) - 1
            key = "tir.SizeVar" if isinstance(item, SizeVar) else "tir.Var"
            return key, {"name": self.text("runtime.String", item.name), "type_annotation": kind}
        if isinstance(item, IntImm):
            return "IntImm", {"value": int(item.value)}
        if isinstance(item, FloatImm):
            return "FloatImm", {"value": repr(float(item.value))}
        if isinstance(item, StringImm):
            return "tir.StringImm", {"value": self.text("runtime.String", item.value)}
        if type(item) in _KEYS:
            operation: Any = item
            return _KEYS[type(item)], {"a": self.place(operation.a), "b": self.place(operation.b)}
        if isinstance(item, Not):
            return "tir.Not", {"a": self.place(item.a)}
        if isinstance(item, Cast):
            return "tir.Cast", {"value": self.place(item.value)}
        if isinstance(item, Select):
            names = ("condition", "true_value", "false_value")
            return "tir.Select", {name: self.place(getattr(item, name)) for name in names}
        if isinstance(item, Call) and isinstance(item.op, Op):
            return "tir.Call", {"op": self.text("Op", item.op.name), "args": self.array(item.args)}
        raise BadNodeGraph(problem=f"{type(item).__name__} has no place in it")


def _entry(key: str, attrs: dict[str, Any], **more: str) -> dict[str, Any]:
    written = {name: str(value) for name, value in {**attrs, **more}.items()}
    return {"type_key": key, "attrs": dict(sorted(written.items()))}


class _Reader:
    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes
        self.read: dict[int, Any] = {}
        #: place -> nodes of what stands there, shared ones counted at each use
        self.sizes: dict[int, int] = {}
        #: nodes of what is being read
        self.size = 0

    def at(self, place: int) -> Any:
        """Return the object at an index of the list; the same object each time."""
        if place == 0:
            return None
        if place not in self.read:
            outer, self.size = self.size, 1
            self.read[place] = self.made(self.nodes[place])
            self.sizes[place], self.size = self.size, outer
        self.size += self.sizes[place]
        if self.size > _MAX_SIZE:
            raise BadNodeGraph(problem=f"it has more than {_MAX_SIZE} nodes")
        return self.read[place]

    def made(self, entry: dict[str, Any]) -> Any:
        key = entry["type_key"]
        if key == "Array":
            return tuple(self.at(place) for place in entry["data"])
        if key == "runtime.String":
            return entry["repr_str"]
        if key == "Op":
            return Op.get(entry["repr_str"])
        attrs: dict[str, str] = entry["attrs"]
        if key == "IntImm":
            return IntImm(attrs["dtype"], int(attrs["value"]))
        if key == "FloatImm":
            return FloatImm(attrs["dtype"], float(attrs["value"]))
        if key in ("tir.Var", "tir.SizeVar"):
            return (Var if key == "tir.Var" else SizeVar)(self.at(int(attrs["name"])), attrs["dtype"])
        plain = ("dtype", "span")
        parts = {name: self.at(int(place)) for name, place in attrs.items() if name not in plain}
        if key in _BINARY:
            return _BINARY[key](parts["a"], parts["b"])
        if key == "tir.IndexMap":
            return IndexMap(parts["initial_indices"], parts["final_indices"], parts["inverse_index_map"])
        if key in ("tir.Cast", "tir.Call"):
            arguments = (parts["value"],) if key == "tir.Cast" else (parts["op"], parts["args"])
            return (Cast if key == "tir.Cast" else Call)(attrs["dtype"], *arguments)
        if key == "tir.Select":
            return Select(parts["condition"], parts["true_value"], parts["false_value"])
        if key == "tir.Not":
            return Not(parts["a"])
        if key == "tir.StringImm":
            return StringImm(parts["value"])
        raise BadNodeGraph(problem=f"nodes of the kind {key} are not read")
