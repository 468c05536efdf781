"""Indexing with Python's brackets, as fx graphs keep it: `x[0, 1:, None, ..., rows]`."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.indexing import index_tensors, put
from tvmscript.frontend.torch.operators.slicing import bound
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Operand, Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.op import index
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.tir import Expr

#: an index of one axis: a place, a range, all of it (a whole slice), or a tensor of places
Index = object


@converts("getitem", "__getitem__")
def _getitem(ctx: Context, x: object, places: object) -> object:
    if isinstance(x, (list, tuple)):
        assert isinstance(places, (int, slice))
        return x[places]
    if not isinstance(x, RelaxExpr):
        return ctx.fail(f"{type(x).__name__} has no items")
    if isinstance(x.struct_info, TupleStructInfo):
        assert isinstance(places, int)
        return ctx.item(x, places)
    indices = list(places) if isinstance(places, (list, tuple)) else [places]
    if isinstance(x, Constant) and all(isinstance(place, int) for place in indices):
        return ctx.constant(x.data[tuple(indices)], ctx.dtype(x))
    return _index(ctx, x, indices)


def _index(ctx: Context, x: RelaxExpr, indices: Sequence[Index]) -> RelaxExpr:
    axes = _of_axes(ctx, x, indices)
    sliced = _slice_axes(ctx, x, axes)
    shape = ctx.shape(sliced)
    # axes of single places go, new axes come; tensors of places follow
    tensors: list[RelaxExpr | None] = []
    extents: list[Size] = []
    axis = 0
    for place in axes:
        if place is None:
            extents.append(1)
            tensors.append(None)
            continue
        if not isinstance(place, (int, Expr)) or isinstance(place, bool):
            extents.append(shape[axis])
            tensors.append(place if isinstance(place, RelaxExpr) else None)
        axis += 1
    reshaped = sliced if len(extents) == len(shape) == len(axes) else ctx.reshape(sliced, extents)
    return index_tensors(ctx, reshaped, tensors) if any(place is not None for place in tensors) else reshaped


def _of_axes(ctx: Context, x: RelaxExpr, indices: Sequence[Index]) -> list[Index]:
    """Return one index for each axis, and None for each new axis."""
    count = sum(place is not None and place is not Ellipsis for place in indices)
    missing = ctx.ndim(x) - count
    if missing < 0:
        ctx.fail(f"{count} indices of a tensor of rank {ctx.ndim(x)}")
    whole: list[Index] = [slice(None)] * missing
    if Ellipsis not in [place if place is Ellipsis else None for place in indices]:
        return [*indices, *whole]
    at = next(number for number, place in enumerate(indices) if place is Ellipsis)
    return [*indices[:at], *whole, *indices[at + 1 :]]


def _slice_axes(ctx: Context, x: RelaxExpr, places: Sequence[Index]) -> RelaxExpr:
    """Emit the box of a tensor that slices and single places select; single places leave axes of one element."""
    shape = ctx.shape(x)
    old = [place for place in places if place is not None]
    bounds: list[tuple[int, Size, Size, int]] = []
    for axis, (place, extent) in enumerate(zip(old, shape, strict=True)):
        if isinstance(place, slice):
            begin, end, step = bound(place.start, extent, 0), bound(place.stop, extent, extent), place.step or 1
            if place != slice(None):
                bounds.append((axis, begin, end, step))
        elif isinstance(place, (int, Expr)):
            begin = bound(place, extent, 0)
            bounds.append((axis, begin, begin + 1, 1))
    if not bounds:
        return x
    axes, begins, ends, steps = (list(column) for column in zip(*bounds, strict=True))
    return ctx.call(index.strided_slice, x, axes, begins, ends, steps)


@converts("setitem")
def _setitem(ctx: Context, x: RelaxExpr, places: object, value: Operand) -> RelaxExpr:
    """Return the tensor with other elements where the brackets select them."""
    axes = _of_axes(ctx, x, list(places) if isinstance(places, (list, tuple)) else [places])
    if None in axes:
        ctx.fail("an assignment to an item with new axes has no operator in a graph")
    chosen = _places_of_elements(ctx, x, axes)
    value = ctx.tensor(value, ctx.dtype(x))
    flat = ctx.reshape(x, [-1])
    extents = ctx.shape(chosen)
    updates = ctx.reshape(ctx.broadcast(value, extents), [-1])
    return ctx.reshape(put(ctx, flat, [ctx.reshape(chosen, [-1])], updates), ctx.shape(x))


def _places_of_elements(ctx: Context, x: RelaxExpr, axes: Sequence[Index]) -> RelaxExpr:
    """Return the numbers, in row-major order, of the elements that brackets select."""
    shape = ctx.static_shape(x)
    count = 1
    for extent in shape:
        count *= extent
    numbers = ctx.reshape(ctx.arange(count), shape)
    return _index(ctx, numbers, axes)
