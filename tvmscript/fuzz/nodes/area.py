"""Fuzz the nodes of programs and the values in them against Python, NumPy, and each other."""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.laws import LawTable
from tvmscript.fuzz.nodes import access_laws, builder_laws, number_laws, program_laws, text_laws

LAWS: Final = LawTable(
    "tvmscript.fuzz.nodes.area",
    {**number_laws.LAWS, **access_laws.LAWS, **program_laws.LAWS, **text_laws.LAWS, **builder_laws.LAWS},
    slow={*program_laws.LAWS} - {"modules", "names", "free_variables"},
)
AREA: Final = Area(
    "nodes", "nodes of programs, and the values in them", LAWS.examples, LAWS.check, LAWS.write, batch=100,
    subjects=Subjects("law", lambda: LAWS.laws, LAWS.examples), outcomes=LAWS.outcomes("nodes"),
)  # fmt: skip
