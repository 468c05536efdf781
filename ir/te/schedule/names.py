"""The names of TVM's `te.schedule`."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.te.schedule.bound import infer_bound as InferBound
from tvmscript.ir.te.schedule.lower import schedule_ops
from tvmscript.ir.te.schedule.relations import Fuse, Rebase, Singleton, Split
from tvmscript.ir.te.schedule.schedule import Schedule, create_schedule
from tvmscript.ir.te.schedule.schedule import auto_inline_broadcast as AutoInlineBroadcast
from tvmscript.ir.te.schedule.schedule import auto_inline_elem_wise as AutoInlineElemWise
from tvmscript.ir.te.schedule.schedule import auto_inline_injective as AutoInlineInjective
from tvmscript.ir.te.schedule.specialization import SpecializedCondition
from tvmscript.ir.te.schedule.stage import Stage
from tvmscript.ir.tir import Buffer, IterVar, Range, Stmt

__all__ = [
    "AutoInlineBroadcast",
    "AutoInlineElemWise",
    "AutoInlineInjective",
    "Buffer",
    "Fuse",
    "InferBound",
    "Rebase",
    "Schedule",
    "ScheduleOps",
    "Singleton",
    "SpecializedCondition",
    "Split",
    "Stage",
    "create_schedule",
]


def ScheduleOps(schedule: Schedule, dom_map: Mapping[IterVar, Range], debug_keep_trivial_loop: bool = False) -> Stmt:
    """Return the loops of a normalized schedule over buffers of its tensors."""
    return schedule_ops(schedule, dom_map, {})
