"""Operators of images: TVM's `topi.image`."""

from __future__ import annotations

from tvmscript.ir.topi.image.resize import (
    resize1d,
    resize2d,
    resize3d,
)

__all__ = [
    "resize1d",
    "resize2d",
    "resize3d",
]
