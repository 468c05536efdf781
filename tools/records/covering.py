"""Choose scripts that together execute lines and branches of an area several times, those that take the least time.

CAPTURED=folder pytest -p tools.records.capturing tests/ir
python -m tools.records passes --captured folder --cost 12
"""

from __future__ import annotations

import heapq
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Final

from tools.records.choosing import PACKAGES
from tvmscript.fuzz.engine import limited
from tvmscript.fuzz.records.scripts import Recorded, outcome_of, read

#: how often each line and branch is executed, by different scripts
_TIMES: Final = 3
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
        return self._note(code, line, -1)

    def note_branch(self, code: CodeType, offset: int, destination: int) -> object:
        return self._note(code, offset, destination)

    def _note(self, code: CodeType, place: int, destination: int) -> object:
        counts = self._codes.get(code)
        if counts is None:
            counts = self._codes[code] = any(folder in code.co_filename for folder in self._folders)
        if not counts:
            return self._disable
        key = (code.co_filename, code.co_firstlineno, place, destination)
        self._reached.add(self._numbers.setdefault(key, len(self._numbers)))
        return None

    def take(self) -> frozenset[int]:
        taken = frozenset(self._reached)
        self._reached.clear()
        return taken


@contextmanager
def _reached(folders: tuple[str, ...]) -> Generator[Callable[[], frozenset[int]]]:
    if sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    monitoring = sys.monitoring
    notes, events = _Reached(folders, monitoring.DISABLE), monitoring.events
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "records")
    monitoring.register_callback(monitoring.COVERAGE_ID, events.LINE, notes.note_line)
    monitoring.register_callback(monitoring.COVERAGE_ID, events.BRANCH, notes.note_branch)
    monitoring.set_events(monitoring.COVERAGE_ID, events.LINE | events.BRANCH)

    monitoring.restart_events()
    try:
        yield notes.take
    finally:
        monitoring.set_events(monitoring.COVERAGE_ID, events.NO_EVENTS)
        monitoring.free_tool_id(monitoring.COVERAGE_ID)


def cover(area: str, captured: Path, cost: float) -> list[Recorded]:
    """Choose scripts of an area that cost so many seconds and characters: of the recorded and the captured ones."""
    runs = list(_runs(area, captured))
    chosen = _choose(runs, cost)
    print(f"{area}: {len(chosen)} of {len(runs)} scripts, {sum(run.seconds for run in chosen):.1f} s", file=sys.stderr)
    return [run.script for run in chosen]


def _runs(area: str, captured: Path) -> Iterator[_Run]:
    lines = [line for file in sorted(captured.glob(f"{area}-*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    scripts = dict.fromkeys([*(each.script for each in read(area)), *map(json.loads, lines)])
    with _reached(PACKAGES[area]) as take:
        for script in sorted(scripts, key=len):
            if len(script) > _LONGEST:
                break
            take()
            began = time.process_time()
            try:
                with limited(_LIMIT):
                    outcome = outcome_of(script)
            except Exception as error:  # noqa: BLE001  # whatever a script raises: it is not chosen
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                continue
            yield _Run(Recorded(script, outcome), take(), time.process_time() - began)


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
