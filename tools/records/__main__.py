"""`python -m tools.records`: record what the package makes of the examples of the fuzzers.

    python -m tools.records                     # record the outcomes anew, where a change of them is intended
    python -m tools.records passes:tir.UnrollLoop arith
    python -m tools.records parser --check      # show those that differ
    python -m tools.records arith --within 0.2  # drop slow ones: others run in their time (Python 3.12 or newer)
    python -m tools.records parser --cost 12 --minutes 2       # choose scripts anew (Python 3.12 or newer)
    python -m tools.records te --cost 12 --tests tests/ir/te   # also of tests, which become sessions
    python -m tools.records te --cost 12 --definitions tests/cases/topi  # files of definitions
    python -m tools.records passes --cost 12 --texts captured/passes-*.jsonl  # of those that plugins of pytest wrote

To choose takes the recorded scripts, and what the options add; without --cost all of these are recorded. Sessions that
are written by a newer Python are recorded again with the oldest, which drops those that it cannot read.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from tools.records.choosing import add, choose, drawn, without_slow
from tools.records.definitions_as_scripts import definition_scripts
from tools.records.tests_as_sessions import sessions
from tvmscript.fuzz.area import Area
from tvmscript.fuzz.areas import NAMES, area
from tvmscript.fuzz.records import scripts


def main() -> int:
    """Record; with --check, return 1 where an outcome differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.records", description=__doc__)
    parser.add_argument("areas", nargs="*", default=[], metavar="AREA")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--drop", action="store_true", help="drop scripts whose outcome differs")
    parser.add_argument("--cost", type=float, metavar="N", help="choose scripts: seconds, and 50,000s of characters")
    parser.add_argument(
        "--within", type=float, metavar="SECONDS", help="drop scripts that take longer, where others reach the same"
    )
    parser.add_argument("--minutes", type=float, default=0.0, metavar="N", help="of what is drawn for so long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--texts", type=Path, nargs="+", default=[], metavar="FILE", help="of scripts, a line each")
    parser.add_argument(
        "--definitions", type=Path, nargs="+", default=[], metavar="FOLDER", help="of definitions of tensor expressions"
    )
    parser.add_argument("--tests", type=Path, nargs="+", default=[], metavar="FOLDER", help="of the tests in a folder")
    options = parser.parse_args()
    count = 0
    for chosen in map(area, options.areas or NAMES):
        name = chosen.whole
        if options.within is not None:
            kept = without_slow(name, options.within)
            print(f"{name}: {len(kept)} scripts")
            scripts.write(name, kept)
        elif options.cost is not None or options.texts or options.tests or options.definitions or options.minutes:
            texts = [json.loads(line) for file in options.texts for line in file.read_text("utf-8").splitlines()]
            candidates = [
                *texts,
                *(script for folder in options.tests for script in sessions(folder)),
                *(script for folder in options.definitions for script in definition_scripts(folder, name)),
                *(drawn(name, options.minutes, options.seed) if options.minutes else ()),
            ]
            scripts.write(
                name, add(name, candidates) if options.cost is None else choose(name, candidates, options.cost)
            )
        else:
            count += _record_scripts(name, options.check, options.drop) + _record_outcomes(chosen, options.check)
    return int(options.check and count > 0)


def _record_scripts(name: str, checks: bool, drops: bool) -> int:
    """Run the scripts of an area and record what is observed; return how many outcomes differ."""
    before = scripts.read(name)
    after = [_recorded(each) if each.can_run else each for each in before]
    differing = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    if before:
        print(f"{name}: {len(differing)} of {len(before)} scripts differ")
    if checks:
        for old, new in differing:
            print(f"{old.script}\n# {old.outcome}\n# {new and new.outcome}")
    elif differing:
        kept = [new for old, new in zip(before, after, strict=True) if new is not None and (old == new or not drops)]
        scripts.write(name, kept)
    return len(differing)


def _recorded(example: scripts.Recorded) -> scripts.Recorded | None:
    """Run an example again; None where a newer Python wrote it and this one cannot read it."""
    try:
        return replace(example, outcome=scripts.outcome_of(example.script))
    except SyntaxError:
        return None


def _record_outcomes(chosen: Area, checks: bool) -> int:
    """Record the outcomes of an area, or of some of its subjects; return how many differ."""
    outcomes = chosen.outcomes
    if outcomes is None:
        return 0
    before = outcomes.recorded
    after = outcomes.run_all(chosen.subject_names)
    differing = {name: marks for name, marks in after.items() if marks != before.get(name)}
    print(f"{chosen.name}: outcomes of {len(differing)} of {len(after)} subjects differ", *sorted(differing))
    if not checks:
        outcomes.write({**before, **after})
    return len(differing)


sys.exit(main())
