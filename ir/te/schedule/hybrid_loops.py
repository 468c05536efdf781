"""Schedules of hybrid operations: loops of their statements are split, fused, ordered, annotated and bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmscript.ir.core import on
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.loop_nest import bound_checks, condition_nest, loop_nest, marks_down, merge
from tvmscript.ir.te.schedule.stage import AxisAttrs, Stage
from tvmscript.ir.te.tensor import HybridOp
from tvmscript.ir.tir import Expr, For, ForKind, IterKind, IterVar, Range, Stmt, TirRewriter, substitute
from tvmscript.ir.tir.intrin.control import likely

#: kind of an axis -> kind of its loop
_KINDS: Final = {
    IterKind.PARALLELIZED: ForKind.PARALLEL,
    IterKind.VECTORIZED: ForKind.VECTORIZED,
    IterKind.UNROLLED: ForKind.UNROLLED,
}


def scheduled_loops(stage: Stage, op: HybridOp, body: Stmt, domains: Mapping[IterVar, Range]) -> Stmt:
    """Return the statement of an operation with the loops of its stage. Raises `InvalidSchedule`."""
    for axis in stage.leaf_iter_vars:
        kind = _KINDS.get(axis.iter_type)
        if kind is not None and stage.attrs.get(axis, AxisAttrs()).kind is ForKind.SERIAL:
            stage.set_attrs(axis, kind=kind)
    result: Stmt = _Loops(stage, op, domains).rewrite(body)
    return result


class _Loops(TirRewriter):
    """Rewriter that replaces the loops of each perfect nest by the loops of the stage that come from them."""

    def __init__(self, stage: Stage, op: HybridOp, domains: Mapping[IterVar, Range]) -> None:
        super().__init__()
        self.stage = stage
        self.domains = domains
        self.axes = {axis.var: axis for axis in op.axis}
        #: axis -> bits of the axes of the operation that it comes from
        self.marks = {axis: 1 << place for place, axis in enumerate(op.axis)}
        marks_down(stage, self.marks)
        #: loops around the statement
        self.outer: list[IterVar] = []

    @on(For)
    def loop(self, node: For) -> Stmt:
        nest = [node]
        while isinstance(nest[-1].body, For):
            nest.append(nest[-1].body)
        axes = [self.axes[loop.loop_var] for loop in nest]
        mask = sum(self.marks[axis] for axis in axes)
        stage, leaves = self.stage, self.stage.leaf_iter_vars
        own = [axis for axis in leaves if self.marks.get(axis, 0) & mask]
        for axis in own:
            is_outside = any(leaves.index(outer) > leaves.index(axis) for outer in self.outer)
            if self.marks[axis] & ~mask or is_outside:
                reason = f"{axis.var.name} is of loops with other statements between them"
                raise InvalidSchedule(where=f"stage {stage.op.name}", reason=reason)
        others = [axis for axis in stage.all_iter_vars if not self.marks.get(axis, 0) & mask]
        values: dict[IterVar, Expr] = {}
        loops = loop_nest(stage, self.domains, values, skipped=others)
        checks = bound_checks(stage, self.domains, values, skipped=others)
        self.outer += own
        body = self.rewrite(nest[-1].body)
        del self.outer[len(self.outer) - len(own) :]
        body = merge([*loops, condition_nest([likely(check) for check in checks])], body)
        return substitute(body, {axis.var: values[axis] for axis in axes})
