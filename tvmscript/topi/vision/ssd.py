"""Operators of detection with anchors: TVM's `topi.vision.ssd`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.vision.multibox import multibox_detection, multibox_prior, multibox_transform_loc
from tvmscript.ir.topi.vision.nms import non_max_suppression

__all__ = ["multibox_detection", "multibox_prior", "multibox_transform_loc", "non_max_suppression"]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
