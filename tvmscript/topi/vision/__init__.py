"""Operators of object detection: TVM's `topi.vision`."""

from __future__ import annotations

from tvmscript.ir.topi.vision.nms import (
    all_class_non_max_suppression,
    get_valid_counts,
    non_max_suppression,
)
from tvmscript.ir.topi.vision.regions import (
    reorg,
    roi_align_nchw,
    roi_align_nhwc,
    roi_pool_nchw,
)
from tvmscript.topi.vision import rcnn

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "non_max_suppression",
    "rcnn",
    "reorg",
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
]
