"""Operators of images: TVM's `topi.image`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.image.dilation import (
    dilation2d_nchw,
    dilation2d_nhwc,
)
from tvmscript.ir.topi.image.resize import (
    resize1d,
    resize2d,
    resize3d,
)
from tvmscript.ir.topi.image.sampling import (
    affine_grid,
    crop_and_resize,
    grid_sample,
)

__all__ = [
    "affine_grid",
    "crop_and_resize",
    "dilation2d_nchw",
    "dilation2d_nhwc",
    "grid_sample",
    "resize1d",
    "resize2d",
    "resize3d",
]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
