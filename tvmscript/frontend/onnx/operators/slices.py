"""Parts of tensors and tensors with borders: slice, split, pad."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import Size, as_size, dtype_of, known_value, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.topi.nn.padding import pad as pad_te
from tvmscript.language import R


@operator("Slice", 1)
def slice_by_attributes(context: Context, node: Node) -> RelaxExpr:
    """Return ranges of axes, which are attributes."""
    starts, ends = node.integers("starts"), node.integers("ends")
    axes = node.integers("axes", range(len(starts)))
    return _slice(node, axes, starts, ends, [1] * len(starts))


@operator("Slice", 10)
def slice_by_inputs(context: Context, node: Node) -> RelaxExpr:
    """Return ranges of axes with steps, which are inputs."""
    if any(node.has(index) and node.array(index) is None for index in (1, 2, 4)):
        return _runtime_slice(context, node)
    starts, ends = node.sizes(1, "starts"), node.sizes(2, "ends")
    axes = node.sizes(3, "axes") if node.has(3) else list(range(len(starts)))
    steps = node.sizes(4, "steps") if node.has(4) else [1] * len(starts)
    return _slice(node, axes, starts, ends, steps)


def _slice(node: Node, axes: list[Size], starts: list[Size], ends: list[Size], steps: list[int]) -> RelaxExpr:
    x = node.tensor(0)
    sizes = sizes_of(x)
    axes = [node.axis(axis, len(sizes)) for axis in axes]
    bounds = [
        _bounds(start, end, step, sizes[axis]) for axis, start, end, step in zip(axes, starts, ends, steps, strict=True)
    ]
    # a whole axis of symbolic size keeps its size
    kept = [
        place
        for place, (axis, (begin, stop)) in enumerate(zip(axes, bounds, strict=True))
        if isinstance(sizes[axis], int) or (begin, steps[place], str(stop)) != (0, 1, str(sizes[axis]))
    ]
    if not kept:
        return x
    begins, stops = ([bounds[place][side] for place in kept] for side in (0, 1))
    strides = [steps[place] for place in kept]
    axes = [axes[place] for place in kept]
    return R.strided_slice(x, axes, begins, stops, strides if any(step != 1 for step in strides) else None)


def _bounds(start: Size, end: Size, step: int, size: Size) -> tuple[Size, Size]:
    """Return bounds as the operator takes them: a range counted from the front, clamped to the axis."""
    if isinstance(size, int) and isinstance(start, int) and isinstance(end, int):
        begin, stop, _ = slice(start, end, step).indices(size)
        if step < 0:
            # R.strided_slice counts negative ends from the end: one before the front has no other name
            return begin, stop if stop >= 0 else -size - 1
        return begin, max(stop, begin)
    return _clamped(start, size), _clamped(end, size)


def _clamped(bound: Size, size: Size) -> Size:
    if isinstance(bound, int):
        if bound >= 2**31 - 1:
            return size
        if bound < 0:
            return (
                as_size(FUNCTIONS["max"](as_size(size + bound), 0))
                if not isinstance(size, int)
                else max(size + bound, 0)
            )
        if bound == 0:
            return 0
    return (
        as_size(FUNCTIONS["min"](bound, size))
        if not isinstance(bound, int) or not isinstance(size, int)
        else min(bound, size)
    )


def _runtime_slice(context: Context, node: Node) -> RelaxExpr:
    """Return a slice whose bounds are known at run time."""
    x = node.tensor(0)
    rank = rank_of(x)
    (count,) = node.static(sizes_of(node.tensor(1)), "the number of axes")
    axes = [node.axis(int(axis), rank) for axis in node.numbers(3, "axes")] if node.has(3) else list(range(count))
    sizes = sizes_of(x)
    own = [R.shape_to_tensor(R.shape([size])) for size in sizes]
    begins: list[Any] = [R.const([0], "int64")] * rank
    ends: list[Any] = list(own)
    steps: list[Any] = [R.const([1], "int64")] * rank
    for place, axis in enumerate(axes):
        extent = own[axis]
        begin, end = (_row(context, node, index, place) for index in (1, 2))
        step = _row(context, node, 4, place) if node.has(4) else R.const([1], "int64")
        begins[axis], ends[axis], steps[axis] = _runtime_bounds(context, begin, end, step, extent)
    return R.dynamic_strided_slice(x, *(R.concat(tuple(items), 0) if rank > 1 else items[0]
                                        for items in (begins, ends, steps)))  # fmt: skip


def _row(context: Context, node: Node, index: int, place: int) -> RelaxExpr:
    vector = node.tensor(index)
    wide = vector if dtype_of(vector) == "int64" else R.astype(vector, "int64")
    return context.emit(R.strided_slice(wide, [0], [place], [place + 1]))


def _runtime_bounds(
    context: Context, begin: RelaxExpr, end: RelaxExpr, step: RelaxExpr, extent: RelaxExpr
) -> tuple[RelaxExpr, RelaxExpr, RelaxExpr]:
    """Return bounds clamped as Python clamps those of slices; the end of a backward range may be before the front."""
    zero, one = R.const([0], "int64"), R.const([1], "int64")
    is_forward = context.emit(R.greater(step, zero))
    low = context.emit(R.where(is_forward, zero, R.const([-1], "int64")))
    high = context.emit(R.where(is_forward, extent, R.subtract(extent, one)))

    def clamp(bound: RelaxExpr) -> RelaxExpr:
        from_front = R.where(R.less(bound, zero), R.add(bound, extent), bound)
        return R.minimum(R.maximum(from_front, low), high)

    stop = context.emit(clamp(end))
    # the operator counts a negative end from the end of the axis
    before = R.where(R.less(stop, zero), R.subtract(R.negative(extent), one), stop)
    return clamp(begin), before, step


@operator("Split")
def split(context: Context, node: Node) -> Any:
    """Return parts of an axis."""
    x = node.tensor(0)
    axis = node.axis(node.integer("axis", 0), rank_of(x))
    extent = sizes_of(x)[axis]
    lengths = node.ints_or(1, "split")
    if lengths is None:
        count = len(node.output_names)
        if node.integer("num_outputs", count) != count:
            raise node.invalid(f"it has {count} outputs, not as many as num_outputs")
        if not isinstance(extent, int):
            return R.split(x, count, axis) if count > 1 else [x]
        chunk = -(-extent // count)
        lengths = [max(0, min(chunk, extent - chunk * index)) for index in range(count)]
    constant = node.array(0)
    if constant is not None:
        return [known_value(part, dtype_of(x)) for part in np.split(constant, np.cumsum(lengths)[:-1], axis)]
    return parts(x, lengths, axis)


def parts(x: RelaxExpr, lengths: list[int], axis: int) -> Any:
    """Return parts of these lengths of an axis."""
    if len(lengths) == 1:
        return [x]
    ends = [sum(lengths[: index + 1]) for index in range(len(lengths))]
    if len(set(lengths)) == 1 and lengths[0]:
        return R.split(x, len(lengths), axis)
    return R.split(x, ends[:-1], axis)


_MODES: Final = {"constant": "constant", "reflect": "reflect", "edge": "replicate", "wrap": "circular"}


@operator("Pad", 1)
def pad_by_attributes(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor with borders, which are attributes."""
    pads = node.integers("pads") if "pads" in node.attrs else node.integers("paddings")
    return _pad(context, node, pads, list(range(rank_of(node.tensor(0)))), node.number("value", 0.0))


