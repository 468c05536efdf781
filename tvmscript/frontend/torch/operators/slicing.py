"""Operators that take parts of tensors along axes."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, lifts_scalars
from tvmscript.frontend.torch.values import Operand, Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, index, manipulate
from tvmscript.ir.relax.op.linear_algebra import einsum
from tvmscript.ir.tir import Expr, Max, Min

#: ends of slices from here on mean the end of the axis
_NO_END = 2**62


def bound(place: Size | None, extent: Size, default: Size) -> Size:
    """Return a bound of a slice, counted from the front and inside of the axis where both are known."""
    if place is None:
        return default
    if isinstance(place, int):
        if place >= _NO_END:
            return extent
        if place < 0:
            place = max(place + extent, 0) if isinstance(extent, int) else place + extent
        if isinstance(extent, int) and isinstance(place, int):
            return min(place, extent)
    return place


@converts("slice", "slice_copy")
def _slice(
    ctx: Context, x: RelaxExpr, dim: int = 0, start: Size | None = None, end: Size | None = None, step: int = 1
) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    extent = ctx.shape(x)[axis]
    begin, stop = bound(start, extent, 0), bound(end, extent, extent)
    if step == 1 and isinstance(begin, int) and begin == 0 and stop is extent:
        return x
    return ctx.slice(x, axis, begin, stop, step)


@converts("narrow", "narrow_copy")
def _narrow(ctx: Context, x: RelaxExpr, dim: int, start: Size, length: Size) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    begin = bound(start, ctx.shape(x)[axis], 0)
    return ctx.slice(x, axis, begin, begin + length)


@converts("select", "select_copy")
def _select(ctx: Context, x: RelaxExpr, dim: int, index: Operand) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    if isinstance(index, RelaxExpr):
        return take(ctx, x, index, axis)
    extent = ctx.shape(x)[axis]
    if isinstance(index, int) and isinstance(extent, int) and not -extent <= index < extent:
        ctx.fail(f"index {index} is outside of an axis of {extent}")
    place = index + extent if isinstance(index, int) and index < 0 else index
    assert not isinstance(place, float)
    return take(ctx, x, ctx.tensor(place, "int64"), dim) if isinstance(place, int) else _part(ctx, x, axis, place)


def _part(ctx: Context, x: RelaxExpr, axis: int, place: Expr) -> RelaxExpr:
    return ctx.call(manipulate.squeeze, ctx.slice(x, axis, place, place + 1), [axis])


def take(ctx: Context, x: RelaxExpr, places: RelaxExpr, axis: int) -> RelaxExpr:
    """Emit the parts of an axis at the places that a tensor holds."""
    return ctx.call(index.take, x, places, axis)


@converts("index_select")
@lifts_scalars
def _index_select(ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr) -> RelaxExpr:
    return take(ctx, x, index, ctx.axis(x, dim))


@converts("take")
def _take(ctx: Context, x: RelaxExpr, index: RelaxExpr) -> RelaxExpr:
    flat = ctx.reshape(x, [-1])
    return take(ctx, flat, ctx.cast(index, "int32"), 0)


@converts("chunk", "unsafe_chunk")
def _chunk(ctx: Context, x: RelaxExpr, chunks: int, dim: int = 0) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    extent = ctx.static(ctx.shape(x)[axis], "the extent of an axis that is split")
    width = -(-extent // chunks)
    count = -(-extent // width)
    return ctx.call(manipulate.split, x, count if extent % count == 0 else _starts(extent, width), axis)


@converts("split", "unsafe_split", "split_with_sizes", "split_copy", "split_with_sizes_copy", "unsafe_split_with_sizes")
def _split(ctx: Context, x: RelaxExpr, split_size: int | Sequence[int], dim: int = 0) -> object:
    axis = ctx.axis(x, dim)
    if not isinstance(split_size, int):
        return _split_by_sizes(ctx, x, split_size, axis)
    extent = ctx.static(ctx.shape(x)[axis], "the extent of an axis that is split")
    if extent % split_size == 0:
        return ctx.call(manipulate.split, x, extent // split_size, dim)
    return ctx.call(manipulate.split, x, _starts(extent, split_size), dim)


def _split_by_sizes(ctx: Context, x: RelaxExpr, sizes: Sequence[Size], axis: int) -> object:
    if all(isinstance(size, int) for size in sizes):
        starts = [sum(sizes[: place + 1]) for place in range(len(sizes) - 1)]
        return ctx.call(manipulate.split, x, starts, axis)
    parts: list[RelaxExpr] = []
    begin: Size = 0
    for size in sizes:
        parts.append(ctx.slice(x, axis, begin, begin + size))
        begin = begin + size
    return parts


def _starts(extent: int, width: int) -> list[int]:
    """Return where the parts of an axis begin, but for the first one."""
    return list(range(width, extent, width))


@converts("tensor_split")
def _tensor_split(ctx: Context, x: RelaxExpr, sections: int | Sequence[int], dim: int = 0) -> RelaxExpr:
    axis = ctx.axis(x, dim)
    if not isinstance(sections, int):
        return ctx.call(manipulate.split, x, list(sections), axis)
    extent = ctx.static(ctx.shape(x)[axis], "the extent of an axis that is split")
    width, longer = divmod(extent, sections)
    starts = [place * width + min(place, longer) for place in range(1, sections)]
    return ctx.call(manipulate.split, x, starts, axis)


@converts("unbind", "unbind_copy")
def _unbind(ctx: Context, x: RelaxExpr, dim: int = 0) -> list[RelaxExpr]:
    axis = ctx.axis(x, dim)
    count = ctx.static(ctx.shape(x)[axis], "the extent of an axis that is unbound")
    if count == 1:
        return [ctx.call(manipulate.squeeze, x, [axis])]
    parts = ctx.call(manipulate.split, x, count, axis)
    return [ctx.call(manipulate.squeeze, ctx.item(parts, place), [axis]) for place in range(count)]


@converts("diagonal", "diagonal_copy", "linalg_diagonal")
def _diagonal(ctx: Context, x: RelaxExpr, offset: int = 0, dim1: int = 0, dim2: int = 1) -> RelaxExpr:
    rank, shape = ctx.ndim(x), ctx.shape(x)
    row, column = ctx.axis(x, dim1), ctx.axis(x, dim2)
    others = [axis for axis in range(rank) if axis not in (row, column)]
    square = ctx.permute(x, [*others, row, column]) if [*others, row, column] != list(range(rank)) else x
    first, second = max(-offset, 0), max(offset, 0)
    length = _shorter(shape[row] - first, shape[column] - second)
    square = _slice(ctx, square, rank - 2, first, first + length)
    square = _slice(ctx, square, rank - 1, second, second + length)
    letters = "abcdefghijklmnopqrstuvwxy"[: rank - 2]
    return ctx.call(einsum, [square], f"{letters}zz->{letters}z")


def _shorter(a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return max(min(a, b), 0)
    return Max(Min(a, b), 0)  # type: ignore[arg-type]  # numbers become constants


@converts("unfold")
def unfold(ctx: Context, x: RelaxExpr, dimension: int, size: int, step: int, dilation: int = 1) -> RelaxExpr:
    """Emit all windows of an axis, with their elements along a new last axis."""
    if ctx.ndim(x) == 0:
        return ctx.reshape(x, [size])
    axis, rank = ctx.axis(x, dimension), ctx.ndim(x)
    extent = ctx.static(ctx.shape(x)[axis], "the extent of an axis that is unfolded")
    starts = range(0, extent - (size - 1) * dilation, step)
    places = [[start + offset * dilation for offset in range(size)] for start in starts]
    windows = take(ctx, x, ctx.constant(places, "int64"), axis)
    return ctx.permute(windows, [*range(axis + 1), *range(axis + 2, rank + 1), axis + 1])


@converts("diff")
def _diff(
    ctx: Context,
    x: RelaxExpr,
    n: int = 1,
    dim: int = -1,
    prepend: RelaxExpr | None = None,
    append: RelaxExpr | None = None,
) -> RelaxExpr:
    if n == 0:
        return x
    axis = ctx.axis(x, dim)
    parts = [part for part in (prepend, x, append) if part is not None]
    x = ctx.call(manipulate.concat, parts, axis) if len(parts) > 1 else x
    subtract = binary.logical_xor if ctx.dtype(x) == "bool" else binary.subtract
    for _ in range(n):
        extent = ctx.shape(x)[axis]
        x = ctx.call(subtract, ctx.slice(x, axis, 1, extent), ctx.slice(x, axis, 0, extent - 1))
    return x
