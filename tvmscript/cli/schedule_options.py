"""What `schedule` and `bisect` have in common: the steps of a trace, or of a function in a file."""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tvmscript.cli.errors import FileFailed
from tvmscript.cli.files import File, read_file
from tvmscript.schedule import Trace


def add_steps(parser: Any) -> None:
    """The options that say what is done to a program."""
    parser.add_argument(
        "--trace", metavar="JSON", help="a trace: [instructions, decisions], as trace.as_json() gives it"
    )
    parser.add_argument("--script", metavar="PY", help="a Python file with schedule(sch), which is run")


def steps_of(options: argparse.Namespace) -> Callable[[Any], object] | None:
    """What the options say, as a function of a schedule; None where they say nothing. Raises `FileFailed`."""
    if options.trace is not None:
        trace = Trace.from_json(_text(options.trace).text)
        return lambda schedule: trace.apply_to_schedule(schedule)
    return None if options.script is None else _function(options.script)


def _text(path: str) -> File:
    file = read_file(Path(path))
    if isinstance(file, FileFailed):
        raise file
    return file


def _function(path: str) -> Callable[[Any], object]:
    """The function `schedule` of a Python file."""
    _text(path)
    try:
        found = runpy.run_path(path).get("schedule")
    except (ImportError, SyntaxError) as error:
        raise FileFailed(file=path, reason=error) from error
    if not callable(found):
        raise FileFailed(file=path, reason="it has no function schedule(sch)")
    made: Callable[[Any], object] = found
    return made
