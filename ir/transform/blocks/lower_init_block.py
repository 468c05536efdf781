"""Lower block inits to conditional statements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from tvmscript.ir.core import on
from tvmscript.ir.tir import EQ, And, Block, Expr, IfThenElse, IterKind, PrimFunc, StatementRewriter, Stmt, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.rewriters.empty_reductions import init_empty_reductions


class _InitLowering(StatementRewriter):
    @on(Block)
    def block(self, node: Block) -> Block:
        body: Stmt = self.rewrite(node.body)
        if node.init is None:
            return node.rebuild(body=body)
        return node.replace(init=None, body=seq(_guard_init(self.rewrite(node.init), node), body))


def _guard_init(init: Stmt, block: Block) -> Stmt:
    """Return the init under the condition that every reduction axis is at its start."""
    conditions: list[Expr] = [
        EQ(axis.var, axis.dom.min)
        for axis in block.iter_vars
        if axis.iter_type is IterKind.COMM_REDUCE and axis.dom is not None
    ]
    return IfThenElse(reduce(And, conditions), init) if conditions else init


@dataclass(frozen=True)
class LowerInitBlock(PrimFuncPass):
    """Move each block init into the body, under the condition that all reduction axes are at their start.

    With `runs_without_steps` the init of a reduction that may have no step also runs where it has none.

    rewrite:
        with T.block("C"):                          with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])         vi, vk = T.axis.remap("SR", [i, k])
            with T.init():                      -->     if vk == 0:
                C[vi] = 0.0                                 C[vi] = 0.0
            C[vi] = C[vi] + A[vi, vk]                   C[vi] = C[vi] + A[vi, vk]
    """

    name = "tir.LowerInitBlock"
    is_idempotent = True
    skips_te = True
    runs_without_steps: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if self.runs_without_steps:
            func = init_empty_reductions(func)
        return func.with_body(_InitLowering().rewrite(func.body))
