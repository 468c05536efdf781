"""Compile a program and write a page that shows it after every pass, down to assembly."""

from __future__ import annotations

import argparse
from pathlib import Path

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.pairs import programs_of
from tvmscript.cli.report import Report
from tvmscript.driver import UnknownTarget, as_module
from tvmscript.explorer import page, record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript explore` takes."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="HTML", help="the page to write")
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512"')
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def main(options: argparse.Namespace) -> int:
    """Write the page."""
    report = Report(options)
    programs = programs_of(options.path)
    if len(programs) > 1:
        reason = f"{options.path} has several programs: {', '.join(programs)}"
        raise InvalidOption(option="FILE", reason=reason, hint="FILE:NAME is one of them")
    ((name, program),) = programs.items()
    try:
        recording = record(as_module(program), options.target, title=_title(options.path, name))
    except UnknownTarget as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    write(options.out, page(recording))
    changed = sum(stage.changed for stage in recording.stages)
    report.facts = {"page": str(options.out), "stages": len(recording.stages), "changed": changed}
    report.say(f"{options.out}: {len(recording.stages)} stages, {changed} of which change the program")
    return report.finish()


def _title(path: str, name: str) -> str:
    file = Path(path.removesuffix(f":{name}")).name
    return f"{file}: {name}"
