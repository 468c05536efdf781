"""Operators of regions of interest: TVM's `topi.vision.rcnn`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.vision.proposal import (
    generate_anchor,
    proposal,
    reg_bbox,
    reg_iou,
)
from tvmscript.ir.topi.vision.regions import (
    roi_align_nchw,
    roi_align_nhwc,
    roi_pool_nchw,
)

__all__ = [
    "generate_anchor",
    "proposal",
    "reg_bbox",
    "reg_iou",
    "roi_align_nchw",
    "roi_align_nhwc",
    "roi_pool_nchw",
]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
