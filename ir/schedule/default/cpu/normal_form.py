"""The form of functions that rules see: indices of one dtype, without quotients that ranges decide or attributes.

Reductions have more than one term.
"""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.core import on
from tvmscript.ir.core.visit import has_nodes
from tvmscript.ir.schedule.default.cpu.index_dtypes import unify_index_dtypes
from tvmscript.ir.schedule.default.cpu.shared_lines import share_lines
from tvmscript.ir.schedule.default.cpu.single_terms import without_reduction
from tvmscript.ir.schedule.default.unscheduled import is_of_operator
from tvmscript.ir.tir import Block, BufferRegion, Expr, PrimFunc, Range, Stmt
from tvmscript.ir.tir.expr import FloorDiv, FloorMod
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter

_QUOTIENTS: Final = (FloorDiv, FloorMod)


def normalize(func: PrimFunc) -> PrimFunc:
    """Return an unscheduled function in the form that rules recognize.

    rewrite:
        T.block_attr({"axis": 1})
        B[vi, vj] = A[(vj // 64 + vi) % 128, vj % 64]    -->    B[vi, vj] = A[vi, vj]
    """
    rewriter = _Normalizer()
    unified = unify_index_dtypes(func)
    return share_lines(unified.with_body(rewriter.rewrite(unified.body)))


class _Normalizer(AnalyzedRewriter):
    """Simplify quotients in indices, drop the attributes of operators, and replace reductions over one term."""

    @on(Block)
    def block(self, node: Block) -> Stmt:
        if node.annotations:
            kept: dict[str, Any] = {name: value for name, value in node.annotations.items() if not is_of_operator(name)}
            node = node.replace(annotations=kept) if len(kept) < len(node.annotations) else node
        node = without_reduction(node)
        return super().block(node) if has_nodes(node.body, (*_QUOTIENTS, Block)) else node

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return super().indices(indices) if not any(map(_has_quotients, indices)) else self._simplified(indices)

    @on(BufferRegion)
    def box(self, node: BufferRegion) -> BufferRegion:
        starts = [part.min for part in node.region]
        if not any(map(_has_quotients, starts)):
            return node
        region = zip(self._simplified(starts), node.region, strict=True)
        return node.replace(region=tuple(Range.from_min_extent(start, part.extent) for start, part in region))

    def _simplified(self, indices: Any) -> tuple[Expr, ...]:
        return tuple(self.analyzer.simplify_index(index) for index in indices)


def _has_quotients(index: Expr) -> bool:
    return has_nodes(index, _QUOTIENTS)
