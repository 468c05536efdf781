"""Runs inside of a copy of the package: `python look.py SEED MINUTES AREA...` prints what was found first, as JSON.

Minutes are those of the processor: other processes do not count. What does not end by itself is ended 30 seconds later.
What machine code runs is written into the folder `found` first: where it ends the process, that is left behind.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from tvmscript.fuzz.areas import area
from tvmscript.fuzz.engine import fuzz

_GRACE = 30
FOUND = "found"


def main(seed: str, minutes: str, *names: str) -> None:
    print("started", flush=True)
    began = time.process_time()
    most = int(began + 60 * float(minutes)) + _GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    tally = fuzz(
        [area(name) for name in names],
        seed=int(seed),
        minutes=float(minutes),
        out=Path(FOUND),
        ends_at_first=True,
        clock=time.process_time,
    )
    causes = [f"{each.area}: {each.cause}" for each in tally.failures]
    facts = {"seconds": time.process_time() - began, "causes": causes, "examples": sum(tally.examples.values())}
    print(json.dumps({**facts, "reports": [each.script for each in tally.failures]}))


main(*sys.argv[1:])
