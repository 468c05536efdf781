"""TVM's module `tvm.tir.schedule`: `from tvm.tir.schedule import BlockRV, Schedule, Trace`."""

from __future__ import annotations

from enum import IntEnum

from tvmscript.ir.analysis.blocks.block_dependence import DepKind
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.schedule.analysis.cached_flags import CachedFlags, ScheduleState
from tvmscript.ir.schedule.tree import StmtRef as StmtSRef
from tvmscript.schedule import BlockRV, ExprRV, Instruction, InstructionKind, LoopRV, Schedule, ScheduleError, Trace

__all__ = [
    "BlockRV",
    "CachedFlags",
    "DepKind",
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
    """Values of `debug_mask`: each checks the tree of loops and blocks after each step."""

    VERIFY_SREF_TREE = 1
    VERIFY_CACHED_FLAGS = 2


# TVM's names that are absent are found by `tvm_names`
__getattr__, __dir__ = lazy_names(__name__, {})
