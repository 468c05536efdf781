"""Axes of arguments that become axes of the result, for inference of the placement of distributed results.

As in TVM, an axis that is sharded along a dimension of the mesh stays sharded in the result.
"""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.shape_rules import expect_tensor, is_one, normalize_axes, normalize_axis, num_elements
from tvmscript.ir.relax.operator import MappedAxis
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal


def map_matmul_axes(call: Call) -> Iterator[MappedAxis]:
    """Map the rows of the first matrix, the columns of the second, and shared batch axes."""
    left, right = expect_tensor(call, 0), expect_tensor(call, 1)
    if UNKNOWN_NDIM in (left.ndim, right.ndim):
        return
    batches = max(0, min(left.ndim, right.ndim) - 2)
    ndim = max(left.ndim, right.ndim, 2) - (left.ndim == 1) - (right.ndim == 1)
    first = ndim - (left.ndim > 1) - (right.ndim > 1) - batches
    for argument, operand, other in ((0, left, right), (1, right, left)):
        for number in range(batches):
            axis, across = operand.ndim - 2 - batches + number, other.ndim - 2 - batches + number
            if not _is_unit_axis(operand, axis) or _is_unit_axis(other, across):
                yield argument, axis, first + number
    if left.ndim > 1:
        yield 0, left.ndim - 2, ndim - 1 - (right.ndim > 1)
    if right.ndim > 1:
        yield 1, right.ndim - 1, ndim - 1


def contracted_axes(call: Call) -> tuple[int, int]:
    """Return the axes of the two factors of a product that are summed over."""
    left, right = expect_tensor(call, 0), expect_tensor(call, 1)
    return left.ndim - 1, max(right.ndim - 2, 0)


def _is_unit_axis(info: TensorStructInfo, axis: int) -> bool:
    return info.extents is not None and is_one(info.extents[axis])


def map_permute_dims_axes(call: Call) -> Iterator[MappedAxis]:
    """Map every axis."""
    x, axes = expect_tensor(call), call.attrs["axes"]
    if x.ndim != UNKNOWN_NDIM:
        order = reversed(range(x.ndim)) if axes is None else normalize_axes(call, "axes", axes, x.ndim)
        yield from ((0, axis, place) for place, axis in enumerate(order))


def map_reshape_axes(call: Call) -> Iterator[MappedAxis]:
    """Map axes whose suffixes have equal numbers of elements. As in TVM, the first axes are not mapped."""
    old, new = expect_tensor(call).extents, getattr(call.struct_info, "extents", None)
    if old is None or new is None:
        return
    end = len(new)
    for axis in range(len(old) - 1, 0, -1):
        places = range(end - 1, 0, -1)
        match = next(
            (place for place in places if provably_equal(num_elements(old[axis:]), num_elements(new[place:]))), None
        )
        if match is not None:
            yield 0, axis, match
            end = match


def map_reduction_axes(call: Call) -> Iterator[MappedAxis]:
    """Map the axes that are not reduced."""
    x, axes = expect_tensor(call), call.attrs["axis"]
    if x.ndim == UNKNOWN_NDIM or axes is None:
        return
    reduced = normalize_axes(call, "axis", axes, x.ndim)
    kept = [axis for axis in range(x.ndim) if axis not in reduced]
    for place, axis in enumerate(kept):
        yield 0, axis, axis if call.attrs["keepdims"] else place


def map_softmax_axes(call: Call) -> Iterator[MappedAxis]:
    """Map every axis except the softmax axis."""
    data = expect_tensor(call)
    if data.ndim != UNKNOWN_NDIM:
        along = normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
        yield from ((0, axis, axis) for axis in range(data.ndim) if axis != along)


def map_same_axes(call: Call) -> Iterator[MappedAxis]:
    """Map every axis of the argument to itself."""
    yield from ((0, axis, axis) for axis in range(expect_tensor(call).ndim))


def map_no_axes(call: Call) -> Iterator[MappedAxis]:
    """Map no axis: the result is replicated."""
    return iter(())
