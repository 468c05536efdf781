"""Blocks without iteration variables of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import AxisOutsideOfBlock, InitNotLowered


class _Conversion(TirRewriter):
    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> BlockRealize:
        block: Block = node.block
        if block.init is not None:
            raise InitNotLowered(block=block.name_hint, span=block.span)
        axes = {axis.var for axis in block.iter_vars}
        if not axes.isdisjoint(uses((node.iter_values, node.predicate))):
            raise _misplaced(node)
        pairs = zip(block.iter_vars, node.iter_values, strict=True)
        values: dict[Node, Node] = {axis.var: cast(axis.var.dtype, self.rewrite(value)) for axis, value in pairs}
        predicate = self.rewrite(node.predicate)
        self.renamed.update(values)
        made = self.opaque(block) if axes else self.descend(block)
        if made is block and predicate is node.predicate:
            return node
        return BlockRealize((), predicate, made, span=node.span)

    def opaque(self, block: Block) -> Block:
        """The block without axes, in terms of their values."""
        allocated, matched = self.definitions(block.alloc_buffers), self.definitions(block.match_buffers)
        reads, writes = self.value(block.reads), self.value(block.writes)
        body, marks = self.rewrite(block.body), self.value(block.annotations)
        return Block((), reads, writes, block.name_hint, body, None, allocated, matched, marks, span=block.span)


def _misplaced(node: BlockRealize) -> AxisOutsideOfBlock:
    """The error for the first part of a realize that uses an axis of its block."""
    block = node.block
    pairs = ((axis, part) for part in (*node.iter_values, node.predicate) for axis in block.iter_vars)
    axis, part = next((axis, part) for axis, part in pairs if axis.var in uses(part))
    return AxisOutsideOfBlock(block=block.name_hint, axis=axis.var.name, span=part.span or block.span)


@dataclass(frozen=True)
class ConvertBlocksToOpaque(PrimFuncPass):
    """Iteration variables are replaced by their values; every block is opaque.

    Raises `InitNotLowered` for a block that still has an init, `AxisOutsideOfBlock`.

    rewrite:
        with T.block("B"):
            vi = T.axis.spatial(16, i * 4 + j)      with T.block("B"):
            T.reads(A[vi])                              T.reads(A[i * 4 + j])
            T.writes(B[vi])                     -->     T.writes(B[i * 4 + j])
            B[vi] = A[vi]                               B[i * 4 + j] = A[i * 4 + j]
    """

    name: ClassVar[str] = "tir.ConvertBlocksToOpaque"
    skips_te: ClassVar[bool] = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Conversion().rewrite(func.body))
