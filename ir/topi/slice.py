"""Slices of tensors with steps, windows, triangles."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, Select, as_expr, const
from tvmscript.ir.topi.common import (
    INJECTIVE,
    Extents,
    as_int,
    as_list,
    define,
    function,
    known_int,
    normalize_axis,
    simplify,
)
from tvmscript.ir.topi.errors import InvalidOperand


def strided_slice(
    a: Tensor,
    begin: Extents,
    end: Extents,
    strides: Extents | None = None,
    axes: Sequence[Extent] | None = None,
    slice_mode: str = "end",
) -> Tensor:
    """Return ONNX's Slice: `a[begin:end:strides]` along axes, the first ones where none are given.

    With `slice_mode="size"` the ends are sizes, -1 for all that is left. Symbolic bounds are taken to lie inside.
    """
    if isinstance(begin, Tensor):
        raise InvalidOperand(where="strided_slice", reason="bounds that are tensors: use dynamic_strided_slice")
    begins, ends, steps = as_list(begin), as_list(end), as_list(strides if strides is not None else [])
    where = [normalize_axis(axis, a.ndim, "strided_slice") for axis in axes] if axes else list(range(len(begins)))
    steps = [1 if slice_mode == "size" else step for step in steps] + [1] * (len(begins) - len(steps))
    if slice_mode == "size":
        sizes = [known_int(size) for size in ends]
        ends = [
            a.shape[axis] if size is not None and size < 0 else first + length
            for axis, first, length, size in zip(where, begins, ends, sizes, strict=False)
        ]
    ends += [a.shape[axis] for axis in where[len(ends) :]]
    parts = list(zip(where, begins, ends, steps, strict=True))
    bounds = [bound for part in parts for bound in part[1:]]
    is_known = None not in [known_int(size) for size in (*bounds, *a.shape)]
    shape: list[Extent] = list(a.shape)
    offsets: dict[int, tuple[Extent, int]] = {}
    for axis, first, last, step in parts:
        shape[axis], offsets[axis] = _extent(a.shape[axis], first, last, step)

    def value(*i: Expr) -> Expr:
        return a(*[offsets[n][0] + x * offsets[n][1] if n in offsets else x for n, x in enumerate(i)])

    name = "T_strided_slice" if is_known else "T_dynamic_strided_slice"
    return define(shape, value, f"{name}_with_axes" if axes else name)


def _extent(extent: Expr, begin: Extent, end: Extent, step: Extent) -> tuple[Extent, tuple[Extent, int]]:
    """Return the extent of a slice of an axis, its begin and its step."""
    stride = as_int(step, "strided_slice")
    if stride == 0:
        raise InvalidOperand(where="strided_slice", reason="a step is 0")
    size, first, last = known_int(extent), known_int(begin), known_int(end)
    if size is not None and first is not None and last is not None:
        window = range(size)[slice(first, None if stride < 0 and last < -size else last, stride)]
        return const(len(window), extent.dtype), (window.start, stride)
    begin, end = (
        bound if number is None or number >= 0 else extent + number for bound, number in ((begin, first), (end, last))
    )
    if last is not None and last >= 2**31 - 1:
        end = extent
    if stride > 0:
        return simplify(function("indexdiv")(end - begin + (stride - 1), stride)), (begin, stride)
    return simplify(function("indexdiv")(begin - end + (-stride - 1), -stride)), (begin, stride)


def dynamic_strided_slice(
    a: Tensor, begin: Tensor, end: Tensor, strides: Tensor, output_shape: Sequence[Extent]
) -> Tensor:
    """Return `a[begin:end:strides]` with bounds that are tensors, and a result of a given shape."""

    def value(*i: Expr) -> Expr:
        indices = list(i)
        for n in range(as_int(begin.shape[0], "dynamic_strided_slice")):
            extent = a.shape[n]
            place = const(n, "int64")
            first = function("min")(begin(place), extent - 1)
            indices[n] = first + i[n] * strides(place)
        return a(*indices)

    return define(output_shape, value, "T_strided_slice_dynamic")


def strided_set(a: Tensor, v: Tensor, begin: Tensor, end: Tensor, strides: Tensor | None = None) -> Tensor:
    """Return a copy of a tensor whose slice `[begin:end:strides]`, with vectors as bounds, has other values."""
    rank = a.ndim
    choose = function("if_then_else")

    def value(*i: Expr) -> Expr:
        conditions: list[Expr] = []
        places: list[Expr] = []
        for n in range(rank):
            extent = a.shape[n]
            step = const(1, "int32") if strides is None else strides(n)
            first, last = (_from_front(bound(n), extent) for bound in (begin, end))
            is_inside, place = _place(i[n], first, last, step, extent)
            conditions.append(is_inside)
            places.append(place)
        return choose(function("all")(*conditions), v(*places), a(*i))

    return compute(a.shape, value, name="strided_set", tag=f"{INJECTIVE},strided_set")


def slice_scatter(data: Tensor, source: Tensor, begin: Extent, end: Extent, step: Extent, axis: int) -> Tensor:
    """Return the data with `data[begin:end:step]` along an axis replaced."""
    place = normalize_axis(axis, data.ndim, "slice_scatter")
    _, (first, stride) = _extent(data.shape[place], begin, end, step)
    divide, remainder = function("floordiv"), function("floormod")

    def value(*i: Expr) -> Expr:
        offset = simplify(i[place] - first)
        inside = [offset >= 0, offset < source.shape[place] * stride]
        if stride != 1:
            inside.append(EQ(remainder(offset, stride), const(0, offset.dtype)))
        element = source(*i[:place], divide(offset, stride), *i[place + 1 :])
        return function("if_then_else")(function("all")(*inside), element, data(*i))

    return define(data.shape, value, "T_slice_scatter")


def _from_front(bound: Expr, extent: Expr) -> Expr:
    return function("if_then_else")(bound < 0, bound + extent, bound)


def _place(index: Expr, first: Expr, last: Expr, step: Expr, extent: Expr) -> tuple[Expr, Expr]:
    """Return whether an index is in a slice, and its place there."""
    choose, divide, remainder = function("if_then_else"), function("floordiv"), function("floormod")
    is_back = step < 0
    is_before = Select(is_back, index <= last, index < first)
    is_after = Select(is_back, first < index, index >= last)
    is_outside = function("any")(is_before, is_after)
    back = remainder(index - last + remainder(last, 0 - step) + 1, 0 - step)
    hits = EQ(choose(is_back, back, remainder(index - first, step)), const(0, index.dtype))
    begin = Select(first > extent, extent - 1, first)
    place = choose(is_back, divide(begin - index, 0 - step), divide(index - begin, step))
    return Select(is_outside, const(False, "bool"), hits), choose(is_outside, const(88, "int32"), place)


def sliding_window(data: Tensor, axis: int, window_shape: Extents, strides: Extents) -> Tensor:
    """Return numpy.lib.stride_tricks.sliding_window_view from an axis on, each `strides`-th window."""
    first = normalize_axis(axis, data.ndim, "sliding_window")
    windows, steps = as_list(window_shape), as_list(strides)
    if first + len(windows) != data.ndim:
        raise InvalidOperand(
            where="sliding_window", reason="a window has an extent for each dimension from the axis on"
        )
    counts = [
        simplify(function("floordiv")(extent - (size - 1) + step - 1, step))
        for extent, size, step in zip(data.shape[first:], windows, steps, strict=True)
    ]

    def value(*i: Expr) -> Expr:
        outer, inner = i[first : first + len(windows)], i[first + len(windows) :]
        moved = [window * step + offset for window, step, offset in zip(outer, steps, inner, strict=True)]
        return data(*i[:first], *moved)

    return define([*data.shape[:first], *counts, *windows], value, "T_sliding_window")


def trilu(data: Tensor, k: Extent, upper: bool) -> Tensor:
    """Return numpy.triu, or numpy.tril if not `upper`, of matrices."""

    def value(*i: Expr) -> Expr:
        row, column = i[-2], i[-1]
        shift = as_expr(k)
        is_kept = row <= column - shift if upper else row >= column - shift
        return Select(is_kept, data(*i), const(0, data.dtype))

    return compute(data.shape, value, name="trilu", tag="")
