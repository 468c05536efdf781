"""Programs made for passes: the pass does with them what it is said to do, and has something to do for some."""

from __future__ import annotations

import re

import pytest

from tvmscript.fuzz.passes.programs import MADE_FOR, Given, given_for, make
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.vectors import vectorized_loops
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.transform.registry import pass_modules

#: passes whose laws make what they look at out of the programs: barriers are left out, names defined twice
_BY_LAWS = frozenset({"tir.ConvertSSA", "tir.ThreadSync"})


def _outcome(name: str, given: Given) -> str:
    try:
        before = given.module()
        after = make(name + given.options)(before)
    except IRError:
        return "refused"
    return "taken" if after is before else "changed"


@pytest.mark.parametrize("name", sorted(MADE_FOR))
def test_the_pass_has_something_to_do(name: str) -> None:
    writers = len(MADE_FOR[name])
    seen: set[str] = set()
    for number in range(12 * writers):
        if number >= 3 * writers and seen & {"changed", "refused"}:
            break
        # one of four seeds is for programs of any kind, the writers take turns with the others
        given = given_for(name, 4 * number + 1)
        assert given.outcome == MADE_FOR[name][number % writers].outcome
        found = _outcome(name, given)
        assert given.outcome in ("", found) or (given.outcome, found) == ("taken", "changed")
        seen.add(found)
    assert seen & {"changed", "refused"} or name in _BY_LAWS


def test_made_for_passes_that_there_are() -> None:
    assert set(MADE_FOR) <= set(pass_modules())


def test_ramps_and_loops_from_below_0_are_drawn() -> None:
    vectors = "\n".join(vectorized_loops(seed) for seed in range(1500))
    for form in (r"T\.Ramp\(.*, -1, 4\) // T\.Broadcast", r"T\.truncmod\(T\.Ramp", r"T\.vectorized\(-3"):
        assert re.search(form, vectors), form
    loops = "\n".join(random_program(seed) for seed in range(60))
    for kind in ("serial", "vectorized", "unroll", "parallel"):
        assert f"T.{kind}(-3, " in loops
