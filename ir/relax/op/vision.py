"""Object detection: non-maximum suppression and region pooling, `R.vision`."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from tvmscript.ir.core import FLOAT32, INT32, INT64, VOID
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import canonical_extents, from_canonical, literal_extents
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, IntImm

#: number of coordinates of a box
_CORNERS: Final = 4


def _expect_ndim(call: Call, position: int, ndim: int, *, is_known: bool = False) -> TensorStructInfo:
    """Return the struct info of a tensor argument of `ndim` dimensions. Raises `InvalidCall`."""
    info = rules.expect_tensor(call, position)
    if info.ndim != ndim and (is_known or info.ndim != UNKNOWN_NDIM):
        got = "one of an unknown number" if info.ndim == UNKNOWN_NDIM else f"one of {info.ndim}"
        raise invalid_argument(call, position, f"a tensor of {ndim} dimensions", got)
    return info


def _check_extent(call: Call, position: int, extents: rules.Extents, axis: int, expected: Expr) -> None:
    if extents is not None and rules.provably_differ(extents[axis], expected):
        raise invalid_argument(call, position, f"{expected} elements along axis {axis}", extents[axis])


def _check_index(call: Call, name: str, count: Expr, least: int, width: int = 1) -> None:
    """Check that an index into the fields of a box is in range. Raises `InvalidCall`."""
    index = call.attrs[name]
    if isinstance(count, IntImm) and not least <= index <= count.value - width:
        raise invalid_argument(call, name, f"an integer from {least} to {count.value - width}", index)


def _infer_all_class_nms(call: Call) -> StructInfo:
    """Infer (selected (image, class, box) triples, count) for ONNX, per-image lists for TensorFlow."""
    boxes, scores = _expect_ndim(call, 0, 3, is_known=True), _expect_ndim(call, 1, 3, is_known=True)
    for position in (2, 3, 4):
        rules.expect_tensor(call, position)
    is_onnx = call.attrs["output_format"] == "onnx"
    where, what = literal_extents(boxes), literal_extents(scores)
    if where is None or what is None:
        if is_onnx:
            return TupleStructInfo((rules.tensor_of_ndim(2, INT64), rules.tensor_of_shape((rules.int64(1),), INT64)))
        return TupleStructInfo(
            (rules.tensor_of_ndim(3, INT64), rules.tensor_of_ndim(2, FLOAT32), rules.tensor_of_ndim(1, INT64))
        )
    images, count = where[0], rules.num_elements((what[1], where[1]))
    if is_onnx:
        rows = rules.num_elements((images, what[1], where[1]))
        return TupleStructInfo(
            (rules.tensor_of_shape((rows, rules.int64(3)), INT64), rules.tensor_of_shape((rules.int64(1),), INT64))
        )
    selected = rules.tensor_of_shape((images, count, rules.int64(2)), INT64)
    scores_info = rules.tensor_of_shape((images, count), FLOAT32)
    return TupleStructInfo((selected, scores_info, rules.tensor_of_shape((images,), INT64)))


def _infer_valid_counts(call: Call) -> StructInfo:
    data = _expect_ndim(call, 0, 3)
    extents = literal_extents(data)
    if extents is not None:
        _check_index(call, "score_index", extents[2], 0)
        _check_index(call, "id_index", extents[2], -1)
    images, places = (None, None) if extents is None else (extents[:1], extents[:2])
    boxes = rules.make_tensor(extents, 3, data.dtype, data.vdevice)
    return TupleStructInfo((rules.make_tensor(images, 1, INT32), boxes, rules.make_tensor(places, 2, INT32)))


def _infer_nms(call: Call) -> StructInfo:
    data, counts, indices = _expect_ndim(call, 0, 3), _expect_ndim(call, 1, 1), _expect_ndim(call, 2, 2)
    for position, info in ((1, counts), (2, indices)):
        if info.dtype not in (INT32, VOID):
            raise invalid_argument(call, position, "a tensor of int32", info.dtype)
    extents = literal_extents(data)
    if extents is not None:
        _check_extent(call, 1, literal_extents(counts), 0, extents[0])
        for axis in (0, 1):
            _check_extent(call, 2, literal_extents(indices), axis, extents[axis])
        _check_index(call, "coord_start", extents[2], 0, _CORNERS)
        _check_index(call, "score_index", extents[2], 0)
        _check_index(call, "id_index", extents[2], -1)
    kept = rules.make_tensor(extents, 3, data.dtype, data.vdevice)
    if not call.attrs["return_indices"]:
        return kept
    places, lengths = (None, None) if extents is None else (extents[:2], (extents[0], rules.int64(1)))
    indices_and_lengths = (rules.make_tensor(places, 2, INT32), rules.make_tensor(lengths, 2, INT32))
    return TupleStructInfo((kept, *indices_and_lengths) if call.attrs["soft_nms_sigma"] > 0 else indices_and_lengths)


def _infer_multibox_transform_loc(call: Call) -> StructInfo:
    classes, moves, anchors = _expect_ndim(call, 0, 3), _expect_ndim(call, 1, 2), _expect_ndim(call, 2, 3)
    for position, info in ((1, moves), (2, anchors)):
        if info.dtype is not classes.dtype and VOID not in (info.dtype, classes.dtype):
            raise invalid_argument(call, position, f"{classes.dtype}, as cls_pred", info.dtype)
    scores, distances, boxes = literal_extents(classes), literal_extents(moves), literal_extents(anchors)
    _check_extent(call, 2, boxes, 0, rules.int64(1))
    _check_extent(call, 2, boxes, 2, rules.int64(_CORNERS))
    if distances is not None and isinstance(distances[1], IntImm) and distances[1].value % _CORNERS:
        raise invalid_argument(call, 1, "4 numbers for each box", distances[1])
    if scores is None:
        unknown = rules.tensor_of_ndim(3, classes.dtype, classes.vdevice)
        return TupleStructInfo((unknown, unknown))
    _check_extent(call, 1, distances, 0, scores[0])
    _check_extent(call, 2, boxes, 1, scores[2])
    boxes_info = rules.tensor_of_shape((scores[0], scores[2], rules.int64(_CORNERS)), classes.dtype, classes.vdevice)
    return TupleStructInfo((boxes_info, rules.tensor_of_shape(scores, classes.dtype, classes.vdevice)))


def _infer_roi(call: Call) -> StructInfo:
    """Infer one pooled image per region, where a region is (image index, 4 corners)."""
    data, regions = _expect_ndim(call, 0, 4), _expect_ndim(call, 1, 2)
    layouts = ("NCHW", "NHWC") if call.op is roi_align else ("NCHW",)
    if call.attrs["layout"] not in layouts:
        raise invalid_argument(call, "layout", " or ".join(layouts), repr(call.attrs["layout"]))
    if call.attrs.get("mode", "avg") not in ("avg", "max"):
        raise invalid_argument(call, "mode", "avg or max", repr(call.attrs["mode"]))
    extents, layout = canonical_extents(call, 0, data, "layout", "NCHW")
    region_extents = literal_extents(regions)
    _check_extent(call, 1, region_extents, 1, rules.int64(1 + _CORNERS))
    if extents is None or region_extents is None:
        return rules.tensor_of_ndim(4, data.dtype, data.vdevice)
    height, width = call.attrs["pooled_size"]
    result_extents: Sequence[Expr] = (region_extents[0], extents[1], rules.int64(height), rules.int64(width))
    return rules.tensor_of_shape(from_canonical(result_extents, "NCHW", layout), data.dtype, data.vdevice)


def _compute_valid_counts(
    np: ModuleType, data: Array, score_threshold: float, id_index: int, score_index: int
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Move boxes with a class and a score above the threshold to the front; fill the rest with -1."""
    kept = data[..., score_index] > score_threshold
    if id_index >= 0:
        kept &= data[..., id_index] >= 0
    boxes, places = np.full_like(data, -1), np.full(data.shape[:2], -1, "int32")
    for image, row in enumerate(kept):
        indices = np.flatnonzero(row)
        boxes[image, : len(indices)] = data[image, indices]
        places[image, : len(indices)] = indices
    return kept.sum(axis=1).astype("int32"), boxes, places


