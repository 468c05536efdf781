"""Elementwise operators, activations, comparisons, casts, selection, quantization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tvmscript.frontend.rounding import round_to_even
from tvmscript.frontend.tensor_info import dtype_of, shape_of
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.read_model import names_of
from tvmscript.frontend.tflite.values import Node, dequantized, quantized, scalar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def _square(x: RelaxExpr) -> RelaxExpr:
    return R.multiply(x, x)


def _relu_n1_to_1(x: RelaxExpr) -> RelaxExpr:
    return R.clip(x, -1.0, 1.0)


def _relu6(x: RelaxExpr) -> RelaxExpr:
    return R.clip(x, 0.0, 6.0)


def _hard_swish(x: RelaxExpr) -> RelaxExpr:
    return R.multiply(x, R.divide(R.clip(R.add(x, scalar(3.0, x)), 0.0, 6.0), scalar(6.0, x)))


def _elu(x: RelaxExpr) -> RelaxExpr:
    return R.where(R.greater(x, scalar(0.0, x)), x, R.subtract(R.exp(x), scalar(1.0, x)))


_UNARY: Final[dict[str, Callable[[RelaxExpr], RelaxExpr]]] = {
    "ABS": R.abs, "CEIL": R.ceil, "COS": R.cos, "ELU": _elu, "EXP": R.exp, "FLOOR": R.floor, "HARD_SWISH": _hard_swish,
    "LOG": R.log, "LOGICAL_NOT": R.logical_not, "LOGISTIC": R.sigmoid, "NEG": R.negative, "RELU": R.nn.relu,
    "RELU6": _relu6, "RELU_N1_TO_1": _relu_n1_to_1, "RELU_0_TO_1": lambda x: R.clip(x, 0.0, 1.0),
    "ROUND": round_to_even, "RSQRT": R.rsqrt,
    "SIGN": R.sign, "SIN": R.sin, "SQRT": R.sqrt, "SQUARE": _square, "TANH": R.tanh, "ZEROS_LIKE": R.zeros_like,
    "LOG_SOFTMAX": R.nn.log_softmax,
}  # fmt: skip
#: activation that is part of an operator -> function
_ACTIVATIONS: Final[dict[str, Callable[[RelaxExpr], RelaxExpr]]] = {
    "NONE": lambda x: x, "RELU": R.nn.relu, "RELU_N1_TO_1": _relu_n1_to_1, "RELU6": _relu6, "TANH": R.tanh,
}  # fmt: skip


def _div(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Divide; integers are rounded to zero."""
    if dtype_of(a).startswith("float"):
        return R.divide(a, b)
    size = R.floor_divide(R.abs(a), R.abs(b))
    return R.multiply(size, R.multiply(R.sign(a), R.sign(b)))


