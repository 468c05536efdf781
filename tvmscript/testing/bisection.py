"""Find the first wrong step of a schedule, of a pipeline of passes, or of code generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.differ import diff
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.relax.transform.pipeline import passes_of as graph_passes
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_record import PassRecord
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.testing.graph_values import as_public_kernels, public_graphs
from tvmscript.testing.same_values import SameValues, public_kernels
from tvmscript.testing.schedule_values import ValuesCheck, difference
from tvmscript.testing.verify import RoundTrips, WellFormed

#: optimization levels, ascending
_LEVELS: Final = (0, 1, 2, 3)

Stage = Literal["schedule", "pass", "code"]


@dataclass(frozen=True)
class Culprit:
    """The first step after which a program is wrong."""

    stage: Stage
    #: the step of the schedule as Python, the pass as text, or "llvm -O2"
    step: str
    #: what is wrong after it
    problem: str
    before: IRModule
    #: the program after the step; the same as before for code generation
    after: IRModule

    def __str__(self) -> str:
        changes = diff(self.before, self.after, names=("before", "after")).text()
        return f"{self.step}\n{self.problem}\n{changes}".rstrip()


def bisect(
    program: IRModule,
    *,
    schedule: Callable[[Schedule], object] | None = None,
    passes: Sequence[Pass] | None = None,
    compiles: bool = True,
    seed: int = 0,
) -> Culprit | None:
    """Find the first step that makes a program ill-formed or unreadable, or changes its values; None if no step does.

    The steps are those of the function `schedule`, then `passes` (default: the LLVM pipeline), then LLVM at each
    optimization level, unless `compiles` is false. `passes` of a module of graphs are those of graphs (default: the
    pipeline `default`); the kernels that they leave go through the LLVM pipeline. The reference interpreter computes
    the values, on arguments drawn with `seed`. Raises the errors of `schedule` and the passes.
    """
    if schedule is not None:
        watched = _Steps(program, seed)
        try:
            schedule(watched.schedule)
        except _Found:
            return watched.culprit
        program = watched.schedule.mod
    if public_graphs(program):
        outcome = _bisect_passes(program, graph_passes("default") if passes is None else passes, seed)
        if isinstance(outcome, Culprit):
            return outcome
        program, passes = outcome.replace(functions=as_public_kernels(outcome)), None
    outcome = _bisect_passes(program, llvm_passes({}) if passes is None else passes, seed)
    if isinstance(outcome, Culprit) or not compiles:
        return outcome if isinstance(outcome, Culprit) else None
    return _bisect_code(outcome, seed)


class _Found(Exception):
    """Stops a schedule at the first wrong step."""


class _Steps:
    """Checks the program after each schedule step."""

    def __init__(self, program: IRModule, seed: int) -> None:
        self.values = ValuesCheck(seed)
        self.culprit: Culprit | None = None
        self.schedule = Schedule(program, seed=seed, observers=[self.look])

    def look(self, before: IRModule, schedule: Recorder) -> None:
        try:
            self.values(before, schedule)
        except TVMScriptError as error:
            step = schedule.trace.as_python()[-1]
            self.culprit = Culprit("schedule", step, error.text, before, schedule.mod)
            raise _Found from error


def _bisect_passes(program: IRModule, passes: Iterable[Pass], seed: int) -> Culprit | IRModule:
    """Find the first wrong pass; otherwise return the result of all passes."""
    record = PassRecord()
    with PassContext(instruments=[record, WellFormed(), RoundTrips(), SameValues(seed)]):
        for each in passes:
            record.clear()
            try:
                program = each(program)
            except TVMScriptError as error:
                (ran,) = record.passes
                while ran.after is None and ran.inside:
                    ran = ran.inside[-1]  # a pass of a sequence
                if ran.after is None:
                    raise  # the pass itself refuses the program
                return Culprit("pass", ran.info.text, error.text, ran.before, ran.after)
    return program


def _bisect_code(program: IRModule, seed: int) -> Culprit | None:
    """Find the first optimization level that is wrong. Kernels that do not run on the drawn arguments are left out."""
    kernels = public_kernels(program)
    reference = interp.build(program)
    expected: dict[str, list[Any]] = {}
    for name, func in kernels.items():
        arguments = [argument.value for argument in random_inputs(func, seed)]
        with suppress(ExecutionError):
            reference[name](*arguments)
            expected[name] = arguments
    for level in _LEVELS:
        built = llvm.build(program, target=llvm.EXACT, opt_level=level)
        for name in expected:
            func = kernels[name]
            values = [argument.value for argument in random_inputs(func, seed)]
            built[name](*values)
            mismatch = difference(func, _arrays(expected[name]), _arrays(values))
            if mismatch is not None:
                place = f"{mismatch['buffer']}{mismatch['index']}"
                problem = f"{name} computes other values: {place} was {mismatch['before']} and is {mismatch['after']}"
                return Culprit("code", f"llvm -O{level}", problem, program, program)
    return None


def _arrays(values: list[Any]) -> list[Any]:
    return [np.array(value) for value in values]
