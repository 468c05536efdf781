"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar
from tvmscript.frontend.rounding import is_narrow
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def matmul(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Return the product of matrices; sums of 16-bit floats are those of float32."""
    return R.astype(R.matmul(a, b, out_dtype="float32"), dtype_of(a)) if is_narrow(a) else R.matmul(a, b)


@operator("MatMul")
def matmul_of(context: Context, node: Node) -> RelaxExpr:
    """Return the product of matrices; that of integers, times scales, where both are dequantized."""
    product = _dequantized_product(context, node)
    return matmul(node.tensor(0), node.tensor(1)) if product is None else context.rounded(product)


def _dequantized_product(context: Context, node: Node, swapped: Sequence[bool] = (False, False)) -> RelaxExpr | None:
    """Return the product of matrices that are dequantized: a by one scale, b by one, or by those of its columns."""
    inputs = context.dequantized_inputs(node)
    if inputs is None or min(rank_of(each.x) for each in inputs) < 2:
        return None
    a, b = inputs
    columns = rank_of(b.x) - (2 if swapped[1] else 1)
    if a.axis is not None or b.axis not in (None, columns):
        return None
    matrices = [transposed(each.x, is_swapped) for each, is_swapped in zip(inputs, swapped, strict=True)]
    total = integer_product(matrices[0], matrices[1], a.zero, b.zero)
    return R.multiply(R.astype(total, "float32"), R.multiply(a.scale, b.scale))


def transposed(matrix: RelaxExpr, is_swapped: bool) -> RelaxExpr:
    """Return the transposed matrix, or the matrix itself."""
    return R.permute_dims(matrix, [1, 0]) if is_swapped else matrix


@operator("Gemm")
def gemm(context: Context, node: Node) -> RelaxExpr:
    """Return alpha * a * b + beta * c, of transposed matrices where attributes say so."""
    return gemm_of(context, node)


def gemm_of(context: Context, node: Node) -> RelaxExpr:
    """Return alpha * a * b + beta * c of the inputs of a node."""
    a, b = node.tensor(0), node.tensor(1)
    alpha, beta = node.number("alpha", 1.0), node.number("beta", 1.0)
    swapped = [bool(node.integer(name, 0)) for name in ("transA", "transB")]
    product = _dequantized_product(context, node, swapped) if alpha == 1.0 else None
    is_narrow_product = product is not None
    if product is None:
        if alpha != 1.0:
            a = R.multiply(a, scalar(alpha, a))
        a, b = (transposed(each, is_swapped) for each, is_swapped in zip((a, b), swapped, strict=True))
        product = matmul(a, b)
    c = node.optional(2)
    if c is not None and beta != 0.0:
        product = R.add(product, R.multiply(c, scalar(beta, c)) if beta != 1.0 else c)
    return context.rounded(product) if is_narrow_product else product


@operator("MatMulInteger")
@operator("MatMulInteger16", domain="com.microsoft")
def matmul_integer(context: Context, node: Node) -> RelaxExpr:
    """Return the product of integers without their zero points, in int32."""
    zero_a = _column(node.tensor(2)) if node.has(2) else None
    return integer_product(node.tensor(0), node.tensor(1), zero_a, node.tensor(3) if node.has(3) else None)


def integer_product(a: RelaxExpr, b: RelaxExpr, zero_a: RelaxExpr | None, zero_b: RelaxExpr | None) -> RelaxExpr:
    """Return the product of integers without their zero points, in int32; those of rows of a are a column.

    The integers are multiplied as they are, which processors have instructions for, and what zero points add is
    subtracted: (a - za) * (b - zb) = a * b - za * sum(b) - sum(a - za) * zb.
    """
    wide_a, wide_b = R.astype(a, "int32"), R.astype(b, "int32")
    if zero_a is not None:
        zero_a = R.astype(zero_a, "int32")
        wide_a = R.subtract(wide_a, zero_a)
    if zero_b is not None:
        zero_b = R.astype(zero_b, "int32")
    if min(rank_of(a), rank_of(b)) < 2:
        return R.matmul(wide_a, wide_b if zero_b is None else R.subtract(wide_b, zero_b))
    total = R.matmul(a, b, out_dtype="int32")
    if zero_a is not None:
        total = R.subtract(total, R.multiply(zero_a, R.sum(wide_b, [-2], keepdims=True)))
    if zero_b is not None:
        total = R.subtract(total, R.multiply(R.sum(wide_a, [-1], keepdims=True), zero_b))
    return total


def _column(zero: RelaxExpr) -> RelaxExpr:
    """Return zero points of rows, as a column where they are a vector."""
    wide = R.astype(zero, "int32")
    is_vector = rank_of(zero) == 1
    return R.expand_dims(wide, [1]) if is_vector else wide


@operator("Affine")
@operator("Scale")
@operator("ScaledTanh")
@operator("ParametricSoftplus")
def scaled(context: Context, node: Node) -> RelaxExpr:
    """Return the experimental operators of old models: functions of x with factors."""
    x = node.tensor(0)
    if node.op_type == "Scale":
        return R.multiply(x, scalar(node.number("scale", 1.0), x))
    alpha, beta = (scalar(node.number(name, 1.0), dtype_of(x)) for name in ("alpha", "beta"))
    if node.op_type == "Affine":
        return R.add(R.multiply(alpha, x), beta)
    inner = R.multiply(beta, x)
    if node.op_type == "ScaledTanh":
        return R.multiply(alpha, R.tanh(inner))
    return R.multiply(alpha, R.log(R.add(R.exp(inner), scalar(1.0, x))))
