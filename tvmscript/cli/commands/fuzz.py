"""Look for bugs of the package itself with random programs; write a script for each that is found."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from tvmscript.cli.errors import InvalidOption, Trouble
from tvmscript.cli.report import Report
from tvmscript.ir.core.errors import TVMScriptError, UnknownName

#: seconds between two lines of progress where nobody looks at the terminal
_QUIET = 60


class NeedsHypothesis(Trouble):
    """`tvmscript fuzz` draws programs with Hypothesis, which comes with the extra `test`."""

    code = "TS8040"
    message = "tvmscript fuzz needs Hypothesis"
    advice = 'pip install "tvmscript[test]"'


class BugFound(TVMScriptError):
    """`tvmscript fuzz` found a program that the package gets wrong. The script fails by itself with the same cause."""

    code = "TS8045"
    message = "{area}: {cause}{where}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript fuzz` takes."""
    parser.add_argument(
        "areas",
        nargs="*",
        metavar="AREA[:NAME,...]",
        help="parser, printer, arith, schedule, passes, relax, codegen; default all; "
        "schedule:split,fuse is about these primitives, passes:tir.UnrollLoop about this pass",
    )
    parser.add_argument("--minutes", type=float, metavar="N", help="how long (default 1, where no examples are given)")
    parser.add_argument("--examples", type=int, metavar="N", help="stop after so many examples of each area")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same draws the same examples (default 0)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write a script for each cause; causes there are passed over"
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def main(options: argparse.Namespace) -> int:
    """Fuzz; 1 where something was found."""
    if importlib.util.find_spec("hypothesis") is None:
        raise NeedsHypothesis
    # not earlier: both need Hypothesis
    engine: Any = importlib.import_module("tvmscript.fuzz.engine")
    areas: Any = importlib.import_module("tvmscript.fuzz.areas")
    minutes = options.minutes
    if minutes is None and options.examples is None:
        minutes = 1.0
    if minutes is not None and minutes <= 0:
        raise InvalidOption(option="--minutes", reason="it has to be more than 0")
    if options.examples is not None and options.examples <= 0:
        raise InvalidOption(option="--examples", reason="it has to be more than 0")
    try:
        chosen = [areas.area(name) for name in options.areas or areas.NAMES]
    except UnknownName as error:
        raise InvalidOption(option="AREA", reason=error.text, hint=error.hint) from error
    report = Report(options)
    progress = _Progress()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # Python's own, of texts with faults in them: `0x1for 1`
        tally = engine.fuzz(
            chosen,
            seed=options.seed,
            minutes=minutes,
            examples=options.examples,
            out=options.out,
            told=progress,
        )
    progress.end(tally)
    for each in tally.failures:
        where = f"\n{each.script}" if each.path is None else f", see {each.path}"
        report.error(BugFound(area=each.area, cause=each.cause, where=where))
    report.facts = {"examples": tally.examples, "passed_over": tally.passed_over}
    return report.finish()


class _Progress:
    """A line on stderr that is written anew, or now and then a line where stderr is no terminal."""

    def __init__(self) -> None:
        self.started = self.told = time.monotonic()

    def __call__(self, tally: Any) -> None:
        now = time.monotonic()
        if sys.stderr.isatty():
            print(f"\r\033[K{self._line(tally)}", end="", file=sys.stderr, flush=True)
        elif now - self.told >= _QUIET:
            self.told = now
            print(self._line(tally), file=sys.stderr, flush=True)

    def end(self, tally: Any) -> None:
        """The last line."""
        print(("\r\033[K" if sys.stderr.isatty() else "") + self._line(tally), file=sys.stderr)

    def _line(self, tally: Any) -> str:
        return f"{time.monotonic() - self.started:.0f} s: {tally}"
