"""Detection with anchors on a grid (W. Liu et al., SSD: Single Shot MultiBox Detector, 2016, arXiv:1512.02325)."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import EQ, Expr, Select, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import Output, kernels, scalar
from tvmscript.ir.topi.vision.nms import non_max_suppression

Numbers = Sequence[float]


def multibox_prior(
    data: Tensor,
    sizes: Numbers = (1,),
    ratios: Numbers = (1,),
    steps: Numbers = (-1, -1),
    offsets: Numbers = (0.5, 0.5),
    clip: bool = False,
) -> Tensor:
    """Return anchors around each pixel of images "NCHW": a row of two corners for each size, then for each other ratio.

    Coordinates are parts of the height and the width. Steps below 0 are a pixel.
    """
    if data.ndim != 4:
        raise InvalidOperand(where="vision.ssd.multibox_prior", reason=f"the images have {data.ndim} dimensions, not 4")
    height, width = data.shape[2:]
    dtype = data.dtype
    rows, columns = (cast_expr(dtype, extent) for extent in (height, width))
    one, half = const(1.0, dtype), const(0.5, dtype)
    aspect = rows / columns
    halves = [(const(size, dtype) * aspect * half, const(size, dtype) * half) for size in sizes]
    for ratio in ratios[1:]:
        root = function("sqrt")(const(ratio, dtype))
        first = const(sizes[0], dtype)
        halves.append((first * aspect * root * half, first / root * half))
    count = len(halves)
    divide, remainder = function("indexdiv"), function("indexmod")

    def value(_: Expr, box: Expr, coordinate: Expr) -> Expr:
        pixel, number = divide(box, count), remainder(box, count)
        places = (remainder(pixel, width), divide(pixel, width))
        corners: list[tuple[Expr, Expr]] = []
        for axis, (place, extent) in enumerate(zip(places, (columns, rows), strict=True)):
            # steps and offsets are of the height, then of the width
            step = one / extent if steps[1 - axis] <= 0 else const(steps[1 - axis], dtype)
            center = (cast_expr(dtype, place) + const(offsets[1 - axis], dtype)) * step
            side = halves[-1][axis]
            for n in reversed(range(count - 1)):
                side = Select(EQ(number, const(n, number.dtype)), halves[n][axis], side)
            corners.append((center - side, center + side))
        chosen = corners[1][1]
        for n, corner in ((2, corners[0][1]), (1, corners[1][0]), (0, corners[0][0])):
            chosen = Select(EQ(coordinate, const(n, coordinate.dtype)), corner, chosen)
        return function("max")(function("min")(chosen, one), const(0.0, dtype)) if clip else chosen

    return compute((1, simplify(height * width * count), 4), value, name="multibox_prior")


def multibox_transform_loc(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    clip: bool = True,
    threshold: float = 0.01,
    variances: Numbers = (0.1, 0.1, 0.2, 0.2),
    keep_background: bool = False,
) -> list[Tensor]:
    """Return rows of class, score and box for the anchors whose class is not the first, -1 behind; and how many.

    Probabilities are [batch, classes, anchors], offsets [batch, anchors * 4], anchors [1, anchors, 4]. An anchor of a
    score below the threshold is of the first class, the background; with `keep_background` it has a row too.
    """
    if cls_prob.ndim != 3 or loc_pred.ndim != 2 or anchor.ndim != 3:
        reason = "probabilities have 3 dimensions, offsets 2, anchors 3"
        raise InvalidOperand(where="vision.ssd.multibox_transform_loc", reason=reason)
    batch, classes, count = cls_prob.shape
    dtype = cls_prob.dtype
    first = 0 if keep_background else 1
    zero, one, half = (const(number, dtype) for number in (0.0, 1.0, 0.5))

    def corners(offsets: Sequence[Expr], box: Sequence[Expr]) -> list[Expr]:
        """Return the box that an anchor and its offsets give: left, top, right, bottom."""
        lows: list[Expr] = []
        highs: list[Expr] = []
        for axis in (0, 1):
            side = box[axis + 2] - box[axis]
            center = offsets[axis] * const(variances[axis], dtype) * side + (box[axis] + box[axis + 2]) * half
            reach = function("exp")(offsets[axis + 2] * const(variances[axis + 2], dtype)) * side * half
            lows.append(center - reach)
            highs.append(center + reach)
        return [function("max")(zero, function("min")(one, edge)) if clip else edge for edge in (*lows, *highs)]

    def body(
        ib: IRBuilder, values: BufferVar, moves: BufferVar, boxes: BufferVar, rows: BufferVar, totals: BufferVar
    ) -> None:
        with ib.for_range(0, batch, "i", kind="parallel") as i:
            totals[i] = 0
            with ib.for_range(0, count, "j") as j:
                score, number = scalar(ib, dtype, "score", const(-1.0, dtype)), scalar(ib, "int32", "class_id", 0)
                with ib.for_range(first, classes, "k") as k, ib.if_scope(values[i, k, j] > score[0]):
                    score[0], number[0] = values[i, k, j], k.astype("int32")
                with ib.if_scope(score[0] < const(threshold, dtype)):
                    number[0] = 0
                with ib.if_scope(const(keep_background, "bool") if keep_background else number[0] > 0):
                    box = corners([moves[i, j * 4 + n] for n in range(4)], [boxes[0, j, n] for n in range(4)])
                    row = [(number[0] - first).astype(dtype), score[0], *box]
                    for column, element in enumerate(row):
                        rows[i, totals[i], column] = element
                    totals[i] = totals[i] + 1
            with ib.for_range(totals[i], count, "j") as j, ib.for_range(0, 6, "k") as k:
                rows[i, j, k] = const(-1.0, dtype)

    outputs: list[Output] = [([batch, count, 6], dtype), ([batch], "int32")]
    return kernels("multibox_transform_loc", outputs, [cls_prob, loc_pred, anchor], body)


def multibox_detection(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    clip: bool = True,
    threshold: float = 0.01,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Numbers = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
) -> Tensor:
    """Return the boxes of `multibox_transform_loc` that `non_max_suppression` keeps, -1 where it keeps none."""
    rows, totals = multibox_transform_loc(cls_prob, loc_pred, anchor, clip, threshold, variances)
    batch, count, _ = rows.shape
    numbers = compute((batch, count), lambda i, j: cast_expr("int32", j), name="numbers")
    kept = non_max_suppression(rows, totals, numbers, -1, nms_threshold, force_suppress, nms_topk, return_indices=False)
    return kept if isinstance(kept, Tensor) else kept[0]
