"""Images in other sizes, and elements between pixels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.pooling import adaptive_avg_pool
from tvmscript.frontend.torch.operators.resample import resample
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import image, manipulate
from tvmscript.ir.relax.op.vision import roi_align
from tvmscript.ir.tir import Expr

Scales = float | Sequence[float] | None

#: torch's names of methods -> those of the graph level
_METHODS = {
    "nearest": "nearest_neighbor",
    "nearest-exact": "nearest_neighbor",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
    "bicubic": "cubic",
}


@converts("interpolate", "__interpolate", "upsample")
def interpolate(
    ctx: Context,
    x: RelaxExpr,
    size: int | Sequence[Size] | None = None,
    scale_factor: Scales = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> RelaxExpr:
    """Emit an image of another size."""
    shape, is_last = ctx.shape(x), ctx.has_channels_last
    extents = shape[1:-1] if is_last else shape[2:]
    sizes = _sizes(ctx, extents, size, scale_factor)
    factors = None if recompute_scale_factor else _factors(scale_factor, len(extents))
    if is_last and (mode == "area" or antialias or len(extents) == 1 or _is_inexact(extents, factors)):
        ctx.fail("images with their channels last are resized by whole factors, to sizes of two or three axes")
    if mode == "area":
        return adaptive_avg_pool(len(extents), ctx, x, sizes)
    if antialias or (not align_corners and _is_inexact(extents, factors)):
        return resample(ctx, x, sizes, factors, mode, antialias, bool(align_corners))
    exact = mode == "nearest-exact"
    options: dict[str, object] = {
        "method": _METHODS[mode],
        "coordinate_transformation_mode": "align_corners"
        if align_corners
        else "half_pixel"
        if exact or mode not in ("nearest", "nearest-exact")
        else "asymmetric",
        "cubic_alpha": -0.75,
    }
    if _METHODS[mode] == "nearest_neighbor":
        options["rounding_method"] = "round_prefer_ceil" if exact else "floor"
    return _resize(ctx, x, sizes, options)


def _resize(ctx: Context, x: RelaxExpr, sizes: Sequence[Size], options: dict[str, object]) -> RelaxExpr:
    if len(sizes) == 3:
        layout = "NDHWC" if ctx.has_channels_last else "NCDHW"
        return ctx.call(image.resize3d, x, ctx.sizes(sizes), layout=layout, **options)
    if len(sizes) == 2:
        layout = "NHWC" if ctx.has_channels_last else "NCHW"
        return ctx.call(image.resize2d, x, ctx.sizes(sizes), layout=layout, **options)
    row = ctx.call(manipulate.expand_dims, x, 2)
    return ctx.call(
        manipulate.squeeze, ctx.call(image.resize2d, row, ctx.sizes([1, *sizes]), layout="NCHW", **options), [2]
    )


def _sizes(ctx: Context, extents: Sequence[Size], size: int | Sequence[Size] | None, scales: Scales) -> list[Size]:
    if size is not None:
        sizes: list[Size] = [size] if isinstance(size, (int, Expr)) else list(size)
        return sizes * len(extents) if len(sizes) == 1 else sizes
    factors = _factors(scales, len(extents)) or ctx.fail("a size or a factor is missing")
    return [_scaled(ctx, extent, factor) for extent, factor in zip(extents, factors, strict=True)]


def _factors(scales: Scales, count: int) -> list[float] | None:
    if scales is None:
        return None
    return [float(scales)] * count if isinstance(scales, (int, float)) else list(scales)


def _is_inexact(extents: Sequence[Size], factors: Sequence[float] | None) -> bool:
    """Whether torch computes places by factors that are not the ratios of the extents."""
    if factors is None:
        return False
    pairs = zip(extents, factors, strict=True)
    return any(not float(factor).is_integer() and extent * factor % 1 for extent, factor in pairs)


def _scaled(ctx: Context, extent: Size, factor: float) -> Size:
    if isinstance(extent, int):
        return int(extent * factor)
    if float(factor).is_integer():
        return extent * int(factor)
    return ctx.fail(f"an extent that is unknown times {factor}")


def _upsample(
    mode: str,
    ctx: Context,
    x: RelaxExpr,
    output_size: Sequence[Size] | None,
    align_corners: bool = False,
    scale_factors: Scales = None,
    *more: float | None,
) -> RelaxExpr:
    return interpolate(ctx, x, output_size, _user_factors(scale_factors, more), mode, align_corners)


def _upsample_nearest(
    mode: str,
    ctx: Context,
    x: RelaxExpr,
    output_size: Sequence[Size] | None,
    scale_factors: Scales = None,
    *more: float | None,
) -> RelaxExpr:
    return interpolate(ctx, x, output_size, _user_factors(scale_factors, more), mode)


def _user_factors(first: Scales, more: Sequence[float | None]) -> Scales:
    """Return the factors of the overloads that take them in a list, or one after the other."""
    rest = [factor for factor in more if factor is not None]
    return [first, *rest] if isinstance(first, (int, float)) else first


register(partial(_upsample, "linear"), "upsample_linear1d")
register(partial(_upsample, "bilinear"), "upsample_bilinear2d")
register(partial(_upsample, "trilinear"), "upsample_trilinear3d")
register(partial(_upsample, "bicubic"), "upsample_bicubic2d")
for _count in (1, 2, 3):
    register(partial(_upsample_nearest, "nearest"), f"upsample_nearest{_count}d")
    register(partial(_upsample_nearest, "nearest-exact"), f"_upsample_nearest_exact{_count}d")


def _upsample_antialiased(
    mode: str,
    ctx: Context,
    x: RelaxExpr,
    output_size: Sequence[Size] | None,
    align_corners: bool = False,
    scale_factors: Scales = None,
    *more: float | None,
) -> RelaxExpr:
    factors = _user_factors(scale_factors, more)
    return interpolate(ctx, x, output_size, factors, mode, align_corners, antialias=True)


register(partial(_upsample_antialiased, "bilinear"), "_upsample_bilinear2d_aa")
register(partial(_upsample_antialiased, "bicubic"), "_upsample_bicubic2d_aa")


@converts("grid_sampler", "grid_sampler_2d", "grid_sampler_3d", "grid_sample")
def _grid_sampler(
    ctx: Context,
    x: RelaxExpr,
    grid: RelaxExpr,
    mode: int | str = "bilinear",
    padding_mode: int | str = "zeros",
    align_corners: bool | None = False,
) -> RelaxExpr:
    rank = ctx.ndim(x)
    methods, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    return ctx.call(
        image.grid_sample,
        x,
        ctx.permute(grid, [0, rank - 1, *range(1, rank - 1)]),
        method=methods[mode] if isinstance(mode, int) else mode,
        layout="NCHW" if rank == 4 else "NCDHW",
        padding_mode=paddings[padding_mode] if isinstance(padding_mode, int) else padding_mode,
        align_corners=bool(align_corners),
    )


@converts("affine_grid_generator", "affine_grid")
def _affine_grid(ctx: Context, theta: RelaxExpr, size: Sequence[Size], align_corners: bool | None = False) -> RelaxExpr:
    if len(size) != 4:
        ctx.fail("affine grids are known for images of two axes")
    grid = ctx.call(image.affine_grid, theta, ctx.sizes(size[2:]), bool(align_corners))
    return ctx.permute(grid, [0, 2, 3, 1])


@converts("roi_align")
def _roi_align(
    ctx: Context,
    x: RelaxExpr,
    boxes: RelaxExpr,
    spatial_scale: float = 1.0,
    pooled_height: int | Sequence[int] = 1,
    pooled_width: int | None = None,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> RelaxExpr:
    size = [pooled_height, pooled_width] if isinstance(pooled_height, int) else list(pooled_height)
    return ctx.call(roi_align, x, boxes, size, spatial_scale, sampling_ratio, aligned)
