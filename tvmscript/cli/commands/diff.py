"""Compare the programs of two files structurally: show renames, moves and changes on the script.

Exit codes: 0 structurally equal, 1 different, 2 trouble. With `--git` it is git's external diff driver: see
grammar_docs/diff.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Final

from tvmscript.cli import git_diff_driver
from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.named_programs import ABSENT, compare, pairs_of_files, programs_of
from tvmscript.cli.report import FINDINGS, TROUBLE, Report
from tvmscript.differ import Diff
from tvmscript.differ.to_html import render_page
from tvmscript.ir.core import TVMScriptError
from tvmscript.parser.programs import Program

#: arguments of git: path, old file, its hash and mode, new file, its hash and mode; two more for renamed files
_GIT_ARGUMENTS: Final = (7, 9)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript diff`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="two files, or - for standard input; FILE:NAME is one program of a file; or two folders",
    )
    parser.add_argument("-U", "--context", type=int, default=3, metavar="N", help="lines around changes, default 3")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default auto")
    parser.add_argument("--names", action="store_true", help="exit with 1 if only names differ")
    parser.add_argument("--run", action="store_true", help="execute Python files whose programs capture Python values")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write an HTML page with both sides")
    parser.add_argument("--json", action="store_true", help="print changes and patch as JSON, for Diff.from_json")
    parser.add_argument("--git", action="store_true", help="take the seven arguments of git's external diff")


def main(options: argparse.Namespace) -> int:
    """Print the differences; return 1 if there are any."""
    if options.context < 0:
        raise InvalidOption(option="--context", reason="a number of lines is 0 or more")
    if options.git:
        if len(options.paths) != 1 and len(options.paths) not in _GIT_ARGUMENTS:
            raise InvalidOption(option="--git", reason=f"git gives 7 arguments, not {len(options.paths)}")
        return git_diff_driver.external_diff(options.paths, _has_color(options.color), options.context)
    report = Report(options)
    if len(options.paths) != 2:
        raise InvalidOption(option="diff", reason=f"two files are compared, not {len(options.paths)}")
    old, new = options.paths
    pairs = pairs_of_files(Path(old), Path(new)) if Path(old).is_dir() and Path(new).is_dir() else [(old, new)]
    diffs: list[Diff] = []
    for names in pairs:
        sides: list[dict[str, Program]] = []
        for path in names:
            try:
                sides.append(programs_of(path, options.run) if path != ABSENT else {})
            except TVMScriptError as error:
                for single in error.errors:
                    report.error(single, path)
                report.exit_code = TROUBLE
        if len(sides) == 2:
            diffs += compare(sides[0], sides[1], names)
    if report.exit_code == TROUBLE:
        return report.finish()
    if any(diffs) or (options.names and any(difference.changes for difference in diffs)):
        report.exit_code = FINDINGS
    if options.html is not None:
        write(options.html, _page(diffs, (old, new)))
    report.facts = {"diffs": [json.loads(difference.json()) for difference in diffs]}
    color = _has_color(options.color)
    texts = [difference.text(color, options.context) for difference in diffs if difference.changes]
    if texts and options.html is None:
        report.line("\n".join(texts))
    return report.finish()


def _page(diffs: list[Diff], names: tuple[str, str]) -> str:
    rows = [row for difference in diffs for row in difference.rows]
    notes = [note for difference in diffs for note in difference.notes()]
    return render_page(
        rows,
        diffs[0].names if len(diffs) == 1 else names,
        notes,
        "; ".join(difference.summary() for difference in diffs),
    )


def _has_color(choice: str) -> bool:
    """Whether to print colours: on terminals, and in the pager of git."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() or os.environ.get("GIT_PAGER_IN_USE") == "true"
