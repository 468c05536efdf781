"""The command `tvmscript`: one file per subcommand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Protocol

import tvmscript
from tvmscript.cli import run, show
from tvmscript.ir.core.errors import TVMScriptError


class Command(Protocol):
    """A subcommand's module; the first line of its docstring is its help."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def main(self, options: argparse.Namespace) -> int: ...


COMMANDS: dict[str, Command] = {"run": run, "show": show}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; errors of the program are shown with their source, without a traceback."""
    parser = argparse.ArgumentParser(prog="tvmscript", description="Kernels as decorated Python.")
    parser.add_argument("--version", action="version", version=tvmscript.__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        text = (module.__doc__ or "").split("\n")[0]
        module.add_arguments(commands.add_parser(name, help=text, description=text))
    options = parser.parse_args(arguments)
    try:
        return COMMANDS[options.command].main(options)
    except TVMScriptError as error:
        print(error.render(), file=sys.stderr)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
    return 1
