"""Integer expressions with bounds: over two loop variables and one that may be anything, drawn by Hypothesis.

`analyzer()` knows what is known of the variables; `RANGES` says which values they have.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from hypothesis import strategies as st

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
        made.bind(var, e.Range.from_min_extent(e.IntImm(INT32, values.start), e.IntImm(INT32, len(values))))
    return made


def const(value: int) -> e.IntImm:
    return e.IntImm(INT32, value)


@functools.cache
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


@functools.cache
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
