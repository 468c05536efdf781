"""Apply a trace, or the schedule() of a script, to the program of a file, and print the result."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.execution import add_run, require_run
from tvmscript.cli.files import write
from tvmscript.cli.named_programs import add_program, one_program
from tvmscript.cli.report import Report
from tvmscript.cli.schedule_options import add_steps, steps_of
from tvmscript.differ import diff
from tvmscript.driver import as_module
from tvmscript.ir.core import IRModule, Target, TVMScriptError
from tvmscript.ir.schedule.default.cpu import Default
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.tir import PrimFunc
from tvmscript.schedule import Schedule

#: the program that schedules a function whose steps are for its normal form
_FROM_NORMAL_FORM: Final = """\
# {name}: the steps are for the normal form that it is rewritten to
from tvmscript import dlight, target, tir

{trace}

def schedule_function(func: tir.PrimFunc) -> tir.Schedule:
  sch = tir.Schedule(dlight.cpu.Default().normal_form(func, target.Target("{target}")))
  apply_trace(sch)
  return sch"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript schedule`."""
    add_program(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    add_steps(what)
    what.add_argument("--default", action="store_true", help="print the default schedule as Python")
    parser.add_argument("--target", default="llvm", help="--default: what it is for (default llvm)")
    parser.add_argument("--steps", action="store_true", help="print the change of each step instead of the program")
    parser.add_argument("--check", choices=("values",), help="values: compare results before and after each step")
    add_run(parser)
    parser.add_argument("--seed", type=int, help="seed of sampling and of the inputs of --check")
    parser.add_argument("--save-trace", metavar="JSON", type=Path, help="write the trace of the applied steps")
    parser.add_argument("--json", action="store_true", help="print program and trace as JSON")


def main(options: argparse.Namespace) -> int:
    """Schedule the program; return 1 if a step is refused, after reporting the steps before it."""
    report = Report(options)
    program = one_program(options.path)
    if not isinstance(program, (IRModule, PrimFunc)):
        raise InvalidOption(option="FILE", reason=f"{options.path} is a Relax function, but schedules need PrimFuncs")
    if options.default:
        _print_default(report, as_module(program), options.target)
        return report.finish()
    if options.check is not None:
        require_run(options, as_module(program))
    schedule = Schedule(program, seed=options.seed, check=options.check)
    steps = steps_of(options)
    assert steps is not None
    applied: list[dict[str, str]] = []
    if options.steps or options.json:
        schedule.observers.append(lambda before, recorder: applied.append(_step(before, recorder, report)))
    try:
        steps(schedule)
    except TVMScriptError as error:
        report.error(error, options.path)
    if not options.steps and not report.exit_code:
        report.line(schedule.mod.script())
    if options.save_trace is not None:
        write(options.save_trace, json.dumps(schedule.trace.as_json()) + "\n")
    report.facts = {"program": schedule.mod.script(), "trace": schedule.trace.as_json(), "steps": applied}
    return report.finish()


def _print_default(report: Report, program: IRModule, target: str) -> None:
    """Print the steps that `build` applies to each function, or to its normal form."""
    traces: dict[str, object] = {}
    forms: dict[str, str] = {}
    rule, machine = Default(), Target.make(target)
    for name, func in ((var.name_hint, func) for var, func in program.items() if isinstance(func, PrimFunc)):
        schedule = rule.apply(func, machine, False)
        if schedule is None:
            report.line(f"# {name}: no rule fits it, or it is scheduled")
            continue
        traces[name] = schedule.trace.as_json()
        form = rule.normal_form(func, machine)
        if form is func:
            report.line(f"# {name}\n{schedule.trace}")
        else:
            report.line(_FROM_NORMAL_FORM.format(name=name, trace=schedule.trace, target=target))
            forms[name] = form.script()
    report.facts = {"traces": traces, "normal_forms": forms}


def _step(before: IRModule, schedule: Recorder, report: Report) -> dict[str, str]:
    """Report the change of the last step."""
    line = schedule.trace.as_python()[-1]
    changes = diff(before, schedule.mod, names=("before", "after")).text()
    report.line(f"# {line}\n{changes}\n")
    return {"step": line, "diff": changes}
