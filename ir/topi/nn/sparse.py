"""Products and sums with sparse matrices: rows, or rows of blocks, in compressed form (CSR, BSR of SciPy)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, IterVar, as_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel, kernels, scalar

T = TypeVar("T")


def sparse_dense(
    dense_data: Tensor, sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor, sparse_lhs: bool = False
) -> Tensor:
    """Return `dense @ sparse.T`, or `sparse @ dense.T` with `sparse_lhs`; the sparse matrix is CSR or BSR."""
    if sparse_lhs:
        return sparse_dense_sp_lhs(sparse_data, sparse_indices, sparse_indptr, dense_data)
    return sparse_dense_sp_rhs(dense_data, sparse_data, sparse_indices, sparse_indptr)


def sparse_dense_sp_rhs(data: Tensor, weight_data: Tensor, weight_indices: Tensor, weight_indptr: Tensor) -> Tensor:
    """Return `data @ weight.T` with a sparse weight."""
    return _sparse_dense(data, weight_data, weight_indices, weight_indptr, "nn.sparse_dense_sp_rhs", sparse_first=False)


def sparse_dense_sp_lhs(data_data: Tensor, data_indices: Tensor, data_indptr: Tensor, weight: Tensor) -> Tensor:
    """Return `data @ weight.T` with sparse data."""
    return _sparse_dense(weight, data_data, data_indices, data_indptr, "nn.sparse_dense_sp_lhs", sparse_first=True)


def _sparse_dense(
    dense: Tensor, data: Tensor, columns: Tensor, pointers: Tensor, where: str, sparse_first: bool
) -> Tensor:
    """Return the product of a dense matrix and the transpose of a sparse one, or the transpose of it."""
    _check(where, data, columns, pointers)
    count = dense.shape[0]
    rows = simplify(pointers.shape[0] - 1)

    def elements(row: Expr) -> tuple[Expr, IterVar]:
        begin, end = pointers(row), pointers(row + 1)
        return begin, reduce_axis((0, end - begin), "elem_idx")

    tag = f"sparse_dense_sp_{'lhs' if sparse_first else 'rhs'}_{'csrmm' if data.ndim == 1 else 'bsrmm'}"
    if data.ndim == 1:

        def value(i: Expr, row: Expr) -> Expr:
            begin, k = elements(row)
            place = begin + k.var
            return reduction.sum(data(place) * dense(i, columns(place)), axis=k)

        if sparse_first:
            return compute((rows, count), lambda row, i: value(i, row), tag=tag)
        return compute((count, rows), lambda i, row: value(i, row), tag=tag)
    height, width = data.shape[1:]

    def block_value(i: Expr, row: Expr, j: Expr) -> Expr:
        begin, k = elements(row)
        c = reduce_axis((0, width), "c")
        place = begin + k.var
        return reduction.sum(data(place, j, c) * dense(i, columns(place) * width + c.var), axis=[k, c])

    divide, remainder = function("indexdiv"), function("indexmod")
    if sparse_first:
        blocks = compute((rows, height, count), lambda nb_j, j, i: block_value(i, nb_j, j), tag=f"{tag}_block")
        return compute(
            (simplify(rows * height), count), lambda m, n: blocks(divide(m, height), remainder(m, height), n), tag=tag
        )
    flops = as_expr(2) * count * rows * height * dense.shape[1]
    blocks = compute(
        (count, rows, height), lambda i, nb_j, j: block_value(i, nb_j, j), tag=f"{tag}_block", attrs={"FLOP": flops}
    )
    return compute(
        (count, simplify(rows * height)), lambda m, n: blocks(m, divide(n, height), remainder(n, height)), tag=tag
    )


def _check(where: str, data: Tensor, columns: Tensor, pointers: Tensor) -> None:
    if data.ndim not in (1, 3) or columns.ndim != 1 or pointers.ndim != 1:
        reason = "the elements have one dimension, or three of blocks; indices and pointers have one"
        raise InvalidOperand(where=where, reason=reason)


def sparse_transpose(sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor) -> list[Tensor]:
    """Return the transpose of a square matrix in CSR: its elements, indices and pointers."""
    _check("nn.sparse_transpose", sparse_data, sparse_indices, sparse_indptr)
    count = sparse_data.shape[0]
    size = simplify(sparse_indptr.shape[0] - 1)

    def body(
        ib: IRBuilder,
        data: BufferVar,
        columns: BufferVar,
        pointers: BufferVar,
        out_data: BufferVar,
        out_columns: BufferVar,
        out_pointers: BufferVar,
    ) -> None:
        with ib.for_range(0, size, "col", kind="parallel") as col:
            out_pointers[col] = 0
        with ib.for_range(0, count, "nz_idx") as k:
            out_pointers[columns[k]] = out_pointers[columns[k]] + 1
        cumsum, temp = scalar(ib, "int32", "cumsum"), scalar(ib, "int32", "temp")
        cumsum[0] = 0
        with ib.for_range(0, size, "col") as col:
            temp[0] = out_pointers[col]
            out_pointers[col] = cumsum[0]
            cumsum[0] = cumsum[0] + temp[0]
        out_pointers[size] = as_expr(count).astype(sparse_indptr.dtype)
        with ib.for_range(0, size, "row") as row, ib.for_range(0, pointers[row + 1] - pointers[row], "idx") as k:
            place = pointers[row] + k
            goal = out_pointers[columns[place]]
            out_columns[goal] = row.astype(sparse_indices.dtype)
            out_data[goal] = data[place]
            out_pointers[columns[place]] = goal + 1
        last, temp2 = scalar(ib, "int32", "last"), scalar(ib, "int32", "temp2")
        last[0] = 0
        with ib.for_range(0, size, "col") as col:
            temp2[0] = out_pointers[col]
            out_pointers[col] = last[0]
            last[0] = temp2[0]

    outputs = [
        (sparse_data.shape, sparse_data.dtype),
        (sparse_indices.shape, sparse_indices.dtype),
        (sparse_indptr.shape, sparse_indptr.dtype),
    ]
    return kernels("out", outputs, [sparse_data, sparse_indices, sparse_indptr], body)


def sparse_add(dense_data: Tensor, sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor) -> Tensor:
    """Return the sum of a dense matrix and one in CSR."""
    _check("nn.sparse_add", sparse_data, sparse_indices, sparse_indptr)
    rows, width = dense_data.shape

    def body(
        ib: IRBuilder, dense: BufferVar, data: BufferVar, columns: BufferVar, pointers: BufferVar, out: BufferVar
    ) -> None:
        with ib.for_range(0, rows, "row") as row, ib.for_range(0, width, "col", kind="parallel") as col:
            out[row, col] = dense[row, col]
        with (
            ib.for_range(0, rows, "row", kind="parallel") as row,
            ib.for_range(0, pointers[row + 1] - pointers[row], "idx") as k,
        ):
            place = pointers[row] + k
            out[row, columns[place]] = data[place] + out[row, columns[place]]

    inputs = [dense_data, sparse_data, sparse_indices, sparse_indptr]
    return kernel("sparse_add_csr_output", dense_data.shape, dense_data.dtype, inputs, body, None)


def sparse_conv2d(
    dense_data: Tensor,
    sparse_data: Tensor,
    sparse_indices: Tensor,
    sparse_indptr: Tensor,
    layout: str = "NHWC",
    kernel_size: int = 1,
) -> Tensor:
    """Return ONNX's Conv with a sparse kernel of size 1 in BSR: filters by channels."""
    where = "nn.sparse_conv2d"
    _check(where, sparse_data, sparse_indices, sparse_indptr)
    if layout not in ("NHWC", "NCHW") or kernel_size != 1 or sparse_data.ndim != 3:
        raise InvalidOperand(where=where, reason="the kernel is of size 1 and in blocks, the layout NHWC or NCHW")
    letters = list(layout)
    batch, height, width, channels = (dense_data.shape[letters.index(letter)] for letter in "NHWC")
    size, depth = sparse_data.shape[1:]
    rows = simplify(sparse_indptr.shape[0] - 1)

    def arrange(image: T, space: Sequence[T], filters: Sequence[T]) -> tuple[T, ...]:
        return (image, *space, *filters) if layout == "NHWC" else (image, *filters, *space)

    names = arrange("i", ("h", "w"), ("nb_j", "j"))

    def value(*place: Expr) -> Expr:
        at = dict(zip(names, place, strict=True))
        begin, end = sparse_indptr(at["nb_j"]), sparse_indptr(at["nb_j"] + 1)
        k, c = reduce_axis((0, end - begin), "elem_idx"), reduce_axis((0, depth), "c")
        element = begin + k.var
        channel = sparse_indices(element) * depth + c.var
        source = dense_data(*arrange(at["i"], (at["h"], at["w"]), (channel,)))
        return reduction.sum(sparse_data(element, at["j"], c) * source, axis=[k, c])

    flops = simplify(as_expr(2) * batch * height * width * rows * size * channels)
    shape = arrange(batch, (height, width), (rows, size))
    tag = "sparse_conv2d_sp_bsrmm"
    blocks = compute(shape, value, tag=f"{tag}_block", attrs={"FLOP": flops}, varargs_names=names)
    divide, remainder = function("indexdiv"), function("indexmod")
    outputs = arrange("m", ("h", "w"), ("n",))

    def join(*place: Expr) -> Expr:
        at = dict(zip(outputs, place, strict=True))
        filters = (divide(at["n"], size), remainder(at["n"], size))
        return blocks(*arrange(at["m"], (at["h"], at["w"]), filters))

    shape = arrange(batch, (height, width), (simplify(rows * size),))
    return compute(shape, join, name="sparse_conv2d", tag=tag, attrs={"layout": layout}, varargs_names=outputs)
