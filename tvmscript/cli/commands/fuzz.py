"""Search for bugs of the package with random programs, and write a reproducing script for each."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tvmscript.cli.errors import InvalidOption, Trouble
from tvmscript.cli.import_option import add_import, import_modules
from tvmscript.cli.report import Report
from tvmscript.fuzz.line_coverage import reached_lines, unreached_lines
from tvmscript.ir.core.errors import TVMScriptError, UnknownName, WrongArgumentCount
from tvmscript.ir.transform.registry import get_pass

if TYPE_CHECKING:
    from tvmscript.fuzz.area import Area

#: seconds between two lines of progress outside of terminals
_QUIET = 60


class NeedsHypothesis(Trouble, code="TS8040"):
    """`tvmscript fuzz` needs Hypothesis, which the extra `test` installs."""

    message = "tvmscript fuzz needs Hypothesis"
    advice = 'pip install "tvmscript[test]"'


class BugFound(TVMScriptError, code="TS8045"):
    """`tvmscript fuzz` found a program that the package handles wrongly. The script reproduces the failure."""

    message = "{area}: {cause}{where}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript fuzz`."""
    parser.add_argument(
        "areas",
        nargs="*",
        metavar="AREA[:NAME,...]",
        help="parser, printer, nodes, analysis, arith, schedule, passes, relax, codegen, builds, runtime, te, graphs, "
        "cuda, frontends; default all; schedule:split,fuse tests these primitives, passes:tir.UnrollLoop this pass; "
        "with --import, default the passes of the modules",
    )
    add_import(parser)
    parser.add_argument(
        "--at",
        metavar="FILE:LINE",
        help="restrict the areas to subjects that execute a line, or FILE:FIRST-LAST (Python 3.12 or newer)",
    )
    parser.add_argument("--minutes", type=float, metavar="N", help="minutes to run (default 1, without --examples)")
    parser.add_argument("--examples", type=int, metavar="N", help="number of examples of each area")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the examples (default 0)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for a script of each cause; causes with a script are skipped"
    )
    parser.add_argument(
        "--shares", action="store_true", help="print how many of the tried steps each primitive accepted"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="print the lines that no example reached (Python 3.12 or newer)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Fuzz; return 1 if a bug is found. An interrupt ends the run: what was found until then is reported."""
    if importlib.util.find_spec("hypothesis") is None:
        raise NeedsHypothesis
    # imported late: both need Hypothesis
    engine: Any = importlib.import_module("tvmscript.fuzz.engine")
    areas: Any = importlib.import_module("tvmscript.fuzz.areas")
    minutes = options.minutes
    if minutes is None and options.examples is None:
        minutes = 1.0
    if minutes is not None and minutes <= 0:
        raise InvalidOption(option="--minutes", reason="it must be positive")
    if options.examples is not None and options.examples <= 0:
        raise InvalidOption(option="--examples", reason="it must be positive")
    imported = [name for name in import_modules(options) if _needs_no_arguments(name)]
    default = [f"passes:{','.join(imported)}"] if imported else areas.NAMES
    try:
        selected = [areas.area(name) for name in options.areas or default]
    except UnknownName as error:
        raise InvalidOption(option="AREA", reason=error.text, hint=error.hint) from error
    if options.at is not None:
        selected = _pointed(selected, options)
    if options.coverage and sys.version_info < (3, 12):
        raise InvalidOption(option="--coverage", reason="it needs Python 3.12")
    packages = [package for each in selected for package in areas.SUBJECTS[each.whole]] if options.coverage else []
    report = Report(options)
    progress = _Progress()
    with warnings.catch_warnings(), reached_lines(packages) as reached:
        warnings.simplefilter("ignore", SyntaxWarning)  # Python warns about erroneous texts: `0x1for 1`
        tally, is_interrupted = engine.Tally(), False
        try:
            engine.fuzz(
                selected,
                seed=options.seed,
                minutes=minutes,
                examples=options.examples,
                out=options.out,
                told=progress,
                tally=tally,
            )
        except KeyboardInterrupt:
            is_interrupted = True
    progress.end(tally)
    for failure in tally.failures:
        where = f"\n{failure.script}" if failure.path is None else f", see {failure.path}"
        report.error(BugFound(area=failure.area, cause=failure.cause, where=where))
    report.facts = {"examples": tally.examples, "passed_over": tally.passed_over}
    if options.shares:
        shares = _shares(selected)
        report.facts["accepted"] = shares
        if not options.json:
            for name, (accepted, tried) in sorted(shares.items(), key=lambda each: each[1][0] / each[1][1]):
                print(f"{name:24}{accepted:7} of {tried:7}")
    if packages:
        files = unreached_lines(packages, reached)
        report.facts["unreached"] = {str(each.file): each.unreached for each in files}
        if not options.json:
            print(*files, sep="\n")
    code = report.finish()
    if is_interrupted:
        raise KeyboardInterrupt
    return code


def _pointed(areas: Sequence[Area], options: argparse.Namespace) -> list[Area]:
    """Return the areas, pointed at a place. Raises `InvalidOption`."""
    if sys.version_info < (3, 12):
        raise InvalidOption(option="--at", reason="it needs Python 3.12")
    pointing: Any = importlib.import_module("tvmscript.fuzz.pointing")  # needs Hypothesis
    try:
        pointed: list[Area] = pointing.areas_at(areas, options.at, options.seed)
    except ValueError as error:
        raise InvalidOption(option="--at", reason="it is a file and a line, such as ir/tir/expr.py:20") from error
    return pointed


def _shares(areas: Sequence[Area]) -> dict[str, tuple[int, int]]:
    """Return for each subject how often it was accepted and tried."""
    return {
        name: counts
        for area in areas
        if area.subjects is not None and area.subjects.accepted is not None
        for name, counts in area.subjects.accepted().items()
        if counts[1]
    }


def _needs_no_arguments(name: str) -> bool:
    try:
        get_pass(name)
    except WrongArgumentCount:
        return False
    return True


class _Progress:
    """Progress on stderr: a line that is overwritten, or a line a minute if stderr is no terminal."""

    def __init__(self) -> None:
        self.start = self.last_line = time.monotonic()

    def __call__(self, tally: object) -> None:
        now = time.monotonic()
        if sys.stderr.isatty():
            print(f"\r\033[K{self._line(tally)}", end="", file=sys.stderr, flush=True)
        elif now - self.last_line >= _QUIET:
            self.last_line = now
            print(self._line(tally), file=sys.stderr, flush=True)

    def end(self, tally: object) -> None:
        """Print the last line."""
        print(("\r\033[K" if sys.stderr.isatty() else "") + self._line(tally), file=sys.stderr)

    def _line(self, tally: object) -> str:
        return f"{time.monotonic() - self.start:.0f} s: {tally}"
