"""The names of TVM's `te.schedule`."""

from __future__ import annotations

from tvmscript.ir.te.schedule.bound import infer_bound as InferBound
from tvmscript.ir.te.schedule.lower import to_prim_func as SchedulePostProcToPrimFunc
from tvmscript.ir.te.schedule.relations import Fuse, Rebase, Singleton, Split
from tvmscript.ir.te.schedule.schedule import Schedule, create_schedule
from tvmscript.ir.te.schedule.schedule import auto_inline_broadcast as AutoInlineBroadcast
from tvmscript.ir.te.schedule.schedule import auto_inline_elem_wise as AutoInlineElemWise
from tvmscript.ir.te.schedule.schedule import auto_inline_injective as AutoInlineInjective
from tvmscript.ir.te.schedule.stage import Stage

__all__ = [
    "AutoInlineBroadcast",
    "AutoInlineElemWise",
    "AutoInlineInjective",
    "Fuse",
    "InferBound",
    "Rebase",
    "Schedule",
    "SchedulePostProcToPrimFunc",
    "Singleton",
    "Split",
    "Stage",
    "create_schedule",
]
