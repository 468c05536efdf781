"""Check that loops do not repeat a whole reduction in shared memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import conjuncts, is_const
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import EQ, Buffer, BufferLoad, Expr, Stmt, Var, uses
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind


class RepeatedReductionError(ScheduleError, code="TS4144"):
    """Reduction steps would run in more than one iteration of the loop, so that values accumulate several times; or
    parallel iterations or lanes would all run the reduction in the same memory. TVM allows the latter.
    """

    message = "loop {loop} would repeat steps of the reduction in block {block}"


def is_invariant_in(loop: For, values: Collection[Expr]) -> bool:
    """Whether binding values do not depend on a loop, so that its iterations repeat the block."""
    return not is_const(loop.extent, 1) and loop.loop_var not in uses(tuple(values))


def runs_on_shared_memory(kind: ForKind, written: Iterable[Buffer]) -> bool:
    """Whether iterations of this kind run in parallel on shared memory; threads may have private memory.

    The lanes of a vector run each statement together: the inits of all of them run first.
    """
    return kind in (ForKind.PARALLEL, ForKind.VECTORIZED) or (
        kind is ForKind.THREAD_BINDING and any(buffer.storage_scope in ("", "global") for buffer in written)
    )


def check_no_reduction_is_repeated(ref: StmtRef, kind: ForKind) -> None:
    """Raise `RepeatedReductionError` if all iterations of a loop would run a reduction whose result is used outside."""
    loop = ref.loop
    for block in _repeated_reductions(loop.body, {loop.loop_var}, loop):
        written = {region.buffer for region in block.writes}
        if runs_on_shared_memory(kind, written) and not written.isdisjoint(_buffers_used_outside(ref)):
            raise RepeatedReductionError(loop=loop.loop_var.name, block=block.name_hint, at=[loop, block])


def _repeated_reductions(stmt: Stmt, dependent: set[Var], loop: For) -> Iterator[Block]:
    """Yield the reduction blocks that do not depend on a loop; `dependent` are the variables that do."""
    if is_const(loop.extent, 1):
        return
    for node in statements(stmt):  # outer ones first
        if isinstance(node, For) and not dependent.isdisjoint(uses((node.min, node.extent))):
            dependent.add(node.loop_var)
        elif isinstance(node, BlockRealize):
            values = zip(node.block.iter_vars, node.iter_values, strict=True)
            axes = {axis.var for axis, value in values if not dependent.isdisjoint(uses(value))}
            dependent |= axes
            if node.block.init is not None and not axes and not _selects_iteration(node.predicate, dependent):
                yield node.block


def _selects_iteration(predicate: Expr, variables: set[Var]) -> bool:
    """Whether a predicate holds in one iteration: it compares a variable for equality."""
    return any(
        isinstance(part, EQ) and not variables.isdisjoint(uses(part)) and (part.a in variables or part.b in variables)
        for part in conjuncts(predicate)
    )


def _buffers_used_outside(ref: StmtRef) -> set[Buffer]:
    """Return the buffers that are accessed outside of a loop, and the parameters."""
    inside = set(nodes(ref.loop))
    root = ref.tree.func
    accesses = (node for node in nodes(root.body) if isinstance(node, (BufferLoad, BufferStore)))
    return {*root.buffer_map.values(), *[node.buffer for node in accesses if node not in inside]}
