"""Shrink allocated buffers to the region that is accessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tvmscript.ir.analysis.memory.required_allocation import AccessedBox, accessed_boxes
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.arith.fold import add, is_const, make, mul, sub
from tvmscript.ir.core import on
from tvmscript.ir.tir import AccessRewriter, Allocate, Block, Buffer, BufferStore, Expr, PrimFunc, Var, match_types
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloorMod, IntImm, Ramp, Range
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, InitNotLowered

#: the annotation of blocks and allocations with the alignment of rows
ALIGNMENT = "buffer_dim_align"
#: axis -> (factor, offset): the axis' stride is the offset modulo the factor
Alignment = dict[int, tuple[int, int]]


@dataclass
class _Compacted:
    """A shrunk buffer, and the origin that is subtracted from each index."""

    buffer: Buffer
    origin: tuple[Expr, ...]


def _alignments(func: PrimFunc) -> dict[Var, Alignment]:
    """Return the alignment of rows by data variable. Raises `BlockNotOpaque`, `InitNotLowered`."""
    alignments: dict[Var, Alignment] = {}
    for node in statements(func.body):
        if isinstance(node, Block):
            if node.iter_vars:
                raise BlockNotOpaque(block=node.name_hint, span=node.span)
            if node.init is not None:
                raise InitNotLowered(block=node.name_hint, span=node.span)
            for index, axis, factor, offset in node.annotations.get(ALIGNMENT, ()):
                data = node.writes[int(index)].buffer.data
                alignments.setdefault(data, {})[int(axis)] = int(factor), int(offset)
        elif isinstance(node, Allocate):
            for _, axis, factor, offset in node.annotations.get(ALIGNMENT, ()):
                alignments.setdefault(node.buffer_var, {})[int(axis)] = int(factor), int(offset)
    return alignments


def _plan(boxes: Mapping[Buffer, AccessedBox], alignments: Mapping[Var, Alignment]) -> dict[Buffer, _Compacted]:
    """Return the buffers that change."""
    plan: dict[Buffer, _Compacted] = {}
    for buffer, box in boxes.items():
        alignment = alignments.get(buffer.data)
        if buffer.strides and alignment is None:
            continue
        origin, shape = tuple([start for start, _ in box]), tuple([extent for _, extent in box])
        strides = () if alignment is None else _strides(shape, alignment)
        is_same = all(map(_same, shape, buffer.shape)) and all(is_const(start, 0) for start in origin)
        if not is_same or len(strides) != len(buffer.strides) or not all(map(_same, strides, buffer.strides)):
            plan[buffer] = _Compacted(buffer.replace(shape=shape, strides=strides), origin)
    return plan


def _strides(shape: Sequence[Expr], alignment: Alignment) -> tuple[Expr, ...]:
    """Return strides of a row-major layout, padded so that each aligned axis has its remainder."""
    stride: Expr = IntImm(shape[0].dtype, 1)
    strides: list[Expr] = []
    for axis in reversed(range(len(shape))):
        if axis in alignment:
            factor, offset = [IntImm(stride.dtype, value) for value in alignment[axis]]
            missing = sub(add(factor, offset), make(FloorMod, stride, factor))
            stride = add(stride, make(FloorMod, missing, factor))
        strides.append(stride)
        stride = mul(*match_types(stride, shape[axis]))
    return tuple(reversed(strides))


def _same(a: Expr, b: Expr) -> bool:
    return a is b or (isinstance(a, IntImm) and isinstance(b, IntImm) and a.value == b.value)


class _CompactionRewriter(AccessRewriter):
    def __init__(self, plan: dict[Buffer, _Compacted]) -> None:
        super().__init__()
        self.plan = plan
        self.by_data = {new.buffer.data: new.buffer for new in plan.values()}
        self.renamed.update({old: new.buffer for old, new in plan.items()})

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        if node.buffer not in self.plan:
            return indices
        origin = self.plan[node.buffer].origin
        return tuple([_minus(index, start) for index, start in zip(indices, origin, strict=True)])

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        compacted = self.plan.get(node.buffer)
        if compacted is None:
            return self.descend(node)
        ranges = [
            Range.from_min_extent(*match_types(_minus(part.min, start), part.extent))
            for part, start in zip(self._tuple(node.region, self.rewrite), compacted.origin, strict=True)
        ]
        return BufferRegion(compacted.buffer, tuple(ranges), span=node.span)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Allocate:
        new_allocate = self.descend(node)
        buffer = self.by_data.get(node.buffer_var)
        return new_allocate if buffer is None else new_allocate.replace(extents=allocation_shape(buffer))


def _minus(index: Expr, start: Expr) -> Expr:
    if isinstance(index, Ramp):
        return Ramp(_minus(index.base, start), index.stride, index.lanes)
    return sub(*match_types(index, start))


@dataclass(frozen=True)
class CompactBufferAllocation(PrimFuncPass):
    """Allocate each buffer with the size of the bounding box of its accesses.

    An access that passes the address of a buffer accesses the region that the enclosing block declares, or all of the
    buffer. Shared memory holds the accesses of all threads. Sizes do not depend on loops: the largest value counts.
    The annotation `buffer_dim_align` of a block or an allocation aligns rows by strides.

    is_strict: assume that accesses are in bounds, and clip the boxes to the buffers.
    is_constant_on_chip: allocate the largest size that is possible where the memory is on the chip of a device, which
        is allocated before sizes are known: 32 elements for `T.min(n, 32)`.

    Raises `BlockNotOpaque`, `InitNotLowered`.

    rewrite:
        for i in range(16):                             for i in range(16):
            with T.block(""):                               with T.block(""):
                B = T.alloc_buffer((16, 16))                    B = T.alloc_buffer((1, 16))
                for j in range(16):             -->             for j in range(16):
                    B[i, j] = A[i, j]                               B[i - i, j] = A[i, j]
    """

    name = "tir.CompactBufferAllocation"
    is_idempotent = True
    skips_te = True
    takes = Form.OPAQUE_BLOCKS

    is_strict: bool = True
    is_constant_on_chip: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        alignments = _alignments(func)
        boxes = accessed_boxes(func.body, is_strict=self.is_strict, is_constant_on_chip=self.is_constant_on_chip)
        plan = _plan(boxes, alignments)
        return func.with_body(_CompactionRewriter(plan).rewrite(func.body)) if plan else func
