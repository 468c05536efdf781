"""Choose scripts that together execute lines and branches of an area several times, those that take the least time.

Candidates are the recorded scripts, and others: what an area draws (`drawn`), tests (`tests_as_sessions`), and what
two plugins of pytest note while tests run (`carving`, `capturing`).
"""

from __future__ import annotations

import heapq
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any, Final

from tvmscript.fuzz.areas import area as find_area
from tvmscript.fuzz.engine import fuzz, limited
from tvmscript.fuzz.records.scripts import Recorded, installed_version, outcome_of, read

#: area -> folders whose lines count, in the package
PACKAGES: Final = {
    "parser": ("parser",), "printer": ("printer",), "relax": ("ir/relax",),
    "graphs": ("ir/relax", "ir/topi", "backends/vm", "ir/te"), "te": ("ir/te", "ir/topi"),
    "passes": ("ir/transform",), "schedule": ("ir/schedule",), "builds": ("ir/schedule",),
    "codegen": ("backends/llvm",), "cuda": ("backends/cuda", "backends/interp"),
    "runtime": ("backends/runtime", "backends/vm", "backends/interp"), "frontends": ("tvmscript/frontend",),
    "nodes": ("ir/core", "ir/tir"), "arith": ("ir/arith",), "analysis": ("ir/analysis",),
}  # fmt: skip
#: word of a script of a front end -> the library of its models
_LIBRARIES: Final = {"tflite": "ai-edge-litert", "torch": "torch", "onnx": "onnx"}
#: how often each line and branch is executed, by different scripts
_TIMES: Final = 6
#: characters of a script, at most
_LONGEST: Final = 9000
#: seconds of a script, at most
_LIMIT: Final = 2
#: characters of a script that cost as much as a second of the processor
_CHARACTERS: Final = 50_000


@dataclass(frozen=True)
class _Run:
    script: Recorded
    #: lines, and branches that were taken
    reached: frozenset[int]
    seconds: float

    @property
    def cost(self) -> float:
        return self.seconds + len(self.script.script) / _CHARACTERS


class _Reached:
    """The lines and branches that ran since they were taken last, by number."""

    def __init__(self, folders: tuple[str, ...], disable: object) -> None:
        self._folders = tuple(f"/{folder}/" for folder in folders)
        self._codes: dict[CodeType, bool] = {}
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self._reached: set[int] = set()
        self._disable = disable

    def note_line(self, code: CodeType, line: int) -> object:
        self._note(code, line, -1)
        return self._disable  # once a script

    def note_branch(self, code: CodeType, offset: int, destination: int) -> object:
        return None if self._note(code, offset, destination) else self._disable  # the other way may be taken later

    def _note(self, code: CodeType, place: int, destination: int) -> bool:
        counts = self._codes.get(code)
        if counts is None:
            name = code.co_filename
            counts = any(folder in name for folder in self._folders) and "/fuzz/" not in name
            self._codes[code] = counts
        if counts:
            key = (code.co_filename, code.co_firstlineno, place, destination)
            self._reached.add(self._numbers.setdefault(key, len(self._numbers)))
        return counts

    def take(self) -> frozenset[int]:
        taken = frozenset(self._reached)
        self._reached.clear()
        return taken


@contextmanager
def executed(area: str) -> Generator[Callable[[], frozenset[int]]]:
    """Note the lines and branches of an area that run; the function returns those since it was called last."""
    if sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    monitoring = sys.monitoring
    notes, events = _Reached(PACKAGES[area], monitoring.DISABLE), monitoring.events
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "records")
    monitoring.register_callback(monitoring.COVERAGE_ID, events.LINE, notes.note_line)
    monitoring.register_callback(monitoring.COVERAGE_ID, events.BRANCH, notes.note_branch)
    monitoring.set_events(monitoring.COVERAGE_ID, events.LINE | events.BRANCH)

    def take() -> frozenset[int]:
        monitoring.restart_events()
        return notes.take()

    try:
        yield take
    finally:
        monitoring.set_events(monitoring.COVERAGE_ID, events.NO_EVENTS)
        monitoring.free_tool_id(monitoring.COVERAGE_ID)


def needed(area: str, script: str) -> str:
    """Return the package that a script of the front ends is about, with the version that is here; empty for none."""
    name = next((name for word, name in _LIBRARIES.items() if word in script), "") if area == "frontends" else ""
    version = name and installed_version(name)
    return version and f"{name} {version}"


