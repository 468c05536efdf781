"""The option `--import`: Python modules that define passes, for `opt`, `bisect` and `fuzz`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tvmscript.cli.errors import InvalidOption
from tvmscript.ir.core import IRError
from tvmscript.ir.transform.user_passes import import_passes


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="a Python module or file that defines passes, which is executed",
    )


def import_modules(options: argparse.Namespace) -> list[str]:
    """Execute the modules of the option and return the names of their passes. Raises `InvalidOption`.

    Modules are searched in the current folder too, as with `python -m`.
    """
    names: list[str] = []
    folder = str(Path.cwd())
    for source in options.imports:
        sys.path.insert(0, folder)
        try:
            names += import_passes(source)
        except IRError as error:
            raise InvalidOption(option="--import", reason=error.text, hint=error.hint) from error
        finally:
            sys.path.remove(folder)
    return names
