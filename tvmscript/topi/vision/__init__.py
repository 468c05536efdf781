"""Operators of object detection: TVM's `topi.vision`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.vision.nms import (
    all_class_non_max_suppression,
    get_valid_counts,
    non_max_suppression,
    regular_non_max_suppression,
)
from tvmscript.ir.topi.vision.proposal import (
    generate_anchor,
    proposal,
    reg_bbox,
    reg_iou,
)
from tvmscript.ir.topi.vision.regions import (
    reorg,
    roi_align_nchw,
    roi_align_nhwc,
    roi_pool_nchw,
)
from tvmscript.topi.vision import rcnn, ssd

__all__ = [
    "all_class_non_max_suppression",
    "generate_anchor",
    "get_valid_counts",
    "non_max_suppression",
    "proposal",
    "rcnn",
    "reg_bbox",
    "reg_iou",
    "regular_non_max_suppression",
    "reorg",
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
    "ssd",
]

__getattr__, __dir__ = lazy_names(__name__, {})
