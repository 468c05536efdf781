"""Gradient of pooling of two dimensions."""

from __future__ import annotations

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import EQ, Expr, Select, const
from tvmscript.ir.tir.intrin.derived import min_value
from tvmscript.ir.topi.common import Extents, as_list, define, define_several, function, known_int, product, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad_axes
from tvmscript.ir.topi.nn.windows import spatial_axes
from tvmscript.ir.topi.reduction import index_reducer
from tvmscript.ir.topi.shape import ravel

_ARGMAX = index_reducer("argmax", lambda a, b: a > b, min_value)


def pool_grad(
    grads: Tensor,
    data: Tensor,
    kernel: Extents,
    stride: Extents,
    padding: Extents,
    pool_type: str,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    layout: str = "NCHW",
) -> Tensor:
    """Return the gradient of a function in the data of `pool2d`, from that in its result.

    It is that of torch.nn.functional.max_pool2d, or avg_pool2d; the first of equal elements is the largest.
    """
    where = "nn.pool_grad"
    if pool_type not in ("max", "avg"):
        raise InvalidOperand(where=where, reason=f'the type {pool_type!r} is neither "max" nor "avg"')
    axes = spatial_axes(layout, 2, where)
    sizes, strides, widths = map(as_list, (kernel, stride, padding))
    if not len(sizes) == len(strides) == 2 or len(widths) != 4:
        raise InvalidOperand(where=where, reason="kernel and stride have 2 values each, padding 4")
    heads = widths[:2]
    ends = [tail + step - 1 if ceil_mode else tail for tail, step in zip(widths[2:], strides, strict=True)]
    divide, both, choose = function("div"), function("all"), function("if_then_else")
    zero = const(0, data.dtype)
    # how many windows have an element
    windows = [
        reduce_axis((0, simplify(function("floordiv")(size + step - 1, step))), name)
        for size, step, name in zip(sizes, strides, ("wh", "ww"), strict=True)
    ]

    def window_of(i: tuple[Expr, ...]) -> tuple[list[Expr], list[Expr]]:
        """Return the indices of a window of an element, and the conditions that it has the element."""
        indices = list(i)
        conditions: list[Expr] = []
        for n, axis in enumerate(axes):
            place = i[axis] + heads[n]
            first = Select(place < sizes[n], const(0, place.dtype), divide(place - sizes[n], strides[n]) + 1)
            indices[axis] = divide(place, strides[n]) - windows[n].var
            conditions.append(indices[axis] >= first)
            extent = grads.shape[axis]
            last, count = (known_int(x) for x in (divide(data.shape[axis] - 1 + heads[n], strides[n]), extent))
            if pool_type == "avg" or last is None or count is None or last >= count:
                conditions.append(indices[axis] < extent)
        return indices, conditions

    if pool_type == "avg":

        def average(*i: Expr) -> Expr:
            indices, conditions = window_of(i)
            count = product(sizes)
            if not count_include_pad:
                count = const(1, "int32")
                for n, axis in enumerate(axes):
                    begin = indices[axis] * strides[n] - heads[n]
                    end = function("min")(begin + sizes[n], data.shape[axis])
                    count = count * (end - function("max")(begin, const(0, begin.dtype)))
                count = function("max")(count, const(1, count.dtype))
            part = grads(*indices) / function("cast")(count, data.dtype)
            return reduction.sum(choose(both(*conditions), part, zero), axis=windows)

        return define(data.shape, average, "T_pool_grad", "pool_grad_avg")

    source = pad_axes(data, axes, heads, ends, min_value(str(data.dtype)), "pad_temp")
    offsets = [reduce_axis((0, size), name) for size, name in zip(sizes, ("dh", "dw"), strict=True)]

    def position(*i: Expr) -> tuple[Expr, ...]:
        indices = list(i)
        for n, axis in enumerate(axes):
            indices[axis] = i[axis] * strides[n] + offsets[n].var
        return _ARGMAX((ravel(indices, source.shape), source(*indices)), axis=offsets)

    largest, _ = define_several(grads.shape, position, "maxpool_grad_argmax", "commreduce_idx")

    def spread(*i: Expr) -> Expr:
        indices, conditions = window_of(i)
        padded = list(i)
        for axis, head in zip(axes, heads, strict=True):
            if known_int(head):
                padded[axis] = i[axis] + head
        is_largest = EQ(largest(*indices), ravel(padded, source.shape))
        return reduction.sum(choose(both(*conditions, is_largest), grads(*indices), zero), axis=windows)

    return define(data.shape, spread, "T_pool_grad", "pool_grad_max")
