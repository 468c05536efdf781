"""Run a campaign: `python -m tests.campaign --programs 10000 --seed 0`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.campaign.area import AREA, COUNTS
from tvmscript.fuzz.engine import fuzz


def main() -> int:
    """Print what was done and what differs; return 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=AREA.what)
    parser.add_argument("--programs", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for a script of each cause")
    options = parser.parse_args()
    start = time.monotonic()
    tally = fuzz(
        [AREA],
        seed=options.seed,
        examples=options.programs,
        out=options.out,
        told=lambda tally: print(f"{time.monotonic() - start:.0f} s: {tally}", file=sys.stderr, flush=True),
    )
    for name, count in sorted(COUNTS.items(), key=lambda each: -each[1]):
        print(f"{count:8} {name}")
    for failure in tally.failures:
        print(failure.script if failure.path is None else f"{failure.cause}: {failure.path}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
