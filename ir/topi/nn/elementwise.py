"""Activations, and scales of channels."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, Select, const
from tvmscript.ir.topi.common import BROADCAST, ELEMWISE, function, known_int, normalize_axis
from tvmscript.ir.topi.errors import InvalidOperand


def relu(x: Tensor) -> Tensor:
    """Return ONNX's Relu."""
    return compute(x.shape, lambda *i: function("max")(x(*i), const(0, x.dtype)), tag=ELEMWISE)


def leaky_relu(x: Tensor, alpha: float) -> Tensor:
    """Return ONNX's LeakyRelu."""

    def value(*i: Expr) -> Expr:
        element = x(*i)
        return Select(element > const(0, element.dtype), element, element * const(alpha, element.dtype))

    return compute(x.shape, value, tag=ELEMWISE)


def prelu(x: Tensor, slope: Tensor, axis: int = 1) -> Tensor:
    """Return ONNX's PRelu with a slope for each index of an axis, or one for all."""
    channel = normalize_axis(axis, x.ndim, "prelu")
    if slope.ndim != 1:
        raise InvalidOperand(where="prelu", reason="the slopes are no vector")
    is_shared = known_int(slope.shape[0]) == 1

    def value(*i: Expr) -> Expr:
        element = x(*i)
        return Select(element > const(0, element.dtype), element, element * slope(0 if is_shared else i[channel]))

    return compute(x.shape, value)


def scale_shift_nchw(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return x * scale + shift with one of each a channel, channels second."""
    return compute(
        Input.shape, lambda b, c, i, j: Input(b, c, i, j) * Scale(c) + Shift(c), name="ScaleShift", tag=BROADCAST
    )


def scale_shift_nhwc(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return x * scale + shift with one of each a channel, channels last."""
    return compute(
        Input.shape, lambda b, i, j, c: Input(b, i, j, c) * Scale(c) + Shift(c), name="ScaleShift", tag=BROADCAST
    )


def scale_shift_nchwc(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return x * scale + shift with one of each a channel, channels in blocks."""
    return compute(
        Input.shape,
        lambda b, cc, i, j, cb: Input(b, cc, i, j, cb) * Scale(cc, cb) + Shift(cc, cb),
        name="ScaleShift",
        tag=BROADCAST,
    )
