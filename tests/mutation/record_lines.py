"""Runs inside of a copy of the package: `python record_lines.py AREA` prints what its records execute, as JSON.

`ends` has the seconds of the processor after which each record ends; `lines` is file, from the root of the copy -> line
-> numbers of the records that execute it; `imported` is file -> lines that run while modules are imported.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import time
from collections import defaultdict
from types import CodeType, FrameType
from typing import Any

_reached: set[tuple[str, int]] = set()
_seen: set[tuple[str, int]] = set()
_imported: set[tuple[str, int]] = set()


def _note(code: CodeType, line: int) -> object:
    place = code.co_filename, line
    _reached.add(place)
    if place not in _seen:
        _seen.add(place)
        if _is_importing(inspect.currentframe()):
            _imported.add(place)
    return sys.__dict__["monitoring"].DISABLE  # of Python 3.12


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def main(name: str) -> None:
    root = os.path.join(os.path.realpath("."), "")
    monitoring: Any = sys.__dict__["monitoring"]
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "records")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, _note)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    from tvmscript.fuzz.areas import area
    from tvmscript.fuzz.engine import records_of
    from tvmscript.fuzz.records import OutcomeChanged

    ends: list[float] = []
    seconds = 0.0
    names: dict[str, str] = {}
    lines: defaultdict[str, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, record in enumerate(records_of(area(name))):
        _reached.clear()
        monitoring.restart_events()
        began = time.process_time()
        try:
            record.check()
        except OutcomeChanged as error:
            print(f"{name}: record {number} fails without a mutant: {error}", file=sys.stderr)
            _reached.clear()
        seconds += time.process_time() - began
        ends.append(round(seconds, 3))
        for file, line in [*_reached]:
            if path := _relative(file, root, names):
                lines[path][line].append(number)
    imported: defaultdict[str, list[int]] = defaultdict(list)
    for file, line in [*_imported]:
        if path := _relative(file, root, names):
            imported[path].append(line)
    print(json.dumps({"ends": ends, "lines": lines, "imported": imported}))


def _relative(file: str, root: str, names: dict[str, str]) -> str:
    """Return the path of a file from the root, empty for one elsewhere; tvmscript/ir is a link to ir."""
    if file not in names:
        path = os.path.realpath(file)
        names[file] = path.removeprefix(root) if path.startswith(root) else ""
    return names[file]


main(*sys.argv[1:])