def _squared_difference(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    return _square(R.subtract(a, b))


_BINARY: Final[dict[str, Callable[[RelaxExpr, RelaxExpr], RelaxExpr]]] = {
    "ADD": R.add, "ATAN2": R.atan2, "BITWISE_XOR": R.bitwise_xor, "DIV": _div, "EQUAL": R.equal,
    "FLOOR_DIV": R.floor_divide, "FLOOR_MOD": R.floor_mod, "GREATER": R.greater, "GREATER_EQUAL": R.greater_equal,
    "LESS": R.less, "LESS_EQUAL": R.less_equal, "LOGICAL_AND": R.logical_and, "LOGICAL_OR": R.logical_or,
    "MAXIMUM": R.maximum, "MINIMUM": R.minimum, "MUL": R.multiply, "NOT_EQUAL": R.not_equal, "POW": R.power,
    "RIGHT_SHIFT": R.right_shift, "SQUARED_DIFFERENCE": _squared_difference, "SUB": R.subtract,
}  # fmt: skip


def activation_of(node: Node) -> Callable[[RelaxExpr], RelaxExpr]:
    """Return the activation that is part of an operator. Raises `InvalidModel`."""
    number = node.option("fusedActivationFunction")
    name = names_of("ActivationFunctionType").get(number, str(number))
    if name not in _ACTIVATIONS:
        node.invalid(f"the activation {name} is not known")
    return _ACTIVATIONS[name]


def activate(node: Node, x: RelaxExpr) -> RelaxExpr:
    """Return the activation that is part of an operator."""
    return activation_of(node)(x)


def _register_unary(name: str, function: Callable[[RelaxExpr], RelaxExpr]) -> None:
    @operator(name)
    def convert(node: Node) -> RelaxExpr:
        return function(node.tensor(0))


def _register_binary(name: str, function: Callable[[RelaxExpr, RelaxExpr], RelaxExpr]) -> None:
    @operator(name)
    def convert(node: Node) -> RelaxExpr:
        return activate(node, function(node.tensor(0), node.tensor(1)))


for _name, _function in _UNARY.items():
    _register_unary(_name, _function)
for _name, _operation in _BINARY.items():
    _register_binary(_name, _operation)


@operator("GELU")
def gelu(node: Node) -> RelaxExpr:
    """Return x times the normal distribution of x, or its approximation."""
    return (R.nn.gelu_tanh if node.option("approximate") else R.nn.gelu)(node.tensor(0))


@operator("LEAKY_RELU")
def leaky_relu(node: Node) -> RelaxExpr:
    """Return alpha times negative elements."""
    return R.nn.leakyrelu(node.tensor(0), float(node.option("alpha")))


@operator("PRELU")
def prelu(node: Node) -> RelaxExpr:
    """Return the slope times negative elements."""
    x = node.tensor(0)
    return R.where(R.greater(x, scalar(0.0, x)), x, R.multiply(x, node.tensor(1)))


@operator("SOFTMAX")
def softmax(node: Node) -> RelaxExpr:
    """Return softmax of beta times the elements over the last axis."""
    x, beta = node.tensor(0), float(node.option("beta", 1.0))
    return R.nn.softmax(x if beta == 1.0 else R.multiply(x, scalar(beta, x)))


@operator("ADD_N")
def add_n(node: Node) -> RelaxExpr:
    """Return the sum of all inputs."""
    first, *rest = node.tensors()
    for other in rest:
        first = R.add(first, other)
    return first


@operator("SELECT", "SELECT_V2")
def select(node: Node) -> RelaxExpr:
    """Return elements of the second input where the first one holds, else of the third."""
    condition, then, otherwise = node.tensors()
    rank = len(shape_of(then))
    if node.name == "SELECT" and 0 < len(shape_of(condition)) < rank:
        condition = R.reshape(condition, R.shape([*shape_of(condition), *[1] * (rank - 1)]))
    return R.where(condition, then, otherwise)


@operator("CAST")
def cast(node: Node) -> RelaxExpr:
    """Return the elements in another dtype."""
    return R.astype(node.tensor(0), node.outputs[0].dtype)


@operator("L2_NORMALIZATION")
def l2_normalization(node: Node) -> RelaxExpr:
    """Return rows divided by their length."""
    x = node.tensor(0)
    square = R.maximum(R.sum(_square(x), axis=[-1], keepdims=True), scalar(1e-12, x))
    return activate(node, R.multiply(x, R.rsqrt(square)))


@operator("QUANTIZE")
def quantize(node: Node) -> RelaxExpr:
    """Return integers of the scale of the result, of numbers or of integers of another scale."""
    x, target = node.tensor(0), node.outputs[0]
    source = node.sources[0]
    if source is not None:
        x = dequantized(x, source)
    if target.quantization is None:
        node.invalid("its result has no scale")
    return quantized(x, target.quantization, target.dtype)


@operator("DEQUANTIZE")
def dequantize(node: Node) -> RelaxExpr:
    """Return the numbers that integers stand for; float16 becomes float32."""
    x, source = node.tensor(0), node.sources[0]
    return R.astype(x, "float32") if source is None else dequantized(x, source)


@operator("FAKE_QUANT")
def fake_quant(node: Node) -> RelaxExpr:
    """Round numbers to those that integers of some bits between `min` and `max` stand for."""
    x = node.tensor(0)
    low, high = float(node.option("min")), float(node.option("max"))
    bits = int(node.option("numBits", 8))
    if not 2 <= bits <= 16:
        node.invalid(f"it rounds to integers of {bits} bits, not of 2 to 16")
    most = 2**bits - 1
    least = 1 if node.option("narrowRange") else 0
    scale = (high - low) / (most - least)
    zero = float(np.clip(round(least - low / scale), least, most))
    begin, end = (least - zero) * scale, (most - zero) * scale
    steps = R.floor(
        R.add(R.divide(R.subtract(R.clip(x, begin, end), scalar(begin, x)), scalar(scale, x)), scalar(0.5, x))
    )
    return R.add(R.multiply(steps, scalar(scale, x)), scalar(begin, x))
