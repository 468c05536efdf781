"""Pooling over windows, and over parts of the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.convolution import Extents, extents_of
from tvmscript.frontend.torch.registry import register
from tvmscript.frontend.torch.values import Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import manipulate, statistical
from tvmscript.ir.relax.op.nn import pool
from tvmscript.ir.relax.op.nn.pad import pad
from tvmscript.ir.relax.operator import Operator

_MAXIMA = {1: pool.max_pool1d, 2: pool.max_pool2d, 3: pool.max_pool3d}
_MEANS = {1: pool.avg_pool1d, 2: pool.avg_pool2d, 3: pool.avg_pool3d}
_ADAPTIVE = {1: pool.adaptive_avg_pool1d, 2: pool.adaptive_avg_pool2d, 3: pool.adaptive_avg_pool3d}
_AXES = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


def _in_batch(
    ctx: Context, x: RelaxExpr, count: int, operator: Operator, *args: object, **options: object
) -> RelaxExpr:
    """Emit an operator of a batch. A tensor without the axis of the batch is a batch of one."""
    options["layout"] = _AXES[count]
    if ctx.ndim(x) == count + 2:
        return ctx.call(operator, x, *args, **options)
    pooled = ctx.call(operator, ctx.call(manipulate.expand_dims, x, 0), *args, **options)
    return ctx.call(manipulate.squeeze, pooled, [0])


def _max_pool(
    count: int,
    ctx: Context,
    x: RelaxExpr,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> RelaxExpr:
    if return_indices:
        ctx.fail("indices of the largest elements of windows have no operator in a graph")
    options = {
        "pool_size": extents_of(kernel_size, count),
        "strides": extents_of(stride or kernel_size, count),
        "padding": extents_of(padding, count),
        "dilation": extents_of(dilation, count),
        "ceil_mode": ceil_mode,
    }
    return _in_batch(ctx, x, count, _MAXIMA[count], **options)


def _max_pool_with_indices(
    count: int,
    ctx: Context,
    x: RelaxExpr,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
) -> tuple[RelaxExpr, None]:
    """Return the largest elements. Who uses their indices is told so."""
    return _max_pool(count, ctx, x, kernel_size, stride, padding, dilation, ceil_mode), None


def _avg_pool(
    count: int,
    ctx: Context,
    x: RelaxExpr,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> RelaxExpr:
    kernel, strides, widths = (extents_of(value, count) for value in (kernel_size, stride or kernel_size, padding))
    if divisor_override is not None:
        x = _with_whole_windows(ctx, x, kernel, strides, widths, ceil_mode)
        pooled = _in_batch(ctx, x, count, _MEANS[count], kernel, strides)
        return ctx.scaled(pooled, math.prod(kernel) / divisor_override)
    options = {
        "pool_size": kernel,
        "strides": strides,
        "padding": widths,
        "ceil_mode": ceil_mode,
        "count_include_pad": count_include_pad,
    }
    return _in_batch(ctx, x, count, _MEANS[count], **options)


def _with_whole_windows(
    ctx: Context,
    x: RelaxExpr,
    kernel: Sequence[int],
    strides: Sequence[int],
    widths: Sequence[int],
    ceil_mode: bool,
    dilation: Sequence[int] | None = None,
    value: float = 0.0,
) -> RelaxExpr:
    """Emit a tensor padded so far that all windows lie inside of it."""
    pads: list[int] = []
    for place, (extent, step, width) in enumerate(zip(kernel, strides, widths, strict=True)):
        span = (extent - 1) * (dilation[place] if dilation else 1) + 1
        after = width
        if ceil_mode:
            size = ctx.static(ctx.shape(x)[place - len(kernel)], "the extent of a pooled axis")
            count = -(-(size + 2 * width - span) // step) + 1
            count -= (count - 1) * step >= size + width  # windows begin in the tensor or before it
            after = max(width, (count - 1) * step + span - size - width)
        pads += [width, after]
    before = [0] * (2 * (ctx.ndim(x) - len(kernel)))
    return ctx.call(pad, x, [*before, *pads], value) if any(pads) else x


def adaptive_avg_pool(count: int, ctx: Context, x: RelaxExpr, output_size: int | Sequence[Size | None]) -> RelaxExpr:
    """Emit means of as many parts of the last axes."""
    return _in_batch(ctx, x, count, _ADAPTIVE[count], _output_size(ctx, x, count, output_size))


def _adaptive_max_pool(
    count: int, ctx: Context, x: RelaxExpr, output_size: int | Sequence[int | None], return_indices: bool = False
) -> RelaxExpr:
    """Emit the pooling; of one window, a maximum over the axes."""
    if return_indices:
        ctx.fail("indices of the largest elements of adaptive windows have no operator in a graph")
    sizes = _output_size(ctx, x, count, output_size)
    if all(size == 1 for size in sizes):
        return ctx.call(statistical.max, x, list(range(-count, 0)), keepdims=True)
    extents = [ctx.static(extent, "the extent of a pooled axis") for extent in ctx.shape(x)[-count:]]
    widths = [ctx.static(size, "the output size") for size in sizes]
    if any(extent % size for extent, size in zip(extents, widths, strict=True)):
        for axis, (extent, size) in enumerate(zip(extents, widths, strict=True), -count):
            x = _largest_of_parts(ctx, x, axis + ctx.ndim(x), extent, size)
        return x
    kernel = [extent // size for extent, size in zip(extents, widths, strict=True)]
    return _max_pool(count, ctx, x, kernel)


def _largest_of_parts(ctx: Context, x: RelaxExpr, axis: int, extent: int, count: int) -> RelaxExpr:
    """Emit the largest elements of so many parts of an axis, which may overlap in an element."""
    bounds = [(place * extent // count, -(-(place + 1) * extent // count)) for place in range(count)]
    parts = [ctx.call(statistical.max, ctx.slice(x, axis, begin, end), [axis], keepdims=True) for begin, end in bounds]
    return ctx.call(manipulate.concat, parts, axis=axis)


def _adaptive_max_pool_with_indices(
    count: int, ctx: Context, x: RelaxExpr, output_size: int | Sequence[int | None]
) -> tuple[RelaxExpr, None]:
    return _adaptive_max_pool(count, ctx, x, output_size), None


def _output_size(ctx: Context, x: RelaxExpr, count: int, output_size: int | Sequence[Size | None]) -> list[Size]:
    sizes = [output_size] * count if isinstance(output_size, int) else list(output_size)
    sizes = sizes * count if len(sizes) == 1 else sizes
    shape = ctx.shape(x)[-count:]
    return [extent if size is None else size for size, extent in zip(sizes, shape, strict=True)]


for _count in (1, 2, 3):
    register(partial(_max_pool, _count), f"max_pool{_count}d")
    register(partial(_max_pool_with_indices, _count), f"max_pool{_count}d_with_indices")
    register(partial(_avg_pool, _count), f"avg_pool{_count}d")
    register(partial(adaptive_avg_pool, _count), f"adaptive_avg_pool{_count}d", f"_adaptive_avg_pool{_count}d")
    register(partial(_adaptive_max_pool, _count), f"adaptive_max_pool{_count}d")
    # the operator of aten has two results, the function of torch one
    register(partial(_adaptive_max_pool_with_indices, _count), f"adaptive_max_pool{_count}d.default")