def _legalize_all_class_nms(topi: Any, boxes: Any, scores: Any, *options: Any) -> Any:
    """Return the kernel for limits that are constants."""
    if any(isinstance(option, Tensor) for option in options):
        return NotImplemented
    return topi.vision.all_class_non_max_suppression(boxes, scores, *options)


def _legalize_nms(topi: Any, data: Any, valid_count: Any, indices: Any, *options: Any) -> Any:
    """Return the kernel of suppression without soft scores."""
    *rest, sigma, least = options
    if sigma > 0 or least > 0:
        return NotImplemented
    return topi.vision.non_max_suppression(data, valid_count, indices, *rest)


def _legalize_roi_align(
    topi: Any, data: Any, rois: Any, size: Any, scale: float, ratio: int, aligned: bool, layout: str, mode: str
) -> Any:
    """Return the kernel for a known number of samples, of corners that are not moved by half a pixel."""
    if aligned or ratio <= 0:
        return NotImplemented
    align = topi.vision.rcnn.roi_align_nchw if layout == "NCHW" else topi.vision.rcnn.roi_align_nhwc
    return align(data, rois, size, scale, mode, ratio)


all_class_non_max_suppression = Operator(
    "vision.all_class_non_max_suppression",
    "boxes: Expr, scores: Expr, max_output_boxes_per_class: Expr, iou_threshold: Expr, score_threshold: Expr, "
    "output_format: str = 'onnx'",
    _infer_all_class_nms,
    inlines_scalars=True,
    legalize=_legalize_all_class_nms,
    doc="Non-maximum suppression for each image and class.",
)
get_valid_counts = Operator(
    "vision.get_valid_counts",
    "data: Expr, score_threshold: float = 0, id_index: int = 0, score_index: int = 1",
    _infer_valid_counts,
    reference=_compute_valid_counts,
    legalize=lambda topi, data, *options: topi.vision.get_valid_counts(data, *options),
    doc="Filter the boxes of each image by a score threshold: their count, the boxes, and their original indices.",
)
multibox_transform_loc = Operator(
    "vision.multibox_transform_loc",
    "cls_pred: Expr, loc_pred: Expr, anchor: Expr, clip: bool = False, threshold: float = 0.0, "
    "variances: numbers(4) = (1.0, 1.0, 1.0, 1.0), keep_background: bool = True, apply_softmax: bool = True",
    _infer_multibox_transform_loc,
    doc="Decode box predictions relative to anchors; the boxes and the scores of their classes.",
)
non_max_suppression = Operator(
    "vision.non_max_suppression",
    "data: Expr, valid_count: Expr, indices: Expr, max_output_size: int = -1, iou_threshold: float = 0.5, "
    "force_suppress: bool = False, top_k: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = 0, "
    "return_indices: bool = True, invalid_to_bottom: bool = False, soft_nms_sigma: float = 0.0, "
    "score_threshold: float = 0.0",
    _infer_nms,
    legalize=_legalize_nms,
    doc="Non-maximum suppression: the remaining boxes, or their indices and count.",
)
roi_align = Operator(
    "vision.roi_align",
    "data: Expr, rois: Expr, pooled_size: ints(2), spatial_scale: float, sample_ratio: int = -1, "
    "aligned: bool = False, layout: str = 'NCHW', mode: str = 'avg'",
    _infer_roi,
    legalize=_legalize_roi_align,
    doc="Pool each region of interest with bilinear sampling (RoIAlign).",
)
roi_pool = Operator(
    "vision.roi_pool",
    "data: Expr, rois: Expr, pooled_size: ints(2), spatial_scale: float, layout: str = 'NCHW'",
    _infer_roi,
    legalize=lambda topi, data, rois, size, scale, _: topi.vision.rcnn.roi_pool_nchw(data, rois, size, scale),
    doc="Max pooling over the cells of each region of interest (RoIPool).",
)
