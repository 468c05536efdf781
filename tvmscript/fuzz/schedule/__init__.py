"""What the primitives of schedules promise, checked for one step (`InstructionKind.promises`).

    step = drawn_step(schedule, lambda: schedule.parallel(loop))     # it is not done
    check_promises(schedule, step)                                   # done to copies, and to copies of these

`checks`: the promises. `undoing`: what undoes a step.
"""

from __future__ import annotations

from tvmscript.fuzz.schedule.promise_checks import PromiseBroken, check_promises, drawn_step

__all__ = ["PromiseBroken", "check_promises", "drawn_step"]
