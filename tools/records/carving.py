"""A plugin of pytest that writes calls of functions as scripts, which recorded examples are chosen from.

    pytest -n 0 -p tools.records.carving --carved calls.jsonl --packages ir/arith,ir/analysis tests/ir/arith
    python -m tools.records arith --cost 12 --texts calls.jsonl

A call of a public function from another file is written where it executes lines that no call before it in the same test
file does, and where its arguments can be constructed. So are the programs that tests read. Needs Python 3.12.
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
_CALL: Final = """\
from tvmscript.fuzz.records.functions import check_function

{0}

check_function({1!r}, *args, **options)
"""
_PROGRAM: Final = """\
from tvmscript.fuzz.records.programs import check_program

check_program('''\\
{0}
''', {1!r})
"""
_ROOT: Final = f"{Path(__file__).resolve().parents[2]}/"
_READER: Final = "/parser/entry.py"


@dataclass
class _Call:
    frame: FrameType
    path: str
    args: list[Any]
    options: dict[str, Any]
    #: lines that ran before it
    lines: int


@dataclass
class _Carver:
    """Callbacks of `sys.monitoring`."""

    folders: tuple[str, ...]
    #: what programs are run through
    stages: str
    #: the value that ends events of a place
    disable: object
    scripts: dict[str, None] = field(default_factory=dict[str, None])
    _lines: int = 0
    _calls: list[_Call] = field(default_factory=list[_Call])
    _files: dict[CodeType, str] = field(default_factory=dict[CodeType, str])
    _is_writing: bool = False

    def line(self, code: CodeType, _: int) -> object:
        if self._is_writing:
            return None
        self._lines += bool(self._file(code))
        return self.disable

    def start(self, code: CodeType, _: int) -> object:
        frame = _caller()
        if code.co_name == "from_source" and code.co_filename.endswith(_READER):
            self._write_program(frame.f_locals)
            return None
        file = self._file(code)
        is_public = not any(name.startswith(("_", "<")) for name in code.co_qualname.split("."))
        if not file or not is_public or code.co_flags & (inspect.CO_COROUTINE | inspect.CO_GENERATOR):
            return self.disable
        if self._is_writing or frame.f_back is None or frame.f_back.f_code.co_filename == code.co_filename:
            return None
        args, options = _arguments(code, frame.f_locals)
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._calls.append(_Call(frame, f"{module}:{code.co_qualname}", args, options, self._lines))
        return None

    def end(self, code: CodeType, _: int, __: Any) -> object:
        if not self._file(code):
            return self.disable
        self._leave(_caller())
        return None

    def unwind(self, code: CodeType, _: int, __: Any) -> object:
        if self._file(code):
            self._leave(_caller())
        return None

    def _file(self, code: CodeType) -> str:
        """Return the file of code in the folders, from the root on; empty for other code."""
        if code not in self._files:
            name = code.co_filename.replace("/tvmscript/ir/", "/ir/").removeprefix(_ROOT)
            self._files[code] = name if name.startswith(self.folders) else ""
        return self._files[code]

    def _leave(self, frame: FrameType) -> None:
        if self._is_writing or not self._calls or self._calls[-1].frame is not frame:
            return
        call = self._calls.pop()
        if self._lines > call.lines:
            self._is_writing = True
            try:
                self._write(call)
            finally:
                self._is_writing = False

    def _write(self, call: _Call) -> None:
        try:
            text = construction((call.args, call.options), "args, options")
        except Exception:  # noqa: BLE001  # pickle raises what it likes: an argument cannot be written
            return
        script = _CALL.format(text, call.path)
        if len(script) < _LONGEST and "pickle" not in script:
            self.scripts[script] = None

    def _write_program(self, values: Mapping[str, Any]) -> None:
        text = values["text"]
        is_plain = isinstance(text, str) and "'''" not in text and "\\" not in text
        if is_plain and not values["extra_vars"] and len(text) < _LONGEST:
            self.scripts[_PROGRAM.format(text.strip(), self.stages)] = None


def _caller() -> FrameType:
    """Return the frame that an event is about."""
    here = inspect.currentframe()
    frame = here and here.f_back and here.f_back.f_back
    assert frame is not None
    return frame


def _arguments(code: CodeType, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call that has just begun; a class method is called without its class."""
    names, count = code.co_varnames, code.co_argcount
    args = [values[name] for name in names[:count] if name in values]
    rest = count + code.co_kwonlyargcount
    options = {name: values[name] for name in names[count:rest] if name in values}
    if code.co_flags & inspect.CO_VARARGS:
        args += values.get(names[rest], ())
        rest += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        options |= values.get(names[rest], {})
    return (args[1:] if args and isinstance(args[0], type) else args), options


_CARVER: Final = pytest.StashKey[_Carver]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--carved", type=Path, metavar="FILE", help="write the scripts to this file")
    parser.addoption("--packages", default="ir/", help="folders of the functions")
    parser.addoption("--stages", default="analyses", help="what programs are run through")


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    if config.getoption("--carved") is None:
        return
    if sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    monitoring = sys.monitoring
    tool, events = monitoring.PROFILER_ID, monitoring.events
    folders = tuple(str(config.getoption("--packages")).split(","))
    carver = config.stash[_CARVER] = _Carver(folders, str(config.getoption("--stages")), monitoring.DISABLE)
    monitoring.use_tool_id(tool, "carving")
    monitoring.register_callback(tool, events.LINE, carver.line)
    monitoring.register_callback(tool, events.PY_START, carver.start)
    monitoring.register_callback(tool, events.PY_RETURN, carver.end)
    monitoring.register_callback(tool, events.PY_UNWIND, carver.unwind)
    monitoring.set_events(tool, events.LINE | events.PY_START | events.PY_RETURN | events.PY_UNWIND)


def pytest_runtest_logstart(location: tuple[str, int | None, str]) -> None:
    """Count the lines anew in each test file."""
    if sys.version_info >= (3, 12) and location[0] != _last_file[0]:
        _last_file[0] = location[0]
        sys.monitoring.restart_events()


_last_file: Final = [""]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write the scripts."""
    if _CARVER in config.stash and sys.version_info >= (3, 12):
        sys.monitoring.set_events(sys.monitoring.PROFILER_ID, sys.monitoring.events.NO_EVENTS)
        sys.monitoring.free_tool_id(sys.monitoring.PROFILER_ID)
        target: Any = config.getoption("--carved")
        target.write_text("".join(f"{json.dumps(script)}\n" for script in config.stash[_CARVER].scripts), "utf-8")
