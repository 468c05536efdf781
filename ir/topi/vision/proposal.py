"""Region proposals (S. Ren et al., Faster R-CNN, 2015, arXiv:1506.01497)."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, sqrt

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import as_int, function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel, scalar
from tvmscript.ir.topi.sort import stable_order
from tvmscript.ir.topi.vision.boxes import box_at, overlap


def generate_anchor(ratio: float, scale: float, base_size: int) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of an anchor: a square of `base_size` pixels in a ratio, enlarged."""
    center = 0.5 * (base_size - 1.0)
    width = floor(sqrt(floor(base_size * base_size / ratio)) + 0.5)
    height = floor(width * ratio + 0.5)
    across, down = (0.5 * (side * scale - 1.0) for side in (width, height))
    return center - across, center - down, center + across, center + down


def reg_bbox(
    x1: Expr, y1: Expr, x2: Expr, y2: Expr, dx: Expr, dy: Expr, dw: Expr, dh: Expr
) -> tuple[Expr, Expr, Expr, Expr]:
    """Return a box that is moved by parts of its size, and resized by factors of which these are the logarithms."""
    half, one = const(0.5, dx.dtype), const(1.0, dx.dtype)
    ends: list[tuple[Expr, Expr]] = []
    for low, high, move, growth in ((x1, x2, dx, dw), (y1, y2, dy, dh)):
        side = high - low + one
        center = move * side + (low + half * (side - one))
        reach = half * (function("exp")(growth) * side - one)
        ends.append((center - reach, center + reach))
    (left, right), (top, bottom) = ends
    return left, top, right, bottom


def reg_iou(
    x1: Expr, y1: Expr, x2: Expr, y2: Expr, dx1: Expr, dy1: Expr, dx2: Expr, dy2: Expr
) -> tuple[Expr, Expr, Expr, Expr]:
    """Return a box whose edges are moved."""
    return x1 + dx1, y1 + dy1, x2 + dx2, y2 + dy2


def proposal(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    scales: Sequence[float],
    ratios: Sequence[float],
    feature_stride: Extent,
    threshold: float,
    rpn_pre_nms_top_n: Extent,
    rpn_post_nms_top_n: Extent,
    rpn_min_size: float,
    iou_loss: bool,
) -> Tensor:
    """Return rows of an image and a box for the best anchors that overlap no better one, again from the first if few.

    Probabilities are [batch, 2 * anchors, height, width], offsets [batch, 4 * anchors, height, width]; `im_info` has
    rows of height, width and scale of the images.
    """
    where = "vision.rcnn.proposal"
    anchors = [(ratio, scale) for ratio in ratios for scale in scales]
    if cls_prob.ndim != 4 or bbox_pred.ndim != 4 or im_info.ndim != 2:
        reason = "probabilities and offsets have 4 dimensions, the sizes of images are rows"
        raise InvalidOperand(where=where, reason=reason)
    batch, height, width = cls_prob.shape[0], cls_prob.shape[2], cls_prob.shape[3]
    stride = as_int(feature_stride, where)
    post = as_int(rpn_post_nms_top_n, where)
    count = simplify(height * width * len(anchors))
    best = as_int(rpn_pre_nms_top_n, where)
    candidates = simplify(function("min")(count, best)) if best > 0 else count
    dtype = cls_prob.dtype
    least, most, choose = function("min"), function("max"), function("if_then_else")

    def body(ib: IRBuilder, scores: BufferVar, moves: BufferVar, sizes: BufferVar, out: BufferVar) -> None:
        zero, one = const(0.0, dtype), const(1.0, dtype)
        with ib.for_range(0, batch, "i", kind="parallel") as i:
            boxes = ib.allocate(dtype, (count, 5), "boxes")
            low = [sizes[i, 1] - one, sizes[i, 0] - one]
            smallest = sizes[i, 2] * const(float(rpn_min_size), dtype)
            with ib.for_range(0, height, "y") as y, ib.for_range(0, width, "x") as x:
                is_outside = function("any")(
                    y >= cast_expr("int32", sizes[i, 0] / const(float(stride), dtype)),
                    x >= cast_expr("int32", sizes[i, 1] / const(float(stride), dtype)),
                )
                for number, (ratio, scale) in enumerate(anchors):
                    place = (y * width + x) * len(anchors) + number
                    shift = [cast_expr(dtype, x * stride), cast_expr(dtype, y * stride)]
                    edges = [
                        const(edge, dtype) + shift[n % 2]
                        for n, edge in enumerate(generate_anchor(ratio, scale, stride))
                    ]
                    offsets = [moves[i, number * 4 + n, y, x] for n in range(4)]
                    moved = (reg_iou if iou_loss else reg_bbox)(*edges, *offsets)
                    clipped = [ib.let("edge", most(least(edge, low[n % 2]), zero)) for n, edge in enumerate(moved)]
                    is_small = function("any")(*[clipped[n + 2] - clipped[n] + one < smallest for n in (0, 1)])
                    grow = choose(is_small, smallest / const(2.0, dtype), zero)
                    for n, edge in enumerate(clipped):
                        boxes[place, n] = edge - grow if n < 2 else edge + grow
                    score = scores[i, len(anchors) + number, y, x]
                    boxes[place, 4] = choose(function("any")(is_outside, is_small), const(-1.0, dtype), score)
            order = stable_order(ib, count, count, lambda j: boxes[j, 4], is_ascend=False)
            kept = ib.allocate(count.dtype, (count,), "kept")
            total, is_kept = scalar(ib, count.dtype, "total", 0), scalar(ib, "bool", "is_kept")
            with ib.for_range(0, candidates, "j") as j:
                is_kept[0] = total[0] < post
                with ib.for_range(0, total[0], "other") as other:
                    shared = overlap(box_at(boxes, order[j]), box_at(boxes, kept[other]), pixel=1)
                    with ib.if_scope(shared > const(threshold, dtype)):
                        is_kept[0] = const(False, "bool")
                with ib.if_scope(is_kept[0]):
                    kept[total[0]] = order[j]
                    total[0] = total[0] + 1
            with ib.for_range(0, post, "j") as j:
                row = i * post + j
                out[row, 0] = cast_expr(dtype, i)
                chosen = kept[function("floormod")(j, most(total[0], 1))]
                with ib.for_range(0, 4, "k") as k:
                    out[row, k + 1] = boxes[chosen, k]

    return kernel("proposal", (simplify(batch * post), 5), dtype, [cls_prob, bbox_pred, im_info], body)
