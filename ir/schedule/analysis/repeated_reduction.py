"""Reductions that the iterations of a loop do again, each all of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


class RepeatedReductionError(ScheduleError):
    """The steps of the reduction would be spread over the iterations of loops, and some would be done in more than one
    of them: values would be added several times. Or parallel iterations would all do the whole reduction, in the same
    memory, which TVM lets them.
    """

    code = "TS4144"
    message = "under the loop {loop}, steps of the reduction {block} would be done more than once"


def is_invariant_in(loop: For, values: Collection[Expr]) -> bool:
    """Whether iterations of a loop do the same where these are the values of the axes."""
    return not is_const(loop.extent, 1) and loop.loop_var not in uses(tuple(values))


def runs_on_shared_memory(kind: ForKind, written: Iterable[Buffer]) -> bool:
    """Whether iterations of a kind run side by side in one memory: threads may have their own."""
    return kind is ForKind.PARALLEL or (
        kind is ForKind.THREAD_BINDING and any(buffer.storage_scope in ("", "global") for buffer in written)
    )


def check_no_reduction_is_repeated(ref: StmtRef, kind: ForKind) -> None:
    """Raise `RepeatedReductionError` where the iterations of a loop would all do one reduction, and others see what it
    makes.
    """
    loop = ref.loop
    for block in _repeated_reductions(loop.body, {loop.loop_var}, loop):
        written = {region.buffer for region in block.writes}
        if runs_on_shared_memory(kind, written) and not written.isdisjoint(_buffers_used_outside(ref)):
            raise RepeatedReductionError(loop=loop.loop_var.name, block=block.name_hint, at=[loop, block])


def _repeated_reductions(stmt: Stmt, dependent: set[Var], loop: For) -> Iterator[Block]:
    """The reductions in a statement of which no value depends on the loop; `dependent` are the variables that do."""
    if is_const(loop.extent, 1):
        return
    for node in nodes(stmt):  # from the outside in
        if isinstance(node, For) and not dependent.isdisjoint(uses((node.min, node.extent))):
            dependent.add(node.loop_var)
        elif isinstance(node, BlockRealize):
            values = zip(node.block.iter_vars, node.iter_values, strict=True)
            found = {axis.var for axis, value in values if not dependent.isdisjoint(uses(value))}
            dependent |= found
            if node.block.init is not None and not found and dependent.isdisjoint(uses(node.predicate)):
                yield node.block


def _buffers_used_outside(ref: StmtRef) -> set[Buffer]:
    """The buffers that are accessed outside of a loop, or that a caller sees."""
    inside = set(nodes(ref.loop))
    root = ref.tree.func
    accesses = (node for node in nodes(root.body) if isinstance(node, BufferLoad | BufferStore))
    return {*root.buffer_map.values(), *[node.buffer for node in accesses if node not in inside]}
