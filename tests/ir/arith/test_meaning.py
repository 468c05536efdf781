"""Simplified expressions have the value of the original wherever the original has one."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ir.arith.reference import Undefined, evaluate
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.intrin.bits import bitwise_and, shift_left, shift_right
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.var import Var

FIRST, SECOND, FREE = (Var(name, "int32") for name in "ijk")
#: i and j are loop variables, k is anything
RANGES = {FIRST: range(12), SECOND: range(-3, 5), FREE: range(-17, 18)}
DIVISORS = (-8, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12)


def analyzer() -> Analyzer:
    """The facts that the grid obeys."""
    made = Analyzer()
    for var in (FIRST, SECOND):
        values = RANGES[var]
        made.bind(var, e.Range(e.IntImm(INT32, values.start), e.IntImm(INT32, len(values))))
    return made


def const(value: int) -> e.IntImm:
    return e.IntImm(INT32, value)


def numbers(depth: int) -> st.SearchStrategy[Expr]:
    """Integer expressions of i, j and k."""
    leaf: st.SearchStrategy[Expr] = st.one_of(
        st.sampled_from([FIRST, SECOND, FREE]), st.builds(const, st.integers(-20, 20))
    )
    if depth == 0:
        return leaf
    inner = numbers(depth - 1)
    divisor = st.one_of(st.builds(const, st.sampled_from(DIVISORS)), inner)
    power = st.builds(const, st.integers(0, 4))
    return st.one_of(
        leaf,
        st.builds(e.Add, inner, inner),
        st.builds(e.Sub, inner, inner),
        st.builds(e.Mul, inner, st.builds(const, st.integers(-8, 8))),
        st.builds(e.Mul, inner, inner),
        st.builds(e.Min, inner, inner),
        st.builds(e.Max, inner, inner),
        *[st.builds(cls, inner, divisor) for cls in (e.FloorDiv, e.FloorMod, e.Div, e.Mod)],
        *[st.builds(cls, inner, divisor) for cls in (e.FloorDiv, e.FloorMod)],
        st.builds(e.Select, conditions(depth - 1), inner, inner),
        st.builds(if_then_else_, conditions(depth - 1), inner, inner),
        st.builds(shift_left, inner, power),
        st.builds(shift_right, inner, power),
        st.builds(bitwise_and, inner, st.builds(const, st.sampled_from([1, 3, 7, 6]))),
    )


def conditions(depth: int) -> st.SearchStrategy[Expr]:
    """Comparisons and what connects them."""
    inner = numbers(depth)
    compare: list[Callable[[Expr, Expr], Expr]] = [e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE]
    simple = st.one_of(*[st.builds(cls, inner, inner) for cls in compare])
    if depth == 0:
        return simple
    deeper = conditions(depth - 1)
    return st.one_of(
        simple, st.builds(e.And, deeper, deeper), st.builds(e.Or, deeper, deeper), st.builds(e.Not, deeper)
    )


SAMPLE = random.Random(0).sample(list(itertools.product(*RANGES.values())), 60)
#: points compared, and points where the original divides by zero
COUNTS: Counter[str] = Counter()


def agree(original: Expr, simplified: Expr, holds: Expr | None = None) -> None:
    """Both have the same value at each point of the grid where the original has one (and a condition holds)."""
    for point in SAMPLE:
        values = dict(zip(RANGES, point, strict=True))
        try:
            if holds is not None and not evaluate(holds, values):
                continue
            expected = evaluate(original, values)
        except Undefined:
            COUNTS["undefined"] += 1
            continue
        COUNTS["compared"] += 1
        assert evaluate(simplified, values) == expected, f"{original} became {simplified} at {point}"


PROPERTY = settings(max_examples=600)


@PROPERTY
@given(st.one_of(numbers(3), conditions(2)))
def test_simplified_has_the_same_value(original: Expr) -> None:
    facts = analyzer()
    simplified = facts.simplify(original)
    agree(original, simplified)


@PROPERTY
@given(conditions(1), st.one_of(numbers(2), conditions(1)), st.booleans())
def test_under_a_condition(condition: Expr, original: Expr, holds: bool) -> None:
    facts = analyzer()
    assumed = condition if holds else e.Not(condition)
    with facts.constraint(condition, holds):
        simplified = facts.simplify(original)
    agree(original, simplified, assumed)
    # the condition is forgotten afterwards
    agree(original, facts.simplify(original))


@PROPERTY
@given(numbers(2))
def test_bounds_and_residues_hold(original: Expr) -> None:
    facts = analyzer()
    low, high = facts.const_bounds(original)
    factor, base = facts.modular(original)
    for point in SAMPLE:
        values = dict(zip(RANGES, point, strict=True))
        try:
            value = evaluate(original, values)
        except Undefined:
            continue
        assert low is None or low <= value
        assert high is None or value <= high
        assert value == base if factor == 0 else value % factor == base


@PROPERTY
@given(st.one_of(numbers(3), conditions(2)))
def test_simplifying_again_keeps_the_value(original: Expr) -> None:
    facts = analyzer()
    once = facts.simplify(original)
    twice = facts.simplify(once)
    agree(once, twice)


@pytest.fixture(scope="module", autouse=True)
def _count() -> object:
    yield
    print(f"simplification: {COUNTS['compared']} values compared, {COUNTS['undefined']} undefined")
