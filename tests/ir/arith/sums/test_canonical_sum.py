"""Invariants of sums while expressions are simplified."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given, settings

import tvmscript
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.sums.linear_form import Atom, Linear
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.base import Expr
from tvmscript.testing.arithmetic import analyzer, numbers


@settings(max_examples=400)
@given(numbers(3))
def test_coefficients_are_not_zero(original: Expr) -> None:
    """A term that vanishes is no term: bounds of differences recurse on what is left."""
    coefficients: set[int] = set()
    initialize = Linear.__init__

    def record(self: Linear, terms: dict[Atom, int], const: int) -> None:
        coefficients.update(terms.values())
        initialize(self, terms, const)

    with mock.patch.object(Linear, "__init__", record):
        analyzer().simplify(original)
    assert 0 not in coefficients


def test_remainder_of_a_remainder_by_another_divisor() -> None:
    """The multiples of the outer divisor kept coefficients of zero, and their bounds had no end."""
    facts = Analyzer()
    x, y = e.Var("x", "int32"), e.Var("y", "int32")
    for var in (x, y):
        facts.bind(var, e.Range(0, 8))
    twelve, two = e.IntImm("int32", 12), e.IntImm("int32", 2)
    inner = e.FloorMod(e.FloorDiv(x, e.IntImm("int32", -1)), twelve) + y * x
    simplified = facts.simplify(e.FloorMod(x - e.Mod(inner, twelve), two))
    assert str(simplified) == "(x - (y * x + x // -1 % 12) % 12) % 2"


@pytest.mark.parametrize(
    ("text", "simplified"),
    [
        ("x * 9 // 8", "x"),
        ("(x * 9 + 3) // 8", "x"),
        ("y * 9 // 8", "y - 1"),
        ("(y * 9 - 4) // 8", "y - 1"),
        ("y // 8", "-1"),
        ("(y + 24) // 8", "2"),
        ("z * 9 // 8", "z * 9 // 8"),
        ("(y * 9 + 3) // 8", "(y * 9 + 3) // 8"),
        ("x * 9 % 8", "x"),
        ("y * 9 % 8", "y + 8"),
        ("(y * 9 - 4) % 8", "y + 4"),
        ("(x * 9 + y * 8 - 13) % 8", "x + 3"),
        ("z * 9 % 8", "z % 8"),
    ],
)
def test_quotients_of_small_sums(text: str, simplified: str) -> None:
    """x is from 0 to 3, y from -4 to -1, z from -2 to 2."""
    facts = Analyzer()
    x, y, z = (e.Var(name, "int32") for name in "xyz")
    for var, first, count in ((x, 0, 4), (y, -4, 4), (z, -2, 5)):
        facts.bind(var, e.Range.from_min_extent(e.IntImm("int32", first), e.IntImm("int32", count)))
    assert str(facts.simplify(eval(text, {"x": x, "y": y, "z": z}))) == simplified


@pytest.mark.parametrize(
    ("text", "simplified"),
    [
        ("T.min(x + 1, y + 1) - T.min(x, y)", "1"),
        ("T.min(x + 1, y + 2) - T.min(y + 1, x)", "1"),
        ("T.min(A[0] + 1, y + 2) - T.min(y + 1, A[0])", "T.min(A[0] + 1, y + 2) - T.min(y + 1, A[0])"),
        ("T.min(x, y) - T.min(x + 1, y + 3)", "T.min(x, y) - T.min(x + 1, y + 3)"),
        ("T.min(x + 1, y + 2) - T.min(y + 1, x) + A[0] % 4", "T.min(x + 1, y + 2) + A[0] % 4 - T.min(y + 1, x)"),
        ("T.min(A[0], y) + T.max(y, A[0])", "A[0] + y"),
    ],
)
def test_differences_of_choices_have_no_data(text: str, simplified: str) -> None:
    """As in TVM, where arithmetic of what is loaded stays."""
    func = tvmscript.from_source(
        f'@T.prim_func\ndef main(A: T.Buffer((8,), "int32"), x: T.int32, y: T.int32):\n    T.evaluate({text})\n'
    )
    assert isinstance(func, tvmscript.PrimFunc)
    assert isinstance(func.body, tvmscript.tir.Evaluate)
    assert Analyzer().simplify(func.body.value).script() == simplified
