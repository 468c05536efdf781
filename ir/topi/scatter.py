"""Write updates at indices of a copy, as kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.te.broadcast import broadcast_shape
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.broadcast import broadcast_to
from tvmscript.ir.topi.common import as_int, function, normalize_axis, product
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel

#: what becomes of an element and an update
_REDUCTIONS: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "update": lambda _, b: b,
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "mean": lambda a, b: (a + b) / 2,
    "min": lambda a, b: function("min")(a, b),
    "max": lambda a, b: function("max")(a, b),
}


def _reducer(reduction: str, where: str) -> Callable[[Expr, Expr], Expr]:
    if reduction not in _REDUCTIONS:
        raise InvalidOperand(where=where, reason=f"the reduction {reduction!r} is none of {', '.join(_REDUCTIONS)}")
    return _REDUCTIONS[reduction]


def _copy(ib: IRBuilder, source: BufferVar, target: BufferVar, shape: Sequence[Extent], kind: str) -> None:
    with ib.for_range(0, product(shape), "i", kind=kind) as i:
        target[i] = source[i]


def _moved(place: Expr, source: Sequence[Extent], target: Sequence[Extent]) -> Expr:
    """Return the row-major place, in an array of the target's shape, of the element at a place of the source's."""
    if structural_equal(tuple(source[1:]), tuple(target[1:])):
        return place
    goal: Expr | int = 0
    stride: Extent = 1
    for own, extent in zip(reversed(source[1:]), reversed(target[1:]), strict=True):
        goal = goal + place % own * stride
        place, stride = place // own, stride * extent
    return goal + place * stride


def scatter_elements(
    data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "update"
) -> Tensor:
    """Return ONNX's ScatterElements; the reduction is update, add, mul, mean, min or max."""
    place = normalize_axis(axis, data.ndim, "scatter_elements")
    combine = _reducer(reduction, "scatter_elements")
    extent = data.shape[place]
    count = indices.shape[place]
    before = product(indices.shape[:place])
    after = product(indices.shape[place + 1 :])
    data_after = product(data.shape[place + 1 :])
    outer_shapes = updates.shape[:place], data.shape[:place]
    inner_shapes = updates.shape[place + 1 :], data.shape[place + 1 :]

    def body(ib: IRBuilder, source: BufferVar, where: BufferVar, new: BufferVar, target: BufferVar) -> None:
        _copy(ib, source, target, data.shape, "parallel")
        with ib.for_range(0, before * after, "fused", kind="parallel") as row:
            outer, inner = row // after, row % after
            with ib.for_range(0, count, "k") as k:
                spot = outer * (count * after) + inner + k * after
                index = where[spot]
                wrapped = index + cast_expr(index.dtype, index < 0) * extent
                goal = _moved(outer, *outer_shapes) * (extent * data_after)
                goal = goal + _moved(inner, *inner_shapes) + wrapped * data_after
                target[goal] = combine(target[goal], new[spot])

    return kernel("scatter_elements_generic", data.shape, data.dtype, [data, indices, updates], body)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, mode: str) -> Tensor:
    """Return ONNX's ScatterND with the indices' dimension first; the mode is a reduction, such as "add"."""
    combine = _reducer(mode, "scatter_nd")
    depth = as_int(indices.shape[0], "scatter_nd")
    rows = product(indices.shape[1:])
    inner = product(data.shape[depth:])

    def body(ib: IRBuilder, source: BufferVar, where: BufferVar, new: BufferVar, target: BufferVar) -> None:
        _copy(ib, source, target, data.shape, "serial")
        with ib.for_range(0, rows, "j") as j, ib.for_range(0, inner, "k", kind="parallel") as column:
            goal: Expr = column
            stride = inner
            for n in reversed(range(depth)):
                goal = goal + stride * where[j + n * rows]
                stride = stride * data.shape[n]
            target[goal] = combine(target[goal], new[j * inner + column])

    return kernel("scatter_nd_generic", data.shape, data.dtype, [data, indices, updates], body)


def index_put(data: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool) -> Tensor:
    """Return the data with values written at, or added to, the elements that an index for each axis places."""
    shape = reduce(lambda a, b: broadcast_shape(a, b, "index_put"), [index.shape for index in indices])
    combine = _REDUCTIONS["add" if accumulate else "update"]
    inputs = [broadcast_to(operand, shape) for operand in (*indices, values)]

    def body(ib: IRBuilder, source: BufferVar, *operands: BufferVar) -> None:
        *places, new, target = operands
        _copy(ib, source, target, data.shape, "parallel")
        with ib.for_range(0, product(shape), "j") as j:
            goal: Expr | int = 0
            for place, extent in zip(places, data.shape, strict=True):
                index = place[j]
                goal = goal * extent + (index + cast_expr(index.dtype, index < 0) * extent)
            target[goal] = combine(target[goal], new[j])

    return kernel("index_put", data.shape, data.dtype, [data, *inputs], body)
