"""Run fuzzers: draw examples in batches, shrink failures, skip known causes."""

from __future__ import annotations

import gc
import random
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.causes import Cause, cause_of
from tvmscript.fuzz.errors import TakesTooLong
from tvmscript.fuzz.records import Record, scripts
from tvmscript.fuzz.scripts import known_causes, script

#: seconds of the processor that one example may take
LIMIT: Final = 30
#: times that, of the wall clock: other processes may have the processor, or a compiler that was started
_PATIENCE: Final = 10
#: health checks are off: slow and large examples are fine
_HEALTH: Final[tuple[Any, ...]] = tuple(HealthCheck)
#: share of the time in which records are checked
RECORDS_SHARE: Final = 0.5
#: time limit of shrinking a failure
_SHRINKING: Final = 60


@dataclass
class Failure:
    """The smallest failing example of a cause."""

    area: str
    cause: Cause
    #: the error message and the traceback
    report: str
    #: the reproduction script
    script: str
    #: the file of the script
    path: Path | None = None


@dataclass
class Tally:
    """The progress of a run."""

    #: area -> checked examples, not counting shrinking
    examples: dict[str, int] = field(default_factory=dict[str, int])
    failures: list[Failure] = field(default_factory=list[Failure])
    #: failures of known causes
    passed_over: int = 0

    def __str__(self) -> str:
        done = ", ".join(f"{name} {count}" for name, count in self.examples.items())
        return f"{done}: {len(self.failures)} causes, {self.passed_over} more failures of known ones"


def fuzz(
    areas: Sequence[Area],
    *,
    seed: int = 0,
    minutes: float | None = None,
    examples: int | None = None,
    out: Path | None = None,
    ends_at_first: bool = False,
    clock: Callable[[], float] = time.monotonic,
    told: Callable[[Tally], None] = lambda _: None,
    tally: Tally | None = None,
    records: Callable[[Area], Iterable[Record]] | None = None,
) -> Tally:
    """Check batches of examples of each area in turn, up to `minutes` or a number of examples per area.

    With `minutes`, records come first: those of `records`, or all of the areas.
    Failures of new causes are shrunk and written to the folder `out`, unless a script there has the same cause.
    `told` is called after every batch. The same seed draws the same examples. `ends_at_first` stops at the first
    failure without shrinking it. With `clock=time.process_time` the limit is CPU time. A `tally` that is given holds
    the progress of a run that is interrupted.
    """
    phases = (Phase.generate,) if ends_at_first else (Phase.generate, Phase.shrink)
    run = _Run(seed, out, clock, phases, Tally() if tally is None else tally)
    with _few_collections():
        ends = None if minutes is None else clock() + 60 * minutes
        if ends is not None:
            _compare(run, areas, records or records_of, ends, ends_at_first, told)
        if not (ends_at_first and run.tally.failures):
            _batches(run, areas, ends, examples, ends_at_first, told)
    return run.tally


def _compare(
    run: _Run,
    areas: Sequence[Area],
    records: Callable[[Area], Iterable[Record]],
    ends: float,
    ends_at_first: bool,
    told: Callable[[Tally], None],
) -> None:
    """Check the records of the areas one after the other, each in as much of a share of the time."""
    began = run.clock()
    share = (ends - began) * RECORDS_SHARE / len(areas)
    for number, area in enumerate(areas):
        run.compare(area, records(area), began + share * (number + 1))
        told(run.tally)
        if ends_at_first and run.tally.failures:
            return


def records_of(area: Area) -> Iterator[Record]:
    """Enumerate the records of an area: scripts, then programs of its subjects."""
    yield from scripts.records(area.whole)
    if area.outcomes is not None:
        yield from area.outcomes.records(area.subject_names)


def _batches(
    run: _Run,
    areas: Sequence[Area],
    ends: float | None,
    examples: int | None,
    ends_at_first: bool,
    told: Callable[[Tally], None],
) -> None:
    """Run batches of the areas in turn until a limit is reached."""
    number = 0
    while True:
        for area in areas:
            left = area.batch if examples is None else min(area.batch, examples - number * area.batch)
            if left <= 0 or (ends is not None and run.clock() > ends):
                continue
            run.batch(area, number, left, ends)
            told(run.tally)
            if ends_at_first and run.tally.failures:
                return
        number += 1
        if ends is not None and run.clock() > ends:
            return
        if examples is not None and all(number * area.batch >= examples for area in areas):
            return


