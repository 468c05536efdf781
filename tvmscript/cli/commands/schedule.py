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
from tvmscript.driver import as_module, default_rules
from tvmscript.ir.core import IRModule, Target, TVMScriptError
from tvmscript.ir.core.targets.cuda import with_device_arch
from tvmscript.ir.schedule.default.cpu import Default
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.function_attributes import is_scheduled
from tvmscript.schedule import Schedule

#: the program that schedules a function whose steps are for another form of it
_FROM_FORM: Final = """\
# {name}: the steps are for the form that it is rewritten to
from tvmscript import dlight, target, tir

{trace}

def schedule_function(func: tir.PrimFunc) -> tir.Schedule:
  sch = tir.Schedule({form})
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
    """Print the steps that `build` applies to each function, or to the form that a rule rewrites it to."""
    traces: dict[str, object] = {}
    forms: dict[str, str] = {}
    machine = with_device_arch(Target.make(target))
    rules = default_rules(machine)
    for name, func in ((var.name_hint, func) for var, func in program.items() if isinstance(func, PrimFunc)):
        choices = ((rule, rule.apply(func, machine, False)) for rule in rules if not is_scheduled(func))
        rule, schedule = next((choice for choice in choices if choice[1] is not None), (None, None))
        if not isinstance(schedule, Recorder):
            report.line(f"# {name}: no rule fits it, or it is scheduled")
            continue
        traces[name] = schedule.trace.as_json()
        initial = _initial_form(rule, func, machine)
        if initial is None:
            forms[name] = schedule.mod["main"].script()
            report.line(f"# {name}: {type(rule).__name__} puts this function in its place\n{forms[name]}")
        elif initial[0] is func:
            report.line(f"# {name}\n{schedule.trace}")
        else:
            form, text = initial
            forms[name] = form.script()
            report.line(_FROM_FORM.format(name=name, trace=schedule.trace, form=text))
    report.facts = {"traces": traces, "normal_forms": forms}


def _initial_form(rule: ScheduleRule | None, func: PrimFunc, machine: Target) -> tuple[PrimFunc, str] | None:
    """Return what the steps of a rule begin with, and how it is written; None where not all of it are steps."""
    target = f'target.Target("{machine}")'
    if isinstance(rule, Default):
        return rule.normal_form(func, machine), f"dlight.cpu.Default().normal_form(func, {target})"
    choice = rule.choose(func, machine) if isinstance(rule, GPURule) else None
    if choice is None:
        return None
    return choice.form, f"[*dlight.gpu.{type(rule).__name__}().forms(func, {target})][{choice.number}]"


def _step(before: IRModule, schedule: Recorder, report: Report) -> dict[str, str]:
    """Report the change of the last step."""
    line = schedule.trace.as_python()[-1]
    changes = diff(before, schedule.mod, names=("before", "after")).text()
    report.line(f"# {line}\n{changes}\n")
    return {"step": line, "diff": changes}
