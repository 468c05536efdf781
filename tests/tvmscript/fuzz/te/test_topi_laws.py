"""Operators of `topi` compute what NumPy does, and the law sees one that does not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.te import topi_laws
from tvmscript.fuzz.te.topi_laws import FAMILIES, Operators, check_operators


def example(family: str, seed: int) -> Operators:
    rng = random.Random(seed)
    return Operators(family, tuple(rng.randrange(60) for _ in range(12)), seed)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_law_holds(family: str) -> None:
    for seed in range(2):
        check_operators(example(family, seed))


def _check_examples(family: str) -> None:
    for seed in range(40):
        check_operators(example(family, seed))


#: an operator -> the family that draws it, and a mistake: a change of its arguments
WRONG: dict[str, tuple[str, Callable[[list[Any]], list[Any]]]] = {
    "sort": ("sort", lambda args: [*args[:2], not args[2]]),
    "searchsorted": ("search", lambda args: [*args[:2], not args[2], *args[3:]]),
    "non_max_suppression": ("boxes", lambda args: [*args[:5], not args[5], *args[6:]]),
    "resize2d": ("image", lambda args: [*args[:4], "linear" if args[4] == "cubic" else "cubic", *args[5:]]),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_law_sees_a_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family, change = WRONG[name]
    operator = getattr(topi_laws, name)
    monkeypatch.setattr(topi_laws, name, lambda *args: operator(*change(list(args))))
    with pytest.raises(LevelsDisagree, match=f"topi .{family}."):
        _check_examples(family)
