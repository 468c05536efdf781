"""Rearrangement layers: `nn.batch_flatten`, `nn.pixel_shuffle`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tvmscript.ir.arith.fold import make, mul
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, FloorDiv, FloorMod, cast


def _infer_batch_flatten(call: Call) -> TensorStructInfo:
    data = rules.expect_tensor(call)
    if data.ndim != UNKNOWN_NDIM and data.ndim < 2:
        raise invalid_argument(call, 0, "a tensor of at least 2 dimensions", f"one of {data.ndim}")
    extents = literal_extents(data)
    if extents is None:
        return rules.tensor_of_ndim(2, data.dtype, data.vdevice)
    return rules.tensor_of_shape((extents[0], rules.num_elements(extents[1:])), data.dtype, data.vdevice)


def _infer_pixel_shuffle(call: Call) -> TensorStructInfo:
    data, factor = rules.expect_tensor(call), call.attrs["upscale_factor"]
    if data.ndim < 3:
        got = "one of an unknown number" if data.ndim == UNKNOWN_NDIM else f"one of {data.ndim}"
        raise invalid_argument(call, 0, "a tensor of at least 3 dimensions", got)
    if factor < 1:
        raise invalid_argument(call, "upscale_factor", "a positive integer", factor)
    extents = literal_extents(data)
    if extents is None:
        return rules.tensor_of_ndim(data.ndim, data.dtype, data.vdevice)
    *batch, channels, height, width = extents
    square = rules.int64(factor * factor)
    if rules.provably_differ(make(FloorMod, cast(INT64, channels), square), rules.int64(0)):
        raise invalid_argument(call, 0, f"a number of channels divisible by {factor * factor}", channels)
    kept = simplify_size(make(FloorDiv, cast(INT64, channels), square))
    return rules.tensor_of_shape(
        (*batch, kept, _multiply_extent(height, factor), _multiply_extent(width, factor)), data.dtype, data.vdevice
    )


def _multiply_extent(extent: Expr, factor: int) -> Expr:
    return simplify_size(mul(cast(INT64, extent), rules.int64(factor)))


def _compute_pixel_shuffle(np: ModuleType, x: Array, upscale_factor: int) -> Array:
    factor = upscale_factor
    *batch, channels, height, width = x.shape
    parts = x.reshape(*batch, channels // factor**2, factor, factor, height, width)
    first = len(batch)
    order = [*range(first + 1), first + 3, first + 1, first + 4, first + 2]
    return parts.transpose(order).reshape(*batch, channels // factor**2, height * factor, width * factor)


def _legalize_pixel_shuffle(topi: Any, data: Any, factor: int) -> Any:
    """Return the kernel of a stack of images."""
    return topi.nn.depth_to_space(data, factor, "NCHW", "CRD") if data.ndim == 4 else NotImplemented


batch_flatten = Operator(
    "nn.batch_flatten",
    "data: Expr",
    _infer_batch_flatten,
    reference=lambda np, x: x.reshape(x.shape[0], int(np.prod(x.shape[1:]))),
    legalize=lambda topi, x: topi.nn.flatten(x),
    doc="Flatten all axes but the first.",
)
pixel_shuffle = Operator(
    "nn.pixel_shuffle",
    "data: Expr, upscale_factor: int",
    _infer_pixel_shuffle,
    reference=_compute_pixel_shuffle,
    legalize=_legalize_pixel_shuffle,
    doc="Rearrange blocks of channels into space, which multiplies height and width.",
)