@operator("Pad", 11)
def pad(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor with borders, which are inputs."""
    x = node.tensor(0)
    axes = [int(axis) for axis in node.constant(3, "axes").reshape(-1)] if node.has(3) else list(range(rank_of(x)))
    fill = node.array(2)
    value = 0.0 if not node.has(2) else node.tensor(2) if fill is None else fill.item()
    return _pad(context, node, context.sizes_or_runtime(node, 1), axes, value)


def _pad(context: Context, node: Node, pads: list[Size], axes: list[int], value: RelaxExpr | float) -> RelaxExpr:
    x, mode = node.tensor(0), node.text("mode", "constant")
    rank = rank_of(x)
    before: list[Size] = [0] * rank
    after: list[Size] = [0] * rank
    for place, axis in enumerate(axes):
        before[axis], after[axis] = pads[place], pads[place + len(axes)]
    widths = [width for pair in zip(before, after, strict=True) for width in pair]
    if mode != "constant":
        if not all(isinstance(width, int) for width in widths):
            raise UnknownInput(place=node.place, name="pads")
        sides = zip(before, sizes_of(x), after, strict=True)
        node.static((sum(side) for side in sides if all(isinstance(size, int) for size in side)), "the result")
        return _mirrored(context, x, before, after, mode)
    if isinstance(value, RelaxExpr):
        return _padded(context, x, before, after, value)
    if all(isinstance(width, int) and width >= 0 for width in widths):
        return R.nn.pad(x, widths, value)
    return _padded(context, x, before, after, scalar(value, x))


def _padded(context: Context, x: RelaxExpr, before: list[Size], after: list[Size], value: RelaxExpr) -> RelaxExpr:
    """Return borders of a value that is a tensor; negative widths remove elements."""
    sizes = sizes_of(x)
    if any(isinstance(width, int) and width < 0 for width in [*before, *after]):
        begins = [max(-width, 0) if isinstance(width, int) else 0 for width in before]
        ends = [
            as_size(size + min(width, 0)) if isinstance(width, int) else size
            for size, width in zip(sizes, after, strict=True)
        ]
        x = R.strided_slice(x, list(range(len(sizes))), begins, ends)
        before, after = ([max(width, 0) if isinstance(width, int) else width for width in side]
                         for side in (before, after))  # fmt: skip
    ones = R.reshape(value, shape_expr([]))

    def padded(data: Any, fill: Any, begin: Any, end: Any) -> Any:
        return pad_te(data, begin, end, fill())

    return context.emit_te(padded, x, ones, before, after, primfunc_name_hint="pad")


def _mirrored(context: Context, x: RelaxExpr, before: list[int], after: list[int], mode: str) -> RelaxExpr:
    """Return borders of elements of the tensor, an axis after the other."""
    for axis, (begin, end) in enumerate(zip(before, after, strict=True)):
        extent = sizes_of(x)[axis]
        if not begin and not end:
            continue
        if not isinstance(extent, int):
            widths = [0] * (2 * rank_of(x))
            widths[2 * axis : 2 * axis + 2] = begin, end
            x = R.nn.pad(x, widths, 0, _MODES[mode])
            continue
        places = [_source(place, extent, mode) for place in range(-begin, extent + end)]
        x = R.take(x, R.const(places, "int64"), axis)
    return x


def _source(place: int, extent: int, mode: str) -> int:
    """Return the element that stands at a place outside of an axis."""
    if mode == "edge":
        return min(max(place, 0), extent - 1)
    if mode == "wrap" or extent == 1:
        return place % extent
    period = 2 * (extent - 1)
    inside = place % period
    return inside if inside < extent else period - inside
