"""Every pass keeps what it promises, with a few random programs; `python -m tests.ir.transform.laws` runs many.

`pytest -m fuzz tests/ir/transform/test_laws.py` runs 500 for each pass.
"""

from __future__ import annotations

import inspect
from functools import cached_property

import pytest

from tests.ir.transform.laws import TARGETS, Count, LawBroken, check, check_all, main
from tvmscript.fuzz.passes.programs import ARGUMENTS, given, make, program, programs
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.context import PassInfo
from tvmscript.ir.transform.functions.apply import Apply
from tvmscript.ir.transform.registry import pass_class, pass_modules
from tvmscript.testing.oracles import commute

#: the same on every Python
pytestmark = pytest.mark.long

NAMES = [*sorted(pass_modules()), *TARGETS]
#: four programs of different kinds and forms
SEEDS = range(0, 24, 7)


def _broken(name: str, seeds: range) -> list[str]:
    ran: list[int] = []
    found = list(check_all([name], seeds, lambda _, count: ran.append(count.programs)))
    assert ran[0] > 0
    return [str(error) for error in found]


@pytest.mark.parametrize("name", NAMES)
def test_laws(name: str) -> None:
    assert _broken(name, SEEDS) == []


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_laws_for_long(name: str) -> None:
    assert _broken(name, range(500)) == []


PAIRS = [(name, other) for name in sorted(pass_modules()) for other in pass_class(name).commutes_with]


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_passes_that_commute(name: str, other: str) -> None:
    changed = 0
    for seeds, form in ((range(8), name), (range(8, 16), other)):
        for made in programs(form, seeds):
            one, two = make(name), make(other)
            commute(one, two, made)
            changed += one(made) is not made and two(made) is not made
    assert changed, "no program that both change"


def test_some_passes_commute() -> None:
    assert len(PAIRS) >= 8
    assert all(name not in pass_class(other).commutes_with for name, other in PAIRS), "said once"


@pytest.mark.parametrize("name", sorted(pass_modules()))
def test_every_pass_can_be_made(name: str) -> None:
    required = [each for each in inspect.signature(pass_class(name)).parameters.values() if each.default is each.empty]
    assert not required or name in ARGUMENTS, "arguments stand in laws.ARGUMENTS"
    assert make(name).info.name == name


class Sloppy(Apply):
    """A pass that claims too much."""

    is_idempotent = True
    is_exact = True

    @cached_property
    def info(self) -> PassInfo:
        return PassInfo(0, "sloppy", text="sloppy")


def _grows(func: PrimFunc) -> PrimFunc:
    """Another attribute in every run."""
    return func.with_attr(f"run{len(func.attrs)}", 1)


def _empties(func: PrimFunc) -> PrimFunc:
    return func.with_body(make("tir.RemoveNoOp")(program(Form.FLAT, 0))["main"].body)


def _spoils(func: PrimFunc) -> PrimFunc:
    func.attrs["broken"] = 1
    return func


@pytest.mark.parametrize(
    ("each", "text"),
    [
        (Sloppy(_grows), "sloppy: a second run changes"),
        (Sloppy(_empties), "sloppy: "),
        (Sloppy(_spoils), "sloppy: its input is another program now"),
    ],
)
def test_laws_that_are_broken_are_found(each: PrimFuncPass, text: str) -> None:
    # a program of its own: one of these passes changes it
    made = given(Form.FLAT, 1).module()
    with pytest.raises(LawBroken, match=text) as caught:
        check(each, made, Count())
    assert "the program:" in str(caught.value)


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-n", "2", "tir.SkipAssert", "tir.Filter"]) == 0
    text = capsys.readouterr().out
    assert "tir.SkipAssert" in text
    assert "2 names, 0 with broken laws: 4 programs, " in text
