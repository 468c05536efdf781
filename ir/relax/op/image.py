"""Operators on images, `R.image`."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from tvmscript.ir.core import VOID, DType
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import canonical_extents, from_canonical, literal_extents
from tvmscript.ir.relax.op.shape_rules import int64 as size_of
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeExpr, TensorStructInfo

#: number of spatial axes -> canonical layout
_AXES: Final = {2: "NCHW", 3: "NCDHW"}


def _infer_resize(call: Call) -> TensorStructInfo:
    data, target = rules.expect_tensor(call), rules.expect_shape(call, 1)
    spatial = 3 if call.op is resize3d else 2
    if target.ndim != spatial:
        got = "one of an unknown number" if target.ndim == UNKNOWN_NDIM else f"one of {target.ndim}"
        raise invalid_argument(call, 1, f"a shape of {spatial} dimensions", got)
    extents, layout = canonical_extents(call, 0, data, "layout", _AXES[spatial])
    dtype = rules.dtype_attr(call, data.dtype, "out_dtype")
    size = call.args[1]
    if extents is None or not isinstance(size, ShapeExpr):
        return rules.tensor_of_ndim(layout.ndim, dtype, data.vdevice)
    return rules.tensor_of_shape(
        from_canonical((*extents[:2], *size.values), _AXES[spatial], layout), dtype, data.vdevice
    )


def _infer_affine_grid(call: Call) -> TensorStructInfo:
    data, target = rules.expect_tensor(call), rules.expect_shape(call, 1)
    if data.ndim not in (3, UNKNOWN_NDIM):
        raise invalid_argument(call, 0, "a tensor of 3 dimensions, a matrix for each image", f"one of {data.ndim}")
    ndim = UNKNOWN_NDIM if target.ndim == UNKNOWN_NDIM else target.ndim + 2
    extents, size = literal_extents(data), call.args[1]
    if extents is None or not isinstance(size, ShapeExpr):
        return rules.tensor_of_ndim(ndim, data.dtype, data.vdevice)
    for axis, expected in ((1, target.ndim), (2, target.ndim + 1)):
        if rules.provably_differ(extents[axis], size_of(expected)):
            raise invalid_argument(call, 0, f"{expected} elements along axis {axis}", extents[axis])
    return rules.tensor_of_shape((extents[0], extents[1], *size.values), data.dtype, data.vdevice)


def _infer_grid_sample(call: Call) -> TensorStructInfo:
    data, grid = rules.expect_tensor(call), rules.expect_tensor(call, 1)
    spatial = 3 if "D" in call.attrs["layout"] else 2
    extents, layout = canonical_extents(call, 0, data, "layout", _AXES[spatial])
    places = literal_extents(grid)
    if places is not None and len(places) < spatial + 2:
        raise invalid_argument(call, 1, f"a tensor of {spatial + 2} dimensions", f"one of {len(places)}")
    if extents is None or places is None:
        return rules.tensor_of_ndim(layout.ndim, data.dtype, data.vdevice)
    result_extents = (*extents[:2], *places[2 : 2 + spatial])
    return rules.tensor_of_shape(from_canonical(result_extents, _AXES[spatial], layout), data.dtype, data.vdevice)


def _compute_affine(np: ModuleType, data: Array, size: tuple[int, ...], align_corners: bool) -> Array:
    """Return the transformed coordinates of every element, x first."""
    steps = [np.linspace(-1, 1, count) if align_corners else (2 * np.arange(count) + 1) / count - 1 for count in size]
    places = np.meshgrid(*steps, indexing="ij")[::-1]
    points = np.stack([*[place.reshape(-1) for place in places], np.ones(int(np.prod(size)))])
    return (data @ points).reshape(data.shape[0], len(size), *size).astype(data.dtype)


def _legalize_resize(
    topi: Any,
    data: Any,
    size: Any,
    roi: Any,
    layout: str,
    method: str,
    coordinates: str,
    rounding: str,
    cubic_alpha: float,
    cubic_exclude: int,
    extrapolation_value: float,
    out_dtype: DType,
) -> Any:
    region = roi or (0.0,) * (2 * len(size))
    dtype = None if out_dtype is VOID else out_dtype
    options = (layout, method, coordinates, rounding, cubic_alpha, cubic_exclude, extrapolation_value, dtype)
    resize = topi.image.resize2d if len(size) == 2 else topi.image.resize3d
    return resize(data, region, size, *options)


resize2d = Operator(
    "image.resize2d",
    "data: Expr, size: Shape(2), roi: floats(4) = None, layout: str = 'NCHW', method: str = 'linear', "
    "coordinate_transformation_mode: str = 'half_pixel', rounding_method: str = 'round', cubic_alpha: float = -0.5, "
    "cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype | None = None",
    _infer_resize,
    mixed_precision="follow",
    layout="resize2d",
    legalize=_legalize_resize,
    doc="Resize images to another height and width.",
)
resize3d = Operator(
    "image.resize3d",
    "data: Expr, size: Shape(3), roi: floats(6) = None, layout: str = 'NCDHW', method: str = 'linear', "
    "coordinate_transformation_mode: str = 'half_pixel', rounding_method: str = '', cubic_alpha: float = -0.75, "
    "cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: dtype | None = None",
    _infer_resize,
    legalize=_legalize_resize,
    doc="Resize images to another depth, height and width.",
)
affine_grid = Operator(
    "image.affine_grid",
    "data: Expr, size: Shape(2), align_corners: bool = True",
    _infer_affine_grid,
    reference=_compute_affine,
    legalize=lambda topi, data, size, align_corners: topi.image.affine_grid(data, size, align_corners),
    doc="The sampling grid of an affine transformation, an argument of `grid_sample`.",
)
grid_sample = Operator(
    "image.grid_sample",
    "data: Expr, grid: Expr, method: str = 'bilinear', layout: str = 'NCHW', padding_mode: str = 'zeros', "
    "align_corners: bool = False",
    _infer_grid_sample,
    legalize=lambda topi, data, grid, *options: topi.image.grid_sample(data, grid, *options),
    doc="Sample images at the points of a grid with coordinates from -1 to 1.",
)
