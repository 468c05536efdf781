"""Operators that give elements other positions in a tensor of another shape: reshape, transpose, axes of extent 1."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Shape, Tensor, as_shape
from tvmscript.ir.tir import EQ, Cast, Expr, IntImm, const
from tvmscript.ir.topi.common import (
    BROADCAST,
    INJECTIVE,
    Extents,
    as_int,
    as_list,
    define,
    function,
    known_int,
    normalize_axis,
    product,
    simplify,
)
from tvmscript.ir.topi.errors import InvalidOperand


def ravel(indices: Sequence[Expr], shape: Sequence[Extent]) -> Expr:
    """Return the position of an element in row-major order."""
    position: Expr = IntImm("int32", 0)
    for number, (index, extent) in enumerate(zip(indices, shape, strict=True)):
        position = position * extent + index if number else index
    return position


def unravel(position: Expr, shape: Sequence[Extent]) -> list[Expr]:
    """Return the indices of the element at a position in row-major order."""
    indices: list[Expr] = []
    for extent in reversed(list(shape)):
        indices.append(function("indexmod")(position, extent))
        position = function("indexdiv")(position, extent)
    return indices[::-1]


def expand_dims(a: Tensor, axis: int, num_newaxis: int = 1) -> Tensor:
    """Return numpy.expand_dims, with one or several axes of extent 1 before an axis."""
    number = as_int(axis, "expand_dims")
    if not -a.ndim - 1 <= number <= a.ndim:
        raise InvalidOperand(where="expand_dims", reason=f"the axis {number} is none of {a.ndim + 1} dimensions")
    place = number + a.ndim + 1 if number < 0 else number
    shape: list[Extent] = [*a.shape[:place], *[1] * num_newaxis, *a.shape[place:]]
    return define(shape, lambda *i: a(*i[:place], *i[place + num_newaxis :]), "T_expand_dims", BROADCAST)


def squeeze(a: Tensor, axis: Extents | None = None) -> Tensor:
    """Return numpy.squeeze: without axes of extent 1."""
    if axis is None:
        axes = {i for i, extent in enumerate(a.shape) if known_int(extent) == 1}
    else:
        axes = {normalize_axis(each, a.ndim, "squeeze") for each in as_list(axis)}
    if any(known_int(a.shape[i]) not in (1, None) for i in axes):
        raise InvalidOperand(where="squeeze", reason=f"the axes {sorted(axes)} of {list(a.shape)} are not of extent 1")

    def value(*i: Expr) -> Expr:
        rest = iter(i)
        return a(*[0 if number in axes else next(rest) for number in range(a.ndim)])

    return define([extent for i, extent in enumerate(a.shape) if i not in axes], value, "T_squeeze")


def transpose(a: Tensor, axes: Sequence[Extent] | None = None) -> Tensor:
    """Return numpy.transpose."""
    order = list(range(a.ndim))[::-1] if axes is None else [normalize_axis(axis, a.ndim, "transpose") for axis in axes]
    if sorted(order) != list(range(a.ndim)):
        raise InvalidOperand(where="transpose", reason=f"{order} is no order of {a.ndim} dimensions")

    def value(*i: Expr) -> Expr:
        return a(*[i[order.index(axis)] for axis in range(a.ndim)])

    return define([a.shape[axis] for axis in order], value, "T_transpose")


def reshape(a: Tensor, newshape: Shape) -> Tensor:
    """Return numpy.reshape."""
    target = as_shape(newshape, "topi.reshape")
    old, new = known_int(simplify(product(a.shape))), known_int(simplify(product(target)))
    if None not in (old, new) and old != new:
        raise InvalidOperand(where="reshape", reason=f"{old} elements do not fill the shape {list(map(str, target))}")
    if any(known_int(extent) == 0 for extent in target):
        return define(target, lambda *_: const(0, a.dtype), "T_reshape")
    return define(target, lambda *i: a(*unravel(ravel(i, target), a.shape)), "T_reshape")


def unravel_index(indices: Tensor, shape: Tensor) -> Tensor:
    """Return numpy.unravel_index: a row of indices for each dimension. The shape is a tensor of one dimension."""
    rank = as_int(shape.shape[0], "unravel_index")

    def value(*i: Expr) -> Expr:
        row = i[0]
        position: Expr = indices(*i[1:])
        index = const(0, indices.dtype)
        for number in reversed(range(rank)):
            extent = shape(number)
            index = function("if_then_else")(
                EQ(row, const(number, row.dtype)), function("indexmod")(position, extent), index
            )
            position = function("indexdiv")(position, extent)
        return index

    return define([rank, *indices.shape], value, "T_unravel")


def expand_like(a: Tensor, shape_like: Tensor, axis: Extents) -> Tensor:
    """Return numpy.broadcast_to the shape of another tensor, with new axes where `axis` says."""
    offset = shape_like.ndim - a.ndim
    if offset == 0 and not as_list(axis):
        return a
    axes = {normalize_axis(each, shape_like.ndim, "expand_like") for each in as_list(axis)}
    if len(axes) != offset:
        raise InvalidOperand(where="expand_like", reason=f"{len(axes)} axes are given, {offset} are new")
    kept = [i for i in range(shape_like.ndim) if i not in axes]
    return compute(shape_like.shape, lambda *i: a(*[i[axis] for axis in kept]), tag=INJECTIVE)


def shape(array: Tensor, dtype: str = "int32") -> Tensor:
    """Return numpy.shape as a tensor."""

    def value(index: Expr) -> Expr:
        result: Expr = IntImm("int32", 0)
        for number, extent in enumerate(array.shape):
            result = function("if_then_else")(EQ(index, const(number, index.dtype)), extent, result)
        return result if result.dtype == dtype else Cast(dtype, result)

    return define([array.ndim], value, "T_shape")


def ndarray_size(array: Tensor, dtype: str = "int32") -> Tensor:
    """Return numpy.size as a tensor of rank 0."""
    return define((), lambda: function("cast")(product(array.shape) * IntImm("int32", 1), dtype), "ndarray_size")
