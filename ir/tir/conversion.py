"""Python values in the places of nodes: numbers, lists, pairs that are ranges, names of dtypes, numbers of kinds.

`Add(x, 1)` has a constant of x's dtype, `SeqStmt([a, b])` holds a tuple, `Allocate(data, "float32", [4], True, body)` a
DType. See `ir.core.constructor` for when this is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import Any

from tvmscript.ir.core import INT32, DType, WrongType, constructor
from tvmscript.ir.core.constructor import NO_PARTS, PART, VALUES, resolve_class
from tvmscript.ir.core.node import Building, Node
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm, IterVar, Range, Var
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.scalable_vectors import scalable_lanes


def adopt(node: Building) -> None:
    """Put nodes in the places of what stands for them, and check again.

    Raises `WrongType` for what stands for nothing, and the AttributeError that is handled where all were nodes.
    """
    adopted = {}
    for name, word in _node_fields(type(node)):
        value = getattr(node, name)
        new = _adopt_value(node, name, word, value)
        if new is not value:
            adopted[name] = new
    if not adopted:
        raise  # a fault of the checks themselves
    for name, new in adopted.items():
        setattr(node, name, new)
    check: Callable[[], None] | None = getattr(node, "__post_init__", None)
    if check is not None:
        check()


def _node_fields(cls: Any) -> list[tuple[str, str]]:
    """The fields that hold nodes or what is made from Python values, with their types as written."""
    schema = cls.schema
    types = {name: str(entry.type) for name, entry in cls.__dataclass_fields__.items()}
    return [(name, types[name]) for name in (*schema.arguments, *schema.keywords)]


def _adopt_value(node: Building, name: str, word: str, value: object) -> Any:
    """Convert a value to what its field holds; return it as it is if it is valid."""
    if name == "lanes" and isinstance(value, Expr):
        return _lanes(value, type(node).__name__)
    if word in VALUES:
        kind = resolve_class(type(node), word)
        return value if type(value) is kind else kind(value)
    part = PART.fullmatch(word)
    if part is None or part["cls"] in NO_PARTS or (value is None and part["optional"]):
        return value
    cls = resolve_class(type(node), part["cls"])
    where = f"{type(node).__name__}.{name}"
    if not part["many"]:
        return _part(cls, value, _dtype(node, name), where)
    if value is None:
        return ()
    if isinstance(value, (Node, str)) or not isinstance(value, Iterable):
        raise WrongType(where=where, expected=f"a sequence of {cls.__name__}", got=repr(value), span=node.span)
    nodes = tuple([_part(cls, item, None, where) for item in value])
    is_same = type(value) is tuple and all(map(is_, nodes, value))
    return value if is_same else nodes


def _lanes(value: Expr, where: str) -> int:
    """Return a number of lanes, -4 for `4 * vscale()`. Raises `WrongType`."""
    lanes = value.value if isinstance(value, IntImm) else scalable_lanes(value)
    if lanes is None:
        raise WrongType(where=f"{where}.lanes", expected="a number, or a multiple of tir.vscale()", got=repr(value))
    return lanes


def _part(cls: type[Node], value: object, dtype: DType | None, where: str) -> Node:
    """The node that a value stands for. Raises `WrongType`."""
    if isinstance(value, cls) or (where == "PrimFunc.params" and isinstance(value, Buffer)):
        return value  # the function makes a handle for a buffer
    if cls is Expr:
        if isinstance(value, IterVar):
            return value.var
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = dtype is not None and is_number and (dtype.is_floating or isinstance(value, int))
        return as_expr(value, dtype if fits else None)
    if cls is Range and isinstance(value, (tuple, list)) and len(value) == 2:
        return Range(*value)
    if cls is Var and isinstance(value, str):
        return Var(value, INT32)
    raise WrongType(where=where, expected=cls.__name__, got=repr(value))


def _dtype(node: Building, name: str) -> DType | None:
    """The dtype of the fields that are of one dtype with this one, where one of them tells."""
    alike = type(node).alike
    others = [getattr(node, other) for other in alike if other != name] if name in alike else []
    return next((other.dtype for other in others if isinstance(other, (Expr, Buffer))), None)


constructor.adopt.fill(adopt)
