"""Operators of images: TVM's `topi.image`."""

from __future__ import annotations

from tvmscript.ir.topi.image.dilation import (
    dilation2d_nchw,
    dilation2d_nhwc,
)
from tvmscript.ir.topi.image.resize import (
    resize1d,
    resize2d,
    resize3d,
)

__all__ = [
    "dilation2d_nchw",
    "dilation2d_nhwc",
    "resize1d",
    "resize2d",
    "resize3d",
]
