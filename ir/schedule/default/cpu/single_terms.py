"""Reductions over one term are computed like elementwise blocks."""

from __future__ import annotations

from tvmscript.ir.arith import fold
from tvmscript.ir.core import on
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Expr, IterKind
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.substitute import uses


def without_reduction(block: Block) -> Block:
    """Return a block whose reduction has one term without init; another block as it is.

    rewrite:
        with T.init():                                -->    C[vi, vj] = 0 + A[vi, vk] * B[vj, vk]
            C[vi, vj] = 0
        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
    """
    init, update = block.init, block.body
    if not isinstance(init, BufferStore) or not isinstance(update, BufferStore) or update.predicate is not None:
        return block
    reduced = [axis for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    if not reduced or not all(axis.dom is not None and fold.is_const(axis.dom.extent, 1) for axis in reduced):
        return block
    value = _Initialized(update, init.value).rewrite(update.value)
    if update.buffer in uses(value):
        return block
    axes = tuple(
        axis.replace(iter_type=IterKind.DATA_PAR) if axis.iter_type is IterKind.COMM_REDUCE else axis
        for axis in block.iter_vars
    )
    return block.replace(iter_vars=axes, init=None, body=update.replace(value=value))


class _Initialized(TirRewriter):
    """Replace what an update reads of its own element by the initial value."""

    def __init__(self, update: BufferStore, initial: Expr) -> None:
        super().__init__()
        self.update, self.initial = update, initial

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        is_own = node.buffer is self.update.buffer and node.indices == self.update.indices
        return self.initial if is_own else super().load(node)
