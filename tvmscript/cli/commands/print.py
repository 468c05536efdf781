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
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.parser.programs import Program
from tvmscript.printer.highlight import show_text
from tvmscript.printer.options import Options, read_options

#: options of the printer that have a shorter name here
_SHORT: Final = {"indent_spaces": "--indent", "syntax_sugar": "--no-sugar", "print_line_numbers": "--line-numbers"}
#: types of options that a command line can give
_KINDS: Final = {"bool": bool, "int": int, "str": str, "str | None": str}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript print` takes: the printer's options are flags."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--run", action="store_true", help="run a Python file whose programs need Python values")
    parser.add_argument("--json", action="store_true", help="print the texts as JSON")
    group = parser.add_argument_group("printer options", "as in script(); see grammar_docs/printing.md")
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
    """Print every program of the files; 1 where one cannot be read."""
    report = Report(options)
    given = {entry.name: value for entry in fields(Options)
             if (value := getattr(options, f"printer_{entry.name}", None)) is not None}  # fmt: skip
    try:
        read_options(given)
    except IRError as wrong:
        raise InvalidOption(option="printer options", reason=wrong.text) from wrong
    printed: list[dict[str, object]] = []

    def tell(program: Program, name: str, file: str) -> None:
        try:
            text = program.script(**{"name": name, **given})
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
                tell(program, name, item.file.name)
            continue
        for error in [*item.errors, *item.notes]:
            report.error(error, item.file.name)
        for definition, program in item.programs.items():
            tell(program, definition.name, item.file.name)
    report.facts = {"programs": printed}
    sys.stdout.flush()
    return report.finish()
