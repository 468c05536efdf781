"""Check that a schedule step introduces no race: by proof, and by a run where nothing is proven."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmscript.backends.interp.sanitizer.errors import MemoryRace
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.tir import PrimFunc
from tvmscript.testing.sanitizer import sanitize

#: Accesses after which the run of a step ends.
_LIMIT: Final = 200_000


class StepRaces(TVMScriptError, AssertionError, code="TS8014"):
    """A step of a schedule after which threads, blocks or iterations race: they access the same element, at least one
    of them writes it, and nothing orders them.
    """

    message = "after {primitive}, {function} races: {reason}"


class RacesCheck:
    """Called after each step of a schedule.

    What is not proven is run on arguments that are drawn with `seed`; `dims` has sizes that the signature leaves open.
    """

    def __init__(self, seed: int = 0, dims: Mapping[str, int] | None = None) -> None:
        self.seed = seed
        self.dims = dims
        #: the functions that raced before a step
        self._racing: dict[PrimFunc, TVMScriptError | None] = {}

    def __call__(self, before: IRModule, schedule: Recorder) -> None:
        """Raise `StepRaces` where a kernel races that did not race before."""
        step, after = schedule.trace.insts[-1].kind, schedule.mod
        for var, new in after.items():
            old = before.functions.get(var)
            if new is old or not isinstance(new, PrimFunc):
                continue
            race = self._race(new)
            if race is None or (isinstance(old, PrimFunc) and self._race(old) is not None):
                continue
            raise StepRaces(
                primitive=step.method, function=var.name_hint, reason=race.text, span=race.span, notes=race.notes
            )

    def _race(self, func: PrimFunc) -> TVMScriptError | None:
        """Return a race of a function."""
        if func not in self._racing:
            report = check_races(func)
            proven = [race.error() for race in report.races]
            self._racing[func] = proven[0] if proven else self._observed_race(func) if report.unknown else None
        return self._racing[func]

    def _observed_race(self, func: PrimFunc) -> ExecutionError | None:
        """Return a race of a run; none if the function cannot be lowered yet, as in the middle of a schedule."""
        try:
            report = sanitize(func, seed=self.seed, dims=self.dims, all_blocks=False, limit=_LIMIT)
        except TVMScriptError:
            return None
        return next((error for error in report.errors if isinstance(error, MemoryRace)), None)
