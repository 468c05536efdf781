"""A plugin of pytest that notes calls of functions which tests lead to, as scripts to choose recorded examples from.

    pytest -n 0 -p tools.records.carving --carved calls.json --packages ir/arith,ir/analysis tests/ir/arith
    python -m tools.records arith --minutes 0 --texts calls.json

A call of a function with a public name from outside of its file is noted where it executes lines that no call before it
in the same test file does, and where its arguments can be written. So are the texts of programs that tests read.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from tvmscript.fuzz.construct_script import construction

#: characters of a script
_LONGEST: Final = 6000
_CALL: Final = (
    "from tvmscript.fuzz.records.functions import check_function\n\n{0}\n\ncheck_function({1!r}, *args, **options)\n"
)
_PROGRAM: Final = 'from tvmscript.fuzz.records.programs import check_program\n\ncheck_program("""\\\n{0}""", {1!r})\n'
_PACKAGE: Final = str(Path(__file__).resolve().parents[2])
_READ: Final = "/parser/entry.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--carved", type=Path, help="write the scripts to this file")
    parser.addoption("--packages", default="", help="folders of the functions")
    parser.addoption("--stages", default="analyses", help="stages of programs")


@dataclass
class _Call:
    frame: FrameType
    path: str
    args: list[Any]
    options: dict[str, Any]
    lines: int


@dataclass
class _Carver:
    """Notes calls while `sys.monitoring` is on."""

    folders: tuple[str, ...]
    stages: str
    scripts: dict[str, None] = field(default_factory=dict[str, None])
    _lines: int = 0
    _calls: list[_Call] = field(default_factory=list[_Call])
    _files: dict[CodeType, str] = field(default_factory=dict[CodeType, str])
    _is_busy: bool = False

    def file_of(self, code: CodeType) -> str:
        """Return the file of code in the packages, from the root on; empty for other code."""
        if code not in self._files:
            name = code.co_filename.replace("/tvmscript/ir/", "/ir/").removeprefix(f"{_PACKAGE}/")
            self._files[code] = name if name.startswith(self.folders) else ""
        return self._files[code]

    def line(self, code: CodeType, _: int) -> object:
        if self._is_busy:
            return None
        self._lines += bool(self.file_of(code))
        return sys.monitoring.DISABLE

    def start(self, code: CodeType, _: int) -> object:
        file = self.file_of(code)
        if code.co_name == "from_source" and code.co_filename.endswith(_READ):
            self._note_program(sys._getframe(1).f_locals)
            return None
        is_public = file and not any(name.startswith(("_", "<")) for name in code.co_qualname.split("."))
        if not is_public or code.co_flags & (inspect.CO_COROUTINE | inspect.CO_GENERATOR):
            return sys.monitoring.DISABLE
        frame = sys._getframe(1)
        if self._is_busy or frame.f_back is None or frame.f_back.f_code.co_filename == code.co_filename:
            return None
        values, count = frame.f_locals, code.co_argcount
        args = [values[name] for name in code.co_varnames[:count] if name in values]
        names = code.co_varnames[count : count + code.co_kwonlyargcount]
        options = {name: values[name] for name in names}
        rest = count + code.co_kwonlyargcount
        if code.co_flags & inspect.CO_VARARGS:
            args += values[code.co_varnames[rest]]
            rest += 1
        if code.co_flags & inspect.CO_VARKEYWORDS:
            options |= values[code.co_varnames[rest]]
        if args and isinstance(args[0], type):
            args = args[1:]  # a class method
        path = f"{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}:{code.co_qualname}"
        self._calls.append(_Call(frame, path, args, options, self._lines))
        return None

    def _note_program(self, values: Mapping[str, Any]) -> None:
        text = values["text"]
        if (
            isinstance(text, str)
            and not values["extra_vars"]
            and len(text) < _LONGEST
            and '"""' not in text
            and "\\" not in text
        ):
            self.scripts[_PROGRAM.format(f"{text.strip()}\n", self.stages)] = None

    def end(self, code: CodeType, _: int, __: Any) -> object:
        if not self.file_of(code):
            return sys.monitoring.DISABLE
        self._leave(sys._getframe(1))
        return None

    def unwind(self, code: CodeType, _: int, __: Any) -> object:
        """Note a call that raised."""
        if self.file_of(code):
            self._leave(sys._getframe(1))
        return None

    def _leave(self, frame: FrameType) -> None:
        if not self._calls or self._is_busy or self._calls[-1].frame is not frame:
            return
        call = self._calls.pop()
        if self._lines > call.lines:
            self._is_busy = True
            try:
                self._write(call)
            finally:
                self._is_busy = False

    def _write(self, call: _Call) -> None:
        try:
            script = _CALL.format(construction((call.args, call.options), "args, options"), call.path)
        except (TypeError, AttributeError, RecursionError, ValueError):
            return  # an argument cannot be written
        except Exception:  # noqa: BLE001  # pickle raises what it likes
            return
        if len(script) < _LONGEST and "pickle" not in script:
            self.scripts[script] = None


_CARVER: Final = pytest.StashKey[_Carver]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    target = config.getoption("--carved")
    if target is None:
        return
    carver = _Carver(
        tuple(f"{each}/" for each in config.getoption("--packages").split(",")), config.getoption("--stages")
    )
    config.stash[_CARVER] = carver
    monitoring, tool = sys.monitoring, sys.monitoring.PROFILER_ID
    monitoring.use_tool_id(tool, "carving")
    events = monitoring.events
    monitoring.register_callback(tool, events.LINE, carver.line)
    monitoring.register_callback(tool, events.PY_START, carver.start)
    monitoring.register_callback(tool, events.PY_RETURN, carver.end)
    monitoring.register_callback(tool, events.PY_UNWIND, carver.unwind)
    monitoring.set_events(tool, events.LINE | events.PY_START | events.PY_RETURN | events.PY_UNWIND)


@pytest.fixture(autouse=True, scope="module")
def _count_lines_anew() -> None:
    sys.monitoring.restart_events()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write the scripts."""
    if _CARVER in config.stash:
        sys.monitoring.free_tool_id(sys.monitoring.PROFILER_ID)
        scripts = [*config.stash[_CARVER].scripts]
        config.getoption("--carved").write_text(json.dumps(scripts), "utf-8")
        print(f"{len(scripts)} scripts")
