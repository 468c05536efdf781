"""Apply a trace, or the schedule() of a script, to the program of a file, and print what comes out."""

from __future__ import annotations

import argparse
import json
import runpy
from pathlib import Path
from typing import Any

from tvmscript.cli.errors import FileFailed, InvalidOption
from tvmscript.cli.files import File, read_file, write
from tvmscript.cli.pairs import programs_of
from tvmscript.cli.report import Report
from tvmscript.differ import diff
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.base import Recorder
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.schedule import Schedule, Trace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript schedule` takes."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--trace", metavar="JSON", help="a trace: [instructions, decisions], as trace.as_json() gives it")
    what.add_argument("--script", metavar="PY", help="a Python file with schedule(sch), which is run")
    parser.add_argument("--steps", action="store_true", help="print what each step changes, not the program")
    parser.add_argument("--check", choices=("values",), help="values: run the program before and after each step")
    parser.add_argument("--seed", type=int, help="of what is sampled, and of the inputs of --check")
    parser.add_argument("--save-trace", metavar="JSON", type=Path, help="write the trace of what was done to a file")
    parser.add_argument("--json", action="store_true", help="print program and trace as JSON")


def main(options: argparse.Namespace) -> int:
    """Schedule the program; 1 where a step is refused, after the steps before it were shown."""
    report = Report(options)
    programs = programs_of(options.path)
    if len(programs) > 1:
        reason = f"{options.path} has several programs: {', '.join(programs)}"
        raise InvalidOption(option="FILE", reason=reason, hint="FILE:NAME is one of them")
    (program,) = programs.values()
    if not isinstance(program, IRModule | PrimFunc):
        raise InvalidOption(option="FILE", reason=f"{options.path} is a graph function; kernels are scheduled")
    schedule = Schedule(program, seed=options.seed, check=options.check)
    steps: list[dict[str, str]] = []
    if options.steps or options.json:
        schedule.observers.append(lambda before, made: steps.append(_step(before, made, report)))
    try:
        if options.trace is not None:
            Trace.from_json(_text(options.trace).text).apply_to_schedule(schedule)
        else:
            _function(options.script)(schedule)
    except TVMScriptError as error:
        report.error(error, options.path)
    if not options.steps and not report.exit_code:
        report.say(schedule.mod.script())
    if options.save_trace is not None:
        write(options.save_trace, json.dumps(schedule.trace.as_json()) + "\n")
    report.facts = {"program": schedule.mod.script(), "trace": schedule.trace.as_json(), "steps": steps}
    return report.finish()


def _step(before: IRModule, schedule: Recorder, report: Report) -> dict[str, str]:
    """Tell what the last step did."""
    line = schedule.trace.as_python()[-1]
    changes = diff(before, schedule.mod, names=("before", "after")).text()
    report.say(f"# {line}\n{changes}\n")
    return {"step": line, "diff": changes}


def _text(path: str) -> File:
    file = read_file(Path(path))
    if isinstance(file, FileFailed):
        raise file
    return file


def _function(path: str) -> Any:
    """The function `schedule` of a Python file."""
    _text(path)
    try:
        found = runpy.run_path(path).get("schedule")
    except (ImportError, SyntaxError) as error:
        raise FileFailed(file=path, reason=error) from error
    if not callable(found):
        raise FileFailed(file=path, reason="it has no function schedule(sch)")
    return found
