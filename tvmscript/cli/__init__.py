"""The command `tvmscript`. Subcommands are modules of `commands/`, loaded when they are used."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final, Protocol, cast

import tvmscript
from tvmscript.cli import execution
from tvmscript.cli.report import TROUBLE, Report
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.core.visible import visible

#: exit codes of shells for processes ended by a signal
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


class Command(Protocol):
    """The module of a subcommand; the first line of its docstring is its help."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def main(self, options: argparse.Namespace) -> int: ...


#: subcommand -> its help, the first docstring line of its module
COMMANDS: Final = {
    "bisect": "Find the schedule step, pass or optimization level that first changes what a program computes.",
    "check": "Check programs of files: well-formed, in bounds, with blocks that state what they do.",
    "race": "Find races between threads, blocks and iterations: proven ones, and those of a run in the interpreter.",
    "print": "Print the programs of files in normal form.",
    "fuzz": "Search for bugs of the package with random programs, and write a reproducing script for each.",
    "fmt": "Rewrite the programs of files in normal form, in place, without touching other code.",
    "convert": "Convert the programs of files to the dialect of TVM 0.17 or 0.27, or a model to a script.",
    "diff": "Compare the programs of two files structurally: show renames, moves and changes on the script.",
    "explain": "Explain an error code, with a wrong and a corrected program.",
    "reduce": "Reduce the program of a file, or a trace, while a command still fails on it.",
    "schedule": "Apply a trace, or the schedule() of a script, to the program of a file, and print the result.",
    "lower": "Print the program lowered for its target, or the change of each pass of the pipeline.",
    "opt": "Run passes on the program of a file, and print the result, or the change of each pass.",
    "passes": "List the passes or the options of pass contexts, or describe one pass.",
    "explore": "Compile a program and write a page with the program after every pass, LLVM IR and assembly.",
    "cache": "List the programs whose machine code is cached, tell why one is compiled again, or remove all.",
    "bench": "Time the kernels of a file, or a model, beside other libraries, and beside what the machine can do.",
    "report": "Write a page about a model: graph, time and bytes of each kernel, roofline, memory plan over time.",
    "run": "Compile every function of a file, or a model, run it on random or given inputs, check and time it.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit code: 0 success, 1 findings, 2 usage or file error."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # the reader of the output has exited: redirect what Python flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="tvmscript",
        description="Check, print, format, convert, compare, explain and run TVMScript programs.",
        epilog=f"{execution.epilog()}\n\nExit codes: 0 success, 1 findings, 2 usage or file error.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tvmscript {tvmscript.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = next((word for word in arguments if word in COMMANDS), None)
    for name, text in COMMANDS.items():
        executed = f"Executes of files: {execution.EXECUTES[name]}."
        subparser = commands.add_parser(name, help=text, description=text, epilog=executed)
        if name == command:
            _module(name).add_arguments(subparser)
    options = parser.parse_args(arguments)
    try:
        return _module(options.command).main(options)
    except TVMScriptError as error:
        report = Report(options)
        for single in error.errors:
            report.error(single)
        return report.finish()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"error: {visible(str(error))}", file=sys.stderr)
        return TROUBLE


def _module(name: str) -> Command:
    return cast(Command, importlib.import_module(f"tvmscript.cli.commands.{name}"))
