"""Matrix products of layers: matmul, dense, batch_matmul."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import LAYOUT_FREE, Extent, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.broadcast import add
from tvmscript.ir.topi.common import function, known_int, simplify, sum_products
from tvmscript.ir.topi.elementwise import cast
from tvmscript.ir.topi.errors import InvalidOperand

T = TypeVar("T")


def matmul(
    tensor_a: Tensor,
    tensor_b: Tensor,
    bias: Tensor | None = None,
    out_dtype: str | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return numpy.matmul of a tensor, whose last two dimensions count, and a matrix, plus a bias, in `out_dtype`."""
    dtype = str(out_dtype or tensor_a.dtype)
    *batch, rows, inner = _swapped(tensor_a.shape, transpose_a)
    other_inner, columns = _swapped(tensor_b.shape, transpose_b)
    _check_inner("nn.matmul", inner, other_inner)
    k = reduce_axis((0, inner), "k")

    def value(*i: Expr) -> Expr:
        left = tensor_a(*i[:-2], *_swapped((i[-2], k.var), transpose_a))
        right = tensor_b(*_swapped((k.var, i[-1]), transpose_b))
        return sum_products(dtype, left, right, k)

    kind = f"{'NT'[transpose_a]}{'NT'[transpose_b]}"
    tag = "dense" if kind == "NT" else "matmul"
    result = compute((*batch, rows, columns), value, name=f"T_matmul_{kind}", tag=tag, attrs={LAYOUT_FREE: [tensor_b]})
    if bias is None:
        return result
    return add(result, cast(bias, dtype))


def _swapped(items: Sequence[T], is_transposed: bool) -> tuple[T, ...]:
    values = tuple(items)
    return (*values[:-2], values[-1], values[-2]) if is_transposed else values


def _check_inner(where: str, left: Extent, right: Extent) -> None:
    a, b = known_int(left), known_int(right)
    if a is not None and b is not None and a != b:
        raise InvalidOperand(where=where, reason=f"the inner extents are {a} and {b}")


def dense(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    out_dtype: str | None = None,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return ONNX's Gemm with the second operand transposed: data @ weight.T + bias."""
    return matmul(data, weight, bias, out_dtype, False, True)


def dense_pack(data: Tensor, weight: Tensor, bias: Tensor | None = None, out_dtype: str | None = None) -> Tensor:
    """Return `dense` of a weight in blocks of rows: `(rows / block, channels, block)`."""
    if data.ndim != 2 or weight.ndim != 3:
        raise InvalidOperand(where="nn.dense_pack", reason="the data are a matrix, the weight has 3 dimensions")
    dtype = out_dtype or data.dtype
    rows, inner = data.shape
    blocks, other_inner, block = weight.shape
    _check_inner("nn.dense_pack", inner, other_inner)
    k = reduce_axis((0, inner), "k")

    def value(y: Expr, x: Expr) -> Expr:
        left = data(y, k)
        right = weight(function("indexdiv")(x, block), k, function("indexmod")(x, block))
        return sum_products(dtype, left, right, k)

    result = compute((rows, simplify(blocks * block)), value, name="T_dense_pack", tag="dense_pack")
    return result if bias is None else add(result, cast(bias, dtype))


def batch_matmul(
    tensor_a: Tensor,
    tensor_b: Tensor,
    oshape: Sequence[Extent] | None = None,
    out_dtype: str | None = None,
    transpose_a: bool = False,
    transpose_b: bool = True,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return numpy.matmul of stacks of matrices, of which one may be a stack of one."""
    batch_a, rows, inner = _swapped(tensor_a.shape, transpose_a)
    batch_b, other_inner, columns = _swapped(tensor_b.shape, transpose_b)
    _check_inner("nn.batch_matmul", inner, other_inner)
    k = reduce_axis((0, inner), "k")
    is_one_a, is_one_b = (known_int(batch) == 1 for batch in (batch_a, batch_b))
    dtype = out_dtype or tensor_a.dtype

    def value(b: Expr, i: Expr, j: Expr) -> Expr:
        left = tensor_a(0 if is_one_a and not is_one_b else b, *_swapped((i, k.var), transpose_a))
        right = tensor_b(0 if is_one_b and not is_one_a else b, *_swapped((k.var, j), transpose_b))
        return sum_products(dtype, left, right, k)

    kind = f"{'NT'[transpose_a]}{'NT'[transpose_b]}"
    shape = (batch_b if is_one_a else batch_a, rows, columns) if oshape is None else oshape
    return compute(shape, value, name=f"T_batch_matmul_{kind}", tag="batch_matmul", attrs={LAYOUT_FREE: [tensor_b]})
