"""Compile a program and write a page with the program after every pass, LLVM IR and assembly."""

from __future__ import annotations

import argparse
from pathlib import Path

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.named_programs import one_program
from tvmscript.cli.report import Report
from tvmscript.driver import UnknownTarget, as_module
from tvmscript.explorer import page, record
from tvmscript.ir.core.target import InvalidTarget
from tvmscript.parser.programs import Program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript explore`."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="HTML", help="the page to write")
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512"')
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Write the page."""
    report = Report(options)
    program = one_program(options.path)
    try:
        recording = record(as_module(program), options.target, title=_title(options.path, program))
    except (InvalidTarget, UnknownTarget) as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    write(options.out, page(recording))
    changed = sum(stage.changed for stage in recording.stages)
    report.facts = {"page": str(options.out), "stages": len(recording.stages), "changed": changed}
    report.line(f"{options.out}: {len(recording.stages)} stages, {changed} change the program")
    return report.finish()


def _title(path: str, program: Program) -> str:
    """Return the file name, and the name of the function if there is one."""
    name = path.rpartition(":")[2] if ":" in path else getattr(program, "attrs", {}).get("global_symbol", "")
    return f"{Path(path.removesuffix(f':{name}')).name}: {name}".removesuffix(": ")
