"""Run passes on the program of a file, and print the result, or the change of each pass."""

from __future__ import annotations

import argparse

from tvmscript.cli import run_passes
from tvmscript.cli.import_option import add_import, import_modules
from tvmscript.cli.named_programs import one_program
from tvmscript.cli.passes_option import passes_of
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript opt`."""
    run_passes.add_arguments(parser)
    add_import(parser)
    parser.add_argument(
        "-p",
        "--passes",
        required=True,
        metavar="PASSES",
        help='"tir.Simplify,tir.UnrollLoop{auto_max_step=16}", or a pipeline: "zero"; see `tvmscript passes`',
    )


def main(options: argparse.Namespace) -> int:
    """Run the passes; return 1 if one refuses the program."""
    import_modules(options)
    passes = passes_of(options.passes)
    program = one_program(options.path)

    def run_all() -> object:
        result: object = program
        for single in passes:
            result = _run(single, result)
        return result

    return run_passes.run_passes(options, run_all)


def _run(single: Pass, program: object) -> object:
    """Run a pass unless the context disables it."""
    result: object = single(program) if PassContext.current().runs(single.info) else program
    return result
