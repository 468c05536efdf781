"""Operators that pick elements by indices and conditions: take, gather, where, one-hot, masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from tvmscript.ir.core import DType, WrongType
from tvmscript.ir.te.broadcast import broadcast_indices, broadcast_shape
from tvmscript.ir.te.tensor import Extent, Shape, Tensor, as_shape
from tvmscript.ir.tir import EQ, NE, Cast, Expr, Select, as_expr, const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.broadcast import broadcast_to
from tvmscript.ir.topi.common import BROADCAST, as_int, define, function, normalize_axis, product
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.shape import unravel


def take(a: Tensor, indices: Tensor, axis: Extent | None = None, batch_dims: int = 0, mode: str = "clip") -> Tensor:
    """Return numpy.take; the first `batch_dims` dimensions of both are the same.

    Indices out of bounds are clipped ("clip") or wrapped ("wrap"), give NaN ("nan"), or must not be ("fast").
    Raises `InvalidOperand`; `WrongType` for the mode "nan" with elements that are no floats.
    """
    if mode == "nan" and not a.dtype.is_floating:
        raise WrongType(where='take in the mode "nan"', expected="floats", got=a.dtype)
    if axis is None:
        size = product(a.shape)

        def flat(*i: Expr) -> Expr:
            return _taken(indices(*i), size, mode, lambda index: a(*unravel(index, a.shape)))

        return define(indices.shape, flat, "T_take")
    place = normalize_axis(axis, a.ndim, "take")
    batch = as_int(batch_dims, "take") % max(indices.ndim, 1) if batch_dims else 0
    extent = a.shape[place]

    def value(*i: Expr) -> Expr:
        inner = indices(*i[:batch], *i[place : place + indices.ndim - batch])

        def element(index: Expr) -> Expr:
            return a(*i[:place], index, *i[place + indices.ndim - batch :])

        return _taken(inner, extent, mode, element)

    return define([*a.shape[:place], *indices.shape[batch:], *a.shape[place + 1 :]], value, "T_take")


def _taken(index: Expr, extent: Extent, mode: str, element: Callable[[Expr], Expr]) -> Expr:
    """Return an element of an array of some extent, as the mode of `take` says."""
    if mode == "clip":
        return element(function("min")(function("max")(const(0, index.dtype), index), extent - 1))
    if mode == "wrap":
        remainder = function("truncmod")
        return element(remainder(remainder(index, extent) + extent, extent))
    if mode == "nan":
        value = element(index)
        is_inside = function("all")(index >= 0, index < extent)
        return function("if_then_else")(is_inside, value, const(float("nan"), value.dtype))
    if mode == "fast":
        return element(index)
    raise InvalidOperand(where="take", reason=f'the mode {mode!r} is none of "clip", "wrap", "fast", "nan"')


def gather(data: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Return numpy.take_along_axis."""
    place = normalize_axis(axis, data.ndim, "gather")
    if indices.ndim != data.ndim:
        raise InvalidOperand(where="gather", reason="the indices have another rank than the data")
    value = lambda *i: data(*i[:place], indices(*i), *i[place + 1 :])  # noqa: E731
    return define(indices.shape, value, "T_gather")


def gather_nd(a: Tensor, indices: Tensor, batch_dims: int = 0) -> Tensor:
    """Return the elements, or slices, at columns of indices: ONNX's GatherND with the indices' dimension first."""
    count = as_int(indices.shape[0], "gather_nd")
    rest = indices.ndim - 1

    def value(*i: Expr) -> Expr:
        places = [indices(n, *i[:rest]) for n in range(count)]
        picked = [place if place.dtype.is_integer else Cast("int32", place) for place in places]
        return a(*i[:batch_dims], *picked, *i[rest:])

    return define([*indices.shape[1:], *a.shape[count + batch_dims :]], value, "T_gather_nd")


