"""Build functions as users do, by default schedules."""

from __future__ import annotations

import warnings

from tvmscript.backends import llvm
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default.cpu.cpu_rule import Default
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule, DefaultScheduleWarning
from tvmscript.ir.transform.pipeline import lower_for_llvm


def build_scheduled(module: IRModule, target: str) -> Module:
    """Build as `tvmscript.build` does, without the cache."""
    return llvm.build(lower_for_llvm(schedule(module, target)), target=target)


def schedule(module: IRModule, target: str) -> IRModule:
    """Apply the default schedule of a CPU, in which a fault of a rule is one of the program."""
    with Target.make(target), warnings.catch_warnings():
        warnings.simplefilter("error", DefaultScheduleWarning)
        scheduled: IRModule = ApplyDefaultSchedule(Default())(module)
    return scheduled
