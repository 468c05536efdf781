"""Functions of elements under the names that Relay and `nn` share, with what NumPy computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from tvmscript.fuzz.frontends.pool import FLOATS, INTEGERS, Array


class Unary(NamedTuple):
    """A function of floats."""

    function: Callable[[Any], Any]
    #: the smallest and the largest element that it takes
    low: float = -9
    high: float = 9
    #: whether there are no rounding errors
    is_exact: bool = False
    #: whether it jumps, so that its operand must have none
    has_jumps: bool = False


def round_away(x: Array) -> Array:
    """Round halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


erf: Final = np.vectorize(math.erf, otypes=["float64"])
UNARY: Final[Mapping[str, Unary]] = {
    "abs": Unary(np.abs, is_exact=True), "acos": Unary(np.arccos, -0.75, 0.75), "acosh": Unary(np.arccosh, 1.125, 9),
    "asin": Unary(np.arcsin, -0.75, 0.75), "asinh": Unary(np.arcsinh), "atan": Unary(np.arctan),
    "atanh": Unary(np.arctanh, -0.75, 0.75), "ceil": Unary(np.ceil, is_exact=True, has_jumps=True),
    "cos": Unary(np.cos), "cosh": Unary(np.cosh, -3, 3), "erf": Unary(erf), "exp": Unary(np.exp, -9, 3),
    "floor": Unary(np.floor, is_exact=True, has_jumps=True), "isfinite": Unary(np.isfinite),
    "isinf": Unary(np.isinf), "isnan": Unary(np.isnan), "log": Unary(np.log, 0.125, 50),
    "negative": Unary(np.negative, is_exact=True), "round": Unary(round_away, is_exact=True, has_jumps=True),
    "rsqrt": Unary(lambda x: 1 / np.sqrt(x), 0.125, 50), "sigmoid": Unary(sigmoid),
    "sign": Unary(np.sign, is_exact=True, has_jumps=True), "sin": Unary(np.sin), "sinh": Unary(np.sinh, -3, 3),
    "sqrt": Unary(np.sqrt, 0.125, 50), "tan": Unary(np.tan, -1, 1), "tanh": Unary(np.tanh),
    "zeros_like": Unary(np.zeros_like, is_exact=True), "ones_like": Unary(np.ones_like, is_exact=True),
    "copy": Unary(lambda x: x, is_exact=True), "relu": Unary(lambda x: np.maximum(x, 0), is_exact=True),
    "relu6": Unary(lambda x: np.clip(x, 0, 6), is_exact=True), "silu": Unary(lambda x: x * sigmoid(x)),
    "gelu": Unary(lambda x: x * (1 + erf(x / math.sqrt(2))) / 2), "square": Unary(np.square),
    "softplus": Unary(lambda x: np.log1p(np.exp(x))),
    "batch_flatten": Unary(lambda x: x.reshape(len(x), -1), is_exact=True),
}  # fmt: skip


class Binary(NamedTuple):
    """A function of two operands, which are broadcast."""

    function: Callable[[Any, Any], Any]
    dtypes: tuple[str, ...] = (*FLOATS, "int32", "int64")
    #: bounds of the second operand
    low: float = -7
    high: float = 7
    has_jumps: bool = False


BINARY: Final[Mapping[str, Binary]] = {
    "add": Binary(np.add), "subtract": Binary(np.subtract), "multiply": Binary(np.multiply),
    "divide": Binary(np.divide, FLOATS, 0.125), "maximum": Binary(np.maximum), "minimum": Binary(np.minimum),
    "equal": Binary(np.equal, has_jumps=True), "not_equal": Binary(np.not_equal, has_jumps=True),
    "less": Binary(np.less, has_jumps=True), "less_equal": Binary(np.less_equal, has_jumps=True),
    "greater": Binary(np.greater, has_jumps=True), "greater_equal": Binary(np.greater_equal, has_jumps=True),
    "logical_and": Binary(np.logical_and, ("bool",)), "logical_or": Binary(np.logical_or, ("bool",)),
    "logical_xor": Binary(np.logical_xor, ("bool",)), "bitwise_and": Binary(np.bitwise_and, INTEGERS),
    "bitwise_or": Binary(np.bitwise_or, INTEGERS), "bitwise_xor": Binary(np.bitwise_xor, INTEGERS),
    "floor_divide": Binary(np.floor_divide, ("int32", "int64"), 1, 7),
    "mod": Binary(np.fmod, ("int32", "int64"), 1, 7),
}  # fmt: skip
