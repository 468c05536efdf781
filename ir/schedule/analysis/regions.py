"""Constructors of buffer regions."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.tir import Buffer, BufferRegion, Expr, IntImm, PrimFunc, Range, Var

Region = tuple[Range, ...]


def point_region(buffer: Buffer, indices: Sequence[Expr]) -> BufferRegion:
    """Return the region of one element."""
    return BufferRegion(buffer, tuple([Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in indices]))


def full_region(buffer: Buffer) -> Region:
    """Return the region of a whole buffer."""
    return tuple([Range.from_min_extent(IntImm(size.dtype, 0), size) for size in buffer.shape])


def first_region(regions: Sequence[BufferRegion], buffer: Buffer) -> BufferRegion | None:
    """Return the first region of a buffer among `regions`; None if there is none."""
    return next((region for region in regions if region.buffer is buffer), None)


def symbolic_sizes(func: PrimFunc) -> set[Var]:
    """Return the variables that are extents of parameters: they are at least 0."""
    return {size for buffer in func.buffer_map.values() for size in buffer.shape if isinstance(size, Var)}
