"""Operators on elements: arithmetic, comparisons, activations, conversions."""

from __future__ import annotations

from tvmscript.frontend.nn.tensor import Tensor, emit
from tvmscript.language import R


def add(a: Tensor, b: Tensor, name: str = "add") -> Tensor:
    """Return a + b."""
    return emit(R.add(a.expr, b.expr), name)


def subtract(a: Tensor, b: Tensor, name: str = "subtract") -> Tensor:
    """Return a - b."""
    return emit(R.subtract(a.expr, b.expr), name)


def multiply(a: Tensor, b: Tensor, name: str = "mul") -> Tensor:
    """Return a * b."""
    return emit(R.multiply(a.expr, b.expr), name)


def divide(a: Tensor, b: Tensor, name: str = "divide") -> Tensor:
    """Return a / b."""
    return emit(R.divide(a.expr, b.expr), name)


def maximum(x1: Tensor, x2: Tensor, name: str = "maximum") -> Tensor:
    """Return the larger element of both."""
    return emit(R.maximum(x1.expr, x2.expr), name)


def minimum(x1: Tensor, x2: Tensor, name: str = "minimum") -> Tensor:
    """Return the smaller element of both."""
    return emit(R.minimum(x1.expr, x2.expr), name)


def less(a: Tensor, b: Tensor, name: str = "less") -> Tensor:
    """Return a < b."""
    return emit(R.less(a.expr, b.expr), name)


def less_equal(a: Tensor, b: Tensor, name: str = "less_equal") -> Tensor:
    """Return a <= b."""
    return emit(R.less_equal(a.expr, b.expr), name)


def greater(a: Tensor, b: Tensor, name: str = "greater") -> Tensor:
    """Return a > b."""
    return emit(R.greater(a.expr, b.expr), name)


def greater_equal(a: Tensor, b: Tensor, name: str = "greater_equal") -> Tensor:
    """Return a >= b."""
    return emit(R.greater_equal(a.expr, b.expr), name)


def equal(a: Tensor, b: Tensor, name: str = "equal") -> Tensor:
    """Return whether a and b are equal, by element."""
    return emit(R.equal(a.expr, b.expr), name)


def not_equal(a: Tensor, b: Tensor, name: str = "not_equal") -> Tensor:
    """Return whether a and b differ, by element."""
    return emit(R.not_equal(a.expr, b.expr), name)


def where(condition: Tensor, x1: Tensor, x2: Tensor, name: str = "where") -> Tensor:
    """Return x1 where the condition, converted to bool, holds, x2 elsewhere."""
    return emit(R.where(astype(condition, "bool").expr, x1.expr, x2.expr), name)


def astype(x: Tensor, dtype: str, name: str = "astype") -> Tensor:
    """Return the tensor converted to another dtype; itself where it has the dtype."""
    return x if x.dtype == dtype else emit(R.astype(x.expr, dtype), name)


def relu(x: Tensor, name: str = "relu") -> Tensor:
    """Return max(x, 0)."""
    return emit(R.nn.relu(x.expr), name)


def relu6(x: Tensor, name: str = "relu6") -> Tensor:
    """Return min(max(x, 0), 6)."""
    return emit(R.clip(x.expr, 0, 6), name)


def silu(x: Tensor, name: str = "silu") -> Tensor:
    """Return x * sigmoid(x)."""
    return emit(R.nn.silu(x.expr), name)


def gelu(x: Tensor, approximate: str | None = None, name: str = "gelu") -> Tensor:
    """Return the Gaussian error linear unit, approximated where `approximate` is tanh."""
    return emit(R.nn.gelu_tanh(x.expr) if approximate == "tanh" else R.nn.gelu(x.expr), name)


def prelu(x: Tensor, alpha: Tensor, name: str = "prelu") -> Tensor:
    """Return x where it is positive, x * alpha elsewhere."""
    return emit(R.nn.prelu(x.expr, alpha.expr), name)


def softplus(x: Tensor, beta: float = 1.0, threshold: float = 20.0, name: str = "softplus") -> Tensor:
    """Return log(1 + exp(beta x)) / beta; x where beta x is above the threshold."""
    return emit(R.nn.softplus(x.expr, beta, threshold), name)


def sigmoid(x: Tensor, name: str = "sigmoid") -> Tensor:
    """Return 1 / (1 + exp(-x))."""
    return emit(R.sigmoid(x.expr), name)


def tanh(x: Tensor, name: str = "tanh") -> Tensor:
    """Return the hyperbolic tangent."""
    return emit(R.tanh(x.expr), name)


def exp(x: Tensor, name: str = "exp") -> Tensor:
    """Return e ** x."""
    return emit(R.exp(x.expr), name)


def log(x: Tensor, name: str = "log") -> Tensor:
    """Return the natural logarithm."""
    return emit(R.log(x.expr), name)


def floor(x: Tensor, name: str = "floor") -> Tensor:
    """Return the largest integer that is not above x."""
    return emit(R.floor(x.expr), name)


def sqrt(x: Tensor, name: str = "sqrt") -> Tensor:
    """Return the square root."""
    return emit(R.sqrt(x.expr), name)


def square(x: Tensor, name: str = "square") -> Tensor:
    """Return x * x."""
    return emit(R.square(x.expr), name)


def negative(x: Tensor, name: str = "neg") -> Tensor:
    """Return -x."""
    return emit(R.negative(x.expr), name)
