"""TVM's place of what belongs to schedules: `from tvm.tir.schedule import BlockRV, Schedule, Trace`."""

from __future__ import annotations

from enum import IntEnum

from tvmscript.ir.schedule.state import CachedFlags
from tvmscript.ir.schedule.state import State as ScheduleState
from tvmscript.ir.schedule.tree import StmtRef as StmtSRef
from tvmscript.schedule import BlockRV, ExprRV, Instruction, InstructionKind, LoopRV, Schedule, ScheduleError, Trace

__all__ = [
    "BlockRV",
    "CachedFlags",
    "ExprRV",
    "Instruction",
    "InstructionKind",
    "LoopRV",
    "Schedule",
    "ScheduleDebugMask",
    "ScheduleError",
    "ScheduleState",
    "StmtSRef",
    "Trace",
]


class ScheduleDebugMask(IntEnum):
    """What `debug_mask` may be: each checks after each step that the schedule's view of the program is right."""

    VERIFY_SREF_TREE = 1
    VERIFY_CACHED_FLAGS = 2
