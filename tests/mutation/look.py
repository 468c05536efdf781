"""Runs inside of a copy of the package: `python look.py SEED MINUTES AREA...` prints what was found first, as JSON.

Minutes are those of the processor, for this process and the compilers that it starts: others do not count. What does
not end by itself is ended 30 seconds later.
`MUTATION_RECORDS` has the numbers of the records that are compared, by area; without it all are.
`MUTATION_TARGET` is a line that somebody changed: where no example of the first part of the time executes it, none is
looked for in the rest (see `line_notes`).
What machine code runs is written into the folder `found` first: where it ends the process, that is left behind.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import area
from tvmscript.fuzz.engine import fuzz, records_of
from tvmscript.fuzz.records import Record

_GRACE = 30
FOUND = "found"
#: the part of the time in which a changed line has to be executed
_PATIENCE = 0.4


def _target() -> Callable[[], bool]:
    """Return a function that tells whether the changed line was executed; always, where nobody notes the lines."""
    if "MUTATION_TARGET" not in os.environ or "MUTATION_LINES" not in os.environ:
        return lambda: True
    file, first, last = os.environ["MUTATION_TARGET"].split(":")
    lines: set[tuple[str, int]] = importlib.import_module("sitecustomize").lines
    # tvmscript/ir is a link to ir
    targets = {(name, line) for name in (file, f"tvmscript/{file}") for line in range(int(first), int(last) + 1)}
    root = os.environ["MUTATION_ROOT"]
    return lambda: not lines.isdisjoint({(f"{root}/{name}", line) for name, line in targets})


def _records() -> Callable[[Area], Iterable[Record]]:
    """Return the function that enumerates the records of an area to compare."""
    if "MUTATION_RECORDS" not in os.environ:
        return records_of
    chosen: dict[str, list[int]] = json.loads(os.environ["MUTATION_RECORDS"])

    def records(whole: Area) -> Iterator[Record]:
        numbers = {*chosen.get(whole.whole, ())}
        return (record for number, record in enumerate(records_of(area(whole.whole))) if number in numbers)

    return records


def _processor_time() -> float:
    """Return seconds of this process and of those that it started and that ended."""
    return sum(os.times()[:4])


def main(seed: str, minutes: str, *names: str) -> None:
    print("started", flush=True)
    began = _processor_time()
    most = int(began + 60 * float(minutes)) + _GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    is_executed = _target()
    patience = began + 60 * float(minutes) * _PATIENCE

    def clock() -> float:
        now = _processor_time()
        return now if now < patience or is_executed() else math.inf

    tally = fuzz(
        [area(name) for name in names],
        seed=int(seed),
        minutes=float(minutes),
        out=Path(FOUND),
        ends_at_first=True,
        clock=clock,
        records=_records(),
    )
    causes = [f"{each.area}: {each.cause}" for each in tally.failures]
    facts: dict[str, object] = {
        "seconds": _processor_time() - began,
        "causes": causes,
        "examples": sum(tally.examples.values()),
        "is_executed": is_executed(),
    }
    print(json.dumps({**facts, "reports": [each.script for each in tally.failures]}))


main(*sys.argv[1:])
