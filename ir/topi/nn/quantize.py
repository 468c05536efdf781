"""Simulated quantization: values in float32, rounded to those that a kind of integers has."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Elements, Tensor
from tvmscript.ir.tir import EQ, Expr, as_expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import function, normalize_axis

#: number of a dtype in a program -> its least and its greatest value; 0 means that nothing is quantized
_CODES: Final = {1: (-128, 127), 2: (0, 255), 3: (-(2**31), 2**31 - 1)}


def _at(tensor: Elements | None, i: tuple[Expr, ...], axis: int, default: float, dtype: str) -> Expr:
    """Return the scale or the zero point of an element: one of each channel, or one for all."""
    if tensor is None:
        return const(default, dtype)
    if not isinstance(tensor, Tensor):
        return cast_expr(dtype, as_expr(tensor))
    if tensor.ndim == 0:
        return cast_expr(dtype, tensor())
    return cast_expr(dtype, tensor(function("indexmod")(i[axis], tensor.shape[0])))


def _code(kind: Elements) -> Expr:
    return kind() if isinstance(kind, Tensor) else as_expr(kind)


def simulated_quantize(
    data: Tensor,
    out_dtype: Elements,
    output_scale: Elements | None = None,
    output_zero_point: Elements | None = None,
    axis: int = -1,
) -> Tensor:
    """Return ONNX's QuantizeLinear in the dtype of the data; the result's dtype is a number of the program.

    `out_dtype` is 0 (the data), 1 (int8), 2 (uint8) or 3 (int32). A vector of scales has one a channel.
    """
    place = normalize_axis(axis, data.ndim, "nn.simulated_quantize")
    choose, least, most = function("if_then_else"), function("min"), function("max")

    def value(*i: Expr) -> Expr:
        element = data(*i)
        scale = _at(output_scale, i, place, 1.0, data.dtype)
        zero = _at(output_zero_point, i, place, 0.0, data.dtype)
        shifted = function("round")(element / scale) + zero
        result: Expr = element
        for code, (low, high) in _CODES.items():
            clipped = most(least(shifted, const(float(high), data.dtype)), const(float(low), data.dtype))
            result = choose(EQ(_code(out_dtype), const(code, "int32")), clipped, result)
        return result

    return compute(data.shape, value, name="simulated_quantize", tag="simulated_quantize")


def simulated_dequantize(
    data: Tensor,
    in_dtype: Elements,
    input_scale: Elements | None = None,
    input_zero_point: Elements | None = None,
    axis: int = -1,
) -> Tensor:
    """Return ONNX's DequantizeLinear of data that `simulated_quantize` returned for the number `in_dtype`."""
    place = normalize_axis(axis, data.ndim, "nn.simulated_dequantize")

    def value(*i: Expr) -> Expr:
        element = data(*i)
        scale = _at(input_scale, i, place, 1.0, data.dtype)
        zero = _at(input_zero_point, i, place, 0.0, data.dtype)
        is_plain = EQ(_code(in_dtype), const(0, "int32"))
        return function("if_then_else")(is_plain, element, scale * (element - zero))

    return compute(data.shape, value, name="simulated_dequantize", tag="simulated_dequantize")
