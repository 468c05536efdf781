"""Operators of object detection: TVM's `topi.vision`."""

from __future__ import annotations

from tvmscript.ir.topi.vision.nms import (
    all_class_non_max_suppression,
    get_valid_counts,
    non_max_suppression,
)

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "non_max_suppression",
]
