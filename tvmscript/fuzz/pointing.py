"""Point areas at the subjects whose examples execute some lines: those that somebody has just changed.

A law or a pass that never runs a line cannot find what is wrong with it. Which ones run it is measured: some examples
of each subject, and the lines that they execute. Needs Python 3.12.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import area as find_area
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.line_coverage import reached_lines

#: what is looked at
_PACKAGES: Final = ("tvmscript.ir", "tvmscript.backends", "tvmscript.parser", "tvmscript.printer")
#: examples of a subject: a line that they do not execute it seldom executes
_EXAMPLES: Final = 8
#: the same of an area that has no subjects
_MORE_EXAMPLES: Final = 100

#: subject -> file -> lines that its examples execute
SubjectLines = Mapping[str, Mapping[str, Collection[int]]]


def subject_lines(area: Area, seed: int = 0) -> dict[str, dict[str, set[int]]]:
    """Return the lines that examples of each subject execute; those of the whole area where it has no subjects."""
    executed: dict[str, dict[str, set[int]]] = {}
    for name, restricted, count in _parts(area):
        with reached_lines(_PACKAGES) as reached:
            fuzz([restricted], seed=seed, examples=count, ends_at_first=True)
        lines: dict[str, set[int]] = {}
        for file, numbers in reached.items():
            if numbers:  # folders are links
                lines.setdefault(os.path.realpath(file), set()).update(numbers)
        executed[name] = lines
    return executed


def _parts(area: Area) -> Iterator[tuple[str, Area, int]]:
    """Enumerate the subjects of an area, each with the area that it alone is in, and how many examples are drawn."""
    if area.subjects is None or area.name != area.whole:
        yield "", area, _MORE_EXAMPLES
        return
    for name in sorted(area.subjects.names()):
        yield name, find_area(f"{area.whole}:{name}"), _EXAMPLES


def point(executed: Mapping[str, SubjectLines], file: str, lines: Collection[int]) -> list[str]:
    """Return the areas with the subjects that execute a line of a file, `arith:bounds,set`.

    `executed` has the subjects of each area. Where no example executes it, all areas are returned.
    """
    pointed: list[str] = []
    for name, subjects in executed.items():
        names = [subject for subject, reached in subjects.items() if not set(lines).isdisjoint(reached.get(file, ()))]
        if names:
            pointed.append(name if len(names) == len(subjects) else f"{name}:{','.join(names)}")
    return pointed or [*executed]


def areas_at(areas: Sequence[Area], place: str, seed: int = 0) -> list[Area]:
    """Return the areas, pointed at a place `FILE:LINE` or `FILE:FIRST-LAST`. Raises `ValueError` for another text."""
    file, _, numbers = place.rpartition(":")
    first, _, last = numbers.partition("-")
    lines = range(int(first), int(last or first) + 1)
    executed = {each.name: subject_lines(each, seed) for each in areas}
    return [find_area(name) for name in point(executed, str(Path(file).resolve()), lines)]
