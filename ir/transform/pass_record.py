"""A record of executed passes as a tree: nesting, input and output modules, times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from tvmscript.ir.core import IRModule
from tvmscript.ir.transform.context import PassInfo, PassInstrument


@dataclass
class PassRun:
    """One execution of a pass."""

    info: PassInfo
    before: IRModule
    #: the result; None while the pass runs or if it failed
    after: IRModule | None = None
    #: including nested passes
    seconds: float = 0.0
    #: nested passes
    inside: list[PassRun] = field(default_factory=list["PassRun"])
    #: the error that this pass or a nested one raised
    error: BaseException | None = None

    @property
    def changed(self) -> bool:
        """Whether the result is a different module."""
        return self.after is not None and self.after is not self.before

    @property
    def own_seconds(self) -> float:
        """The time without nested passes."""
        return self.seconds - sum(run.seconds for run in self.inside)


class PassRecord(PassInstrument):
    """An instrument that records executed passes. Put it last, so that other instruments are not measured.

    Iteration yields `(depth, run)` in the order in which the passes began.
    """

    def __init__(self) -> None:
        #: top-level passes
        self.passes: list[PassRun] = []
        self._open: list[PassRun] = []
        self._since: list[float] = []

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        run = PassRun(info, mod)
        (self._open[-1].inside if self._open else self.passes).append(run)
        self._since.append(time.perf_counter())
        self._open.append(run)

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._end().after = mod

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        if self._open and self._open[-1].info.name == info.name:  # else an interrupt came before the pass was recorded
            self._end().error = error

    def _end(self) -> PassRun:
        run = self._open.pop()
        run.seconds = time.perf_counter() - self._since[len(self._open)]
        del self._since[len(self._open) :]
        return run

    @property
    def seconds(self) -> float:
        """The total time of all passes."""
        return sum(run.seconds for run in self.passes)

    def clear(self) -> None:
        """Delete the record."""
        self.passes = []

    def __iter__(self) -> Iterator[tuple[int, PassRun]]:
        yield from _walk(self.passes, 0)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _walk(passes: list[PassRun], depth: int) -> Iterator[tuple[int, PassRun]]:
    for run in passes:
        yield depth, run
        yield from _walk(run.inside, depth + 1)
