"""Enlarge images by factors."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.image.resize import resize2d, resize3d
from tvmscript.ir.topi.nn.windows import spatial_axes


def _targets(data: Tensor, scales: list[Operand], layout: str, where: str) -> list[Expr]:
    sizes: list[Expr] = []
    for axis, scale in zip(spatial_axes(layout, len(scales), where), scales, strict=True):
        extent = data.shape[axis]
        size = extent * scale
        sizes.append(
            simplify(size if size.dtype.is_integer else function("cast")(function("round")(size), extent.dtype))
        )
    return sizes


def upsampling(
    data: Tensor,
    scale_h: Operand,
    scale_w: Operand,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
    output_shape: Sequence[Extent] | None = None,
) -> Tensor:
    """Return torch.nn.functional.interpolate of images, by "nearest_neighbor", "bilinear" or "bicubic"."""
    sizes = _targets(data, [scale_h, scale_w], layout, "nn.upsampling")
    kernel = {"bilinear": "linear", "bicubic": "cubic"}.get(method, method)
    mode = "align_corners" if align_corners else "asymmetric"
    return resize2d(data, [0.0] * 4, sizes, layout, kernel, mode, output_shape=output_shape)


def upsampling3d(
    data: Tensor,
    scale_d: Operand,
    scale_h: Operand,
    scale_w: Operand,
    layout: str = "NCDHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "half_pixel",
    output_shape: Sequence[Extent] | None = None,
) -> Tensor:
    """Return torch.nn.functional.interpolate of volumes, by "nearest_neighbor" or "trilinear"."""
    sizes = _targets(data, [scale_d, scale_h, scale_w], layout, "nn.upsampling3d")
    kernel = "linear" if method == "trilinear" else method
    options = (layout, kernel, coordinate_transformation_mode)
    return resize3d(data, [0.0] * 6, sizes, *options, output_shape=output_shape)
