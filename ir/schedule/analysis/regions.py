"""Regions of buffers: one element, all of them, those of a buffer among several."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IntImm, Range

Region = tuple[Range, ...]


def point_region(buffer: Buffer, indices: Sequence[Expr]) -> BufferRegion:
    """One element of a buffer as a region."""
    return BufferRegion(buffer, tuple([Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in indices]))


def full_region(buffer: Buffer) -> Region:
    """All of a buffer."""
    return tuple([Range.from_min_extent(IntImm(size.dtype, 0), size) for size in buffer.shape])


def first_region(regions: Sequence[BufferRegion], buffer: Buffer) -> BufferRegion | None:
    """The first of some regions that is one of a buffer."""
    return next((region for region in regions if region.buffer is buffer), None)
