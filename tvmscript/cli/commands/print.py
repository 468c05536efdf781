"""Print the programs of files in normal form."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.load_file import load
from tvmscript.cli.read_files import read_all
from tvmscript.cli.report import Report
from tvmscript.ir.core import IRError, TVMScriptError
from tvmscript.parser.programs import Program
from tvmscript.printer.highlight import show_text
from tvmscript.printer.options import Options, read_options

#: printer options with a shorter flag
_SHORT: Final = {"indent_spaces": "--indent", "syntax_sugar": "--no-sugar", "print_line_numbers": "--line-numbers"}
#: types of options that are flags
_KINDS: Final = {"bool": bool, "int": int, "str": str, "str | None": str}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript print`: options of the printer are flags."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--run", action="store_true", help="execute a Python file whose programs capture Python values")
    parser.add_argument("--json", action="store_true", help="print the texts as JSON")
    group = parser.add_argument_group("printer options", "those of script(), see grammar_docs/printing.md")
    for entry in fields(Options):
        kind = _KINDS.get(str(entry.type))
        if kind is bool:
            word = "no-" if entry.default is True else ""
            flags = [f"--{word}{entry.name.replace('_', '-')}"]
            action: dict[str, Any] = {"action": "store_false" if entry.default is True else "store_true"}
        elif kind is not None:
            flags = [f"--{entry.name.replace('_', '-')}"]
            action = {"type": kind, "metavar": "N" if kind is int else "TEXT"}
            if entry.default is not None:
                action["help"] = f"default {entry.default}"
        else:
            continue
        short = _SHORT.get(entry.name)
        group.add_argument(*[*([short] if short else []), *flags], dest=f"printer_{entry.name}", default=None, **action)


def main(options: argparse.Namespace) -> int:
    """Print every program of the files; return 1 if one cannot be read."""
    report = Report(options)
    values = {entry.name: getattr(options, f"printer_{entry.name}", None) for entry in fields(Options)}
    printer_options = {name: value for name, value in values.items() if value is not None}
    try:
        read_options(printer_options)
    except IRError as invalid:
        raise InvalidOption(option="printer options", reason=invalid.text) from invalid
    printed: list[dict[str, object]] = []

    def print_program(program: Program, name: str, file: str) -> None:
        try:
            text = program.script(**{"name": name, **printer_options})
        except TVMScriptError as error:
            report.error(error, file)
            return
        if not report.as_json:
            if printed:
                print()
            show_text(text)
        printed.append({"file": file, "name": name, "text": text})

    for item in read_all(options.paths, report.error):
        if options.run and item.notes and item.file.path is not None:
            for name, program in load(Path(item.file.path)).programs.items():
                print_program(program, name, item.file.name)
            continue
        for error in [*item.errors, *item.notes]:
            report.error(error, item.file.name)
        for definition, program in item.programs.items():
            print_program(program, definition.name, item.file.name)
    report.facts = {"programs": printed}
    sys.stdout.flush()
    return report.finish()
