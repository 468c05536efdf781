"""Schedule rules, and the pass that applies the first one that fits each function."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ClassVar, Final

from tvmscript.ir.analysis.from_te import FROM_TE
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.targets.cuda import with_device_arch
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import NoTargetForSchedule
from tvmscript.ir.transform.function_attributes import SCHEDULED, is_scheduled

log: Final = logging.getLogger("tvmscript.default_schedule")


class DefaultScheduleWarning(UserWarning):
    """A rule failed by a fault of its own; the program is compiled without it."""


class ScheduleRule:
    """A rule of `ApplyDefaultSchedule`; subclasses define `apply`."""

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | list[Schedule] | None:
        """Return the scheduled function, several candidates, or None if the rule is not for it."""
        raise NotImplementedError

    @staticmethod
    def from_callable(
        name: str,
    ) -> Callable[[Callable[[PrimFunc, Target, bool], Schedule | list[Schedule] | None]], ScheduleRule]:
        """Make a rule of a function: `@ScheduleRule.from_callable("name")`."""

        def decorate(function: Callable[[PrimFunc, Target, bool], Schedule | list[Schedule] | None]) -> ScheduleRule:
            rule = type(name, (ScheduleRule,), {"apply": staticmethod(function), "__doc__": function.__doc__})
            new_rule: ScheduleRule = rule()
            return new_rule

        return decorate


class ApplyDefaultSchedule(Pass):
    """Schedule each function by the first rule that returns a schedule.

    The target is the function's, otherwise the current one (`with Target(...):`). Functions with the attribute
    `tir.is_scheduled` are skipped; scheduled functions get it. Rules get a target of CUDA that names no architecture
    with that of the device of this machine, if there is one. Raises `NoTargetForSchedule`.
    """

    name: ClassVar[str] = "tir.ApplyDefaultSchedule"

    def __init__(self, *rules: ScheduleRule) -> None:
        object.__setattr__(self, "rules", rules)

    rules: tuple[ScheduleRule, ...]

    def run(self, mod: IRModule) -> IRModule:
        scheduled = {
            var: self._schedule(var.name_hint, func)
            for var, func in mod.functions.items()
            if isinstance(func, PrimFunc) and not is_scheduled(func)
        }
        if all(func is mod.functions[var] for var, func in scheduled.items()):
            return mod
        return mod.replace(functions={**mod.functions, **scheduled})

    def _schedule(self, name: str, func: PrimFunc) -> PrimFunc:
        target = func.attrs.get("target") or Target.current()
        if not isinstance(target, Target):
            raise NoTargetForSchedule(function=name, reason="none is bound to it, and none is current", span=func.span)
        target = with_device_arch(target)
        for rule in self.rules:
            outcome = rule.apply(func, target, False)
            if outcome is not None:
                sch = outcome[0] if isinstance(outcome, list) else outcome
                scheduled = sch.mod["main"]
                assert isinstance(scheduled, PrimFunc)
                changed = {"params": scheduled.params, "body": scheduled.body, "buffer_map": scheduled.buffer_map}
                # passes that leave what TE schedules make as it is would skip the loops of threads
                return func.replace(**changed).without_attr(FROM_TE).with_attr(SCHEDULED, 1)
        return func
