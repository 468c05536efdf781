"""What the graph level is in TVM 0.27: scalars of the tensor level are values, and a parameter that is one is a size.

Sizes that a signature brings are `TypeVar`s in front of the functions. What a scalar is known to be, `R.Prim(value=n)`,
has no words of its own: a parameter of the type `T.int64` is the size of its name.
"""

from __future__ import annotations

import math
from typing import Any, Final

from tvmscript.ir.core.constant_data import pack
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Constant, StringImm
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.expr import IntImm, Var
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits
from tvmscript.printer.printer import Printer
from tvmscript.printer.relax.state import graph_of

#: dtypes of arrays whose elements are written as numbers
_LISTED: Final = frozenset(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                            "float32", "float64", "bool"))  # fmt: skip
#: arrays of more elements stand in the section `metadata`, as all arrays do in 0.17: no TVM 0.27 reads that
_WRITTEN_OUT: Final = 4096


def type_variables(p: Printer, value: Any) -> None:
    """Name the sizes in an expression that the signature being written brings: they stand in front of the functions.

    Raises `NoText` for one that is no int64.
    """
    graph = graph_of(p)
    for part in nodes(value):
        if isinstance(part, Var) and part in graph.introduced and part not in p.names:
            if part.dtype != "int64":
                raise NoText(what=f"a size of type {part.dtype} in the dialect 0.27")
            p.type_variables.add(p.define(part, part.name or "v", graph.frame))


def name_scalars(p: Printer, func: Function) -> None:
    """Let the variable that a scalar parameter is known to be have the parameter's name. Raises `NoText`."""
    brought: set[Any] = set()
    for param in func.params:
        info = param.struct_info
        if isinstance(info, PrimStructInfo) and info.value is not None:
            if not isinstance(info.value, Var):
                raise NoText(what=f"the scalar {param.name_hint} of the value {info.value} in the dialect 0.27")
            if info.value in brought or info.value in p.names:
                what = f"the scalar {param.name_hint}, the value of which another parameter has, in the dialect 0.27"
                raise NoText(what=what, hint="let it be the first parameter that brings the size")
            p.names[info.value] = p.define(param, param.name_hint or "v")
        if info is not None:
            brought.update(part for part in nodes(info) if isinstance(part, Var))


def name_cast(p: Printer, info: StructInfo, name: str) -> None:
    """Let the variable that `R.match_cast` to a scalar defines have the name of what it makes. Raises `NoText`."""
    if isinstance(info, PrimStructInfo) and isinstance(info.value, Var) and info.value not in p.names:
        p.names[info.value] = name
    else:
        refuse_values(p, info)


def scalar_text(p: Printer, value: Any) -> str:
    """A scalar as a value: flags as Python writes them."""
    return str(bool(value.value)) if isinstance(value, IntImm) and value.dtype.is_bool else p.expr(value)


def is_no_size(info: StructInfo) -> bool:
    """Whether a parameter is a scalar of which nothing is known: as `T.int64` it would be a size."""
    return isinstance(info, PrimStructInfo) and info.value is None


def is_text(info: StructInfo, value: Any) -> bool:
    """Whether a value is a text of which nothing more is said; 0.27 has a type for them."""
    return type(value) is StringImm and isinstance(info, ObjectStructInfo)


def string_type(p: Printer) -> str:
    """The type of texts."""
    p.uses_ir = True
    return f"{p.ir}StringType()"


def refuse_values(p: Printer, info: StructInfo) -> None:
    """Raise `NoText` where 0.27 would forget what a scalar is known to be."""
    if p.tirx and any(isinstance(part, PrimStructInfo) and part.value is not None for part in _parts(info)):
        raise NoText(what="the known value of a scalar in struct info (R.Prim(value=...)) in the dialect 0.27")


def _parts(info: StructInfo | None) -> list[StructInfo]:
    if isinstance(info, TupleStructInfo):
        return [info, *[part for field in info.fields for part in _parts(field)]]
    if isinstance(info, FuncStructInfo):
        return [info, *[part for item in (*(info.params or ()), info.ret) for part in _parts(item)]]
    return [] if info is None else [info]


def array_text(p: Printer, node: Constant) -> str | None:
    """`R.const([[1.0, 2.0]], "float32")`: the elements of an array; None where they do not read back from that."""
    data = node.data
    if node.dtype not in _LISTED or str(data.dtype) != node.dtype or not 0 < math.prod(data.shape) <= _WRITTEN_OUT:
        return None
    items = (data.reshape(-1) if hasattr(data, "reshape") else data).tolist()
    if pack(items, node.dtype, tuple(data.shape)).tobytes() != data.tobytes():
        return None  # a NaN with a payload
    texts = [_element(item) for item in items]
    for extent in reversed(data.shape):
        texts = [f"[{', '.join(texts[at : at + extent])}]" for at in range(0, len(texts), extent)]
    return f'{graph_of(p).prefix}const({texts[0]}, "{node.dtype}")'


def _element(item: Any) -> str:
    if not isinstance(item, float):
        return str(item)
    return float_digits(item) if math.isfinite(item) else f'float("{item}")'
