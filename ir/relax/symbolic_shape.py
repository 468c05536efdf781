"""Symbolic sizes: equality, simplification, and the size variables in struct info."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import Node, nodes
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir import Expr, IntImm, Var

#: sizes that need no arithmetic analysis
_ATOMS = (IntImm, Var)


def provably_equal(a: Expr, b: Expr) -> bool:
    """Whether two sizes can be proved equal."""
    if a is b:
        return True
    if a.dtype is not b.dtype and not (a.dtype.is_integer and b.dtype.is_integer):
        return False
    if isinstance(a, _ATOMS) and isinstance(b, _ATOMS):
        return isinstance(a, IntImm) and isinstance(b, IntImm) and a.value == b.value
    return a.dtype.is_integer and Analyzer().can_prove_equal(a, b)


def shapes_provably_equal(a: Sequence[Expr] | None, b: Sequence[Expr] | None) -> bool:
    """Whether two shapes are known and can be proved equal."""
    if a is None or b is None:
        return False
    return len(a) == len(b) and all(provably_equal(x, y) for x, y in zip(a, b, strict=True))


def scalar_of(value: object) -> Expr | None:
    """Return the TIR scalar that a Relax value is known to hold."""
    info = value.struct_info if isinstance(value, RelaxExpr) else None
    return info.value if isinstance(info, PrimStructInfo) else None


def simplify_size(size: Expr) -> Expr:
    """Return the simplified size."""
    if isinstance(size, _ATOMS):
        return size
    return Analyzer().simplify(size)


def simplify_extent(size: Expr) -> Expr:
    """Return the simplified size, where variables of sizes are not negative."""
    analyzer = Analyzer()
    for var in size_vars(size):
        analyzer.bind_bounds(var, low=0)
    return analyzer.simplify(size)


def size_vars(expr: Expr) -> list[Var]:
    """Return the variables of a size in the order of their first use."""
    return _vars_in(expr)


def extents_of(info: StructInfo | None) -> Sequence[Expr]:
    """Return the extents of a tensor or of a shape where they are known, no extents otherwise."""
    if isinstance(info, TensorStructInfo):
        return info.extents or ()
    return (info.values or ()) if isinstance(info, ShapeStructInfo) else ()


def tir_vars_in_struct_info(info: StructInfo) -> list[Var]:
    """Return the size variables in struct info in the order of their first use."""
    return _vars_in(info)


def _vars_in(root: Node) -> list[Var]:
    return list(dict.fromkeys(node for node in nodes(root) if isinstance(node, Var)))


def definable_tir_vars_in_struct_info(info: StructInfo) -> list[Var]:
    """Return the variables that a parameter of this struct info defines: those that are an extent by themselves."""
    return list(dict.fromkeys(_definable_vars(info)))


def _definable_vars(info: StructInfo) -> Iterator[Var]:
    values: tuple[Expr | None, ...] = ()
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


def collect_non_negative_expressions(sinfo: StructInfo) -> list[Expr]:
    """Return the sizes in struct info, none of which is negative, each once."""
    shapes: list[tuple[Expr, ...]] = [getattr(part, "values", None) or () for part in nodes(sinfo)]
    sizes = [size for values in shapes for size in values if not isinstance(size, IntImm)]
    return list(dict.fromkeys(sizes))
