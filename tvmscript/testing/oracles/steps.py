"""Oracles of passes and schedule steps: they preserve the values of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.testing.oracles.functions import idempotent, input_unchanged
from tvmscript.testing.oracles.values import as_module
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.same_values import SameValues
from tvmscript.testing.schedule_values import ValuesCheck
from tvmscript.testing.verify import RoundTrips, WellFormed


def pass_keeps(each: Pass, program: IRModule | BaseFunc, *, seed: int = 0) -> IRModule:
    """What a pass makes of a program: it leaves its input alone, and the result is well formed, reads back and computes
    the same, bit by bit where the pass says that it `is_exact`; a second run changes nothing where it `is_idempotent`.

    Raises `InputChanged`, `IllFormedAfterPass`, a `RoundTripError`, `PassChangesValues`, `PassBreaksProgram`,
    `NotIdempotent`, and what the pass refuses.
    """
    module = as_module(program)
    with PassContext(instruments=[WellFormed(), RoundTrips(), SameValues(seed)]):
        result: IRModule = input_unchanged(each, module)
    if each.is_idempotent:
        idempotent(each, module)
    return result


def steps_keep(
    schedule: Callable[[Schedule], object],
    program: IRModule | BaseFunc,
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
) -> IRModule:
    """The scheduled program: every step kept the values, bit by bit where its primitive promises that, the program that
    was given is left alone, and the result reads back. `dims` has sizes that the signature leaves open.

    Raises `ValuesChanged`, `StepBreaksProgram`, `InputChanged`, a `RoundTripError`, and what the primitives refuse.
    """

    def run(module: IRModule) -> IRModule:
        steps = Schedule(module, seed=seed, observers=[ValuesCheck(seed, dims)])
        schedule(steps)
        return steps.mod

    scheduled: IRModule = input_unchanged(run, as_module(program))
    check_round_trip(scheduled, "what the schedule made")
    return scheduled
