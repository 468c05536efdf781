"""Products of a matrix and a vector: threads share the terms of a row."""

from __future__ import annotations

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.flat_product import product_of
from tvmscript.ir.schedule.default.gpu.gpu_rule import inline_all
from tvmscript.ir.schedule.default.gpu.reduction import Reduction
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm


class GEMV(Reduction):
    """Reduce each row of a product whose other operand is a vector, or a matrix of one row.

    rewrite:
        for i, k in T.grid(512, 1024): C[i] += W[i, k] * A[k]  -->  a row a block, 256 threads share k
    """

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        blocks = inline_all(sch, root)
        stmt = sch.get(blocks[0])
        product = product_of(stmt)
        if product is None:
            return None
        extents = {axis.var: axis.dom.extent for axis in stmt.iter_vars if axis.dom is not None}
        wide = [
            side
            for side in (product.rows, product.columns)
            if any(not isinstance(extent := extents[var], IntImm) or extent.value != 1 for var in side)
        ]
        return super().schedule(sch, root, target) if len(wide) <= 1 else None
