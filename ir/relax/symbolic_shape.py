"""Sizes: what is known of equality, and variables in struct info."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.var import Var

#: what takes part in int64 arithmetic on sizes
_SIZE_TYPES = (IntImm, Var)


def provably_equal(a: Expr, b: Expr) -> bool:
    """Whether two sizes are known to be equal."""
    if a is b:
        return True
    if a.dtype is not b.dtype and not (a.dtype.is_integer and b.dtype.is_integer):
        return False
    if isinstance(a, _SIZE_TYPES) and isinstance(b, _SIZE_TYPES):
        return isinstance(a, IntImm) and isinstance(b, IntImm) and a.value == b.value
    return a.dtype.is_integer and Analyzer().can_prove_equal(a, b)


def shapes_provably_equal(a: Sequence[Expr] | None, b: Sequence[Expr] | None) -> bool:
    """Whether two shapes are known, and known to be equal."""
    if a is None or b is None:
        return False
    return len(a) == len(b) and all(provably_equal(x, y) for x, y in zip(a, b, strict=True))


def scalar_of(value: Any) -> Expr | None:
    """The scalar of the tensor level that a value of the graph level is known to be."""
    info = value.struct_info if isinstance(value, RelaxExpr) else None
    return info.value if isinstance(info, PrimStructInfo) else None


def simplify_size(size: Expr) -> Expr:
    """A size in its simplest form."""
    if isinstance(size, _SIZE_TYPES):
        return size
    return Analyzer().simplify(size)


def _unique(items: Iterator[Any]) -> list[Var]:
    return list(dict.fromkeys(items))


def size_vars(expr: Expr) -> list[Var]:
    """The variables of a size, each once, in the order of the text."""
    return _unique(part for part in nodes(expr) if isinstance(part, Var))


def tir_vars_in_struct_info(info: StructInfo) -> list[Var]:
    """The variables in the sizes of struct info, each once, in the order of the text."""
    return _unique(part for part in nodes(info) if isinstance(part, Var))


def definable_tir_vars_in_struct_info(info: StructInfo) -> list[Var]:
    """The variables that a parameter of this struct info defines: those that are sizes of their own."""
    return _unique(_definable_vars(info))


def _definable_vars(info: Node) -> Iterator[Any]:
    values: tuple[Any, ...] = ()
    if isinstance(info, ShapeStructInfo):
        values = info.values or ()
    elif isinstance(info, TensorStructInfo):
        values = info.extents or ()
    elif isinstance(info, DTensorStructInfo):
        values = info.tensor_sinfo.extents or ()
    elif isinstance(info, PrimStructInfo):
        values = (info.value,)
    elif isinstance(info, TupleStructInfo):
        for field in info.fields:
            yield from _definable_vars(field)
    elif isinstance(info, FuncStructInfo):
        for param in info.params or ():
            yield from _definable_vars(param)
    for value in values:
        if isinstance(value, Var):
            yield value
