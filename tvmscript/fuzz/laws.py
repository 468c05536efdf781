"""Laws that are checked on what a seed draws, and how they fail."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from hypothesis import strategies as st

from tvmscript.fuzz.records.outcomes import Outcomes
from tvmscript.ir.core import TVMScriptError

#: draws what it is about and checks it
Law = Callable[[random.Random], None]

_T = TypeVar("_T")


class LawBroken(TVMScriptError, code="TS8076"):
    """A law of nodes, of values in them, or of an analysis does not hold."""

    message = "{law}: {what} is {actual} and not {expected}"


def require(law: str, what: object, actual: object, expected: object) -> None:
    """Raise `LawBroken` unless two values are equal; `nan` is equal to itself."""
    is_nan = actual != actual and expected != expected
    if not is_nan and (actual != expected or type(actual) is not type(expected)):
        raise LawBroken(law=law, what=what, actual=repr(actual), expected=repr(expected))


def require_refusal(law: str, what: object, refused: type[Exception], call: Callable[[], object]) -> None:
    """Raise `LawBroken` unless a call raises an error of this class."""
    try:
        result = call()
    except refused:
        return
    raise LawBroken(law=law, what=what, actual=repr(result), expected=refused.__name__)


#: edges of what integers are compared with
EDGES: Final = (0, 1, -1, 2, 3, 7, -8, 127, 128, -128, 255, 1 << 15, 1 << 31, -(1 << 31), (1 << 63) - 1)


def some(rng: random.Random, values: list[_T], most: int) -> list[_T]:
    """Draw up to `most` of some values, in their order."""
    count = rng.randint(0, min(most, len(values)))
    places = sorted(rng.sample(range(len(values)), count))
    return [values[place] for place in places]


@dataclass(frozen=True)
class Checks:
    """A law, and the seed of what it is checked with."""

    law: str
    seed: int


class LawTable:
    """Laws by name as an area: strategy, check and script."""

    def __init__(self, module: str, laws: Mapping[str, Law], slow: Collection[str] = ()) -> None:
        #: the module that has the table as LAWS
        self.module = module
        self.laws = laws
        #: laws that take milliseconds are checked once where the others are some times
        self.slow = slow

    def examples(self, only: tuple[str, ...] = ()) -> st.SearchStrategy[Checks]:
        """Draw a law and a seed; `only` restricts the laws."""
        return st.builds(Checks, st.sampled_from(only or [*self.laws]), st.integers(0, 2**32 - 1))

    def check(self, example: Checks) -> None:
        """Raises `LawBroken`."""
        rng = random.Random(example.seed)
        for _ in range(1 if example.law in self.slow else _TIMES):
            self.laws[example.law](rng)

    def outcomes(self, area: str) -> Outcomes:
        """Return the outcomes of what the laws look at."""
        return Outcomes(area, lambda: self.laws, lambda law, rng: self.laws[law](rng), _OUTCOMES, self.slow)

    def write(self, example: Checks) -> str:
        """Write the example as an expression."""
        return f"from tvmscript.fuzz.laws import Checks\nfrom {self.module} import LAWS\n\nLAWS.check({example!r})\n"


_TIMES: Final = 10
#: recorded outcomes of a law, a quarter of them of a slow one
_OUTCOMES: Final = 24
