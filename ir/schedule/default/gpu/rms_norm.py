"""Norms of rows by the root of their mean square."""

from __future__ import annotations

from tvmscript.ir.core import Op, Target, nodes
from tvmscript.ir.schedule.default.gpu.general_reduction import GeneralReduction
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Call


class RMSNorm(GeneralReduction):
    """Compute a row a block, for functions that have `T.rsqrt`."""

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        calls = [node.op for node in nodes(sch.get(root).body) if isinstance(node, Call)]
        has_root = any(isinstance(op, Op) and op.name == "tir.rsqrt" for op in calls)
        return super().schedule(sch, root, target) if has_root else None
