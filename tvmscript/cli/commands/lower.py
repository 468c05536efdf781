"""Print the program as its target takes it, or what each pass of its pipeline changes."""

from __future__ import annotations

import argparse

from tvmscript.cli import run_passes
from tvmscript.cli.named_programs import one_program
from tvmscript.driver import lower


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript lower` takes."""
    run_passes.add_arguments(parser)
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512" (default llvm)')


def main(options: argparse.Namespace) -> int:
    """Lower the program; 1 where a pass refuses it."""
    program = one_program(options.path)
    return run_passes.run(options, lambda: lower(program, options.target))
