"""What tensor maps describe of the arrays that bulk copies read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    Range,
    Var,
    make_buffer,
    match_types,
)
from tvmscript.ir.tir.expr import GE, LT, Add, Call, Mul
from tvmscript.ir.tir.intrin.control import if_then_else_

#: limits of tensor maps: dimensions, bytes that strides are multiples of
_MOST_DIMENSIONS, _STRIDE_BYTES = 5, 16
_QUOTIENTS: Final = (FloorDiv, FloorMod)


class ArrayElement(NamedTuple):
    """An element of an array in the dimensions of its tensor map."""

    array: Buffer
    indices: tuple[Expr, ...]


def is_compact_array(source: Buffer) -> bool:
    """Return whether tensor maps describe an array: it is compact, and its rows are multiples of 16 bytes."""
    if source.storage_scope != "global" or source.strides or not fold.is_const(source.elem_offset, 0):
        return False
    is_aligned = Analyzer().modular(source.shape[-1]).is_multiple_of(_STRIDE_BYTES // source.dtype.itemsize)
    return len(source.shape) <= _MOST_DIMENSIONS and (len(source.shape) == 1 or is_aligned)


def copied_load(value: Expr) -> tuple[BufferLoad, Expr] | None:
    """Return what a value loads and the condition, where it is zero elsewhere; None for another value."""
    if isinstance(value, BufferLoad):
        return value, fold.TRUE
    if isinstance(value, Call) and value.op is if_then_else_:
        condition, load, other = value.args
        if isinstance(load, BufferLoad) and isinstance(other, (IntImm, FloatImm)) and other.value == 0:
            return load, condition
    return None


def views_of(access: BufferLoad | BufferStore, analyzer: Analyzer) -> Iterator[ArrayElement]:
    """Yield an element in the dimensions of its array, then in those that are left when some are merged."""
    yield ArrayElement(access.buffer, tuple([analyzer.simplify(index) for index in access.indices]))
    merged = merge_dimensions(access, analyzer)
    if merged.array is not access.buffer:
        yield merged


def merge_dimensions(access: BufferLoad | BufferStore, analyzer: Analyzer) -> ArrayElement:
    """Return an element where neighbouring dimensions are one in which indices are quotient and remainder of a number.

    rewrite:
        A[i // 56, i % 56, k]    -->    A[i, k] of an array of two dimensions
    """
    array = access.buffer
    shape: list[Expr] = []
    indices: list[Expr] = []
    for extent, index in zip(array.shape, (analyzer.simplify(index) for index in access.indices), strict=True):
        joint = None if not indices else analyzer.simplify(_plus(_times(indices[-1], extent), index))
        if (
            joint is not None
            and _count_quotients(joint) < _count_quotients(indices[-1]) + _count_quotients(index)
            and all(
                analyzer.can_prove(each) for each in (_is_positive(index), fold.make(LT, *match_types(index, extent)))
            )
        ):
            shape[-1], indices[-1] = analyzer.simplify(_times(shape[-1], extent)), joint
        else:
            shape.append(extent)
            indices.append(index)
    if len(shape) < len(array.shape):
        array = make_buffer(shape, array.dtype, array.name, array.data)
    return ArrayElement(array, tuple(indices))


def reads_zeros_beside_alone(element: ArrayElement, condition: Expr, analyzer: Analyzer) -> bool:
    """Return whether a condition says no more than that an element exists."""
    # both simplified: what a part of an index says alone does not follow from its sum
    condition = analyzer.simplify(condition)
    exists: Expr = fold.TRUE
    for index, extent in zip(element.indices, element.array.shape, strict=True):
        for bound in (_is_positive(index), fold.make(LT, *match_types(index, extent))):
            exists = fold.logical_and(exists, analyzer.simplify(bound))
    with analyzer.constraint(exists):
        return analyzer.can_prove(condition)


def bound_analyzer(domains: Iterable[tuple[Var, Range]]) -> Analyzer:
    """Return an analyzer that knows the domains of variables."""
    analyzer = Analyzer()
    for var, domain in domains:
        analyzer.bind(var, domain, allow_override=True)
    return analyzer


def _count_quotients(index: Expr) -> int:
    return sum(isinstance(node, _QUOTIENTS) for node in nodes(index))


def _is_positive(index: Expr) -> Expr:
    return fold.make(GE, index, IntImm(index.dtype, 0))


def _plus(one: Expr, other: Expr) -> Expr:
    return fold.make(Add, *match_types(one, other))


def _times(one: Expr, other: Expr) -> Expr:
    return fold.make(Mul, *match_types(one, other))
