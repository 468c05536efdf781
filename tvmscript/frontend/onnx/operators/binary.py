"""Elementwise operators of several tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import elementwise, operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.core import DType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

Binary = Callable[[RelaxExpr, RelaxExpr], Any]


def _quotient(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Return a / b, of integers rounded to zero."""
    if not dtype_of(a).startswith("int"):
        return R.divide(a, b) if not dtype_of(a).startswith("uint") else R.floor_divide(a, b)
    down = R.floor_divide(R.abs(a), R.abs(b))
    is_negative = R.not_equal(R.less(a, scalar(0, a)), R.less(b, scalar(0, b)))
    return R.where(is_negative, R.negative(down), down)


def _power(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Return a to the power of b, in the dtype of a."""
    dtype = dtype_of(a)
    if DType(dtype).is_floating:
        return R.power(a, b if dtype_of(b) == dtype else R.astype(b, dtype))
    return R.astype(R.power(R.astype(a, "float64"), R.astype(b, "float64")), dtype)


_FUNCTIONS: Final[dict[str, Binary]] = {
    "Add": R.add, "Sub": R.subtract, "Mul": R.multiply, "Div": _quotient, "Pow": _power,
    "And": R.logical_and, "Or": R.logical_or, "Xor": R.logical_xor,
    "BitwiseAnd": R.bitwise_and, "BitwiseOr": R.bitwise_or, "BitwiseXor": R.bitwise_xor,
    "Equal": R.equal, "Greater": R.greater, "GreaterOrEqual": R.greater_equal, "Less": R.less,
    "LessOrEqual": R.less_equal,
}  # fmt: skip


def _legacy(function: Binary) -> Callable[[Context, Node], RelaxExpr]:
    """Return the converter for opsets below 7, where an attribute says how shapes are broadcast."""

    def convert(context: Context, node: Node) -> RelaxExpr:
        a, b = node.tensor(0), node.tensor(1)
        if node.integer("broadcast", 0) and "axis" in node.attrs:
            behind = rank_of(a) - node.axis(node.integer("axis"), rank_of(a)) - rank_of(b)
            b = R.reshape(b, shape_expr([*sizes_of(b), *[1] * max(behind, 0)]))
        result: RelaxExpr = function(a, b)
        return result

    return convert


for _name, _function in _FUNCTIONS.items():
    operator(_name)(_legacy(_function))
    elementwise(_name, _function, 7)

for _name, _function in {"Max": R.maximum, "Min": R.minimum, "Sum": R.add}.items():
    elementwise(_name, lambda *tensors, function=_function: reduce(function, tensors))


@operator("Mean")
def mean(context: Context, node: Node) -> RelaxExpr:
    """Return the mean of the inputs."""
    tensors = node.tensors()
    return R.divide(reduce(R.add, tensors), scalar(float(len(tensors)), tensors[0]))


@operator("BitShift")
def bit_shift(context: Context, node: Node) -> RelaxExpr:
    """Return bits shifted to the left or right."""
    x, amount = node.tensor(0), node.tensor(1)
    is_left = node.text("direction") == "LEFT"
    shift = R.left_shift if is_left else R.right_shift
    if node.version < 28:
        return shift(x, amount)
    # amounts that are negative or too large shift all bits out
    dtype = dtype_of(x)
    width = DType(dtype).bits
    is_inside = R.less(amount, scalar(width, amount))
    if dtype.startswith("int"):
        is_inside = R.logical_and(is_inside, R.greater_equal(amount, scalar(0, amount)))
    bounded = R.where(is_inside, amount, scalar(0 if is_left else width - 1, amount))
    if is_left or dtype.startswith("uint"):
        return R.where(is_inside, shift(x, bounded), scalar(0, x))
    return shift(x, bounded)


@operator("Mod")
def mod(context: Context, node: Node) -> RelaxExpr:
    """Return the remainder with the sign of the divisor, or of the dividend where fmod is set."""
    a, b = node.tensor(0), node.tensor(1)
    is_of_dividend = bool(node.integer("fmod", 0))
    if DType(dtype_of(a)).is_floating:
        return _float_remainder(context, a, b, is_of_dividend)
    if not is_of_dividend or dtype_of(a).startswith("uint"):
        return R.floor_mod(a, b)
    rest = R.floor_mod(R.abs(a), R.abs(b))
    return R.where(R.less(a, scalar(0, a)), R.negative(rest), rest)


def _float_remainder(context: Context, a: RelaxExpr, b: RelaxExpr, is_of_dividend: bool) -> RelaxExpr:
    """Return the remainder of floats, exact also for an infinite divisor."""
    rest = context.emit(R.mod(a, b))
    if is_of_dividend:
        return rest
    zero = scalar(0, a)
    has_other_sign = R.logical_xor(R.less(rest, zero), R.less(b, zero))
    return R.where(R.logical_and(R.not_equal(rest, zero), has_other_sign), R.add(rest, b), rest)


@operator("Where")
def where(context: Context, node: Node) -> RelaxExpr:
    """Return elements of two tensors by a condition."""
    return R.where(node.tensor(0), node.tensor(1), node.tensor(2))


@operator("Einsum")
def einsum(context: Context, node: Node) -> RelaxExpr:
    """Return a sum of products by Einstein's notation."""
    return R.einsum(tuple(node.tensors()), node.text("equation").replace(" ", ""))
