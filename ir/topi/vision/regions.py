"""Regions of interest: pooled and sampled boxes of images; reorganized channels."""

from __future__ import annotations

from itertools import product

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, Select, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.intrin.derived import min_value
from tvmscript.ir.topi.common import Extents, as_int, define, function, simplify, sum_of
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.image.sampling import beside, split_coordinates
from tvmscript.ir.topi.nn.windows import each, relayout
from tvmscript.ir.topi.shape import reshape


def _check(where: str, data: Tensor, rois: Tensor) -> None:
    if data.ndim != 4 or rois.ndim != 2:
        raise InvalidOperand(where=where, reason="the images have 4 dimensions, the regions are rows")


def _roi_align(
    data: Tensor,
    rois: Tensor,
    pooled_size: Extents,
    spatial_scale: float,
    mode: int | str | bytes,
    sample_ratio: int,
    layout: str,
) -> Tensor:
    where = f"vision.rcnn.roi_align_{layout.lower()}"
    _check(where, data, rois)
    if mode not in (0, 1, b"avg", b"max", "avg", "max"):
        raise InvalidOperand(where=where, reason=f"the mode {mode!r} is neither 0 (average) nor 1 (maximum)")
    if sample_ratio <= 0:
        raise InvalidOperand(where=where, reason="the number of samples along a side of a bin is above 0")
    is_max = mode in (1, b"max", "max")
    bins = [as_int(size, where) for size in each(pooled_size, 2, where)]
    dtype = rois.dtype
    sizes = relayout(data.shape, layout, "HW")
    scale, half, zero, one = (const(value, dtype) for value in (spatial_scale, 0.5, 0.0, 1.0))
    samples = [reduce_axis((0, sample_ratio), name) for name in ("rh", "rw")]
    least, most, choose = function("min"), function("max"), function("if_then_else")

    def value(*i: Expr) -> Expr:
        box, channel, *place = relayout(i, layout, "NCHW")
        image = cast_expr("int32", rois(box, 0))
        coordinates: list[Expr] = []
        for n in range(2):
            # a region is x1, y1, x2, y2 behind the number of its image
            begin, end = rois(box, 2 - n) * scale, rois(box, 4 - n) * scale
            step = most(end - begin, one) / const(float(bins[n]), dtype)
            shift = (cast_expr(dtype, samples[n].var) + half) * step / const(float(sample_ratio), dtype)
            coordinates.append(begin + cast_expr(dtype, place[n]) * step + shift)
        outside = function("any")(
            *[at < const(-1.0, dtype) for at in coordinates],
            *[at > cast_expr(dtype, size) for at, size in zip(coordinates, sizes, strict=True)],
        )
        clipped = [
            least(most(at, zero), cast_expr(dtype, size - 1)) for at, size in zip(coordinates, sizes, strict=True)
        ]

        below, rests = split_coordinates(clipped)
        terms: list[Expr] = []
        for right, bottom in product((0, 1), (0, 1)):
            sides = [bottom, right]
            inside = [
                condition
                for index, size, side in zip(below, sizes, sides, strict=True)
                for condition in (index >= -side, index <= size - 1 - side)
            ]
            weights = [rest if side else const(1.0, dtype) - rest for rest, side in zip(rests, sides, strict=True)]
            sample = data(*relayout([image, channel, *beside(below, sides)], "NCHW", layout))
            terms.append(choose(function("all")(*inside), weights[1] * weights[0] * sample, const(0.0, data.dtype)))
        element = choose(outside, const(0.0, data.dtype), sum_of(terms))
        if is_max:
            return reduction.max(element, axis=samples)
        return reduction.sum(element / const(float(sample_ratio * sample_ratio), data.dtype), axis=samples)

    extents: list[Extent] = [rois.shape[0], data.shape[layout.index("C")], *bins]
    shape = relayout(extents, "NCHW", layout)
    names = relayout(["i", "c", "ph", "pw"], "NCHW", layout)
    return compute(shape, value, tag=f"pool,roi_align_{layout.lower()}", varargs_names=names)


def roi_align_nchw(
    data: Tensor,
    rois: Tensor,
    pooled_size: Extents,
    spatial_scale: float,
    mode: int | str | bytes,
    sample_ratio: int = -1,
) -> Tensor:
    """Return torchvision.ops.roi_align, channels second; with `mode=1` the maximum of the samples of a bin."""
    return _roi_align(data, rois, pooled_size, spatial_scale, mode, sample_ratio, "NCHW")


