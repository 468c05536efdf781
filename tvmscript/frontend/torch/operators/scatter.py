"""Operators that write elements at places that tensors hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.indexing import of_integers
from tvmscript.frontend.torch.operators.slicing import bound
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Operand, Size, is_floating
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, manipulate, scatter

#: torch's names of reductions -> those of the graph level
_REDUCTIONS = {
    None: "update",
    "sum": "add",
    "add": "add",
    "prod": "mul",
    "multiply": "mul",
    "amax": "max",
    "amin": "min",
    "mean": "mean",
}


@converts("index_put", "_unsafe_index_put", "_index_put_impl")
def _index_put(
    ctx: Context,
    x: RelaxExpr,
    indices: Sequence[RelaxExpr | None],
    values: RelaxExpr,
    accumulate: bool = False,
    unsafe: bool = False,
) -> RelaxExpr:
    tensors = [places for places in indices if places is not None]
    if len(tensors) == 1 and ctx.dtype(tensors[0]) == "bool" and ctx.shape(values) in ([], [1]):
        return _put_where(ctx, x, tensors[0], values, accumulate)
    indices = of_integers(ctx, x, indices)
    places = _with_whole_axes(ctx, x, indices)
    return ctx.call(scatter.index_put, x, places, ctx.cast(values, ctx.dtype(x)), accumulate)


def _put_where(ctx: Context, x: RelaxExpr, mask: RelaxExpr, values: RelaxExpr, accumulate: bool) -> RelaxExpr:
    rest = ctx.ndim(x) - ctx.ndim(mask)
    wide = ctx.reshape(mask, [*ctx.shape(mask), *[1] * rest])
    values = ctx.cast(values, ctx.dtype(x))
    return ctx.replace_where(wide, ctx.emit(x + values) if accumulate else values, x)


def _with_whole_axes(ctx: Context, x: RelaxExpr, indices: Sequence[RelaxExpr | None]) -> list[RelaxExpr]:
    """Return places for each axis, which broadcast to the shape that NumPy gives to an indexed tensor.

    The axes of the tensors of places stand where these are, or first where other axes are between them.
    """
    places = [*indices, *[None] * (ctx.ndim(x) - len(indices))]
    axes = [axis for axis, tensor in enumerate(places) if tensor is not None]
    rank = max(ctx.ndim(tensor) for tensor in places if tensor is not None)
    whole = [axis for axis, tensor in enumerate(places) if tensor is None]
    adjacent = axes == list(range(axes[0], axes[0] + len(axes)))
    before = [axis for axis in whole if adjacent and axis < axes[0]]
    order = [*before, *[-1] * rank, *[axis for axis in whole if axis not in before]]
    result: list[RelaxExpr] = []
    for axis, tensor in enumerate(places):
        if tensor is None:
            extent = ctx.shape(x)[axis]
            result.append(ctx.reshape(ctx.arange(extent), [extent if place == axis else 1 for place in order]))
        elif whole:
            shape = [1] * (rank - ctx.ndim(tensor)) + ctx.shape(tensor)
            result.append(ctx.reshape(tensor, [*[1] * len(before), *shape, *[1] * (len(whole) - len(before))]))
        else:
            result.append(tensor)
    return [ctx.cast(tensor, "int64") for tensor in result] if whole else result


@converts("scatter")
def _scatter(
    ctx: Context,
    x: RelaxExpr,
    dim: int,
    index: RelaxExpr,
    src: Operand | None = None,
    value: Operand = 0,
    reduce: str | None = None,
) -> RelaxExpr:
    if 0 in ctx.shape(index):
        return x
    if ctx.ndim(x) == 0:
        x, index = ctx.reshape(x, [1]), ctx.reshape(index, [1])
        src = ctx.reshape(src, [1]) if isinstance(src, RelaxExpr) else src
        return ctx.reshape(_scatter(ctx, x, dim, index, src, value, reduce), [])
    source = value if src is None else src
    updates = source if isinstance(source, RelaxExpr) else ctx.full(ctx.shape(index), source, ctx.dtype(x))
    updates = _first_of(ctx, updates, ctx.shape(index))
    return ctx.call(scatter.scatter_elements, x, index, updates, ctx.axis(x, dim), _REDUCTIONS[reduce])


def _first_of(ctx: Context, updates: RelaxExpr, extents: Sequence[Size]) -> RelaxExpr:
    """Return the updates that have places: their shape may be larger than that of the places."""
    for axis, extent in enumerate(extents):
        if isinstance(extent, int) and ctx.shape(updates)[axis] != extent:
            updates = ctx.slice(updates, axis, 0, extent)
    return updates


@converts("scatter_add")
def _scatter_add(ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, src: RelaxExpr) -> RelaxExpr:
    return _scatter(ctx, x, dim, index, src, reduce="add")


@converts("scatter_reduce")
def _scatter_reduce(
    ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, src: RelaxExpr, reduce: str, include_self: bool = True
) -> RelaxExpr:
    if reduce == "mean":
        return _scatter_mean(ctx, x, dim, index, src, include_self)
    if not include_self:
        high, low = ctx.limits(ctx.dtype(x))
        if is_floating(ctx.dtype(x)):
            high, low = math.inf, -math.inf
        x = _scatter(ctx, x, dim, index, value={"sum": 0, "prod": 1, "amax": low, "amin": high}[reduce])
    return _scatter(ctx, x, dim, index, src, reduce=reduce)


def _scatter_mean(
    ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, src: RelaxExpr, include_self: bool
) -> RelaxExpr:
    dtype, shape = ctx.dtype(x), ctx.shape(x)
    start = x if include_self else _scatter(ctx, x, dim, index, value=0)
    counts = _scatter(ctx, ctx.full(shape, int(include_self), dtype), dim, index, value=1, reduce="add")
    counts = counts if include_self else ctx.binary(binary.maximum, counts, 1)
    sums = _scatter(ctx, start, dim, index, src, reduce="add")
    return ctx.call(binary.divide if is_floating(dtype) else binary.floor_divide, sums, counts)


@converts("index_add")
def _index_add(
    ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, source: RelaxExpr, alpha: Operand = 1
) -> RelaxExpr:
    return _scatter(ctx, x, dim, _of_source(ctx, x, dim, index, source), ctx.scaled(source, alpha), reduce="add")


@converts("index_copy")
def _index_copy(ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, source: RelaxExpr) -> RelaxExpr:
    return _scatter(ctx, x, dim, _of_source(ctx, x, dim, index, source), source)


def _of_source(ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr, source: RelaxExpr) -> RelaxExpr:
    """Emit the places of an axis for all elements of a source."""
    axis, shape = ctx.axis(x, dim), ctx.shape(source)
    wide = ctx.reshape(index, [shape[axis] if place == axis else 1 for place in range(len(shape))])
    return ctx.broadcast(wide, shape)


@converts("slice_scatter")
def _slice_scatter(
    ctx: Context,
    x: RelaxExpr,
    src: RelaxExpr,
    dim: int = 0,
    start: Size | None = None,
    end: Size | None = None,
    step: int = 1,
) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    extent = ctx.shape(x)[axis]
    begin, stop = bound(start, extent, 0), bound(end, extent, extent)
    return ctx.call(scatter.slice_scatter, x, src, begin, stop, step, axis=axis)


@converts("select_scatter")
def _select_scatter(ctx: Context, x: RelaxExpr, src: RelaxExpr, dim: int, index: int) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    begin = bound(index, ctx.shape(x)[axis], 0)
    row = ctx.call(manipulate.expand_dims, src, axis)
    return ctx.call(scatter.slice_scatter, x, row, begin, begin + 1, 1, axis=axis)
