"""Operators on images, `R.image`."""

from __future__ import annotations

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.layout import canonical_extents, from_canonical
from tvmscript.ir.relax.op.operator import Operator, refusal
from tvmscript.ir.relax.op.shapes import dtype_attr, of_extents, of_ndim, shape, tensor
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeExpr, TensorStructInfo


def _resize2d(call: Call) -> TensorStructInfo:
    data, asked = tensor(call), shape(call, 1)
    if asked.ndim != 2:
        got = "one of an unknown number" if asked.ndim == UNKNOWN_NDIM else f"one of {asked.ndim}"
        raise refusal(call, 1, "a shape of 2 dimensions", got)
    extents, layout = canonical_extents(call, 0, data, "layout", "NCHW")
    dtype = dtype_attr(call, data.dtype, "out_dtype")
    size = call.args[1]
    if extents is None or not isinstance(size, ShapeExpr):
        return of_ndim(layout.ndim, dtype, data.vdevice)
    return of_extents(from_canonical((*extents[:2], *size.values), "NCHW", layout), dtype, data.vdevice)


resize2d = Operator(
    "image.resize2d",
    "data: Expr, size: Shape(2), roi: floats(4) = None, layout: str = 'NCHW', method: str = 'linear', "
    "coordinate_transformation_mode: str = 'half_pixel', rounding_method: str = 'round', cubic_alpha: float = -0.5, "
    "cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype | None = None",
    _resize2d,
    mixed_precision="follow",
    layout="resize2d",
    doc="Images of another height and width.",
)
