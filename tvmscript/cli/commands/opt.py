"""Run passes on the program of a file, and print what comes out, or what each of them changes."""

from __future__ import annotations

import argparse

from tvmscript.cli import run_passes
from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.named_programs import one_program
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.registry import get_passes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript opt` takes."""
    run_passes.add_arguments(parser)
    parser.add_argument(
        "-p",
        "--passes",
        required=True,
        metavar="PASSES",
        help='"tir.Simplify,tir.UnrollLoop{auto_max_step=16}"; `tvmscript passes` lists them',
    )


def main(options: argparse.Namespace) -> int:
    """Run the passes; 1 where one of them refuses the program."""
    try:
        passes = get_passes(options.passes)
    except IRError as error:
        raise InvalidOption(option="--passes", reason=error.text, hint=error.hint) from error
    program = one_program(options.path)

    def all_of_them() -> object:
        made: object = program
        for each in passes:
            made = _run(each, made)
        return made

    return run_passes.run(options, all_of_them)


def _run(each: Pass, program: object) -> object:
    """What the pass makes, where the context does not leave it out."""
    made: object = each(program) if PassContext.current().runs(each.info) else program
    return made
