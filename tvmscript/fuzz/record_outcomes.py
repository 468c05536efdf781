"""Record the outcomes of areas: `python -m tvmscript.fuzz.record_outcomes [AREA...]`."""

from __future__ import annotations

import sys

from tvmscript.fuzz.areas import NAMES, area
from tvmscript.fuzz.outcomes import Outcomes


def check(name: str, subject: str, number: int) -> None:
    """Check one outcome of an area, for scripts. Raises `OutcomeChanged`."""
    _outcomes(name).check(subject, number)


def _outcomes(name: str) -> Outcomes:
    outcomes = area(name).outcomes
    assert outcomes is not None
    return outcomes


if __name__ == "__main__":
    for each in sys.argv[1:] or (name for name in NAMES if area(name).outcomes is not None):
        _outcomes(each).record(area(each).subject_names)
