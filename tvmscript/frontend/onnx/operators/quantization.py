"""Quantized tensors: integers with scales and zero points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context, Dequantized
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.convolution import integer_convolution, with_bias
from tvmscript.frontend.onnx.operators.linear import integer_product, transposed
from tvmscript.frontend.onnx.operators.pooling import average_pool_of
from tvmscript.frontend.onnx.operators.table import MICROSOFT, operator
from tvmscript.frontend.onnx.operators.unary import convert, nearest_even
from tvmscript.frontend.onnx.values import Size, dtype_of, product, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.core import DType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.language import R


def _spread(factor: RelaxExpr, x: RelaxExpr, axis: int, block: int) -> RelaxExpr:
    """Return factors of a tensor: of all elements, of an axis, or of blocks of an axis."""
    sizes = sizes_of(x)
    if rank_of(factor) == 0 or (rank_of(factor) == 1 and sizes_of(factor) == [1]):
        return R.reshape(factor, shape_expr([]))
    if block:
        repeated = R.repeat(factor, block, axis)
        if sizes_of(repeated) == sizes:
            return repeated
        return R.strided_slice(repeated, [axis], [0], [sizes[axis]])
    shape: list[Size] = [1] * len(sizes)
    shape[axis] = sizes[axis]
    return R.reshape(factor, shape_expr(shape))


def quantized(
    context: Context, x: RelaxExpr, scale: RelaxExpr, zero: RelaxExpr | None, dtype: str, precision: str = ""
) -> RelaxExpr:
    """Return round(x / scale) + zero within the range of a dtype."""
    kind = precision or dtype_of(scale)
    wide, divisor = _as(x, kind), _as(scale, kind)
    is_sum = isinstance(wide, Var) and wide in context.sums
    quotient = R.multiply(wide, R.divide(scalar(1.0, kind), divisor)) if is_sum else R.divide(wide, divisor)
    return _rounded(context, quotient, zero, dtype)


def _rounded(context: Context, wide: RelaxExpr, zero: RelaxExpr | None, dtype: str) -> RelaxExpr:
    """Return round(x) + zero within the range of a dtype."""
    kind = dtype_of(wide)
    if not DType(dtype).is_integer:
        return convert(wide, dtype)
    rounded = nearest_even(context, wide)
    if zero is not None:
        rounded = R.add(rounded, R.astype(zero, kind))
    low, high = _range(dtype)
    bounded = R.minimum(R.maximum(rounded, scalar(low, kind)), scalar(high, kind))
    return R.astype(R.astype(bounded, "int32"), dtype)


def _as(x: RelaxExpr, dtype: str) -> RelaxExpr:
    return x if dtype_of(x) == dtype else R.astype(x, dtype)


def _range(dtype: str) -> tuple[float, float]:
    bits, is_signed = DType(dtype).bits, dtype.startswith("int")
    return (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1) - 1) if is_signed else (0.0, 2.0**bits - 1)


def dequantized(x: RelaxExpr, scale: RelaxExpr, zero: RelaxExpr | None, dtype: str = "") -> RelaxExpr:
    """Return (x - zero) * scale."""
    kind = dtype or dtype_of(scale)
    if not DType(dtype_of(x)).is_integer:
        wide = R.astype(x, "float32")
        if zero is not None:
            wide = R.subtract(wide, R.astype(zero, "float32"))
        return R.multiply(wide if kind == "float32" else R.astype(wide, kind), scale)
    wide = R.astype(x, "int32")
    if zero is not None:
        wide = R.subtract(wide, R.astype(zero, "int32"))
    return R.multiply(R.astype(wide, kind), _as(scale, kind))


def _axis_of(node: Node, x: RelaxExpr) -> int:
    axis, rank = node.integer("axis", 1), rank_of(x)
    return node.axis(axis, rank) if -rank <= axis < rank else 0


@operator("QuantizeLinear")
def quantize_linear(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor in integers, or narrow floats."""
    x, axis, block = node.tensor(0), _axis_of(node, node.tensor(0)), node.integer("block_size", 0)
    if node.has(2):
        dtype = dtype_of(node.value(2))
    else:
        dtype = context.dtype(node, node.integer("output_dtype", 0) or 2)
    scale = _spread(node.tensor(1), x, axis, block)
    zero = _spread(node.tensor(2), x, axis, block) if node.has(2) else None
    precision = node.integer("precision", 0)
    return quantized(context, x, scale, zero, dtype, context.dtype(node, precision) if precision else "")


