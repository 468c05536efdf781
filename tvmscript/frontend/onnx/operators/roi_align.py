"""Bins of regions of images: the kernel of ONNX's RoiAlign, which samples by the size of regions too."""

from __future__ import annotations

import math
from typing import Any

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import as_int, function


def roi_align(
    data: Tensor,
    rois: Tensor,
    batches: Tensor,
    bins: list[int],
    scale: float,
    ratio: int,
    is_half_pixel: bool,
    is_max: bool,
) -> Any:
    """Return the means, or the largest parts, of samples in bins of regions (x1, y1, x2, y2).

    Without a ratio the samples of a bin are one for each pixel, of images that hold their regions.
    """
    dtype = data.dtype
    sizes = [as_int(size, "roi_align") for size in data.shape[2:]]
    most, choose, both = (function(name) for name in ("max", "if_then_else", "all"))
    shift = const(0.5 if is_half_pixel else 0.0, dtype)
    bounds = [ratio if ratio > 0 else math.ceil(size / count) + 1 for size, count in zip(sizes, bins, strict=True)]
    samples = [reduce_axis((0, bound), name) for bound, name in zip(bounds, ("rh", "rw"), strict=True)]

    def value(*i: Expr) -> Any:
        box, channel, *place = i
        image = cast_expr("int64", batches(box))
        at: list[Any] = []
        counts: list[Any] = []
        for n in range(2):
            begin, end = (rois(box, corner) * const(scale, dtype) - shift for corner in (1 - n, 3 - n))
            length = end - begin if is_half_pixel else most(end - begin, const(1.0, dtype))
            step = length / const(float(bins[n]), dtype)
            count = const(float(ratio), dtype) if ratio > 0 else most(function("ceil")(step), const(1.0, dtype))
            inside = (cast_expr(dtype, samples[n].var) + const(0.5, dtype)) * step / count
            at.append(begin + cast_expr(dtype, place[n]) * step + inside)
            counts.append(count)
        is_sample = both(*[cast_expr(dtype, k.var) < count for k, count in zip(samples, counts, strict=True)])
        is_inside = both(*[both(x >= const(-1.0, dtype), x <= const(float(size), dtype))
                           for x, size in zip(at, sizes, strict=True)])  # fmt: skip
        parts = _corners(data, image, channel, at, sizes)
        if is_max:
            largest = most(most(parts[0], parts[1]), most(parts[2], parts[3]))
            inside = choose(is_inside, largest, const(0.0, dtype))
            return reduction.max(choose(is_sample, inside, const(-math.inf, dtype)), axis=samples)
        total = parts[0] + parts[1] + parts[2] + parts[3]
        share = choose(both(is_sample, is_inside), total, const(0.0, dtype)) / (counts[0] * counts[1])
        return reduction.sum(share, axis=samples)

    return compute((rois.shape[0], data.shape[1], *bins), value, "roi_align")


def _corners(data: Tensor, image: Any, channel: Any, at: list[Any], sizes: list[int]) -> list[Any]:
    """Return the four pixels around a place, each times its share."""
    dtype = data.dtype
    least, most = function("min"), function("max")
    ends: list[tuple[tuple[Any, Any], tuple[Any, Any]]] = []
    for x, size in zip(at, sizes, strict=True):
        inside = least(most(x, const(0.0, dtype)), const(float(size - 1), dtype))
        low = function("floor")(inside)
        share = inside - low
        first = cast_expr("int64", low)
        second = least(first + 1, const(size - 1, "int64"))
        ends.append(((first, const(1.0, dtype) - share), (second, share)))
    return [data(image, channel, row, column) * a * b for row, a in ends[0] for column, b in ends[1]]
