"""Pooling over windows, and over parts of the axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import starmap

from tvmscript.frontend.largest_places import Span, adaptive, largest_places, sliding
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
) -> RelaxExpr | tuple[RelaxExpr, RelaxExpr]:
    windows = [extents_of(value, count) for value in (kernel_size, stride or kernel_size, padding, dilation)]
    options = dict(zip(("pool_size", "strides", "padding", "dilation"), windows, strict=True))
    pooled = _in_batch(ctx, x, count, _MAXIMA[count], **options, ceil_mode=ceil_mode)
    if not return_indices:
        return pooled
    return pooled, _places(ctx, x, pooled, list(starmap(sliding, zip(*windows, strict=True))))


def _places(ctx: Context, x: RelaxExpr, pooled: RelaxExpr, spans: Sequence[Span]) -> RelaxExpr:
    """Emit the places of the largest elements."""
    return ctx.kernel(
        lambda x, pooled: largest_places(x, pooled, spans), x, pooled, primfunc_name_hint="largest_places"
    )


def _max_pool_with_indices(
    count: int,
    ctx: Context,
    x: RelaxExpr,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
    return_indices: bool = True,
) -> tuple[object, ...]:
    return _two_results(ctx, partial(_max_pool, count, ctx, x, kernel_size, stride, padding, dilation, ceil_mode))


def _two_results(ctx: Context, pool: Callable[..., object]) -> tuple[object, ...]:
    """Return the largest elements and their indices, None for indices that nothing uses."""
    result = pool(return_indices=ctx.uses_result(1))
    return result if isinstance(result, tuple) else (result, None)


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
) -> RelaxExpr | tuple[RelaxExpr, RelaxExpr]:
    sizes = _output_size(ctx, x, count, output_size)
    pooled = _largest_of_windows(ctx, x, count, sizes)
    if not return_indices:
        return pooled
    extents = [ctx.static(extent, "the extent of a pooled axis") for extent in ctx.shape(x)[-count:]]
    widths = [ctx.static(size, "the output size") for size in sizes]
    return pooled, _places(ctx, x, pooled, list(map(adaptive, extents, widths)))


def _largest_of_windows(ctx: Context, x: RelaxExpr, count: int, sizes: Sequence[Size]) -> RelaxExpr:
    """Emit the pooling; of one window, a maximum over the axes."""
    if all(size == 1 for size in sizes):
        return ctx.call(statistical.max, x, list(range(-count, 0)), keepdims=True)
    extents = [ctx.static(extent, "the extent of a pooled axis") for extent in ctx.shape(x)[-count:]]
    widths = [ctx.static(size, "the output size") for size in sizes]
    if any(extent % size for extent, size in zip(extents, widths, strict=True)):
        for axis, (extent, size) in enumerate(zip(extents, widths, strict=True), -count):
            x = _largest_of_parts(ctx, x, axis + ctx.ndim(x), extent, size)
        return x
    kernel = [extent // size for extent, size in zip(extents, widths, strict=True)]
    return _in_batch(ctx, x, count, _MAXIMA[count], kernel, kernel)


def _largest_of_parts(ctx: Context, x: RelaxExpr, axis: int, extent: int, count: int) -> RelaxExpr:
    """Emit the largest elements of so many parts of an axis, which may overlap in an element."""
    bounds = [(place * extent // count, -(-(place + 1) * extent // count)) for place in range(count)]
    parts = [ctx.call(statistical.max, ctx.slice(x, axis, begin, end), [axis], keepdims=True) for begin, end in bounds]
    return ctx.call(manipulate.concat, parts, axis=axis)


def _adaptive_max_pool_with_indices(
    count: int, ctx: Context, x: RelaxExpr, output_size: int | Sequence[int | None], return_indices: bool = True
) -> tuple[object, ...]:
    return _two_results(ctx, partial(_adaptive_max_pool, count, ctx, x, output_size))


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
    _names = (f"adaptive_max_pool{_count}d.default", f"adaptive_max_pool{_count}d_with_indices")
    register(partial(_adaptive_max_pool_with_indices, _count), *_names)