@operator("DequantizeLinear")
def dequantize_linear(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor of integers in floats."""
    x, axis, block = node.tensor(0), _axis_of(node, node.tensor(0)), node.integer("block_size", 0)
    zero = _spread(node.tensor(2), x, axis, block) if node.has(2) else None
    kind = node.integer("output_dtype", 0)
    result = dequantized(x, _spread(node.tensor(1), x, axis, block), zero, context.dtype(node, kind) if kind else "")
    if block or dtype_of(x) not in ("int8", "uint8") or {dtype_of(result), dtype_of(node.value(1))} != {"float32"}:
        return result
    bound, scale = context.builder.emit(result), node.tensor(1)
    is_single = product(sizes_of(scale)) == 1
    context.dequantized[bound] = Dequantized(x, scale, node.optional(2), None if is_single else axis)
    return bound


@operator("DynamicQuantizeLinear", 11)
def dynamic_quantize_linear(context: Context, node: Node) -> Any:
    """Return the tensor in uint8 with the scale and zero point that its range gives."""
    return _in_own_range(context, node.tensor(0))


def _in_own_range(context: Context, x: RelaxExpr) -> list[RelaxExpr]:
    """Return a tensor in uint8, and the scale and zero point that its range gives."""
    zero = scalar(0.0, x)
    low, high = context.emit(R.minimum(R.min(x), zero)), R.maximum(R.max(x), zero)
    scale = context.emit(R.divide(R.subtract(high, low), scalar(255.0, x)))
    point = R.clip(nearest_even(context, R.divide(R.negative(low), scale)), 0, 255)
    origin = context.emit(R.astype(point, "uint8"))
    return [quantized(context, x, scale, origin, "uint8"), scale, origin]


@operator("QLinearMatMul")
def qlinear_matmul(context: Context, node: Node) -> RelaxExpr:
    """Return the product of quantized matrices, quantized: (a, its scale and zero, b, ..., those of the result)."""
    zero_a = _of_rows(node.tensor(2)) if node.has(2) else None
    total = integer_product(node.tensor(0), node.tensor(3), zero_a, node.tensor(5) if node.has(5) else None)
    scale_a, scale_b = _of_rows(node.tensor(1)), node.tensor(4)
    scales = R.multiply(_as(scale_a, "float32"), _as(scale_b, "float32"))
    factors = R.divide(scales, _of_rows(_as(node.tensor(6), "float32")))
    result = R.multiply(R.astype(total, "float32"), factors)
    return _rounded(context, result, _of_rows(node.tensor(7)), dtype_of(node.value(7)))


def _of_rows(factor: RelaxExpr) -> RelaxExpr:
    """Return factors of rows, as a column where they are a vector."""
    return R.expand_dims(factor, [1]) if rank_of(factor) == 1 and sizes_of(factor) != [1] else factor


@operator("QLinearConv")
def qlinear_conv(context: Context, node: Node) -> RelaxExpr:
    """Return the convolution of quantized tensors, quantized."""
    weight, scale = node.tensor(3), node.tensor(4)
    rank, rows = rank_of(weight), product(sizes_of(scale))
    total = integer_convolution(node, node.tensor(0), weight, node.tensor(2), node.tensor(5))
    total = with_bias(total, node.optional(8))
    scale_x, scale_y, origin = (R.reshape(node.tensor(index), shape_expr([])) for index in (1, 6, 7))
    factors = R.divide(R.multiply(R.reshape(scale, shape_expr([1, rows, *[1] * (rank - 2)])), scale_x), scale_y)
    return _rounded(context, R.multiply(R.astype(total, "float32"), factors), origin, dtype_of(origin))


# ---- operators of ONNX Runtime: dequantize, compute, quantize


def _of_floats(
    inputs: int, compute: Callable[[Context, Node, list[RelaxExpr]], RelaxExpr]
) -> Callable[[Context, Node], RelaxExpr]:
    """Return the converter of an operator of quantized tensors, each with scale and zero point."""

    def convert_node(context: Context, node: Node) -> RelaxExpr:
        floats = [_floats(node, 3 * index) for index in range(inputs)]
        return _requantized(context, node, compute(context, node, floats), 3 * inputs)

    return convert_node


def _floats(node: Node, index: int) -> RelaxExpr:
    zero = node.tensor(index + 2) if node.has(index + 2) else None
    return dequantized(node.tensor(index), node.tensor(index + 1), zero)


def _requantized(context: Context, node: Node, result: RelaxExpr, index: int) -> RelaxExpr:
    zero = node.optional(index + 1)
    return quantized(
        context, result, node.tensor(index), zero, dtype_of(zero) if zero is not None else dtype_of(node.value(0))
    )


def _average(context: Context, node: Node, floats: list[RelaxExpr]) -> RelaxExpr:
    return average_pool_of(node, floats[0])


_FUNCTIONS: Final[dict[str, tuple[int, Callable[[Context, Node, list[RelaxExpr]], RelaxExpr]]]] = {
    "QLinearAdd": (2, lambda context, node, x: R.add(x[0], x[1])),
    "QLinearMul": (2, lambda context, node, x: R.multiply(x[0], x[1])),
    "QLinearSigmoid": (1, lambda context, node, x: R.sigmoid(x[0])),
    "QLinearLeakyRelu": (1, lambda context, node, x: R.nn.leakyrelu(x[0], node.number("alpha", 0.01))),
    "QLinearSoftmax": (1, lambda context, node, x: R.nn.softmax(x[0], node.integer("axis", -1))),
    "QLinearGlobalAveragePool": (1, lambda context, node, x: R.mean(x[0], list(range(2, rank_of(x[0]))), True)),
    "QLinearAveragePool": (1, _average),
}
for _name, (_inputs, _compute) in _FUNCTIONS.items():
    operator(_name, domain=MICROSOFT)(_of_floats(_inputs, _compute))


@operator("QLinearConcat", domain=MICROSOFT)
def qlinear_concat(context: Context, node: Node) -> RelaxExpr:
    """Return quantized tensors joined: the result's scale and zero point, then each tensor with its own."""
    tensors = [_floats(node, index) for index in range(2, len(node.inputs), 3)]
    joined = R.concat(tuple(tensors), node.integer("axis"))
    return quantized(context, joined, node.tensor(0), node.tensor(1), dtype_of(node.value(1)))


@operator("QGemm", domain=MICROSOFT)
def qgemm(context: Context, node: Node) -> RelaxExpr:
    """Return the product of quantized matrices with a bias in the product of their scales."""
    a, b = (
        transposed(node.tensor(place), node.integer(name, 0) == 1) for place, name in ((0, "transA"), (3, "transB"))
    )
    total = integer_product(a, b, node.optional(2), node.optional(5))
    if node.has(6):
        total = R.add(total, node.tensor(6))
    scales = R.multiply(R.multiply(node.tensor(1), node.tensor(4)), scalar(node.number("alpha", 1.0), "float32"))
    result = R.multiply(R.astype(total, "float32"), scales)
    return _requantized(context, node, result, 7) if node.has(7) else result


@operator("MatMulIntegerToFloat", domain=MICROSOFT)
def matmul_integer_to_float(context: Context, node: Node) -> RelaxExpr:
    """Return the product of quantized matrices in floats: both, their scales, their zero points, a bias."""
    zeros = [node.optional(index) for index in (4, 5)]
    return _product(node, [node.tensor(0), node.tensor(1)], [node.tensor(2), node.tensor(3)], zeros, 6)


@operator("DynamicQuantizeMatMul", domain=MICROSOFT)
def dynamic_quantize_matmul(context: Context, node: Node) -> RelaxExpr:
    """Return the product of floats, quantized by their range, with a quantized matrix, in floats."""
    a, scale, zero = _in_own_range(context, node.tensor(0))
    return _product(node, [a, node.tensor(1)], [scale, node.tensor(2)], [zero, node.optional(3)], 4)


def _product(
    node: Node, matrices: list[RelaxExpr], scales: list[RelaxExpr], zeros: list[RelaxExpr | None], bias_index: int
) -> RelaxExpr:
    """Return the product of quantized matrices in floats, plus the bias that an input may be."""
    result = R.astype(integer_product(*matrices, *zeros), dtype_of(scales[0]))
    result = R.multiply(result, R.multiply(scales[0], scales[1]))
    return R.add(result, node.tensor(bias_index)) if node.has(bias_index) else result


@operator("MatMulNBits", domain=MICROSOFT)
def matmul_of_few_bits(context: Context, node: Node) -> RelaxExpr:
    """Return the product with a transposed matrix of 4 or 8 bits, in blocks with a scale and a zero each."""
    inner, outer, bits = node.integer("K"), node.integer("N"), node.integer("bits", 4)
    block = node.integer("block_size")
    if bits not in (4, 8) or node.has(4):
        raise node.invalid(f"{bits} bits, and blocks in another order (g_idx), are not supported")
    count = -(-inner // block)
    kind = dtype_of(node.value(0))
    weight = _unpacked(node.tensor(1), [outer, count * block], bits)
    zero: RelaxExpr = scalar(2.0 ** (bits - 1), kind)
    if node.has(3):
        zero = node.tensor(3)
        if dtype_of(zero) == "uint8":
            zero = _unpacked(zero, [outer, -(-count * bits // 8) * 8 // bits], bits)
            zero = R.astype(R.strided_slice(zero, [1], [0], [count]), kind)
        zero = R.reshape(zero, shape_expr([outer, count, 1]))
    blocks = R.reshape(R.astype(weight, kind), shape_expr([outer, count, block]))
    scales = R.reshape(node.tensor(2), shape_expr([outer, count, 1]))
    rows = R.reshape(R.multiply(R.subtract(blocks, zero), scales), shape_expr([outer, count * block]))
    if count * block != inner:
        rows = R.strided_slice(rows, [1], [0], [inner])
    result = R.matmul(node.tensor(0), R.permute_dims(rows, [1, 0]))
    return R.add(result, node.tensor(5)) if node.has(5) else result


def _unpacked(packed: RelaxExpr, shape: list[Size], bits: int) -> RelaxExpr:
    """Return the numbers of so many bits of bytes, the low ones first, in int32."""
    numbers = R.astype(packed, "int32")
    if bits == 4:
        base = R.const(16, "int32")
        numbers = R.stack((R.mod(numbers, base), R.floor_divide(numbers, base)), axis=-1)
    return R.reshape(numbers, shape_expr(shape))
