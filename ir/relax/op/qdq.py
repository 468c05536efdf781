"""Quantization and dequantization."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.op.shape_rules import expect_tensor, normalize_axis, with_dtype
from tvmscript.ir.relax.op.unary import round_away
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal

_FLOATS: Final = ("float16", "float32")
_SMALL_FLOATS: Final = ("e4m3_float8", "e5m2_float8")
_QUANTIZED: Final = ("int8", "uint8", "int16", "uint16", *_SMALL_FLOATS)
_DEQUANTIZED_FROM: Final = ("int8", "uint8", "int16", "uint16", "int32", *_SMALL_FLOATS, *_FLOATS)
_ZERO_POINTS: Final = ("int8", "float16")


def _infer_quantize(call: Call) -> TensorStructInfo:
    return _infer(call, _FLOATS, _QUANTIZED)


def _infer_dequantize(call: Call) -> TensorStructInfo:
    return _infer(call, _DEQUANTIZED_FROM, _FLOATS)


def _infer(call: Call, taken: tuple[str, ...], given: tuple[str, ...]) -> TensorStructInfo:
    data = expect_tensor(call)
    out_dtype = call.attrs["out_dtype"]
    if out_dtype not in given:
        raise invalid_argument(call, "out_dtype", _join_alternatives(given), out_dtype)
    _check_dtype(call, 0, data, taken)
    _check_dtype(call, 1, expect_tensor(call, 1), _FLOATS)
    _check_dtype(call, 2, expect_tensor(call, 2), _ZERO_POINTS)
    axis = normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    extents = literal_extents(data)
    if extents is not None and data.ndim != UNKNOWN_NDIM:
        for position in (1, 2):
            parameter = literal_extents(expect_tensor(call, position))
            if parameter and not provably_equal(parameter[0], extents[axis]):
                raise invalid_argument(call, position, f"a scalar, or {extents[axis]} elements", parameter[0])
    return with_dtype(data, out_dtype)


def _check_dtype(call: Call, position: int, info: TensorStructInfo, taken: tuple[str, ...]) -> None:
    if info.dtype not in taken:
        raise invalid_argument(call, position, _join_alternatives(taken), info.dtype)


def _join_alternatives(dtypes: tuple[str, ...]) -> str:
    return f"{', '.join(dtypes[:-1])} or {dtypes[-1]}"


def _align_axis(parameter: Array, ndim: int, axis: int) -> Array:
    """Reshape a per-axis parameter so that it broadcasts with an array of `ndim` dimensions."""
    return parameter.reshape([-1 if at == axis % ndim else 1 for at in range(ndim)]) if parameter.ndim else parameter


def _compute_quantize(np: ModuleType, data: Array, scale: Array, zero_point: Array, out_dtype: str, axis: int) -> Array:
    limits = np.iinfo(str(out_dtype))
    scaled = round_away(np, data / _align_axis(scale, data.ndim, axis)) + _align_axis(zero_point, data.ndim, axis)
    return np.clip(scaled, limits.min, limits.max).astype(str(out_dtype))


def _compute_dequantize(
    np: ModuleType, data: Array, scale: Array, zero_point: Array, out_dtype: str, axis: int
) -> Array:
    centred = data.astype("float32") - _align_axis(zero_point, data.ndim, axis).astype("float32")
    return (centred * _align_axis(scale, data.ndim, axis)).astype(str(out_dtype))


quantize = Operator(
    "quantize",
    "data: Expr, scale: Expr, zero_point: Expr, axis: int = -1, out_dtype: dtype = 'int8'",
    _infer_quantize,
    attribute_order=("out_dtype", "axis"),
    reference=_compute_quantize,
    legalize=lambda topi, *args: topi.graph.quantize(*args),
    doc="Quantize: round(data / scale) + zero_point, clamped to the range of the dtype.",
)
dequantize = Operator(
    "dequantize",
    "data: Expr, scale: Expr, zero_point: Expr, axis: int = -1, out_dtype: dtype = 'float32'",
    _infer_dequantize,
    attribute_order=("out_dtype", "axis"),
    reference=_compute_dequantize,
    legalize=lambda topi, *args: topi.graph.dequantize(*args),
    doc="Dequantize: (data - zero_point) * scale.",
)
