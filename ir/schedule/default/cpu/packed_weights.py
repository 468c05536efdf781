"""Recognize kernels of packed weights, whose panels are read as they are."""

from __future__ import annotations

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.inlining import is_conditional, is_injective
from tvmscript.ir.schedule.default.cpu.panel_layout import packed_buffers
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, IntImm


def is_unpacking(sch: Schedule, block: Block) -> bool:
    """Whether a block unpacks weights."""
    packed = packed_buffers(sch)
    return bool(packed) and is_injective(block) and any(region.buffer in packed for region in block.reads)


def panel_width(sch: Schedule, block: BlockRV, weights: Buffer) -> int | None:
    """Return the columns of the panels that the weights of a block are packed in, None if they are not packed."""
    for producer in sch.get_producers(block):
        stmt = sch.get(producer)
        if stmt.writes[0].buffer is weights and is_unpacking(sch, stmt):
            width = stmt.reads[0].buffer.shape[-1]
            return width.value if isinstance(width, IntImm) else None
    return None


def inline_if_packed(sch: Schedule, copy: BlockRV) -> bool:
    """Read packed weights instead of a copy in panels where it is the same; return whether it is."""
    stmt = sch.get(copy)
    if not is_unpacking(sch, stmt) or not isinstance(stmt.body, BufferStore):
        return False
    loads = [part for part in nodes(stmt.body.value) if isinstance(part, BufferLoad)]
    is_copy = stmt.body.value is loads[0] or is_conditional(stmt.body.value)
    units = {axis.var for axis in stmt.iter_vars if axis.dom is not None and is_const(axis.dom.extent, 1)}
    pairs = zip(loads[0].indices, stmt.body.indices, strict=False)
    is_same = all(expr_deep_equal(a, b) or (is_const(a, 0) and b in units) for a, b in pairs)
    if len(loads) != 1 or not is_copy or not is_same:
        return False
    sch.compute_inline(copy)
    return True
