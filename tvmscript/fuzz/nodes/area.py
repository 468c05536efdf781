"""Fuzz the nodes of programs and the values in them against Python, NumPy, and each other."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.nodes import access_laws, builder_laws, number_laws, program_laws, text_laws
from tvmscript.fuzz.nodes.laws import Law

LAWS: Final[dict[str, Law]] = {
    **number_laws.LAWS, **access_laws.LAWS, **program_laws.LAWS, **text_laws.LAWS, **builder_laws.LAWS,
}  # fmt: skip
#: laws that take milliseconds are checked once where the others are some times
_SLOW: Final = frozenset(program_laws.LAWS) - {"modules", "names", "free_variables"}
_TIMES: Final = 10


@dataclass(frozen=True)
class Checks:
    """A law, and the seed of what it is checked with."""

    law: str
    seed: int


def examples(only: tuple[str, ...] = ()) -> st.SearchStrategy[Checks]:
    """Draw a law and a seed; `only` restricts the laws."""
    return st.builds(Checks, st.sampled_from(only or [*LAWS]), st.integers(0, 2**32 - 1))


def check(example: Checks) -> None:
    """Raises `NodeLawBroken`."""
    rng = random.Random(example.seed)
    for _ in range(1 if example.law in _SLOW else _TIMES):
        LAWS[example.law](rng)


def write(example: Checks) -> str:
    """Write the example as an expression."""
    return f"from tvmscript.fuzz.nodes.area import Checks, check\n\ncheck({example!r})\n"


AREA: Final = Area(
    "nodes", "nodes of programs, and the values in them", examples, check, write, batch=100,
    subjects=Subjects("law", lambda: LAWS, examples),
)  # fmt: skip
