"""Operators of regions of interest: TVM's `topi.vision.rcnn`."""

from __future__ import annotations

from tvmscript.ir.topi.vision.regions import (
    roi_align_nchw,
    roi_align_nhwc,
    roi_pool_nchw,
)

__all__ = [
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
]
