"""Blocks without iteration variables of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

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
        for part in (*node.iter_values, node.predicate):
            if axes and not axes.isdisjoint(used := uses(part)):
                own = next(axis for axis in block.iter_vars if axis.var in used)
                raise AxisOutsideOfBlock(block=block.name_hint, axis=own.var.name, span=part.span or block.span)
        pairs = zip(block.iter_vars, node.iter_values, strict=True)
        values: dict[Node, Node] = {axis.var: cast(axis.var.dtype, self.rewrite(value)) for axis, value in pairs}
        predicate = self.rewrite(node.predicate)
        self.renamed.update(values)
        if block.iter_vars:
            block = block.replace(iter_vars=())
        made: Any = self.descend(block)
        if made is node.block and predicate is node.predicate:
            return node
        return node.replace(iter_values=(), predicate=predicate, block=made)


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
