"""Padding of tensors."""

from __future__ import annotations

from types import ModuleType

from tvmscript.ir.arith.fold import add
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.op.shape_rules import expect_tensor, int64, tensor_of_ndim, tensor_of_shape
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import cast

#: modes -> those of NumPy
_MODES = {"constant": "constant", "edge": "edge", "replicate": "edge", "reflect": "reflect", "circular": "wrap"}


def _infer(call: Call) -> TensorStructInfo:
    data, widths = expect_tensor(call), call.attrs["pad_width"]
    if data.ndim == UNKNOWN_NDIM:
        raise invalid_argument(call, 0, "a tensor of a known number of dimensions", "one of an unknown number")
    if len(widths) != 2 * data.ndim:
        raise invalid_argument(call, "pad_width", f"{2 * data.ndim} integers, two for each dimension", len(widths))
    if call.attrs["pad_mode"] not in _MODES:
        raise invalid_argument(call, "pad_mode", f"one of {', '.join(_MODES)}", call.attrs["pad_mode"])
    extents = literal_extents(data)
    if extents is None:
        return tensor_of_ndim(data.ndim, data.dtype)
    return tensor_of_shape(
        [
            simplify_size(add(cast(INT64, extent), int64(widths[2 * at] + widths[2 * at + 1])))
            for at, extent in enumerate(extents)
        ],
        data.dtype,
    )


def _compute_pad(np: ModuleType, data: Array, value: Array, pad_width: tuple[int, ...], pad_mode: str) -> Array:
    widths = list(zip(pad_width[::2], pad_width[1::2], strict=True))
    if pad_mode != "constant":
        return np.pad(data, widths, mode=_MODES[pad_mode])
    return np.pad(data, widths, constant_values=np.asarray(value).astype(data.dtype))


pad = Operator(
    "nn.pad",
    "data: Expr, pad_width: ints, pad_value: Const = 0, pad_mode: str = 'constant'",
    _infer,
    reference=_compute_pad,
    legalize=lambda topi, data, value, widths, mode: topi.graph.pad(data, value, widths, mode),
    inlines_scalars=True,
    doc="Pad the data before and after each dimension.",
)