def roi_align_nhwc(
    data: Tensor,
    rois: Tensor,
    pooled_size: Extents,
    spatial_scale: float,
    mode: int | str | bytes,
    sample_ratio: int = -1,
) -> Tensor:
    """Return torchvision.ops.roi_align, channels last; with `mode=1` the maximum of the samples of a bin."""
    return _roi_align(data, rois, pooled_size, spatial_scale, mode, sample_ratio, "NHWC")


def roi_pool_nchw(data: Tensor, rois: Tensor, pooled_size: Extents, spatial_scale: float) -> Tensor:
    """Return torchvision.ops.roi_pool: the maxima of the bins of regions, 0 of empty bins."""
    where = "vision.rcnn.roi_pool_nchw"
    _check(where, data, rois)
    bins = [as_int(size, where) for size in each(pooled_size, 2, where)]
    dtype = rois.dtype
    _, channels, *sizes = data.shape
    scale = const(spatial_scale, dtype)
    over = [reduce_axis((0, size), name) for size, name in zip(sizes, ("rh", "rw"), strict=True)]
    lowest = min_value(str(data.dtype))

    def bounds(box: Expr, place: Expr, n: int) -> tuple[Expr, Expr]:
        """Return the first element of a bin, and the one behind it."""
        begin, end = (cast_expr("int32", function("round")(rois(box, corner) * scale)) for corner in (2 - n, 4 - n))
        width = cast_expr(dtype, function("max")(end - begin + 1, 1)) / const(float(bins[n]), dtype)
        low = cast_expr("int32", function("floor")(cast_expr(dtype, place) * width + const(1e-5, dtype))) + begin
        high = cast_expr("int32", function("ceil")(cast_expr(dtype, place + 1) * width - const(1e-5, dtype))) + begin
        extent = sizes[n]
        low, high = (function("min")(function("max")(bound, 0), extent) for bound in (low, high))
        return low, high

    def element(i: Expr, c: Expr, ph: Expr, pw: Expr) -> Expr:
        image = cast_expr("int32", rois(i, 0))
        inside: list[Expr] = []
        for n, place in enumerate((ph, pw)):
            low, high = bounds(i, place, n)
            inside += [low <= over[n].var, over[n].var < high]
        return reduction.max(
            function("if_then_else")(function("all")(*inside), data(image, c, *over), lowest), axis=over
        )

    shape: tuple[Extent, ...] = (rois.shape[0], channels, *bins)
    largest = compute(shape, element, name="roi_pool_max", tag="pool,roi_pool_nchw")

    def value(i: Expr, c: Expr, ph: Expr, pw: Expr) -> Expr:
        empty: list[Expr] = []
        for n, place in enumerate((ph, pw)):
            low, high = bounds(i, place, n)
            empty.append(high <= low)
        return Select(function("any")(*empty), const(0.0, data.dtype), largest(i, c, ph, pw))

    return compute(shape, value, name="roi_pool", tag="elemwise")


def reorg(data: Tensor, stride: int) -> Tensor:
    """Return the reorganization layer of YOLO v2 (J. Redmon, Darknet): channels grow by the square of a stride.

    The elements are taken in Darknet's order, in which the image is a row of channels / stride² by stride² planes.
    """
    if data.ndim != 4:
        raise InvalidOperand(where="vision.reorg", reason="the images have 4 dimensions")
    batch, channels, height, width = data.shape
    divide, remainder = function("indexdiv"), function("indexmod")
    depth = simplify(divide(channels, stride * stride))
    wide, tall = width * stride, height * stride

    def element(n: Expr, c: Expr, h: Expr, w: Expr) -> Expr:
        """Return an element of the rearranged image, whose extents are still those of the data."""
        cell, channel = divide(c, depth), remainder(c, depth)
        row = h * stride + divide(cell, stride)
        column = w * stride + remainder(cell, stride)
        position = ((n * depth + channel) * tall + row) * wide + column
        indices: list[Expr] = []
        for extent in (width, height, channels):
            indices.append(remainder(position, extent))
            position = divide(position, extent)
        return data(position, *reversed(indices))

    moved = define(data.shape, lambda *i: element(*i), "tensor")
    out = [batch, channels * stride * stride, divide(height, stride), divide(width, stride)]
    return reshape(moved, [simplify(extent) for extent in out])
