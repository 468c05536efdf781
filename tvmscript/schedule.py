"""TVM's spelling of schedules: `tvm.Schedule(mod)`, `tvm.tir.Schedule(mod)`, `tvm.Trace.from_json(json)`."""

from __future__ import annotations

from typing import Any, Literal

from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.schedule.errors import RenderLevel, ScheduleError
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Observer
from tvmscript.ir.schedule.schedule import DebugMask
from tvmscript.ir.schedule.schedule import Schedule as _Schedule
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.tir import PrimFunc
from tvmscript.undecorated import describe, propose

__all__ = [
    "BlockRV",
    "ExprRV",
    "Instruction",
    "InstructionKind",
    "LoopRV",
    "Schedule",
    "ScheduleError",
    "Trace",
]


class Schedule(_Schedule):
    """A program that is transformed by primitives; see `tvmscript.ir.schedule`.

    `check="values"` runs every kernel before and after each step, on random arguments, and raises `ValuesChanged` at
    the first step that changes a result. `check="races"` looks for races after each step, by proof and by a run of what
    is not proven, and raises `StepRaces`. Raises `WrongType` unless `mod` is a module or a kernel.
    """

    def __init__(
        self,
        mod: IRModule | PrimFunc,
        *,
        seed: int | None = None,
        debug_mask: DebugMask = "none",
        error_render_level: RenderLevel = "detail",
        enable_check: bool = True,
        check: Literal["values", "races"] | None = None,
    ) -> None:
        given: Any = mod
        if not isinstance(given, (IRModule, PrimFunc)):
            raise WrongType(where="Schedule", expected="a module or a kernel", got=describe(given), hint=propose(given))
        observers: list[Observer] = []
        # the checks load NumPy and LLVM
        if check == "values":
            from tvmscript.testing.schedule_values import ValuesCheck

            observers.append(ValuesCheck(seed or 0))
        elif check == "races":
            from tvmscript.testing.schedule_races import RacesCheck

            observers.append(RacesCheck(seed or 0))
        elif check is not None:
            raise WrongType(where="check", expected='"values", "races" or None', got=repr(check))
        super().__init__(
            mod,
            seed=seed,
            debug_mask=debug_mask,
            error_render_level=error_render_level,
            enable_check=enable_check,
            observers=observers,
        )
