"""Replace block axes by the values that they are bound to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.arith.fold import TRUE, cast, is_const
from tvmscript.ir.core import Node, on
from tvmscript.ir.tir import Block, BlockRealize, For, ForKind, IterKind, PrimFunc, Stmt, TirRewriter, Var, uses
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import AxisOutsideOfBlock, InitNotLowered

#: annotation of loops over reduction axes of blocks: their iterations may run in any order
REDUCTION: Final = "tir.reduction"


class _OpaqueRewriter(TirRewriter):
    def __init__(self, marks_reductions: bool) -> None:
        super().__init__()
        self.marks_reductions = marks_reductions
        #: variables in values of reduction axes, and in those of other axes
        self.reduced: set[Var] = set()
        self.other: set[Var] = set()

    @on(For)
    def loop(self, node: For) -> Stmt:
        loop: Stmt = self.for_loop(node)
        var = node.loop_var
        if not isinstance(loop, For) or var not in self.reduced or var in self.other or is_const(loop.extent, 1):
            return loop
        if loop.kind is not ForKind.SERIAL:
            return loop
        return loop.replace(annotations={**loop.annotations, REDUCTION: TRUE})

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> BlockRealize:
        block: Block = node.block
        if block.init is not None:
            raise InitNotLowered(block=block.name_hint, span=block.span)
        axes = {axis.var for axis in block.iter_vars}
        if not axes.isdisjoint(uses((node.iter_values, node.predicate))):
            raise _axis_error(node)
        bindings = zip(block.iter_vars, node.iter_values, strict=True)
        values: dict[Node, Node] = {axis.var: cast(axis.var.dtype, self.rewrite(value)) for axis, value in bindings}
        if self.marks_reductions:
            for axis, value in zip(block.iter_vars, node.iter_values, strict=True):
                (self.reduced if axis.iter_type is IterKind.COMM_REDUCE else self.other).update(uses(value))
        predicate = self.rewrite(node.predicate)
        self.renamed.update(values)
        new_block = self.remove_axes(block) if axes else self.descend(block)
        if new_block is block and predicate is node.predicate:
            return node
        return BlockRealize((), predicate, new_block, span=node.span)

    def remove_axes(self, block: Block) -> Block:
        """Return the block without axes; their uses become the bound values."""
        allocated, matched = self.definitions(block.alloc_buffers), self.definitions(block.match_buffers)
        reads, writes = self.value(block.reads), self.value(block.writes)
        body, annotations = self.rewrite(block.body), self.value(block.annotations)
        return Block((), reads, writes, block.name_hint, body, None, allocated, matched, annotations, span=block.span)


def _axis_error(node: BlockRealize) -> AxisOutsideOfBlock:
    """Return the error for the first binding or predicate that uses an axis of its own block."""
    block = node.block
    pairs = ((axis, expr) for expr in (*node.iter_values, node.predicate) for axis in block.iter_vars)
    axis, expr = next((axis, expr) for axis, expr in pairs if axis.var in uses(expr))
    return AxisOutsideOfBlock(block=block.name_hint, axis=axis.var.name, span=expr.span or block.span)


@dataclass(frozen=True)
class ConvertBlocksToOpaque(PrimFuncPass):
    """Replace block axes by the values that they are bound to, so that every block is opaque.

    With `marks_reductions`, serial loops whose variables are bound to reduction axes only are annotated with
    `tir.reduction`: their iterations may run in another order. Raises `InitNotLowered` for a block with an init, and
    `AxisOutsideOfBlock`.

    rewrite:
        with T.block("B"):
            vi = T.axis.spatial(16, i * 4 + j)      with T.block("B"):
            T.reads(A[vi])                              T.reads(A[i * 4 + j])
            T.writes(B[vi])                     -->     T.writes(B[i * 4 + j])
            B[vi] = A[vi]                               B[i * 4 + j] = A[i * 4 + j]
    """

    name = "tir.ConvertBlocksToOpaque"
    is_idempotent = True
    skips_te = True
    marks_reductions: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_OpaqueRewriter(self.marks_reductions).rewrite(func.body))
