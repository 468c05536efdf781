"""Products of an array and itself: each operand is an array of its own, so that each has tiles of its own."""

from __future__ import annotations

from tvmscript.ir.arith import fold
from tvmscript.ir.core import Node, nodes
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.default.gpu.gpu_rule import is_reduction
from tvmscript.ir.schedule.default.split_nests import put_in_nest, split_nests
from tvmscript.ir.schedule.rewrite.cache_blocks import make_copy_block, wrap_in_loops
from tvmscript.ir.tir import (
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    IntImm,
    IterKind,
    IterVar,
    PrimFunc,
    Range,
    Stmt,
    Var,
    make_buffer,
)
from tvmscript.ir.tir.functor import ir_transform


def separate_operands(func: PrimFunc) -> PrimFunc:
    """Return an unscheduled function in which the right operand of a product is a copy where it is also the left one.

    Schedules inline the copy into that of its tiles.

    rewrite:
        C[vi, vj] += A[vi, vk] * A[vj, vk]    -->    A_right[v0, v1] = A[v0, v1]
                                                     C[vi, vj] += A[vi, vk] * A_right[vj, vk]
    """
    return split_nests(func, _separate)


def _separate(nest: Stmt, inner: BlockRealize) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the copy of an array and the product that reads it, None where no array is multiplied by itself."""
    block, store = inner.block, inner.block.body
    if not isinstance(store, BufferStore) or not is_reduction(block):
        return None
    loads = [node for node in nodes(store.value) if isinstance(node, BufferLoad) and node.buffer is not store.buffer]
    if len(loads) != 2 or loads[0].buffer is not loads[1].buffer:
        return None
    left, right = loads
    copy = make_buffer(right.buffer.shape, right.buffer.dtype, f"{right.buffer.name}_right")
    load = BufferLoad(copy, right.indices)
    redirected: dict[Node, Node] = {right: load}
    body = ir_transform(store, redirected.get, None)
    reads = [region for region in block.reads if region.buffer is not right.buffer]
    reads += [point_region(each.buffer, each.indices) for each in (left, load)]
    product = inner.replace(block=block.replace(body=body, reads=tuple(reads)))
    return [_copy_nest(right.buffer, copy), put_in_nest(nest, product)], [copy]


def _copy_nest(source: Buffer, target: Buffer) -> Stmt:
    """Return the loops that copy an array."""
    loops = [
        (Var(f"ax{place}", extent.dtype), Range.from_min_extent(IntImm(extent.dtype, 0), extent))
        for place, extent in enumerate(source.shape)
    ]
    axes = [IterVar(domain, Var(var.name, var.dtype), IterKind.DATA_PAR) for var, domain in loops]
    indices = [axis.var for axis in axes]
    block = make_copy_block(target.name, axes, (source, indices), (target, indices))
    return wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))