def index_tensor(a: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Return `a[indices]`, as NumPy has it: indices of the first axes, broadcast to each other."""
    shape = reduce(lambda x, y: broadcast_shape(x, y, "index_tensor"), [index.shape for index in indices])

    def value(*i: Expr) -> Expr:
        places: list[Expr] = []
        for index, extent in zip(indices, a.shape, strict=False):
            place = index(*broadcast_indices(index.shape, i[: len(shape)], shape))
            places.append(place + Cast(place.dtype, place < 0) * Cast(place.dtype, extent))
        return a(*places, *i[len(shape) :])

    return define([*shape, *a.shape[len(indices) :]], value, "T_index_tensor")


def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return numpy.where."""
    shape = broadcast_shape(broadcast_shape(condition.shape, x.shape, "where"), y.shape, "where")

    def value(*i: Expr) -> Expr:
        c, a, b = (tensor(*broadcast_indices(tensor.shape, i, shape)) for tensor in (condition, x, y))
        is_chosen = Cast("int32", c) > 0 if c.dtype.is_bool else NE(c, const(0, c.dtype))
        return Select(is_chosen, a, b)

    return define(shape, value, "T_where", BROADCAST)


def one_hot(indices: Tensor, on_value: Operand, off_value: Operand, depth: int, axis: int, dtype: str) -> Tensor:
    """Return ONNX's OneHot."""
    place = indices.ndim if as_int(axis, "one_hot") == -1 else normalize_axis(axis, indices.ndim + 1, "one_hot")
    on, off = (function("cast")(as_expr(value, DType(dtype)), dtype) for value in (on_value, off_value))

    def value(*i: Expr) -> Expr:
        index = indices(*i[:place], *i[place + 1 :])
        is_here = EQ(index, function("cast")(i[place], index.dtype) if i[place].dtype != index.dtype else i[place])
        return Select(is_here, on, off)

    return define([*indices.shape[:place], depth, *indices.shape[place:]], value, "T_one_hot")


def sequence_mask(data: Tensor, valid_length: Tensor, mask_value: float = 0, axis: int = 0) -> Tensor:
    """Return sequences with a value in place of the elements beyond their lengths; `axis` (0 or 1) is time."""
    length, batch = as_int(axis, "sequence_mask"), 1 - as_int(axis, "sequence_mask")

    def value(*i: Expr) -> Expr:
        element = data(*i)
        is_beyond = i[length] >= valid_length(i[batch])
        return function("if_then_else")(is_beyond, const(mask_value, data.dtype), element)

    return define(data.shape, value, "T_sequence_mask")


def adv_index(data: Tensor, indices: list[Tensor]) -> Tensor:
    """Return `data[indices]` of NumPy: one tensor of integers for each of the first dimensions."""
    shape = indices[0].shape
    for tensor in indices[1:]:
        shape = broadcast_shape(shape, tensor.shape, "adv_index")
    spread = [broadcast_to(tensor, shape) for tensor in indices]
    rank = len(shape)
    value = lambda *i: data(*[tensor(*i[:rank]) for tensor in spread], *i[rank:])  # noqa: E731
    return define([*shape, *data.shape[len(indices) :]], value, "advanced_index")


def matrix_set_diag(data: Tensor, diagonal: Tensor, k: int | Sequence[int] = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Return matrices with other diagonals: number `k`, or those from `k[0]` to `k[1]`, aligned in rows of a tensor."""
    first, last = (k[0], k[-1]) if isinstance(k, Sequence) else (k, k)
    is_one = first == last
    left_above, left_below = (side == "LEFT" for side in align.split("_"))

    def value(*i: Expr) -> Expr:
        row, column = i[-2], i[-1]
        rows = data.shape[-2]
        columns = data.shape[-1]
        place = column - row
        along = function("if_then_else")(place >= 0, row, column)
        original = data(*i)
        if is_one:
            picked = function("if_then_else")(
                EQ(place, const(first, place.dtype)), diagonal(*i[:-2], _along(first, row, column)), original
            )
            return function("if_then_else")(place >= first, picked, original)
        size = function("min")(columns - function("max")(place, 0), rows + function("min")(place, 0))
        widest = diagonal.shape[-1]
        gap = widest - size
        offset = function("if_then_else")(place >= 0, 0 if left_above else gap, 0 if left_below else gap)
        element = diagonal(*i[:-2], last - place, along + offset)
        is_inside = function("all")(place >= first, place <= last)
        return function("if_then_else")(is_inside, element, original)

    return define(data.shape, value, "T_matrix_set_diag")


def _along(k: int, row: Expr, column: Expr) -> Expr:
    return row if k >= 0 else column


def sparse_to_dense(
    sparse_indices: Tensor, output_shape: Shape, sparse_values: Tensor, default_value: Operand = 0
) -> Tensor:
    """Return a tensor of a default value with other values at indices: one, a vector of them, or rows."""
    shape = as_shape(output_shape, "topi.sparse_to_dense")
    rows = sparse_indices.shape[0] if sparse_indices.ndim else 1
    default = function("cast")(as_expr(default_value, sparse_values.dtype), sparse_values.dtype)

    def value(*i: Expr) -> Expr:
        result = default
        for n in range(as_int(rows, "sparse_to_dense")):
            place = (n,) if sparse_indices.ndim else ()
            element = sparse_values(*(place if sparse_values.ndim else ()))
            if sparse_indices.ndim < 2:
                is_here: Expr = EQ(i[0], sparse_indices(*place))
            else:
                is_here = function("all")(*[EQ(i[m], sparse_indices(n, m)) for m in range(len(shape))])
            result = function("if_then_else")(is_here, element, result)
        return result

    return define(shape, value, "T_sparse_to_dense")
