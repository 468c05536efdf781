"""Print the programs of a file in normal form."""

from __future__ import annotations

import argparse
from pathlib import Path

from tvmscript.cli.load import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript show` takes."""
    parser.add_argument("file", type=Path)


def main(options: argparse.Namespace) -> int:
    """Print every program of the file."""
    for program in load(options.file).programs.values():
        program.show()
    return 0
