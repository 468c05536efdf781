"""Fuzz analyses of programs against runs in Python."""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.analysis import access_laws, program_laws, statement_laws
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.laws import LawTable

LAWS: Final = LawTable(
    "tvmscript.fuzz.analysis.area",
    {**access_laws.LAWS, **statement_laws.LAWS, **program_laws.LAWS},
    slow={*access_laws.LAWS, *statement_laws.LAWS, *program_laws.LAWS} - {"scalars"},
)
AREA: Final = Area(
    "analysis", "accesses, races, costs and limits, as runs in Python have them", LAWS.examples, LAWS.check, LAWS.write,
    subjects=Subjects("law", lambda: LAWS.laws, LAWS.examples), outcomes=LAWS.outcomes("analysis"),
)  # fmt: skip