def choose(area: str, candidates: Iterable[str], cost: float) -> list[Recorded]:
    """Choose scripts that cost so many seconds and characters, of the recorded ones and the candidates.

    Recorded scripts that cannot run here stay.
    """
    recorded = read(area)
    absent = [each for each in recorded if not each.can_run]
    runs = list(
        _runs(area, dict.fromkeys([*(each.script for each in recorded if each.can_run), *candidates]), executed(area))
    )
    chosen = _choose(runs, cost)
    print(f"{area}: {len(chosen)} of {len(runs)} scripts, {sum(run.seconds for run in chosen):.1f} s", file=sys.stderr)
    return [*absent, *(run.script for run in chosen)]


def add(area: str, candidates: Iterable[str], take: Callable[[], frozenset[int]] | None = None) -> list[Recorded]:
    """Return the recorded scripts, and behind these the candidates whose outcome is the same each time.

    With `take`, which returns what was reached since it was called last, those that reach what the others do not.
    """
    recorded = read(area)
    own = {each.script for each in recorded}
    new = [script for script in dict.fromkeys(candidates) if script not in own]
    if take is None:
        return [*recorded, *(run.script for run in _runs(area, new, executed(area)))]
    known = take()
    for run in _runs(area, new, nullcontext(take)):
        if not run.reached <= known:
            known |= run.reached
            recorded.append(run.script)
    return recorded


def without_slow(area: str, seconds: float) -> list[Recorded]:
    """Return the recorded scripts without those that take longer, where two others reach each line and branch of one.

    What comes behind them is run in the time that they took.
    """
    recorded = read(area)
    runs = list(_runs(area, [each.script for each in recorded if each.can_run], executed(area)))
    times = Counter(each for run in runs for each in run.reached)
    dropped: set[str] = set()
    for run in sorted(runs, key=lambda run: run.seconds, reverse=True):
        if run.seconds > seconds and all(times[each] > 2 for each in run.reached):
            times.subtract(run.reached)
            dropped.add(run.script.script)
    return [each for each in recorded if each.script not in dropped]


def drawn(area: str, minutes: float, seed: int) -> list[str]:
    """Return the examples that an area draws, as scripts."""
    fuzzer, scripts = find_area(area), list[str]()

    def note(example: Any) -> None:
        scripts.append(fuzzer.write(example))

    fuzz([replace(fuzzer, check=note)], seed=seed, minutes=minutes, clock=time.process_time, records=lambda _: ())
    return [script for script in scripts if "pickle" not in script]


def _runs(
    area: str, scripts: Iterable[str], noting: AbstractContextManager[Callable[[], frozenset[int]]]
) -> Iterator[_Run]:
    with noting as take:
        for script in sorted(scripts, key=len):
            if len(script) > _LONGEST:
                break
            take()
            began = time.process_time()
            try:
                with limited(_LIMIT):
                    outcome = outcome_of(script)
                reached, seconds = take(), time.process_time() - began
                with limited(_LIMIT):
                    is_stable = outcome_of(script) == outcome
            except Exception as error:  # noqa: BLE001  # whatever a script raises: it is not chosen
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                continue
            if outcome and is_stable:
                yield _Run(Recorded(script, outcome, needed(area, script)), reached, seconds)


def cover(reached: Mapping[str, frozenset[int]], times: int = 2) -> list[str]:
    """Return few names whose sets together have each element so many times, as far as all have it."""
    left = Counter(each for elements in reached.values() for each in elements)
    left = Counter({each: min(count, times) for each, count in left.items()})
    chosen: dict[str, None] = {}
    while +left:
        rest = [name for name in reached if name not in chosen]
        best = max(rest, key=lambda name: sum(left[each] > 0 for each in reached[name]))
        chosen[best] = None
        left.subtract(reached[best])
    return [*chosen]


def _choose(runs: list[_Run], cost: float) -> list[_Run]:
    """Choose greedily by what is new in a second; what was reached once counts a half, and so on."""
    times: Counter[int] = Counter()

    def gain(run: _Run) -> float:
        new = sum(0.5 ** times[each] for each in run.reached if times[each] < _TIMES)
        return new / run.cost

    queue: list[tuple[float, int]] = [(-gain(run), number) for number, run in enumerate(runs)]
    heapq.heapify(queue)
    chosen: list[_Run] = []
    left = cost
    while queue:
        _, number = heapq.heappop(queue)
        run, now = runs[number], gain(runs[number])
        if queue and now < -queue[0][0]:  # what others have reached meanwhile: gains only become less
            heapq.heappush(queue, (-now, number))
        elif now and run.cost <= left:
            chosen.append(run)
            left -= run.cost
            times.update(run.reached)
    return chosen
