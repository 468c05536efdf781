"""Default schedules of whole functions for CPUs: a rule for each block."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.targets.machine_model import MachineModel, machine_model
from tvmscript.ir.schedule.default.cpu.matmul import schedule_matmul
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule, log
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import BlockRealize, PrimFunc

#: Schedules a block; returns what was chosen, None if it is not for the block. Raises `ScheduleError`.
BlockRule = Callable[[Schedule, BlockRV, MachineModel], str | None]


class CPURule(ScheduleRule):
    """Schedule each block of a function that no schedule has touched by the first of the rules that fits it."""

    block_rules: ClassVar[tuple[BlockRule, ...]] = ()

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None if no rule fits a block of it."""
        if not is_unscheduled(func) or not isinstance(func.body, BlockRealize):
            return None
        model = machine_model(str(target))
        sch, chosen = Schedule(IRModule({"main": func})), list[str]()
        for block in sch.get_child_blocks(sch.get_block(func.body.block.name_hint)):
            for rule in self.block_rules:
                trial = sch.copy()
                try:
                    choice = rule(trial, block, model)
                except ScheduleError as error:
                    log.debug("%s: %s refuses it: %s", trial.get(block).name_hint, rule.__name__, error.text)
                    continue
                if choice is not None:
                    log.debug("%s: %s: %s", sch.get(block).name_hint, rule.__name__, choice)
                    sch = trial
                    chosen.append(choice)
                    break
        return sch if chosen else None


class Matmul(CPURule):
    """Matrix products in register tiles."""

    block_rules = (schedule_matmul,)


class Default(CPURule):
    """All rules, as `tvmscript.build` applies them."""

    block_rules = (schedule_matmul,)
