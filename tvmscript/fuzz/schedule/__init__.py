"""Fuzz schedules, and check what a primitive promises for one step (`InstructionKind.promises`).

    step = drawn_step(schedule, lambda: schedule.parallel(loop))     # recorded, not applied
    check_promises(schedule, step)                                   # applied to copies

`promise_checks`: the promises. `inverse_steps`: steps that undo a step.
"""

from __future__ import annotations

from tvmscript.fuzz.schedule.promise_checks import PromiseBroken, check_promises, drawn_step

__all__ = ["PromiseBroken", "check_promises", "drawn_step"]
