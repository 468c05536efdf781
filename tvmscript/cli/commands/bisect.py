"""Find the schedule step, pass or optimization level that first changes what a program computes."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tvmscript.cli.execution import add_run, require_run
from tvmscript.cli.import_option import add_import, import_modules
from tvmscript.cli.named_programs import add_program, one_program
from tvmscript.cli.passes_option import passes_of
from tvmscript.cli.report import Report
from tvmscript.cli.schedule_options import add_steps, steps_of
from tvmscript.differ import diff
from tvmscript.driver import as_module
from tvmscript.ir.core import TVMScriptError
from tvmscript.testing.bisection import Culprit, bisect


class StepIsWrong(TVMScriptError, code="TS7052"):
    """A step after which a program computes other values, is ill formed, or does not read back.

    The difference between the program before and after the step is printed. `tvmscript reduce` reduces the program.
    """

    message = "the first step that is wrong: {step}\n{problem}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript bisect`."""
    add_program(parser)
    add_steps(parser.add_mutually_exclusive_group())
    parser.add_argument("-p", "--passes", metavar="PASSES", help="passes to run instead of the CPU pipeline")
    add_import(parser)
    parser.add_argument("--no-code", action="store_true", help="check schedule and passes only, compile nothing")
    add_run(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the random arguments")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Find the first wrong step; return 1 if there is one."""
    report = Report(options)
    program = as_module(one_program(options.path))
    require_run(options, program)
    schedule: Callable[[object], object] | None = steps_of(options)
    import_modules(options)
    passes = None if options.passes is None else passes_of(options.passes)
    culprit = bisect(program, schedule=schedule, passes=passes, compiles=not options.no_code, seed=options.seed)
    report.facts = {"culprit": None if culprit is None else _facts(culprit)}
    if culprit is None:
        report.line("every step preserves the values of the program")
    else:
        report.line(diff(culprit.before, culprit.after, names=("before", "after")).text())
        report.error(StepIsWrong(step=culprit.step, problem=culprit.problem), options.path)
    return report.finish()


def _facts(culprit: Culprit) -> dict[str, str]:
    return {
        "stage": culprit.stage,
        "step": culprit.step,
        "problem": culprit.problem,
        "before": culprit.before.script(),
        "after": culprit.after.script(),
    }
