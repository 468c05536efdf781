"""Boxes and regions of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.roi_align import roi_align as roi_align_te
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import scalar, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.language import R


@operator("NonMaxSuppression")
def non_max_suppression(context: Context, node: Node) -> RelaxExpr:
    """Return the rows (batch, class, box) of boxes that overlap no better ones."""
    boxes, scores = node.tensor(0), node.tensor(1)
    if node.integer("center_point_box", 0):
        boxes = _corners(context, boxes)
    else:
        boxes = _ordered(context, boxes)
    count = _input(node, 2, "int64", 0)
    overlap, least = _input(node, 3, "float32", 0.0), _input(node, 4, "float32", -3.4e38)
    result = R.vision.all_class_non_max_suppression(boxes, scores, count, overlap, least)
    pair = context.builder.emit(result)
    rows = R.tensor_to_shape(pair[1])
    number = context.fresh_size("selected")
    shape = context.builder.emit(rows)
    context.builder.match_cast(shape, ShapeStructInfo((number,)))
    return R.strided_slice(pair[0], [0], [0], [number])


_LIMITS = {2: "max_output_boxes_per_class", 3: "iou_threshold", 4: "score_threshold"}


def _input(node: Node, index: int, dtype: str, default: float) -> RelaxExpr:
    """Return an optional scalar, which must be known: the kernel is made for it."""
    number = node.constant(index, _LIMITS[index]).reshape(())[()] if node.has(index) else default
    return R.const(number.item() if isinstance(number, np.generic) else number, dtype)


def _columns(context: Context, boxes: RelaxExpr) -> list[RelaxExpr]:
    parts = context.builder.emit(R.split(boxes, 4, 2))
    return [context.emit(parts[index]) for index in range(4)]


def _corners(context: Context, boxes: RelaxExpr) -> RelaxExpr:
    """Return the corners of boxes of a centre and sizes, as y, x, y, x."""
    x, y, width, height = _columns(context, boxes)
    half = scalar(0.5, boxes)
    dx, dy = context.emit(R.multiply(width, half)), context.emit(R.multiply(height, half))
    return R.concat((R.subtract(y, dy), R.subtract(x, dx), R.add(y, dy), R.add(x, dx)), 2)


def _ordered(context: Context, boxes: RelaxExpr) -> RelaxExpr:
    """Return boxes whose first corner is the smaller one."""
    a, b, c, d = _columns(context, boxes)
    return R.concat((R.minimum(a, c), R.minimum(b, d), R.maximum(a, c), R.maximum(b, d)), 2)


@operator("AllClassNMS")
def all_class_nms(context: Context, node: Node) -> Any:
    """Return selected boxes as the operator of the graph does."""
    count, overlap, least = _input(node, 2, "int64", 0), _input(node, 3, "float32", 0), _input(node, 4, "float32", 0)
    return R.vision.all_class_non_max_suppression(node.tensor(0), node.tensor(1), count, overlap, least)


@operator("RoiAlign")
def roi_align(context: Context, node: Node) -> RelaxExpr:
    """Return bins of regions by bilinear interpolation."""
    x, regions, batches = (node.tensor(index) for index in range(3))
    mode = node.text("coordinate_transformation_mode", "output_half_pixel" if node.version < 16 else "half_pixel")
    bins = [node.integer("output_height", 1), node.integer("output_width", 1)]
    scale, ratio = node.number("spatial_scale", 1.0), node.integer("sampling_ratio", 0)
    is_max = node.text("mode", "avg") == "max"
    return context.emit_te(roi_align_te, x, regions, batches, bins, scale, ratio, mode == "half_pixel", is_max,
                           primfunc_name_hint="roi_align")  # fmt: skip


@operator("GridSample")
def grid_sample(context: Context, node: Node) -> RelaxExpr:
    """Return images sampled at places between -1 and 1."""
    x, grid = node.tensor(0), node.tensor(1)
    rank = len(sizes_of(x)) - 2
    first = R.permute_dims(grid, [0, rank + 1, *range(1, rank + 1)])
    mode = {"linear": "bilinear", "bilinear": "bilinear", "cubic": "bicubic", "bicubic": "bicubic"}
    method = mode.get(node.text("mode", "bilinear"), "nearest")
    layout = {1: "NCW", 2: "NCHW", 3: "NCDHW"}[rank]
    padding, corners = node.text("padding_mode", "zeros"), bool(node.integer("align_corners", 0))
    return R.image.grid_sample(x, first, method, layout, padding, corners)
