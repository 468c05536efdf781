"""The text of a result depends on the expression and the facts, not on earlier questions."""

from __future__ import annotations

import random

from tests.ir.arith.test_rules import NAMES, analyzer, read
from tvmscript.fuzz.arith.index_expressions import Made
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import FloorMod, IntImm, Range, Var

#: the same value, written in two orders
PAIRS = (
    ("x * y + 3", "y * x + 3"),
    ("(x + y) // 4", "(y + x) // 4"),
    ("(x + y) % 4 * 3", "(y + x) % 4 * 3"),
    ("T.min(x, y) + 1", "T.min(y, x) + 1"),
    ("T.max(T.max(x, y), n)", "T.max(T.max(n, y), x)"),
    ("(x + n) // (x * y)", "(n + x) // (y * x)"),
    ("T.min(x * y, n) == 3", "T.min(n, y * x) == 3"),
)


def test_as_the_expression_is() -> None:
    facts = analyzer()
    for pair in (*PAIRS, *[pair[::-1] for pair in PAIRS]):
        for text in pair:
            assert facts.simplify(read(text)).script() == read(text).script()


def test_random_expressions_in_any_order() -> None:
    """One analyzer writes what a new one for each expression writes."""
    for seed in range(30):
        made = Made(seed, "int32")
        exprs = [made.number(3) for _ in range(8)]
        alone = [made.analyzer().simplify(expr).script() for expr in exprs]
        facts, order = made.analyzer(), list(range(8))
        random.Random(seed).shuffle(order)
        for index in order:
            assert facts.simplify(exprs[index]).script() == alone[index]


def test_conditions_are_forgotten() -> None:
    facts = analyzer()
    with facts.constraint(read("y * x < 9")):
        assert facts.simplify(read("T.max(x * y, 9)")).script() == "9"
    assert facts.simplify(read("x * y + 1")).script() == "x * y + 1"
    with facts.constraint(read("y * x < 9")):
        pass
    assert facts.simplify(read("x * y + 2")).script() == "x * y + 2"


def test_what_is_bound_inside_a_condition_stays() -> None:
    facts, i = Analyzer(), NAMES["i"]
    with facts.constraint(read("x < 9")), facts.constraint(read("y < 9")):
        facts.bind(i, Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 4)))
    assert facts.const_bounds(i) == (0, 3)
    assert facts.simplify(read("(x * 4 + i) // 4")).script() == "x"


def test_sets_and_bounds_ask_anew() -> None:
    facts, i = Analyzer(), NAMES["i"]
    domain = {i: IntervalSet(IntImm("int32", 0), IntImm("int32", 3))}
    assert str(eval_set(read("x * y + i"), domain, facts)) == "IntervalSet[x * y, x * y + 3]"
    assert str(eval_set(read("y * x + i"), domain, facts)) == "IntervalSet[y * x, y * x + 3]"
    assert facts.const_bounds(read("(x + y) % 4 + i - i")) == (0, 3)


def test_constants_of_remainders() -> None:
    """They are less than the divisor, but not beside data, where what is left might wrap."""
    facts, x, four = Analyzer(), Var("x", "int32"), IntImm("int32", 4)
    data = make_buffer((4,), "int32", "A")[0]
    for expr, text in (
        (x + 9, "(x + 1) % 4"), (x * 5 + 1, "(x + 1) % 4"), (data + 9, "(A[0] + 9) % 4"), (data * 5, "A[0] * 5 % 4"),
        (data + x + 9, "(A[0] + x + 9) % 4"), (x * 5 + data, "(x * 5 + A[0]) % 4"),
    ):  # fmt: skip
        assert str(facts.simplify(FloorMod(expr, four))) == text
