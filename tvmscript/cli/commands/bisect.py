"""Name the step of a schedule, the pass, or the optimization level that makes a program compute something else."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.named_programs import one_program
from tvmscript.cli.report import Report
from tvmscript.cli.schedule_options import add_steps, steps_of
from tvmscript.differ import diff
from tvmscript.driver import as_module
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.transform.registry import get_passes
from tvmscript.testing.bisection import Culprit, bisect


class StepIsWrong(TVMScriptError):
    """A step after which a program computes something else, is ill formed, or does not read back. The difference
    between the program before and after it is shown; `tvmscript reduce` makes the program small.
    """

    code = "TS7052"
    message = "the first step that is wrong: {step}\n{problem}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript bisect` takes."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )
    add_steps(parser.add_mutually_exclusive_group())
    parser.add_argument("-p", "--passes", metavar="PASSES", help="instead of those of the pipeline for CPUs")
    parser.add_argument("--no-code", action="store_true", help="compile nothing: schedule and passes alone")
    parser.add_argument("--seed", type=int, default=0, help="of the arguments that are drawn")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def main(options: argparse.Namespace) -> int:
    """Look for it; 1 where a step is wrong."""
    report = Report(options)
    program = as_module(one_program(options.path))
    schedule: Callable[[Any], object] | None = steps_of(options)
    try:
        passes = None if options.passes is None else get_passes(options.passes)
    except IRError as error:
        raise InvalidOption(option="--passes", reason=error.text, hint=error.hint) from error
    found = bisect(program, schedule=schedule, passes=passes, compiles=not options.no_code, seed=options.seed)
    report.facts = {"culprit": None if found is None else _facts(found)}
    if found is None:
        report.say("every step keeps what the program computes")
    else:
        report.say(diff(found.before, found.after, names=("before", "after")).text())
        report.error(StepIsWrong(step=found.step, problem=found.problem), options.path)
    return report.finish()


def _facts(found: Culprit) -> dict[str, str]:
    return {
        "stage": found.stage,
        "step": found.step,
        "problem": found.problem,
        "before": found.before.script(),
        "after": found.after.script(),
    }
