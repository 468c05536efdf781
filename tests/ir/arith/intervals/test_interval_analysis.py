"""Interval analysis: bounds contain all values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.arith.fold import truncdiv, truncmod
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.arith.intervals.interval_analysis import IntervalAnalysis, divide_bounds
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir.expr import Div, FloorDiv, FloorMod, IntImm, Mod, Mul, Range, Var
from tvmscript.ir.tir.stmt import BufferStore, For

EXPRESSIONS = [
    "i * 3 - j", "(i - 4) * (j - 2)", "i // 3 + j % 4", "(i - 5) // 2 - (j - 3) % 3", "T.truncdiv(i - 5, 3)",
    "T.truncmod(i - 5, 3)", "T.max(i, j) - T.min(i, 3)", "i // (j + 1)", "(i - 5) // (j + 2)", "(i - 5) % (j + 1)",
    "T.Select(i < j, i, j - 9)", "T.if_then_else(i < j, i, j - 9)", "T.shift_right(i - 5, 1)", "T.shift_left(i, j % 3)",
    "T.bitwise_and(i, 5)", 'T.Cast("int32", T.Cast("int8", i * 100))', "T.truncdiv(i - 5, j + 1)",
    "i % (j + 1) * -2", "T.truncmod(i - 5, j + 1)", "T.shift_right(i - 5, j % 2)",
]  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_all_values_are_inside(text: str) -> None:
    func: Any = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((8, 6), "int32")):
    for i, j in T.grid(8, 6):
        A[i, j] = {text}
""")
    known = IntervalAnalysis()
    for node in nodes(func.body):
        if isinstance(node, For):
            known.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
    (store,) = [node for node in nodes(func.body) if isinstance(node, BufferStore)]
    low, high = known.of(store.value)
    values = np.zeros((8, 6), "int32")
    interp.build(func)["main"](values)
    assert low is None or low <= values.min()
    assert high is None or values.max() <= high
    assert (low, high) != (None, None)


def test_a_variable_of_two_loops() -> None:
    """What was known in one loop is not known in the other."""
    var = Var("i", "int32")
    double = Mul(var, IntImm("int32", 2))
    known = IntervalAnalysis()
    zero = IntImm("int32", 0)
    known.bind(var, Range.from_min_extent(zero, IntImm("int32", 4)))
    assert known.of(double) == (0, 6)
    known.bind(var, Range.from_min_extent(zero, IntImm("int32", 10)))
    assert known.of(double) == (0, 18)


@pytest.mark.parametrize(
    ("cls", "divide"),
    [(FloorDiv, int.__floordiv__), (FloorMod, int.__mod__), (Div, truncdiv), (Mod, truncmod)],
    ids=["floordiv", "floormod", "truncdiv", "truncmod"],
)
def test_divisions_of_small_intervals(cls: type[Expr], divide: Any) -> None:
    """The bounds contain all results; those of quotients are attained."""
    intervals = list(itertools.combinations_with_replacement(range(-5, 6), 2))
    for a, b in itertools.product(intervals, repeat=2):
        results = [divide(x, y) for x in range(a[0], a[1] + 1) for y in range(b[0], b[1] + 1) if y]
        bounds = divide_bounds(cls, Bounds(*a), Bounds(*b))
        if not results:
            assert bounds is None
        elif cls in (FloorDiv, Div):
            assert bounds == (min(results), max(results)), (a, b)
        else:
            assert bounds is not None
            assert Bounds(min(results), max(results)).within(*bounds), (a, b)


@pytest.mark.parametrize(
    ("cls", "a", "b", "remainders"),
    [
        (Mod, (-9, 4), (4, 10), (-9, 4)),
        (Mod, (-10, 0), (2, 5), (-4, 0)),
        (Mod, (3, 5), (4, 5), (0, 4)),
        (FloorMod, (-9, 4), (-2, 0), (-1, 0)),
        (FloorMod, (1, 4), (2, None), (0, 4)),
        (FloorMod, (-9, 4), (4, None), (0, None)),
    ],
)
def test_remainders_by_intervals(
    cls: type[Expr], a: tuple[int, int], b: tuple[int, int | None], remainders: tuple[int, int | None]
) -> None:
    """What TVM says."""
    assert divide_bounds(cls, Bounds(*a), Bounds(*b)) == remainders
