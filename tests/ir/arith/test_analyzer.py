"""Operands of `Analyzer`: numbers are constants and iterators their variables, as in TVM; others are errors."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, trunc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ir.arith.test_rules import NAMES, read
from tvmscript.arith import Analyzer, ConstIntBound, Extension, IntSet, ModularSet, detect_clip_bound
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import And, Expr, Or, Var, as_expr
from tvmscript.ir.tir.expr import Div, FloorDiv, IntImm, IterKind, IterVar, Range

FIRST, FREE = NAMES["i"], NAMES["k"]
ITERATOR = IterVar(Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 4)), FIRST, IterKind.DATA_PAR)


def test_numbers_are_constants() -> None:
    facts = Analyzer()
    for simplify in (facts.simplify, facts.rewrite_simplify, facts.canonical_simplify):
        assert simplify(5).script() == "5"
        assert simplify(2**40).dtype == "int64"
        assert simplify(2.5).script() == "T.float32(2.5)"
        assert simplify(True).script() == "T.bool(True)"
    assert facts.simplify(5, steps=0).script() == "5"
    assert facts.can_prove(True)
    assert facts.can_prove(1)
    assert not facts.can_prove(False)
    assert not facts.can_prove(0)
    assert facts.const_int_bound(5) == ConstIntBound(5, 5)
    assert facts.const_int_bound(True) == ConstIntBound(1, 1)
    assert facts.modular_set(5) == ModularSet(0, 5)
    assert str(facts.int_set(5)) == str(facts.int_set(5, {})) == str(IntSet.vector(5)) == "IntervalSet[5, 5]"
    assert facts.can_prove_equal(5, 5)
    assert facts.can_prove_greater_equal(5, 4)
    assert facts.can_prove_less(4, 5)
    assert not facts.can_prove_less(5, 5)
    with facts.constraint(True), facts.constraint_scope(1):
        assert not facts.can_prove(FIRST < 3)
    facts.bind(FREE, 5)
    assert facts.simplify(FREE + 1).script() == "6"
    assert detect_clip_bound(read("T.bool(True)"), [FIRST]) == []


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint64", "bool"])
def test_constants_of_any_dtype(dtype: str) -> None:
    facts, one = Analyzer(), IntImm(dtype, 1)
    assert facts.const_int_bound(one) == ConstIntBound(1, 1)
    assert facts.modular_set(one) == ModularSet(0, 1)


def test_iterators_are_their_variables() -> None:
    facts = Analyzer()
    facts.bind(FIRST, ITERATOR.dom or 0)
    assert facts.simplify(ITERATOR) is FIRST
    assert facts.const_int_bound(ITERATOR) == ConstIntBound(0, 3)
    assert facts.can_prove_less(ITERATOR, 4)
    assert facts.can_prove_equal(ITERATOR, FIRST)


ENTRIES: dict[str, Callable[[Analyzer, Any], object]] = {
    "simplify": Analyzer.simplify,
    "rewrite_simplify": Analyzer.rewrite_simplify,
    "canonical_simplify": Analyzer.canonical_simplify,
    "can_prove": Analyzer.can_prove,
    "can_prove_equal": lambda facts, value: facts.can_prove_equal(value, 5),
    "can_prove_less": lambda facts, value: facts.can_prove_less(5, value),
    "can_prove_greater_equal": lambda facts, value: facts.can_prove_greater_equal(value, 5),
    "const_int_bound": Analyzer.const_int_bound,
    "modular_set": Analyzer.modular_set,
    "int_set": Analyzer.int_set,
    "bind": lambda facts, value: facts.bind(FREE, value),
    "constraint_scope": lambda facts, value: facts.constraint_scope(value).__enter__(),
}


@pytest.mark.parametrize("value", ["x", None, [1, 2]])
@pytest.mark.parametrize("entry", ENTRIES)
def test_anything_else_is_no_expression(entry: str, value: object) -> None:
    with pytest.raises(WrongType, match="an analyzer takes a number or an expression, but got"):
        ENTRIES[entry](Analyzer(), value)


def test_what_is_bound_is_a_variable() -> None:
    with pytest.raises(WrongType, match=r"Analyzer\.bind takes a variable, but got 5"):
        Analyzer().bind(5, 5)  # type: ignore[arg-type]


def test_answers_follow_facts_that_change_between_questions() -> None:
    analyzer, n, m = Analyzer(), Var("n", "int32"), Var("m", "int32")
    bound = n * 4 + m

    def answers() -> tuple[bool, bool, Expr]:
        return analyzer.can_prove(bound >= 0), analyzer.can_prove(bound < 100), analyzer.simplify(n * 2 - n)

    assert answers()[:2] == (False, False)
    analyzer.bind_bounds(n, 0, 9)
    analyzer.bind_bounds(m, 0, 3)
    assert answers()[:2] == (True, True)
    analyzer.bind_bounds(n, -5, 30)
    assert answers()[:2] == (False, False)
    with analyzer.constraint(n >= 0):
        assert answers()[:2] == (True, False)
        with analyzer.constraint(n < 20):
            assert answers()[:2] == (True, True)
        assert answers()[:2] == (True, False)
    assert answers()[:2] == (False, False)
    with analyzer.constraint(m >= 0):
        analyzer.bind_bounds(n, 0, 9)
        assert answers()[0]
    assert answers()[0]
    analyzer.bind(n, as_expr(7), allow_override=True)
    assert structural_equal(answers()[2], as_expr(7))


def test_questions_of_a_kind_share_what_they_need() -> None:
    """What is known of parts stays between questions, unless a question is about atoms of its own."""
    analyzer, n = Analyzer(), Var("n", "int32")
    analyzer.bind(n, Range.from_extent(as_expr(8)))
    part = n * 4 + 3
    analyzer.simplify(part * 2)
    caches = analyzer.simplifier.sums.caches
    assert caches.nodes
    analyzer.simplify(part * 5)
    assert analyzer.simplifier.sums.caches is caches
    analyzer.simplify(part // 5)
    assert analyzer.simplifier.sums.caches is not caches


@pytest.mark.parametrize(("divide", "quotient"), [(FloorDiv, floor), (Div, trunc)])
@given(st.data())
def test_a_quotient_has_the_bounds_that_its_dividend_is_told(
    divide: Callable[..., Expr], quotient: Callable[[Fraction], int], data: st.DataObject
) -> None:
    """As enumeration finds them where the dividend has all the values in its range."""
    x, y = Var("x", "int32"), Var("y", "int32")
    factor, extent, divisor = (data.draw(st.integers(2, 8)) for _ in range(3))
    dividend = data.draw(st.sampled_from([x, x + y, x * factor + y, x // factor, (x + y) // factor]))
    low = data.draw(st.integers(-20, 20))
    values = range(low, low + extent)
    facts = Analyzer()
    with facts.constraint(And(dividend >= values[0], dividend <= values[-1])):
        bounds = facts.const_int_bound(divide(dividend, IntImm("int32", divisor)))
    quotients = [quotient(Fraction(value, divisor)) for value in values]
    assert bounds == ConstIntBound(min(quotients), max(quotients))


def test_extensions() -> None:
    """As TVM 0.17 simplifies with them."""
    facts = Analyzer()
    assert facts.enabled_extensions is Extension.NoExtensions
    i, k = FIRST, FREE
    condition = Or(And(i < 3, k < 3), as_expr(7) <= i)
    assert facts.rewrite_simplify(condition).script() == condition.script()
    facts.enabled_extensions = Extension.ConvertBooleanToAndOfOrs | Extension.TransitivelyProveInequalities
    assert isinstance(facts.rewrite_simplify(condition), And)
    assert facts.enabled_extensions == 3
    facts.enabled_extensions = Extension.NoExtensions
    assert facts.rewrite_simplify(condition).script() == condition.script()
