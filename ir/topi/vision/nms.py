"""Non-maximum suppression, as kernels: boxes that overlap a box of a better score are dropped."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, as_expr, const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function, known_int
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import Output, kernels, scalar
from tvmscript.ir.topi.sort import stable_order
from tvmscript.ir.topi.vision.boxes import Box, box_at, overlap


def _check_boxes(where: str, data: Tensor, width: int) -> None:
    size = known_int(data.shape[2]) if data.ndim == 3 else None
    if data.ndim != 3 or (size is not None and size < width):
        shape = ", ".join(map(str, data.shape))
        raise InvalidOperand(where=where, reason=f"the boxes are [{shape}], not [batch, boxes, {width}]")


def get_valid_counts(
    data: Tensor, score_threshold: Operand = 0, id_index: int = 0, score_index: int = 1
) -> list[Tensor]:
    """Return how many boxes have a score above a threshold, these boxes first, and their indices; others are -1.

    A box whose class is negative is dropped too, unless `id_index` is negative.
    """
    _check_boxes("vision.get_valid_counts", data, max(id_index, score_index) + 1)
    batch, count, width = data.shape
    least = as_expr(score_threshold, data.dtype).astype(data.dtype)

    def body(ib: IRBuilder, source: BufferVar, counts: BufferVar, boxes: BufferVar, indices: BufferVar) -> None:
        with ib.for_range(0, batch, "i", kind="parallel") as i:
            counts[i] = 0
            with ib.for_range(0, count, "j") as j:
                is_valid = source[i, j, score_index] > least
                if id_index >= 0:
                    is_valid = function("all")(is_valid, source[i, j, id_index] >= const(0, data.dtype))
                with ib.if_scope(is_valid):
                    with ib.for_range(0, width, "k") as k:
                        boxes[i, counts[i], k] = source[i, j, k]
                    indices[i, counts[i]] = j.astype("int32")
                    counts[i] = counts[i] + 1
            with ib.for_range(counts[i], count, "j") as j:
                with ib.for_range(0, width, "k") as k:
                    boxes[i, j, k] = const(-1, data.dtype)
                indices[i, j] = -1

    outputs = [([batch], "int32"), (data.shape, data.dtype), ([batch, count], "int32")]
    return kernels("get_valid_counts", outputs, [data], body)


def non_max_suppression(
    data: Tensor,
    valid_count: Tensor,
    indices: Tensor,
    max_output_size: Extent = -1,
    iou_threshold: Operand = 0.5,
    force_suppress: bool = False,
    top_k: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = 0,
    return_indices: bool = True,
    invalid_to_bottom: bool = False,
) -> Tensor | list[Tensor]:
    """Return boxes in the order of their scores, -1 where a box is suppressed, or the indices of kept boxes.

    Of each row the first `valid_count` boxes count, of these the best `top_k`. A box is suppressed by a kept one of
    its class, or of any with `force_suppress`, from an overlap on; of a threshold of 0 all stay as they are. With
    `return_indices` the result is the kept entries of `indices`, then -1, and how many there are; with
    `invalid_to_bottom` kept boxes come first.
    """
    where = "vision.non_max_suppression"
    _check_boxes(where, data, max(coord_start + 4, score_index + 1, id_index + 1))
    batch, count, width = data.shape
    suppresses = not isinstance(iou_threshold, (int, float)) or iou_threshold > 0
    limit = as_expr(max_output_size if suppresses else -1).astype(count.dtype)
    threshold = as_expr(iou_threshold, data.dtype).astype(data.dtype)
    by_class = not force_suppress and id_index >= 0
    all_of, any_of = function("all"), function("any")

    def body(ib: IRBuilder, boxes: BufferVar, counts: BufferVar, numbers: BufferVar, *outs: BufferVar) -> None:
        with ib.for_range(0, batch, "i", kind="parallel") as i:
            valid = function("min")(counts[i].astype(count.dtype), count)
            order = stable_order(
                ib, count, valid if suppresses else 0, lambda j: boxes[i, j, score_index], is_ascend=False
            )
            kept = ib.allocate(count.dtype, (count,), "kept")
            total, is_kept = scalar(ib, count.dtype, "total", 0), scalar(ib, "bool", "is_kept")
            with ib.for_range(0, count, "j") as j:
                if return_indices:
                    outs[0][i, j] = -1
                else:
                    with ib.for_range(0, width, "k") as k:
                        outs[0][i, j, k] = const(-1, data.dtype)
            with ib.for_range(0, function("min")(valid, top_k) if suppresses and top_k > 0 else valid, "j") as j:
                is_kept[0] = any_of(limit <= 0, total[0] < limit)
                with ib.for_range(0, total[0], "other") as other:
                    a, b = order[j], kept[other]
                    iou = overlap(box_at(boxes, i, a, start=coord_start), box_at(boxes, i, b, start=coord_start))
                    is_suppressed = all_of(const(suppresses, "bool"), iou >= threshold)
                    if by_class:
                        is_suppressed = all_of(is_suppressed, EQ(boxes[i, a, id_index], boxes[i, b, id_index]))
                    with ib.if_scope(is_suppressed):
                        is_kept[0] = const(False, "bool")
                with ib.if_scope(is_kept[0]):
                    kept[total[0]] = order[j]
                    if return_indices:
                        outs[0][i, total[0]] = numbers[i, order[j]]
                    else:
                        place = total[0] if invalid_to_bottom else j
                        with ib.for_range(0, width, "k") as k:
                            outs[0][i, place, k] = boxes[i, order[j], k]
                    total[0] = total[0] + 1
            if return_indices:
                outs[1][i, 0] = total[0].astype("int32")

    outputs: list[Output] = [(data.shape, data.dtype)]
    if return_indices:
        outputs = [([batch, count], "int32"), ([batch, 1], "int32")]
    results = kernels("non_max_suppression", outputs, [data, valid_count, indices], body)
    return results if return_indices else results[0]


def _keep_by_class(
    ib: IRBuilder,
    classes: Extent,
    size: Expr,
    box_of: Callable[[Expr], Box],
    score_of: Callable[[Expr, Expr], Expr],
    is_valid: Callable[[Expr], Expr],
    limit: Expr,
    threshold: Expr,
) -> tuple[BufferVar, list[BufferVar]]:
    """Emit the suppression of the boxes of an image, class by class, and return how many stay, their classes and boxes.

    Of each class the best `limit` boxes stay that overlap no better one by more than a threshold.
    """
    total = scalar(ib, size.dtype, "total", 0)
    kept = [ib.allocate(size.dtype, (classes * size,), name) for name in ("found_class", "found_box")]
    with ib.for_range(0, classes, "c") as c:
        order = stable_order(ib, size, size, lambda j: score_of(c, j), is_ascend=False)
        first, is_kept = scalar(ib, size.dtype, "first", total[0]), scalar(ib, "bool", "is_kept")
        with ib.for_range(0, size, "j") as j:
            box = order[j]
            is_kept[0] = function("all")(total[0] - first[0] < limit, is_valid(score_of(c, box)))
            with ib.for_range(first[0], total[0], "other") as other:
                iou = overlap(box_of(box), box_of(kept[1][other]))
                with ib.if_scope(iou > threshold):
                    is_kept[0] = const(False, "bool")
            with ib.if_scope(is_kept[0]):
                kept[0][total[0]], kept[1][total[0]] = c, box
                total[0] = total[0] + 1
    return total, kept


def all_class_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_boxes_per_class: Extent,
    iou_threshold: Operand,
    score_threshold: Operand,
    output_format: str = "onnx",
) -> list[Tensor]:
    """Return ONNX's NonMaxSuppression: rows of batch, class and box, zeros behind them, and how many there are.

    With `output_format="tensorflow"` the rows of a batch are of class and box and are in the order of their scores,
    which are the second result; the counts are one a batch.
    """
    where = "vision.all_class_non_max_suppression"
    _check_boxes(where, boxes, 4)
    if output_format not in ("onnx", "tensorflow"):
        raise InvalidOperand(where=where, reason=f'the format {output_format!r} is neither "onnx" nor "tensorflow"')
    is_onnx = output_format == "onnx"
    batch, classes, count = scores.shape
    rows = classes * count
    dtype = scores.dtype
    limit = as_expr(max_output_boxes_per_class).astype(count.dtype)
    threshold, least = (as_expr(number, dtype).astype(dtype) for number in (iou_threshold, score_threshold))

    def body(ib: IRBuilder, corners: BufferVar, values: BufferVar, *outs: BufferVar) -> None:
        selected, totals = outs[0], outs[-1]
        if is_onnx and known_int(batch * rows) == 0:
            totals[0] = const(0, "int64")
            return
        offset = scalar(ib, count.dtype, "offset", 0)
        with ib.for_range(0, batch, "i") as i:
            total, kept = _keep_by_class(
                ib, classes, count, box_of=lambda box: box_at(corners, i, box),
                score_of=lambda c, box: values[i, c, box],
                is_valid=lambda score: score > least, limit=limit, threshold=threshold,
            )  # fmt: skip
            if is_onnx:
                with ib.for_range(0, total[0], "j") as j:
                    for column, number in enumerate((i, kept[0][j], kept[1][j])):
                        selected[offset[0] + j, column] = number.astype("int64")
                offset[0] = offset[0] + total[0]
            else:
                ranked = stable_order(ib, rows, total[0], lambda j: values[i, kept[0][j], kept[1][j]], is_ascend=False)
                with ib.for_range(0, rows, "j") as j:
                    with ib.if_scope(j < total[0]):
                        for column in (0, 1):
                            selected[i, j, column] = kept[column][ranked[j]].astype("int64")
                        outs[1][i, j] = values[i, kept[0][ranked[j]], kept[1][ranked[j]]]
                    with ib.else_scope():
                        for column in (0, 1):
                            selected[i, j, column] = const(0, "int64")
                        outs[1][i, j] = const(0, dtype)
                totals[i] = total[0].astype("int64")
        if is_onnx:
            with ib.for_range(offset[0], batch * rows, "j") as j, ib.for_range(0, 3, "k") as k:
                selected[j, k] = const(0, "int64")
            totals[0] = offset[0].astype("int64")

    outputs: list[Output] = [([batch * rows, 3], "int64"), ([1], "int64")]
    if not is_onnx:
        outputs = [([batch, rows, 2], "int64"), ([batch, rows], dtype), ([batch], "int64")]
    return kernels("all_class_nms", outputs, [boxes, scores], body)


def regular_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_detections_per_class: Extent,
    max_detections: Extent,
    num_classes: Extent,
    iou_threshold: Operand,
    score_threshold: Operand,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the best boxes, their classes, their scores, and how many there are, zeros behind them: TFLite's NMS.

    Scores are [batch, boxes, classes], of which the last `num_classes` count. A box may be kept for several classes.
    """
    where = "vision.regular_non_max_suppression"
    _check_boxes(where, boxes, 4)
    if scores.ndim != 3:
        raise InvalidOperand(where=where, reason=f"the scores have {scores.ndim} dimensions, not 3")
    batch, count, _ = boxes.shape
    background = scores.shape[2] - num_classes
    dtype = scores.dtype
    limit, capacity = (as_expr(number).astype(count.dtype) for number in (max_detections_per_class, max_detections))
    threshold, least = (as_expr(number, dtype).astype(dtype) for number in (iou_threshold, score_threshold))

    def body(ib: IRBuilder, corners: BufferVar, values: BufferVar, *outs: BufferVar) -> None:
        kept_boxes, kept_classes, kept_scores, totals = outs
        with ib.for_range(0, batch, "i", kind="parallel") as i:
            total, kept = _keep_by_class(
                ib, num_classes, count, box_of=lambda box: box_at(corners, i, box),
                score_of=lambda c, box: values[i, box, c + background],
                is_valid=lambda score: score >= least, limit=limit, threshold=threshold,
            )  # fmt: skip

            def score_of(j: Expr) -> Expr:
                return values[i, kept[1][j], kept[0][j] + background]

            ranked = stable_order(ib, num_classes * count, total[0], score_of, is_ascend=False)
            with ib.for_range(0, capacity, "j") as j:
                with ib.if_scope(j < total[0]):
                    with ib.for_range(0, 4, "k") as k:
                        kept_boxes[i, j, k] = corners[i, kept[1][ranked[j]], k]
                    kept_classes[i, j] = kept[0][ranked[j]].astype("float32")
                    kept_scores[i, j] = score_of(ranked[j])
                with ib.else_scope():
                    with ib.for_range(0, 4, "k") as k:
                        kept_boxes[i, j, k] = const(0, boxes.dtype)
                    kept_classes[i, j] = const(0, "float32")
                    kept_scores[i, j] = const(0, dtype)
            totals[i] = function("min")(total[0], capacity).astype("int32")

    rows: list[Extent] = [batch, max_detections]
    outputs: list[Output] = [([*rows, 4], boxes.dtype), (rows, "float32"), (rows, dtype), ([batch], "int32")]
    first, second, third, fourth = kernels("regular_nms", outputs, [boxes, scores], body)
    return first, second, third, fourth
