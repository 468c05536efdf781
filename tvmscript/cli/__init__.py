"""The command `tvmscript`: one file per subcommand, loaded when it is used."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, Protocol

import tvmscript
from tvmscript.cli.report import TROUBLE, Report
from tvmscript.ir.core.errors import TVMScriptError

#: exit codes of shells for what was ended by a signal
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


class Command(Protocol):
    """A subcommand's module; the first line of its docstring is its help."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def main(self, options: argparse.Namespace) -> int: ...


#: subcommand -> its help; the module of the same name has it
COMMANDS: Final = {
    "bisect": "Name the step of a schedule, the pass, or the optimization level that makes a program compute something "
    "else.",
    "check": "Read the programs of files and check that they are well formed.",
    "print": "Print the programs of files in normal form.",
    "fuzz": "Look for bugs of the package itself with random programs; write a script for each that is found.",
    "fmt": "Write the programs of files in normal form, in place; what stands around them is kept.",
    "convert": "Write the programs of files in the spelling of another TVM: 0.17, or the current 0.27.",
    "diff": "Compare the programs of two files by what they mean: renames, moves and changes, shown on the script.",
    "explain": "Explain an error: what it means, a program that has it, and the right one.",
    "reduce": "Make the program of a file, or a trace, as small as it can be while a command still fails on it.",
    "schedule": "Apply a trace, or the schedule() of a script, to the program of a file, and print what comes out.",
    "lower": "Print the program as its target takes it, or what each pass of its pipeline changes.",
    "opt": "Run passes on the program of a file, and print what comes out, or what each of them changes.",
    "passes": "List the passes with a line each, or tell all about one; the options of pass contexts.",
    "explore": "Compile a program and write a page that shows it after every pass, down to assembly.",
    "run": "Compile every function of a file, run it on made inputs, check the answer and time it.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and give its exit code: 0 fine, 1 findings, 2 trouble. Errors are shown without a traceback."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # who read the output has gone: nothing more can be said, not even when Python closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="tvmscript",
        description="Kernels as decorated Python: check, print, format, convert, compare, explain and run them.",
        epilog="Files are read as text and never run, except by `run` and where `--run` is given. "
        "Exit codes: 0 fine, 1 findings, 2 trouble.",
    )
    parser.add_argument("--version", action="version", version=f"tvmscript {tvmscript.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen = next((item for item in arguments if item in COMMANDS), None)
    for name, text in COMMANDS.items():
        subparser = commands.add_parser(name, help=text, description=text)
        if name == chosen:
            _module(name).add_arguments(subparser)
    options = parser.parse_args(arguments)
    try:
        return _module(options.command).main(options)
    except TVMScriptError as error:
        report = Report(options)
        for each in error.errors:
            report.error(each)
        return report.finish()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"error: {error}", file=sys.stderr)
        return TROUBLE


def _module(name: str) -> Command:
    module: Any = importlib.import_module(f"tvmscript.cli.commands.{name}")
    command: Command = module
    return command
