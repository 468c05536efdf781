"""Pooling of 1, 2 and 3 dimensions: windows, windows that fill the tensor, all of it."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, Select, as_expr, cast, const
from tvmscript.ir.tir.intrin.derived import min_value
from tvmscript.ir.topi.common import Extents, Operator, as_list, define, function, named, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad_axes
from tvmscript.ir.topi.nn.windows import spatial_axes


def _rule(name: str) -> dict[str, str]:
    return {"schedule_rule": f"meta_schedule.{name}"}


def _pool(
    data: Tensor,
    kernel: Extents,
    stride: Extents,
    dilation: Extents,
    padding: Extents,
    pool_type: str,
    ceil_mode: bool,
    layout: str,
    count_include_pad: bool,
    count: int,
) -> Tensor:
    where = f"nn.pool{count}d"
    if pool_type not in ("max", "avg"):
        raise InvalidOperand(where=where, reason=f'the type {pool_type!r} is neither "max" nor "avg"')
    axes = spatial_axes(layout, count, where)
    sizes, strides, steps, widths = map(as_list, (kernel, stride, dilation, padding))
    if not len(sizes) == len(strides) == len(steps) == count or len(widths) != 2 * count:
        reason = f"kernel, stride and dilation have {count} values each, padding {2 * count}"
        raise InvalidOperand(where=where, reason=reason)
    heads, tails = widths[:count], widths[count:]
    ends = [tail + step - 1 for tail, step in zip(tails, strides, strict=True)] if ceil_mode else tails
    shape = list(data.shape)
    divide = function("indexdiv")
    for n, axis in enumerate(axes):
        extent = data.shape[axis]
        reach = extent - (sizes[n] - 1) * steps[n] - 1 + heads[n] + ends[n]
        shape[axis] = simplify(divide(reach, strides[n]) + 1)
    is_max = pool_type == "max"
    fill = min_value(str(data.dtype)) if is_max else const(0, data.dtype)
    source = pad_axes(data, axes, heads, ends, fill, "pad_temp")
    over = [reduce_axis((0, cast(data.shape[axes[n]].dtype, size)), f"rv{n}") for n, size in enumerate(sizes)]

    def window(*i: Expr) -> Expr:
        indices = list(i)
        for n, axis in enumerate(axes):
            indices[axis] = i[axis] * strides[n] + over[n].var * steps[n]
        return (reduction.max if is_max else reduction.sum)(source(*indices), axis=over)

    if is_max:
        return define(shape, window, "pool_max", "pool_max", _rule("pool_max"))
    sums = define(shape, window, "pool_sum", "pool_sum")

    def average(*i: Expr) -> Expr:
        counted = const(1, "int32")
        quotient, low, high = function("div"), function("min"), function("max")
        for n, axis in enumerate(axes):
            extent = data.shape[axis]
            start = i[axis] * strides[n] - heads[n]
            end = start + (sizes[n] - 1) * steps[n]
            if count_include_pad:
                end = low(end, extent + tails[n] - 1)  # rows that rounding up adds do not count
            else:
                skipped = quotient(high(0 - start, const(0, start.dtype)) + (steps[n] - 1), steps[n])
                start = start + skipped * steps[n]
                end = low(end, extent - 1)
            counted = counted * (quotient(end - start, as_expr(steps[n])) + 1)
        if not count_include_pad:
            counted = high(counted, const(1, counted.dtype))
        # quotients of integers are rounded towards 0
        return function("div")(sums(*i), function("cast")(counted, data.dtype) if data.dtype.is_floating else counted)

    return define(shape, average, "pool_avg", "elemwise", _rule("pool_avg"))


def _pooling(name: str, dimensions: str, default_layout: str, count: int) -> Operator:
    @named(name, f'Return ONNX\'s MaxPool ("max") or AveragePool ("avg") of {dimensions}.')
    def pool(
        data: Tensor,
        kernel: Extents,
        stride: Extents,
        dilation: Extents,
        padding: Extents,
        pool_type: str,
        ceil_mode: bool = False,
        layout: str = default_layout,
        count_include_pad: bool = True,
    ) -> Tensor:
        args = (kernel, stride, dilation, padding, pool_type, ceil_mode, layout, count_include_pad)
        return _pool(data, *args, count)

    return pool


pool1d: Final = _pooling("pool1d", "one dimension", "NCW", 1)
pool2d: Final = _pooling("pool2d", "two dimensions", "NCHW", 2)
pool3d: Final = _pooling("pool3d", "three dimensions", "NCDHW", 3)


def _adaptive(data: Tensor, output_size: Extents, pool_type: str, layout: str, count: int, where: str) -> Tensor:
    axes = spatial_axes(layout, count, where)
    targets = as_list(output_size)
    shape: list[Extent] = list(data.shape)
    for axis, target in zip(axes, targets * (count if len(targets) == 1 else 1), strict=True):
        shape[axis] = function("cast")(as_expr(target), data.shape[axis].dtype)
    divide, remainder = function("indexdiv"), function("indexmod")

    def bounds(i: tuple[Expr, ...], axis: int) -> tuple[Expr, Expr]:
        extent = data.shape[axis]
        after = (i[axis] + 1) * extent
        end = divide(after, shape[axis])
        is_whole = EQ(remainder(after, shape[axis]), const(0, after.dtype))
        start = divide(i[axis] * extent, shape[axis])
        return start, simplify(Select(is_whole, end, end + 1) - start)

    def window(*i: Expr) -> Expr:
        indices = list(i)
        over = []
        for n, axis in enumerate(axes):
            start, size = bounds(i, axis)
            over.append(reduce_axis((0, size), f"rv{n}"))
            indices[axis] = start + over[n].var
        return (reduction.max if pool_type == "max" else reduction.sum)(data(*indices), axis=over)

    if pool_type == "max":
        name = "adaptive_pool_max"
        return define(shape, window, name, name, _rule(name))
    if pool_type != "avg":
        raise InvalidOperand(where=where, reason=f'the type {pool_type!r} is neither "max" nor "avg"')
    sums = define(shape, window, "adaptive_pool_sum", "adaptive_pool_sum")

    def average(*i: Expr) -> Expr:
        counted = const(1, data.dtype)
        for axis in axes:
            counted = function("multiply")(counted, function("cast")(bounds(i, axis)[1], data.dtype))
        return function("div")(sums(*i), counted)

    return define(shape, average, "adaptive_pool_avg", "elemwise", _rule("adaptive_pool_avg"))


def _adaptive_pooling(name: str, count: int, default_layout: str) -> Operator:
    @named(name, f"Return torch.nn.functional.adaptive_max_pool{count}d, or adaptive_avg_pool{count}d.")
    def adaptive(data: Tensor, output_size: Extents, pool_type: str, layout: str = default_layout) -> Tensor:
        return _adaptive(data, output_size, pool_type, layout, count, f"nn.{name}")

    return adaptive


adaptive_pool1d: Final = _adaptive_pooling("adaptive_pool1d", 1, "NCW")
adaptive_pool: Final = _adaptive_pooling("adaptive_pool", 2, "NCHW")
adaptive_pool3d: Final = _adaptive_pooling("adaptive_pool3d", 3, "NCDHW")


def global_pool(data: Tensor, pool_type: str, layout: str = "NCHW") -> Tensor:
    """Return ONNX's GlobalMaxPool or GlobalAveragePool."""
    return _adaptive(data, [1, 1], pool_type, layout, 2, "nn.global_pool")
