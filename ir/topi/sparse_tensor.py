"""Sparse tensors of coordinates (COO): rows of indices, and values; as kernels."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import as_int, function
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernels, scalar


def sparse_reshape(
    sparse_indices: Tensor,
    prev_shape: Tensor,
    new_shape: Tensor,
    new_sparse_indices_shape: Sequence[Extent],
    new_shape_shape: Sequence[Extent],
) -> list[Tensor]:
    """Return the indices of elements in a tensor of another shape, and this shape; -1 in it stands for what is left."""
    dtype = sparse_indices.dtype
    rank, new_rank = as_int(prev_shape.shape[0], "sparse_reshape"), as_int(new_shape.shape[0], "sparse_reshape")
    if sparse_indices.ndim != 2 or as_int(sparse_indices.shape[1], "sparse_reshape") != rank:
        raise InvalidOperand(where="sparse_reshape", reason=f"the indices are not rows of {rank}")
    one, rest = const(1, dtype), const(-1, dtype)

    def body(
        ib: IRBuilder, indices: BufferVar, old: BufferVar, new: BufferVar, places: BufferVar, shape: BufferVar
    ) -> None:
        total, known = scalar(ib, dtype, "total", one), scalar(ib, dtype, "known", one)
        for axis in range(rank):
            total[0] = total[0] * old[axis].astype(dtype)
        for axis in range(new_rank):
            extent = new[axis].astype(dtype)
            known[0] = known[0] * function("if_then_else")(EQ(extent, rest), one, extent)
        for axis in range(new_rank):
            extent = new[axis].astype(dtype)
            left = function("floordiv")(total[0], function("max")(known[0], one))
            shape[axis] = function("if_then_else")(EQ(extent, rest), left, extent).astype(new_shape.dtype)
        with ib.for_range(0, sparse_indices.shape[0], "row", kind="parallel") as row:
            position = scalar(ib, dtype, "position", const(0, dtype))
            for axis in range(rank):
                position[0] = position[0] * old[axis].astype(dtype) + indices[row, axis]
            for axis in reversed(range(new_rank)):
                extent = shape[axis].astype(dtype)
                places[row, axis] = function("floormod")(position[0], extent)
                position[0] = function("floordiv")(position[0], extent)

    outputs = [(new_sparse_indices_shape, dtype), (new_shape_shape, new_shape.dtype)]
    return kernels("sparse_reshape", outputs, [sparse_indices, prev_shape, new_shape], body)


def sparse_fill_empty_rows(
    sparse_indices: Tensor,
    sparse_values: Tensor,
    dense_shape: Tensor,
    default_value: Tensor,
    new_sparse_indices_shape: Sequence[Extent],
    new_sparse_values_shape: Sequence[Extent],
    empty_row_indicator_shape: Sequence[Extent],
) -> list[Tensor]:
    """Return elements with a default value at column 0 of each row without any, and which rows these are.

    Indices are sorted by rows. Behind the elements follow indices of -1 and zeros. As tf.sparse.fill_empty_rows.
    """
    if sparse_indices.ndim != 2 or sparse_values.ndim != 1:
        raise InvalidOperand(where="sparse_fill_empty_rows", reason="the indices are a matrix, the values a vector")
    width = as_int(sparse_indices.shape[1], "sparse_fill_empty_rows")
    count = sparse_indices.shape[0]
    dtype, kind = sparse_indices.dtype, sparse_values.dtype
    (capacity,) = new_sparse_values_shape
    (rows,) = empty_row_indicator_shape

    def body(
        ib: IRBuilder,
        indices: BufferVar,
        values: BufferVar,
        _shape: BufferVar,
        default: BufferVar,
        new_indices: BufferVar,
        new_values: BufferVar,
        is_empty: BufferVar,
    ) -> None:
        source, target = scalar(ib, count.dtype, "source", 0), scalar(ib, count.dtype, "target", 0)
        with ib.for_range(0, rows, "row") as row:
            number = row.astype(dtype)
            last = function("max")(count - 1, 0)
            place = function("min")(source[0], last)
            is_here = function("all")(source[0] < count, EQ(indices[place, 0], number))
            is_empty[row] = function("if_then_else")(is_here, const(False, "bool"), const(True, "bool"))
            with ib.if_scope(is_empty[row]):
                new_indices[target[0], 0] = number
                for axis in range(1, width):
                    new_indices[target[0], axis] = const(0, dtype)
                new_values[target[0]] = default[0]
                target[0] = target[0] + 1
            next_place = function("min")(source[0], last)
            with ib.while_loop(function("all")(source[0] < count, EQ(indices[next_place, 0], number))):
                for axis in range(width):
                    new_indices[target[0], axis] = indices[source[0], axis]
                new_values[target[0]] = values[source[0]]
                source[0] = source[0] + 1
                target[0] = target[0] + 1
        with ib.for_range(target[0], capacity, "k") as k:
            for axis in range(width):
                new_indices[k, axis] = const(-1, dtype)
            new_values[k] = const(0, kind)

    outputs = [(new_sparse_indices_shape, dtype), (new_sparse_values_shape, kind), (empty_row_indicator_shape, "bool")]
    inputs = [sparse_indices, sparse_values, dense_shape, default_value]
    return kernels("sparse_fill_empty_rows", outputs, inputs, body)
