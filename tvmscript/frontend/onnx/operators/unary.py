"""Elementwise operators of one tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.element_types import dtype_name
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import elementwise, operator
from tvmscript.frontend.onnx.values import dtype_of, scalar
from tvmscript.ir.core import DType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.topi.common import ELEMWISE, define, function
from tvmscript.language import R

_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "Abs": R.abs, "Acos": R.acos, "Acosh": R.acosh, "Asin": R.asin, "Asinh": R.asinh, "Atan": R.atan,
    "Atanh": R.atanh, "Ceil": R.ceil, "Cos": R.cos, "Cosh": R.cosh, "Erf": R.erf, "Exp": R.exp, "Floor": R.floor,
    "Log": R.log, "Neg": R.negative, "Not": R.logical_not, "BitwiseNot": R.bitwise_not,
    "Sigmoid": R.sigmoid, "Sign": R.sign, "Sin": R.sin, "Sinh": R.sinh, "Sqrt": R.sqrt, "Tan": R.tan, "Tanh": R.tanh,
    "Relu": R.nn.relu, "IsNaN": R.isnan,
}  # fmt: skip

for _name, _function in _FUNCTIONS.items():
    elementwise(_name, _function)


def nearest_even(context: Context, x: RelaxExpr) -> RelaxExpr:
    """Return whole numbers, halves rounded to even ones: the rounding of ONNX, while R.round moves away from zero."""

    def nearbyint(data: Any) -> Any:
        return define(data.shape, lambda *i: function("nearbyint")(data(*i)), "T_nearbyint", ELEMWISE)

    return context.emit_te(nearbyint, x, primfunc_name_hint="nearbyint")


@operator("Round")
def round_to_even(context: Context, node: Node) -> RelaxExpr:
    """Return whole numbers, halves rounded to even ones."""
    return nearest_even(context, node.tensor(0))


@operator("Identity")
def identity(context: Context, node: Node) -> Any:
    """Return the value itself, a sequence or an absent one too."""
    return node.value(0)


@operator("Reciprocal")
def reciprocal(context: Context, node: Node) -> RelaxExpr:
    """Return 1 / x."""
    x = node.tensor(0)
    return R.divide(scalar(1.0, x), x)


@operator("Erfc")
def erfc(context: Context, node: Node) -> RelaxExpr:
    """Return 1 - erf(x), an operator that tf2onnx leaves in models of TensorFlow."""
    x = node.tensor(0)
    return R.subtract(scalar(1.0, x), R.erf(x))


@operator("IsInf")
def is_inf(context: Context, node: Node) -> RelaxExpr:
    """Return where x is infinite, of one sign or both."""
    x = node.tensor(0)
    positive, negative = node.integer("detect_positive", 1), node.integer("detect_negative", 1)
    if positive and negative:
        return R.isinf(x)
    if not positive and not negative:
        return R.zeros_like(x, dtype="bool")
    sign = R.greater(x, scalar(0.0, x)) if positive else R.less(x, scalar(0.0, x))
    return R.logical_and(R.isinf(x), sign)


@operator("Cast")
@operator("CastLike")
def cast(context: Context, node: Node) -> RelaxExpr:
    """Convert elements. Narrow floats are reached through float32, saturating where ONNX says so."""
    x = node.tensor(0)
    target = dtype_of(node.value(1)) if node.op_type == "CastLike" else _target(node)
    saturate = bool(node.integer("saturate", 1))
    if target == "float8_e8m0fnu" and DType(dtype_of(x)).is_floating:
        return _exponents(node, x, saturate)
    return convert(x, target, saturate)


def _exponents(node: Node, x: RelaxExpr, saturate: bool) -> RelaxExpr:
    """Return powers of two near the magnitudes of floats: the exponents of float32, rounded as an attribute says."""
    mode = node.text("round_mode", "up")
    if mode not in ("up", "down", "nearest"):
        raise node.invalid(f"its round_mode is {mode!r}")
    bits = R.memory.view(x if dtype_of(x) == "float32" else R.astype(x, "float32"), dtype="int32")
    exponent = R.bitwise_and(R.right_shift(bits, R.const(23, "int32")), R.const(0xFF, "int32"))
    if mode != "down":
        fraction = R.bitwise_and(bits, R.const(0x7FFFFF, "int32"))
        is_above = R.greater(fraction, R.const(0 if mode == "up" else 0x3FFFFF, "int32"))
        if mode == "nearest":  # a half of the smallest exponent is rounded down
            is_above = R.logical_and(is_above, R.greater(R.add(fraction, exponent), R.const(0x400000, "int32")))
        has_next = R.less(exponent, R.const(0xFE if saturate else 0xFF, "int32"))
        exponent = R.add(exponent, R.astype(R.logical_and(is_above, has_next), "int32"))
    return R.memory.view(R.astype(exponent, "uint8"), dtype="float8_e8m0fnu")


def _target(node: Node) -> str:
    target = node.attrs.get("to")
    if isinstance(target, bytes):  # opset 1 has names
        return {"float": "float32", "double": "float64"}.get(target.decode().lower(), target.decode().lower())
    return dtype_name(node.integer("to"), node.place)


#: largest finite values of 8-bit floats that saturate
_LARGEST: Final = {
    "e4m3_float8": 448.0, "e5m2_float8": 57344.0, "float8_e4m3fnuz": 240.0, "float8_e5m2fnuz": 57344.0,
}  # fmt: skip


def convert(x: RelaxExpr, target: str, saturate: bool = True) -> RelaxExpr:
    """Return a tensor of another dtype."""
    source = dtype_of(x)
    if source == target:
        return x
    if target == "bool" and DType(source).is_floating:
        return R.not_equal(x, scalar(0.0, x))
    if target in _LARGEST and saturate:
        largest = _LARGEST[target]
        wide = x if source == "float32" else R.astype(x, "float32")
        clipped = R.minimum(R.maximum(wide, scalar(-largest, wide)), scalar(largest, wide))
        return R.astype(R.where(R.isnan(wide), wide, clipped), target)
    if DType(source).is_floating and DType(target).is_integer and DType(target).bits < 32 and target != "bool":
        return R.astype(R.astype(x, "int32"), target)
    return R.astype(x, target)


@operator("BitCast")
def bit_cast(context: Context, node: Node) -> RelaxExpr:
    """Return the bits of a tensor as another dtype of the same width."""
    return R.memory.view(node.tensor(0), dtype=dtype_name(node.integer("to"), node.place))


@operator("Clip", 1)
def clip_by_attributes(context: Context, node: Node) -> RelaxExpr:
    """Return elements bounded by two attributes."""
    x = node.tensor(0)
    low, high = node.number("min", -3.4028234663852886e38), node.number("max", 3.4028234663852886e38)
    return R.clip(x, low, high)


@operator("Clip", 11)
def clip(context: Context, node: Node) -> RelaxExpr:
    """Return elements bounded by two optional inputs."""
    x = node.tensor(0)
    low, high = node.optional(1), node.optional(2)
    if low is not None:
        x = R.maximum(x, low)
    return x if high is None else R.minimum(x, high)
