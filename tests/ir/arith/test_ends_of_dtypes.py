"""Sets, bounds and simplified forms at the ends of integer dtypes, against an evaluator of mathematical integers.

Only values for which no operation leaves its dtype are compared: that is what arithmetic on indices promises.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Final

import pytest

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.arith.intervals.bounds import ConstIntBound
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir import Add, BinaryOp, Div, Expr, FloorDiv, FloorMod, IntImm, Max, Min, Mod, Mul, Select, Sub, Var
from tvmscript.ir.tir.expr import EQ, GE, GT, LE, LT, NE, And, Cast, Not, Or

DTYPES = [DType(name) for name in ("int32", "int64", "uint32", "uint8", "int8")]
INDICES = ("int32", "int64")
VALUE: Final[dict[type[BinaryOp], Callable[[int, int], int]]] = {
    Add: operator.add, Sub: operator.sub, Mul: operator.mul, Min: min, Max: max, FloorDiv: operator.floordiv,
    FloorMod: operator.mod, Div: fold.truncdiv, Mod: fold.truncmod, LT: operator.lt, LE: operator.le, GT: operator.gt,
    GE: operator.ge, EQ: operator.eq, NE: operator.ne, And: operator.and_, Or: operator.or_,
}  # fmt: skip
ARITHMETIC: list[type[BinaryOp]] = [Add, Add, Sub, Sub, Mul, FloorDiv, FloorMod, Div, Mod, Min, Max]
Domains = dict[Var, tuple[int, int]]


class LeavesDtype(Exception):
    """An operation has no value in its dtype."""


def value_of(expr: Expr, values: dict[Var, int]) -> int:
    """Evaluate an expression. Raises `LeavesDtype`."""
    match expr:
        case IntImm():
            return expr.value
        case Var():
            return values[expr]
        case Not():
            return not value_of(expr.a, values)
        case Select():
            arms = value_of(expr.false_value, values), value_of(expr.true_value, values)
            return arms[value_of(expr.condition, values)]
        case Cast():
            result, keeps = value_of(expr.value, values), expr.dtype in INDICES and expr.value.dtype in INDICES
            wrapped = (result - expr.dtype.min_value) % (1 << expr.dtype.bits) + expr.dtype.min_value
            if keeps and wrapped != result:
                raise LeavesDtype
            return wrapped
        case BinaryOp():
            a, b = value_of(expr.a, values), value_of(expr.b, values)
            try:
                result = VALUE[type(expr)](a, b)
            except ZeroDivisionError:
                raise LeavesDtype from None
            if not expr.dtype.is_bool and not expr.dtype.min_value <= result <= expr.dtype.max_value:
                raise LeavesDtype
            return result
        case _:
            raise NotImplementedError(type(expr).__name__)


class Drawing:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.domains: Domains = {}
        for name in "xyz":
            var = Var(name, self.pick.choice(DTYPES))
            first = self.number(var.dtype)
            size = self.pick.choice((0, 1, 2, 5, 10**9, 1 << 40))
            self.domains[var] = first, min(first + size, var.dtype.max_value)

    def number(self, dtype: DType) -> int:
        """Draw a number near the ends, zero, half of the largest one, or a power of two."""
        pick, low, high = self.pick, dtype.min_value, dtype.max_value
        near = pick.choice((low, high, 0, high // 2, pick.choice((1, -1)) << pick.randrange(64)))
        return min(max(near + pick.randrange(-4, 5), low), high)

    def expr(self, dtype: DType, depth: int) -> Expr:
        pick = self.pick
        if not depth or pick.random() < 0.15:
            known = [var for var in self.domains if var.dtype is dtype]
            return pick.choice(known) if known and pick.random() < 0.7 else IntImm(dtype, self.number(dtype))
        if pick.random() < 0.1:
            source = pick.choice(DTYPES)
            return Cast(dtype, self.expr(source, depth - 1)) if source is not dtype else self.expr(dtype, depth - 1)
        if pick.random() < 0.1:
            condition = pick.choice((LT, LE, EQ))(self.expr(dtype, depth - 1), self.expr(dtype, depth - 1))
            return Select(condition, self.expr(dtype, depth - 1), self.expr(dtype, depth - 1))
        return pick.choice(ARITHMETIC)(self.expr(dtype, depth - 1), self.expr(dtype, depth - 1))

    def values(self) -> dict[Var, int]:
        return {var: self.pick.choice((*ends, self.pick.randint(*ends))) for var, ends in self.domains.items()}


def set_ends(expr: Expr, domains: Domains) -> tuple[int | None, int | None]:
    sets = {var: IntervalSet(IntImm(var.dtype, low), IntImm(var.dtype, high)) for var, (low, high) in domains.items()}
    ends = eval_set(expr, sets)
    low, high = ends.min_value, ends.max_value
    return low.value if isinstance(low, IntImm) else None, high.value if isinstance(high, IntImm) else None


def analyzer_of(domains: Domains) -> Analyzer:
    analyzer = Analyzer()
    for var, ends in domains.items():
        analyzer.update(var, ConstIntBound(*ends))
    return analyzer


def bound_ends(expr: Expr, domains: Domains) -> tuple[int | None, int | None]:
    return analyzer_of(domains).const_int_bound(expr).bounds


def compared(seed: int, check: Callable[[Expr, Domains], Callable[[dict[Var, int], int], bool]]) -> int:
    """Check values of an expression; return how many."""
    drawing = Drawing(seed)
    count = 0
    try:
        expr = drawing.expr(drawing.pick.choice([*drawing.domains]).dtype, drawing.pick.randrange(1, 4))
        holds = check(expr, drawing.domains)
    except TVMScriptError:  # a division by the constant zero
        return 0
    for _ in range(8):
        values = drawing.values()
        try:
            value = value_of(expr, values)
        except LeavesDtype:
            continue
        count += 1
        assert holds(values, value), (str(expr), values, value)
    return count


@pytest.mark.parametrize("ends_of", [set_ends, bound_ends])
def test_ends_contain_all_values(ends_of: Callable[[Expr, Domains], tuple[int | None, int | None]]) -> None:
    def check(expr: Expr, domains: Domains) -> Callable[[dict[Var, int], int], bool]:
        low, high = ends_of(expr, domains)
        return lambda _, value: (low is None or low <= value) and (high is None or value <= high)

    assert sum(compared(seed, check) for seed in range(4_000)) > 10_000


def test_simplified_expressions_have_the_same_values() -> None:
    def check(expr: Expr, domains: Domains) -> Callable[[dict[Var, int], int], bool]:
        simplified = analyzer_of(domains).simplify(expr)

        def holds(values: dict[Var, int], value: int) -> bool:
            try:
                return value_of(simplified, values) == value
            except LeavesDtype:  # sums may be ordered otherwise
                return True

        return holds

    assert sum(compared(seed, check) for seed in range(4_000)) > 10_000


X, Y = Var("x", "int32"), Var("y", "int32")
LEAST = IntImm("int32", -(1 << 31))
#: expressions whose sums have constants beyond the dtype
LARGE = [
    LT(Mod(IntImm("int32", 8194), X), Add(X, LEAST)),
    FloorDiv(Sub(X, LEAST), Add(X, IntImm("int32", 5))),
    FloorMod(IntImm("int32", 5), Add(Sub(X, IntImm("int32", 2147483647)), Min(X, IntImm("int32", -14224874)))),
    FloorDiv(IntImm("int32", 7), Mul(Add(Y, LEAST), IntImm("int32", 1073741825))),
]


@pytest.mark.parametrize("expr", LARGE, ids=str)
def test_constants_beyond_the_dtype(expr: Expr) -> None:
    simplified = Analyzer().simplify(expr)
    assert str(Analyzer().simplify(simplified)) == str(simplified)
    numbers = [-(1 << 31), -(1 << 30), -5, -3, 2, 2073741824, 2147483645, 2147483647]
    count = 0
    for values in ({X: x, Y: y} for x in numbers for y in numbers):
        try:
            value, again = value_of(expr, values), value_of(simplified, values)
        except LeavesDtype:
            continue
        count += 1
        assert value == again, (values, str(simplified))
    assert count
