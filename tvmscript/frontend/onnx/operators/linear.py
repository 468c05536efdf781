"""Products of matrices."""

from __future__ import annotations

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import elementwise, operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar
from tvmscript.frontend.rounding import is_narrow
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def matmul(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Return the product of matrices; sums of 16-bit floats are those of float32."""
    return R.astype(R.matmul(a, b, out_dtype="float32"), dtype_of(a)) if is_narrow(a) else R.matmul(a, b)


elementwise("MatMul", matmul)


@operator("Gemm")
def gemm(context: Context, node: Node) -> RelaxExpr:
    """Return alpha * a * b + beta * c, of transposed matrices where attributes say so."""
    return gemm_of(node)


def gemm_of(node: Node) -> RelaxExpr:
    """Return alpha * a * b + beta * c of the inputs of a node."""
    a, b = node.tensor(0), node.tensor(1)
    alpha, beta = node.number("alpha", 1.0), node.number("beta", 1.0)
    if alpha != 1.0:
        a = R.multiply(a, scalar(alpha, a))
    if node.integer("transA", 0):
        a = R.permute_dims(a, [1, 0])
    if node.integer("transB", 0):
        b = R.permute_dims(b, [1, 0])
    product = matmul(a, b)
    c = node.optional(2)
    if c is None or beta == 0.0:
        return product
    return R.add(product, R.multiply(c, scalar(beta, c)) if beta != 1.0 else c)


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
