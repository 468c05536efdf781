"""Options of `schedule` and `bisect`: a trace, or a function of a script."""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from tvmscript.cli.errors import FileFailed
from tvmscript.cli.files import File, read_file
from tvmscript.schedule import Trace


def add_steps(parser: Any) -> None:
    """Add the options for a schedule."""
    parser.add_argument(
        "--trace", metavar="JSON", help="a trace: [instructions, decisions], as returned by trace.as_json()"
    )
    parser.add_argument("--script", metavar="PY", help="a Python file with schedule(sch), which is executed")


def steps_of(options: argparse.Namespace) -> Callable[[Any], object] | None:
    """Return a function that applies the options to a schedule, None without any. Raises `FileFailed`."""
    if options.trace is not None:
        trace = Trace.from_json(_text(options.trace).text)
        return lambda schedule: trace.apply_to_schedule(schedule)
    return None if options.script is None else _function(options.script)


def _text(path: str) -> File:
    file = read_file(Path(path))
    if isinstance(file, FileFailed):
        raise file
    return file


def _function(path: str) -> Callable[[object], object]:
    """Return the function `schedule` of a Python file."""
    _text(path)
    try:
        function = runpy.run_path(path).get("schedule")
    except (ImportError, SyntaxError) as error:
        raise FileFailed(file=path, reason=error) from error
    if not callable(function):
        raise FileFailed(file=path, reason="it has no function schedule(sch)")
    return cast("Callable[[Any], object]", function)
