"""Print the program lowered for its target, or the change of each pass of the pipeline."""

from __future__ import annotations

import argparse

from tvmscript.cli import run_passes
from tvmscript.cli.named_programs import one_program
from tvmscript.driver import lower


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript lower`."""
    run_passes.add_arguments(parser)
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512" (default llvm)')


def main(options: argparse.Namespace) -> int:
    """Lower the program; return 1 if a pass refuses it."""
    program = one_program(options.path)
    return run_passes.run_passes(options, lambda: lower(program, options.target))
