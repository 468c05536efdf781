"""What a law of nodes is, and how it fails."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, TypeVar

from tvmscript.ir.core import TVMScriptError

#: draws what it is about and checks it
Law = Callable[[random.Random], None]

_T = TypeVar("_T")


class NodeLawBroken(TVMScriptError, code="TS8076"):
    """A law of nodes or of the values in them does not hold."""

    message = "{law}: {what} is {actual} and not {expected}"


def require(law: str, what: object, actual: object, expected: object) -> None:
    """Raise `NodeLawBroken` unless two values are equal; `nan` is equal to itself."""
    is_nan = actual != actual and expected != expected
    if not is_nan and (actual != expected or type(actual) is not type(expected)):
        raise NodeLawBroken(law=law, what=what, actual=repr(actual), expected=repr(expected))


def require_refusal(law: str, what: object, refused: type[Exception], call: Callable[[], object]) -> None:
    """Raise `NodeLawBroken` unless a call raises an error of this class."""
    try:
        result = call()
    except refused:
        return
    raise NodeLawBroken(law=law, what=what, actual=repr(result), expected=refused.__name__)


#: edges of what integers are compared with
EDGES: Final = (0, 1, -1, 2, 3, 7, -8, 127, 128, -128, 255, 1 << 15, 1 << 31, -(1 << 31), (1 << 63) - 1)


def some(rng: random.Random, values: list[_T], most: int) -> list[_T]:
    """Draw up to `most` of some values, in their order."""
    count = rng.randint(0, min(most, len(values)))
    places = sorted(rng.sample(range(len(values)), count))
    return [values[place] for place in places]
