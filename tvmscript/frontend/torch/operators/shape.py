"""Operators that change the shape of a tensor or the order of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Size, are_same, product
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Var
from tvmscript.ir.relax.op import manipulate
from tvmscript.ir.relax.op.index import take
from tvmscript.ir.relax.op.nn.shuffle import pixel_shuffle

Sizes = Sequence[Size]


@converts("view", "reshape", "_unsafe_view", "_reshape_alias", "view_copy", sizes="size")
def _reshape(ctx: Context, x: RelaxExpr, size: Sizes | str) -> RelaxExpr:
    if size and isinstance(size[0], str):
        ctx.fail("a view of the bits as another dtype has no operator in a graph")
    assert not isinstance(size, str)
    return ctx.reshape(x, size)


@converts("view_as", "reshape_as")
def _reshape_as(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return ctx.reshape(x, ctx.shape(other))


#: why there is no as_strided
OUT_OF_ORDER: Final = "as_strided is of a tensor whose elements do not lie in the order of its axes"


@converts("as_strided", "as_strided_copy")
def _as_strided(ctx: Context, x: RelaxExpr, size: Sizes, stride: Sizes, storage_offset: int | None = None) -> RelaxExpr:
    """Emit the elements of a tensor, which lie in order in its memory. Raises `InvalidModel` for transposed ones."""
    binding = ctx.builder.lookup_binding(x) if isinstance(x, Var) else None
    if isinstance(binding, Call) and binding.op is manipulate.permute_dims:
        ctx.fail(OUT_OF_ORDER)
    expected = [product(size[axis + 1 :]) for axis in range(len(size))]
    steps = zip(size, stride, expected, strict=True)
    offset = storage_offset or 0
    is_dense = not offset and all(extent == 1 or step == dense for extent, step, dense in steps)
    if is_dense and are_same([product(size)], [product(ctx.shape(x))]):
        return ctx.reshape(x, size)
    extents = [ctx.static(extent, "the shape of as_strided") for extent in size]
    strides = [ctx.static(step, "a stride") for step in stride]
    places = np.full(extents, offset) + sum(
        np.arange(extent).reshape([-1, *[1] * (len(extents) - axis - 1)]) * step
        for axis, (extent, step) in enumerate(zip(extents, strides, strict=True))
    )
    return ctx.call(take, ctx.reshape(x, [-1]), ctx.constant(places, "int64"), 0)


@converts("flatten")
def _flatten(ctx: Context, x: RelaxExpr, start_dim: int = 0, end_dim: int = -1) -> RelaxExpr:
    shape = ctx.shape(x) or [1]
    start, end = ctx.axis_of(start_dim, len(shape)), ctx.axis_of(end_dim, len(shape))
    if start > end:
        ctx.fail(f"flatten ends at dimension {end}, before it starts at {start}")
    return ctx.reshape(x, [*shape[:start], product(shape[start : end + 1]), *shape[end + 1 :]])


@converts("ravel")
def _ravel(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return _flatten(ctx, x)


@converts("unflatten")
def _unflatten(ctx: Context, x: RelaxExpr, dim: int, sizes: Sizes) -> RelaxExpr:
    shape, axis = ctx.shape(x), ctx.axis(x, dim)
    return ctx.reshape(x, [*shape[:axis], *sizes, *shape[axis + 1 :]])


@converts("permute", "permute_copy", sizes="dims")
def _permute(ctx: Context, x: RelaxExpr, dims: Sequence[int]) -> RelaxExpr:
    return ctx.permute(x, dims)


@converts("transpose", "swapaxes", "swapdims")
def _transpose(ctx: Context, x: RelaxExpr, dim0: int, dim1: int) -> RelaxExpr:
    axes = list(range(ctx.ndim(x)))
    first, second = ctx.axis(x, dim0), ctx.axis(x, dim1)
    axes[first], axes[second] = second, first
    return ctx.permute(x, axes)


@converts("t")
def _t(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return x if ctx.ndim(x) < 2 else ctx.permute(x, [1, 0])


@converts("numpy_T")
def _reverse_axes(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.permute(x, list(range(ctx.ndim(x)))[::-1])


@converts("movedim", "moveaxis")
def _movedim(ctx: Context, x: RelaxExpr, source: int | Sequence[int], destination: int | Sequence[int]) -> RelaxExpr:
    sources = [ctx.axis(x, axis) for axis in ([source] if isinstance(source, int) else source)]
    targets = [ctx.axis(x, axis) for axis in ([destination] if isinstance(destination, int) else destination)]
    axes = [axis for axis in range(ctx.ndim(x)) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        axes.insert(target, axis)
    return ctx.permute(x, axes)


@converts("squeeze", "squeeze_copy")
def _squeeze(ctx: Context, x: RelaxExpr, dim: int | Sequence[int] | None = None) -> RelaxExpr:
    if dim is None:
        return ctx.call(manipulate.squeeze, x, None)
    shape = ctx.shape(x)
    dims = ([dim] if isinstance(dim, int) else dim) if shape else []
    axes = [axis for axis in dims if shape[ctx.axis(x, axis)] == 1]
    return ctx.call(manipulate.squeeze, x, axes) if axes else x


@converts("unsqueeze", "unsqueeze_copy")
def _unsqueeze(ctx: Context, x: RelaxExpr, dim: int) -> RelaxExpr:
    return ctx.call(manipulate.expand_dims, x, dim)


@converts("expand", "expand_copy", sizes="size")
def _expand(ctx: Context, x: RelaxExpr, size: Sizes, implicit: bool = False) -> RelaxExpr:
    shape = ctx.shape(x)
    own = [1] * (len(size) - len(shape)) + shape
    extents = [old if isinstance(new, int) and new == -1 else new for old, new in zip(own, size, strict=True)]
    return ctx.call(manipulate.broadcast_to, x, ctx.sizes(extents))


@converts("broadcast_to", sizes="size")
def _broadcast_to(ctx: Context, x: RelaxExpr, size: Sizes) -> RelaxExpr:
    return _expand(ctx, x, size)


@converts("expand_as")
def _expand_as(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return _expand(ctx, x, ctx.shape(other))


@converts("broadcast_tensors")
def _broadcast_tensors(ctx: Context, *tensors: RelaxExpr | Sequence[RelaxExpr]) -> list[RelaxExpr]:
    operands: list[RelaxExpr] = []
    for group in tensors:
        operands += [group] if isinstance(group, RelaxExpr) else group
    rank = max(ctx.ndim(x) for x in operands)
    extents: list[Size] = [1] * rank
    for x in operands:
        shape = ctx.shape(x)
        for axis, extent in enumerate(shape, rank - len(shape)):
            if extent != 1:
                extents[axis] = extent
    return [_expand(ctx, x, extents) for x in operands]


@converts("repeat", sizes="repeats")
def _repeat(ctx: Context, x: RelaxExpr, repeats: Sizes) -> RelaxExpr:
    return ctx.tile(x, repeats)


@converts("tile", sizes="dims")
def _tile(ctx: Context, x: RelaxExpr, dims: Sizes) -> RelaxExpr:
    if all(isinstance(count, int) for count in dims):
        return ctx.call(manipulate.tile, x, list(dims))
    return ctx.tile(x, [*[1] * (ctx.ndim(x) - len(dims)), *dims])


@converts("repeat_interleave")
def _repeat_interleave(
    ctx: Context, x: RelaxExpr, repeats: int, dim: int | None = None, output_size: int | None = None
) -> RelaxExpr:
    if not isinstance(repeats, int):
        ctx.fail("repeat_interleave with numbers of repeats in a tensor has a result of unknown shape")
    return ctx.call(manipulate.repeat, x, repeats, dim)


@converts("flip", sizes="dims")
def _flip(ctx: Context, x: RelaxExpr, dims: Sequence[int]) -> RelaxExpr:
    for axis in dims:
        x = ctx.call(manipulate.flip, x, ctx.axis(x, axis))
    return x


@converts("roll")
def _roll(
    ctx: Context, x: RelaxExpr, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None
) -> RelaxExpr:
    shape = ctx.shape(x)
    if dims is None or (not isinstance(dims, int) and not dims):
        return ctx.reshape(_roll(ctx, _flatten(ctx, x), shifts, 0), shape)
    if not shape:
        return x
    axes = [dims] if isinstance(dims, int) else dims
    for axis, shift in zip(axes, [shifts] if isinstance(shifts, int) else shifts, strict=True):
        x = _roll_axis(ctx, x, ctx.axis(x, axis), shift)
    return x


def _roll_axis(ctx: Context, x: RelaxExpr, axis: int, shift: int) -> RelaxExpr:
    extent = ctx.shape(x)[axis]
    if isinstance(extent, int) and extent == 0:
        return x
    place = extent - shift % extent if isinstance(extent, int) else extent - shift if shift > 0 else -shift
    if place == extent:
        return x
    back, front = ctx.slice(x, axis, 0, place), ctx.slice(x, axis, place, extent)
    return ctx.call(manipulate.concat, [front, back], axis=axis)


@converts("pixel_shuffle")
def _pixel_shuffle(ctx: Context, x: RelaxExpr, upscale_factor: int) -> RelaxExpr:
    return ctx.call(pixel_shuffle, x, upscale_factor)


@converts("pixel_unshuffle")
def _pixel_unshuffle(ctx: Context, x: RelaxExpr, downscale_factor: int) -> RelaxExpr:
    *batch, channels, height, width = ctx.shape(x)
    rank, r = len(batch), downscale_factor
    x = ctx.reshape(x, [*batch, channels, height // r, r, width // r, r])
    x = ctx.permute(x, [*range(rank), rank, rank + 2, rank + 4, rank + 1, rank + 3])
    return ctx.reshape(x, [*batch, channels * r * r, height // r, width // r])


@converts("channel_shuffle", "native_channel_shuffle")
def _channel_shuffle(ctx: Context, x: RelaxExpr, groups: int) -> RelaxExpr:
    shape = ctx.shape(x)
    x = ctx.reshape(x, [shape[0], groups, shape[1] // groups, *shape[2:]])
    return ctx.reshape(ctx.permute(x, [0, 2, 1, *range(3, len(shape) + 1)]), shape)
