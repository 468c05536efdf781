"""Blocks without iteration variables of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import InitNotLowered


class _Conversion(TirRewriter):
    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> BlockRealize:
        block: Block = node.block
        if block.init is not None:
            raise InitNotLowered(block=block.name_hint, span=block.span)
        for axis, value in zip(block.iter_vars, node.iter_values, strict=True):
            self.renamed[axis.var] = cast(axis.var.dtype, self.rewrite(value))
        predicate = self.rewrite(node.predicate)
        if block.iter_vars:
            block = block.replace(iter_vars=())
        made: Any = self.descend(block)
        if made is node.block and predicate is node.predicate:
            return node
        return node.replace(iter_values=(), predicate=predicate, block=made)


@dataclass(frozen=True)
class ConvertBlocksToOpaque(PrimFuncPass):
    """Iteration variables are replaced by their values; every block is opaque.

    Raises `InitNotLowered` for a block that still has an init.

    rewrite:
        with T.block("B"):
            vi = T.axis.spatial(16, i * 4 + j)      with T.block("B"):
            T.reads(A[vi])                              T.reads(A[i * 4 + j])
            T.writes(B[vi])                     -->     T.writes(B[i * 4 + j])
            B[vi] = A[vi]                               B[i * 4 + j] = A[i * 4 + j]
    """

    name: ClassVar[str] = "tir.ConvertBlocksToOpaque"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Conversion().rewrite(func.body))