@contextmanager
def _few_collections() -> Generator[None, None, None]:
    """Collect garbage less often, and freeze existing objects: collection took an eighth of the time."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class _NewCause(Exception):  # one class for all, so that Hypothesis makes one failure small
    """An example fails with the cause that the batch shrinks."""


class _Run:
    def __init__(
        self, seed: int, out: Path | None, clock: Callable[[], float], phases: tuple[Phase, ...], tally: Tally
    ) -> None:
        self.seed = seed
        self.out = out
        self.clock = clock
        self.phases = phases
        self.tally = tally
        self.known = set() if out is None else known_causes(out)

    def batch(self, area: Area, number: int, count: int, ends: float | None) -> None:
        """Draw and check examples; a failure of a new cause is shrunk and ends the batch."""
        looking = _Batch(self, area, ends)
        drawn = random.Random(f"{self.seed}/{area.name}/{number}").getrandbits(64)
        check = settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=self.phases,
            suppress_health_check=_HEALTH,
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
        )(given(st.data())(looking.one))
        # the latter where an example fails only now and then, or shrinking was ended: the smallest is kept anyway
        try:
            with suppress(_NewCause, HypothesisException):
                seed(drawn)(check)()
        finally:  # also after an interrupt
            self.tally.examples[area.name] = self.tally.examples.get(area.name, 0) + looking.checked
            if looking.best is not None:
                self._keep(looking.best)

    def compare(self, area: Area, records: Iterable[Record], ends: float) -> None:
        """Check records of an area; those that fail for one cause count as one failure."""
        checked = 0
        for record in records:
            if self.clock() > ends:
                break
            if area.is_native:
                self.announce(area, record.script)
            checked += 1
            try:
                with limited(LIMIT):
                    record.check()
            except Exception as error:  # noqa: BLE001  # whatever is wrong with it is a failure
                cause = cause_of(error)
                if str(cause) in self.known:
                    self.tally.passed_over += 1
                    continue
                self._keep(_failure(area, cause, error, record.script))
                if Phase.shrink not in self.phases:
                    break
        self.tally.examples[area.name] = self.tally.examples.get(area.name, 0) + checked

    def announce(self, area: Area, body: str) -> None:
        """Write the current example to a file, since native code may crash the process."""
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)
            (self.out / f"{area.whole}-runs.txt").write_text(body, "utf-8", errors="backslashreplace")

    def _keep(self, failure: Failure) -> None:
        self.known.add(str(failure.cause))
        self.tally.failures.append(failure)
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)
            failure.path = self.out / f"{failure.area.partition(':')[0]}-{failure.cause.file_name}.py"
            failure.path.write_text(failure.script, "utf-8", errors="backslashreplace")


class _Batch:
    """One run of Hypothesis on an area."""

    def __init__(self, run: _Run, area: Area, ends: float | None) -> None:
        self.run = run
        self.area = area
        self.examples = area.examples()
        self.ends = ends
        self.best: Failure | None = None
        self._size = 0
        self.checked = 0

    def one(self, data: st.DataObject) -> None:
        """Draw and check one example. Raises `_NewCause`."""
        if self.ends is not None and self.run.clock() > self.ends:
            return
        example: Any = _NOTHING
        try:
            with limited(LIMIT):
                example = data.draw(self.examples)
                if self.area.is_native:
                    self.run.announce(self.area, self.area.write(example))
                self.checked += self.best is None
                self.area.check(example)
        except HypothesisException:
            raise  # this example is not to be had
        except Exception as error:
            failure = self._failure(example, error)
            if failure is not None:
                raise _NewCause from error

    def _failure(self, example: Any, error: Exception) -> Failure | None:
        """Record a failure of the cause that this batch shrinks: the first new one."""
        cause = cause_of(error)
        if self.best is None:
            if str(cause) in self.run.known:
                self.run.tally.passed_over += 1
                return None
            self.ends = min(self.ends or float("inf"), self.run.clock() + _SHRINKING)
        elif cause != self.best.cause:
            return None
        body = self._again() if example is _NOTHING else self.area.write(example)
        failure = _failure(self.area, cause, error, body)
        if self.best is None or len(body) <= self._size:
            self.best, self._size = failure, len(body)
        return failure

    def _again(self) -> str:
        """Write a script for failures of the strategy itself."""
        return (
            "from tvmscript.fuzz.areas import area\n"
            f"area({self.area.name!r}).examples().example()  # not every time: what fails is the strategy\n"
        )


def _failure(area: Area, cause: Cause, error: Exception, body: str) -> Failure:
    """Describe a failure; `body` reproduces it."""
    report = "".join(traceback.format_exception_only(error)) + "".join(traceback.format_tb(error.__traceback__)[-6:])
    return Failure(area.name, cause, report, script(area.name, cause, report, body))


_NOTHING: Final = object()


@contextmanager
def limited(seconds: int) -> Generator[None, None, None]:
    """Raise `TakesTooLong` in code that exceeds the limit, at the next Python instruction."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_: int, __: Any) -> None:
        raise TakesTooLong(seconds=seconds)

    limits = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, seconds * _PATIENCE))
    before = [signal.signal(number, stop) for number, _, _ in limits]
    for _, timer, most in limits:
        signal.setitimer(timer, most)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(limits, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
