"""Registry of expansions: functions of `Lanes` and values that compute an intrinsic, by their own names."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tvmscript.backends.llvm.context import Body

B = TypeVar("B", bound=Body)


class Expansion(NamedTuple):
    """A function that computes an intrinsic; `in_double`: float32 is computed in double, too."""

    body: Body
    in_double: bool


#: name of the function -> expansion; `math.<name>` in an intrinsic's entry
EXPANSIONS: dict[str, Expansion] = {}


def expansion(*, in_double: bool = False) -> Callable[[B], B]:
    """Register a function as the expansion of its name."""

    def register(body: B) -> B:
        EXPANSIONS[body.__name__] = Expansion(body, in_double)
        return body

    return register
