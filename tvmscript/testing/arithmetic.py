"""Random integer expressions with bounds, over two loop variables and one unbounded variable.

`analyzer()` has the bounds of the variables; `RANGES` holds their values.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT32
from tvmscript.ir.tir import Expr, Var
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.intrin.bits import bitwise_and, shift_left, shift_right
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.testing.choices import choices

FIRST, SECOND, FREE = (Var(name, "int32") for name in "ijk")
#: i and j are loop variables, k is anything
RANGES = {FIRST: range(12), SECOND: range(-3, 5), FREE: range(-17, 18)}
DIVISORS = (-8, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12)


def analyzer() -> Analyzer:
    """An analyzer with the bounds of the loop variables."""
    bounded = Analyzer()
    for var in (FIRST, SECOND):
        values = RANGES[var]
        bounded.bind(var, e.Range.from_min_extent(e.IntImm(INT32, values.start), e.IntImm(INT32, len(values))))
    return bounded


def const(value: int) -> e.IntImm:
    return e.IntImm(INT32, value)


def number(rng: random.Random, depth: int) -> Expr:
    """Draw an integer expression of i, j and k."""
    if depth == 0:
        return _leaf(rng, depth)
    return rng.choice(_NUMBERS)(rng, depth - 1)


def condition(rng: random.Random, depth: int) -> Expr:
    """Draw a comparison, or several connected ones."""
    kind = rng.randrange(4) if depth else 0
    if kind == 0:
        return rng.choice(_COMPARISONS)(number(rng, depth), number(rng, depth))
    if kind == 3:
        return e.Not(condition(rng, depth - 1))
    return (e.And if kind == 1 else e.Or)(condition(rng, depth - 1), condition(rng, depth - 1))


def numbers(depth: int) -> st.SearchStrategy[Expr]:
    """Strategy of integer expressions of i, j and k."""
    return choices().map(lambda rng: number(rng, depth))


def conditions(depth: int) -> st.SearchStrategy[Expr]:
    """Strategy of connected comparisons."""
    return choices().map(lambda rng: condition(rng, depth))


# ---- forms of numbers


def _leaf(rng: random.Random, depth: int) -> Expr:
    return rng.choice((FIRST, SECOND, FREE)) if rng.randrange(2) == 0 else const(rng.randint(-20, 20))


def _pair(rng: random.Random, depth: int) -> Expr:
    return rng.choice((e.Add, e.Sub, e.Mul, e.Min, e.Max))(number(rng, depth), number(rng, depth))


def _scaled(rng: random.Random, depth: int) -> Expr:
    return e.Mul(number(rng, depth), const(rng.randint(-8, 8)))


def _divided(rng: random.Random, depth: int) -> Expr:
    divisor = number(rng, depth) if rng.randrange(2) else const(rng.choice(DIVISORS))
    return rng.choice((e.FloorDiv, e.FloorMod, e.FloorDiv, e.FloorMod, e.Div, e.Mod))(number(rng, depth), divisor)


def _divided_again(rng: random.Random, depth: int) -> Expr:
    """Remainders of sums with remainders by a divisor with a common factor."""
    divisor = rng.choice((4, 6, 8, 12))
    expr = number(rng, min(depth, 1))
    for _ in range(2):
        remainder = rng.choice((e.FloorMod, e.Mod))(expr, const(divisor))
        operands = [number(rng, min(depth, 1)), remainder]
        rng.shuffle(operands)
        expr = rng.choice((e.Add, e.Sub))(*operands)
    return e.FloorMod(expr, const(rng.choice((2, divisor // 2))))


def _chosen(rng: random.Random, depth: int) -> Expr:
    expr: Expr = rng.choice((e.Select, if_then_else_))(condition(rng, depth), number(rng, depth), number(rng, depth))
    return expr


def _bits(rng: random.Random, depth: int) -> Expr:
    if rng.randrange(3) == 0:
        return bitwise_and(number(rng, depth), const(rng.choice((1, 3, 7, 6))))
    return rng.choice((shift_left, shift_right))(number(rng, depth), const(rng.randint(0, 4)))


_COMPARISONS: Final = (e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE)
_NUMBERS: Final[tuple[Callable[[random.Random, int], Expr], ...]] = (
    _leaf, *[_pair] * 5, _scaled, *[_divided] * 6, _divided_again, _chosen, _chosen, *[_bits] * 3,
)  # fmt: skip
