"""Simplified expressions have the value of the original wherever the original has one."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.base import Expr
from tvmscript.testing.arithmetic import RANGES, analyzer, conditions, numbers

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
