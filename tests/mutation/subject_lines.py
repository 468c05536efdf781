"""Runs inside of a copy of the package: `python subject_lines.py AREA` prints what its subjects execute, as JSON.

The result is subject -> file, from the root of the copy -> lines.
"""

from __future__ import annotations

import json
import os
import sys

from tvmscript.fuzz.areas import area
from tvmscript.fuzz.pointing import subject_lines


def main(name: str) -> None:
    root = os.path.realpath(".")
    executed = {
        subject: {os.path.relpath(file, root): sorted(numbers) for file, numbers in lines.items()}
        for subject, lines in subject_lines(area(name)).items()
    }
    print(json.dumps(executed))


main(*sys.argv[1:])
