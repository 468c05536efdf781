"""`python -m tools.corpora`: record what the package makes of the recorded examples of the fuzzers.

    python -m tools.corpora                     # record the outcomes anew, where a change of them is intended
    python -m tools.corpora parser --check      # show those that differ
    python -m tools.corpora parser --minutes 2  # choose other examples (Python 3.12 or newer)

Examples that execute no line that the earlier ones do not are not chosen.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from tools.corpora.choosing import choose
from tvmscript.fuzz import corpora
from tvmscript.fuzz.areas import NAMES


def main() -> int:
    """Record; with --check, return 1 where an outcome differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.corpora", description=__doc__)
    parser.add_argument("areas", nargs="*", choices=[[], *NAMES], default=[], metavar="AREA")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--drop", action="store_true", help="drop examples whose outcome differs")
    parser.add_argument("--minutes", type=float, metavar="N", help="choose examples for so long, of the processor")
    parser.add_argument("--rounds", type=int, default=2, metavar="N", help="how often each line is executed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--texts", type=Path, metavar="FILE", help="scripts to choose from, too: a list in JSON")
    options = parser.parse_args()
    status = 0
    for area in options.areas or [name for name in NAMES if corpora.read(name)]:
        if options.minutes is not None:
            corpora.write(area, choose(area, options.minutes, options.rounds, options.seed, options.texts))
            continue
        before = corpora.read(area)
        after = [replace(each, outcome=corpora.outcome_of(each.script)) if each.can_run else each for each in before]
        differing = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        status |= bool(differing)
        print(f"{area}: {len(differing)} of {len(before)} differ")
        if options.check:
            for old, new in differing:
                print(f"{old.script}\n# {old.outcome}\n# {new.outcome}")
        elif options.drop:
            corpora.write(area, [new for old, new in zip(before, after, strict=True) if old == new])
        else:
            corpora.write(area, after)
    return status if options.check else 0


sys.exit(main())
