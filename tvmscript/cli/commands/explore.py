"""Compile a program and write a page with the program after every pass, LLVM IR and assembly."""

from __future__ import annotations

import argparse
import os
import tempfile
import webbrowser
from pathlib import Path

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.named_programs import add_program, one_program
from tvmscript.cli.report import Report
from tvmscript.driver import UnknownTarget, as_module
from tvmscript.explorer import page, record
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.parser.programs import Program


class NoBrowser(TVMScriptError, code="TS7024"):
    """`tvmscript explore --open` finds no browser on this machine. The page is one file: copy it to another machine, or
    set the variable BROWSER.
    """

    message = "there is no browser to open {page}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript explore`."""
    add_program(parser)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="HTML", help="the page to write (default with --open: a temporary file)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512"')
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Write the page, and open it on request."""
    report = Report(options)
    if options.out is None and not options.open:
        raise InvalidOption(option="--out", reason="it names the page to write", hint="--open opens a temporary page")
    program = one_program(options.path)
    try:
        recording = record(as_module(program), options.target, title=_title(options.path, program))
    except (InvalidTarget, UnknownTarget) as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    out = _temporary_page() if options.out is None else options.out
    write(out, page(recording))
    if options.open and not webbrowser.open(out.resolve().as_uri()):
        report.note(NoBrowser(page=out))
    changed = sum(stage.changed for stage in recording.stages)
    report.facts = {"page": str(out), "stages": len(recording.stages), "changed": changed}
    report.line(f"{out}: {len(recording.stages)} stages, {changed} change the program")
    return report.finish()


def _temporary_page() -> Path:
    handle, name = tempfile.mkstemp(prefix="tvmscript-explore-", suffix=".html")
    os.close(handle)
    return Path(name)


def _title(path: str, program: Program) -> str:
    """Return the file name, and the name of the function if there is one."""
    name = path.rpartition(":")[2] if ":" in path else getattr(program, "attrs", {}).get("global_symbol", "")
    return f"{Path(path.removesuffix(f':{name}')).name}: {name}".removesuffix(": ")
