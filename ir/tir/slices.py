"""Slices of subscripts: `A[0:4]` as a region, `A[i * 4:i * 4 + 4]` as a vector."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Span, WrongType, structural_equal
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer, subscript
from tvmscript.ir.tir.expr import Add, BufferLoad, BufferRegion, IntImm, Ramp, Range, min_and_extent
from tvmscript.ir.tir.index_distance import distance
from tvmscript.ir.tir.scalable_vectors import lanes_value, scalable_lanes
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.ir.tir.substitute import rename_definitions


def getitem(buffer: Buffer, indices: list[Any], span: Span | None = None) -> BufferLoad | BufferRegion:
    """`A[i, j]`: an element; with a slice among the indices a region, or a vector where the slice has a step.

    Raises `WrongRank`, `WrongType`.
    """
    if any(type(item) is slice and item.step is None for item in indices):
        ranges = [
            _as_range(item, buffer, axis, span) if type(item) is slice else single(operators.as_expr(item, None, span))
            for axis, item in enumerate(indices)
        ]
        return BufferRegion(buffer, tuple(ranges), span=span)
    return BufferLoad(buffer, tuple([index(item, span) for item in indices]), span=span)


def index(item: object, span: Span | None = None) -> Expr:
    """Convert one index of an access; a slice becomes a vector."""
    if isinstance(item, Expr):
        return item
    if type(item) is not slice:
        return operators.as_expr(item, None, span)
    start: object = item.start if item.start is not None else 0
    if item.stop is None:
        hint = "write both ends, such as 0:16, or a loop over the elements"
        raise WrongType(where="a slice of elements", expected="an end", got="none", span=span, hint=hint)
    step: object = item.step.value if isinstance(item.step, IntImm) else 1 if item.step is None else item.step
    extent = range_extent(start, item.stop, span)
    scalable = scalable_lanes(extent)
    if scalable is not None and isinstance(step, int) and step != 0 and scalable % step == 0:
        base = operators.as_expr(start, extent.dtype, span)
        return Ramp(base, operators.const(step, base.dtype, span), scalable // step, span=span)
    if not isinstance(extent, IntImm) or not isinstance(step, int) or step == 0:
        raise WrongType(
            where="a slice of elements", expected="a constant length and step", got="one that is not known", span=span
        )
    lanes = -(-extent.value // step)
    base = operators.as_expr(start, extent.dtype, span)
    return base if lanes == 1 else Ramp(base, operators.const(step, base.dtype, span), lanes, span=span)


def single(at: Expr) -> Range:
    """Return the range of one index."""
    if at.dtype.lanes != 1:
        if isinstance(at, Ramp) and isinstance(at.stride, IntImm) and at.stride.value == 1:
            return Range.from_min_extent(at.base, lanes_value(at.lanes, at.base.dtype), span=at.span)
        raise WrongType(where="a region", expected="scalar indices", got=at.dtype, span=at.span)
    return Range.from_min_extent(at, IntImm(at.dtype, 1), span=at.span)


def region_of(load: BufferLoad) -> BufferRegion:
    """Return the region that a load reads."""
    return BufferRegion(load.buffer, tuple([single(at) for at in load.indices]), span=load.span)


def region_load(region: BufferRegion) -> BufferLoad:
    """Convert a region to a vector load: `A[0:4]` used as a value."""
    indices: list[Expr] = []
    for part in region.region:
        if isinstance(part.extent, IntImm) and part.extent.value > 1:
            stride = IntImm(part.min.dtype, 1)
            indices.append(Ramp(part.min, stride, part.extent.value, span=region.span))
        elif (scalable := scalable_lanes(part.extent)) is not None:
            indices.append(Ramp(part.min, IntImm(part.min.dtype, 1), scalable, span=region.span))
        else:
            indices.append(part.min)
    return BufferLoad(region.buffer, tuple(indices), span=region.span)


def _as_range(item: slice, buffer: Buffer, axis: int, span: Span | None) -> Range:
    if axis >= len(buffer.shape):
        return single(IntImm("int32", 0))  # the region's constructor refuses the rank
    stop: object = item.stop if item.stop is not None else buffer.shape[axis]
    start: object = item.start if item.start is not None else 0
    return range_between(start, stop, span)


def range_between(start: object, stop: object, span: Span | None = None) -> Range:
    """Return the range from `start` up to `stop`, in one dtype."""
    return Range.from_min_extent(*_min_and_extent(start, stop, None, span), span)


def _min_and_extent(start: object, stop: object, extent: object, span: Span | None) -> tuple[Expr, Expr]:
    """Return minimum and extent in one dtype."""
    return operators.match_types(start, range_extent(start, stop, span) if extent is None else extent, "a range", span)


def range_extent(start: object, stop: object, span: Span | None = None) -> Expr:
    """`stop - start`: a constant where it is one, and `n` of `start + n`, so that a printed range reads back."""
    if isinstance(start, int) and isinstance(stop, int):
        low, high = operators.match_types(operators.const(start), stop, "a range", span)
        return IntImm(high.dtype, operators.wrap(stop - start, high.dtype), span)
    if isinstance(start, int) and start == 0:
        return operators.as_expr(stop, None, span)
    if isinstance(start, IntImm) and start.value == 0 and isinstance(stop, Expr) and stop.dtype is start.dtype:
        return stop
    low, high = operators.match_types(start, stop, "a range", span)
    if isinstance(high, Add):
        if structural_equal(high.a, low):
            return high.b
        if structural_equal(high.b, low):
            return high.a
    length = distance(low, high)
    if length is not None:
        return IntImm(high.dtype, operators.wrap(length, high.dtype), span)
    # the start stands where the range begins, too: what it defines inside of itself is defined in both places
    extent: Expr = operators.sub(high, rename_definitions(low), span)
    return extent


def buffer_store(buffer: Buffer, value: Expr, indices: list[Any], span: Span | None = None) -> BufferStore:
    """A store; a value of another dtype is converted, as TVM does. A slice among the indices is a vector."""
    index_exprs = [item if isinstance(item, Expr) else index(item, span) for item in indices]
    lanes = index_exprs[-1].dtype.lanes if index_exprs else 1
    dtype = buffer.dtype if lanes == 1 else buffer.dtype.with_lanes(buffer.dtype.lanes * lanes)
    if value.dtype is not dtype and len(index_exprs) == len(buffer.shape):
        value = operators.cast(dtype, value, span)
    return BufferStore(buffer, value, tuple(index_exprs), span=span)


def _subscript(buffer: Buffer, indices: object) -> BufferLoad | BufferRegion:
    return getitem(buffer, list(indices) if isinstance(indices, tuple) else [indices])


subscript.fill(_subscript)
min_and_extent.fill(_min_and_extent)
