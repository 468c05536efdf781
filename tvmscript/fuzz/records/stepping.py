"""Stand for Python's debugger: observe where programs stop, and the lines behind it with their variables."""

from __future__ import annotations

import inspect
import sys
from types import FrameType
from typing import Any, Final

from tvmscript.fuzz.observing import observe
from tvmscript.fuzz.records.sessions import described

#: lines that are followed behind a breakpoint
_MOST: Final = 200
#: what frames of programs have among their globals when their lines can be followed
_FOLLOWED: Final = ".dispatch"
#: packages whose functions a debugger does not show
_HIDDEN: Final = ("tvmscript", "numpy")


def stop(*args: object, **options: object) -> None:
    """Observe the line and the variables of the calling frame, then those of each line until it returns."""
    here = inspect.currentframe()
    program = here and here.f_back
    if program is None:
        return
    observe("breakpoint", str, _seen(program))
    if _FOLLOWED in program.f_globals and program.f_trace is None:
        sys.settrace(_Debugger(program).trace)


class _Debugger:
    """A trace function that steps through a function."""

    def __init__(self, program: FrameType) -> None:
        self._program = program
        self._before = sys.gettrace()
        self._lines: list[object] = []

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame is self._program:
            seen = _seen(frame)
            if self._lines[-1:] != [seen] and len(self._lines) < _MOST:  # versions of Python differ in repetitions
                self._lines.append(seen)
            if event == "return":
                sys.settrace(self._before)
                observe("steps", str, self._lines)
        elif (name := str(frame.f_globals.get("__name__"))).partition(".")[0] in _HIDDEN:
            self._lines.append(name)
        return self.trace


def _seen(frame: FrameType) -> tuple[str, int, dict[str, str]]:
    """Return the function, the line and the variables of a frame, whose order differs between versions of Python."""
    names = {name: described(value) for name, value in sorted(frame.f_locals.items()) if name.isidentifier()}
    return frame.f_code.co_name, frame.f_lineno, names
