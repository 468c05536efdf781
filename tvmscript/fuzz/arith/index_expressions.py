"""Random integer expressions over loop variables and sizes, in the forms that schedules and passes produce.

All choices come from a seed or a `random.Random`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate
from tvmscript.fuzz.programs import Seed, choices
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import BOOL, DType
from tvmscript.ir.tir import Expr, SizeVar, Var
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.intrin.control import if_then_else_, likely
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.operators import wrap
from tvmscript.testing.strategies.expressions import BIT_OPS, INTEGERS

#: powers of two, their neighbours, primes, negative numbers
CONSTANTS = (-64, -12, -8, -7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 31, 32, 64, 128)
#: the limits of int32
EDGES = (-(2**31), 2**31 - 1)
COMPARISONS = (e.LT, e.LE, e.GT, e.GE, e.EQ, e.NE)


_ON_DATA = (e.Add, e.Sub, e.Mul, e.Min, e.Max, e.FloorDiv, e.FloorMod)


class Made:
    """Writer of random expressions over loop variables (i, j, l), a size (n) and unbounded variables (x, y)."""

    def __init__(self, seed: Seed, dtype: str) -> None:
        self.random = choices(seed)
        self.dtype = dtype
        self.loops = {Var(name, dtype): self.random.choice((2, 4, 5, 8, 16, 31)) for name in "ijl"}
        self.sizes = [SizeVar("n", dtype)]
        self.free = [Var(name, dtype) for name in "xy"]
        self.names: list[Var] = [*self.loops, *self.sizes, *self.free]

    def const(self, value: int) -> Expr:
        return e.IntImm(self.dtype, value)

    def number(self, depth: int) -> Expr:
        choose = self.random.random
        if depth == 0 or choose() < 0.1:
            return self.random.choice(self.names) if choose() < 0.7 else self.const(self.random.choice(CONSTANTS))
        return self.random.choice(_NUMBERS)(self, depth - 1)

    def condition(self, depth: int) -> Expr:
        kind = self.random.random()
        if depth == 0 or kind < 0.6:
            return self.random.choice(COMPARISONS)(self.number(depth), self.number(depth))
        if kind < 0.7:
            return e.Not(self.condition(depth - 1))
        return (e.And if kind < 0.85 else e.Or)(self.condition(depth - 1), self.condition(depth - 1))

    def points(self, count: int) -> list[dict[Var, int]]:
        return [self.point() for _ in range(count)]

    def point(self) -> dict[Var, int]:
        far = self.random.choice((9, 70, 1000))
        point = {var: self.random.randrange(extent) for var, extent in self.loops.items()}
        point.update({var: self.random.randint(0, far) for var in self.sizes})
        point.update({var: self.random.randint(-far, far) for var in self.free})
        return point

    def data(self, depth: int) -> Expr:
        """Draw arithmetic on unbounded variables and constants."""
        if depth == 0:
            leaf = self.random.random() < 0.6
            return self.random.choice(self.free) if leaf else self.const(self.random.choice((*CONSTANTS, *EDGES)))
        return self.random.choice(_ON_DATA)(self.data(depth - 1), self.data(self.random.randrange(depth)))

    def analyzer(self) -> Analyzer:
        facts = Analyzer()
        for var, extent in self.loops.items():
            facts.bind(var, e.Range.from_min_extent(self.const(0), self.const(extent)))
        return facts


def _fused(writer: Made, depth: int) -> Expr:
    """Fuse loop variables into one index."""
    total: Expr | None = None
    for var, extent in writer.random.sample(list(writer.loops.items()), writer.random.randint(1, 3)):
        total = var if total is None else e.Add(e.Mul(total, writer.const(extent)), var)
    assert total is not None
    return total


def _scaled(writer: Made, depth: int) -> Expr:
    return e.Mul(writer.number(depth), writer.const(writer.random.choice(CONSTANTS)))


def _divided(writer: Made, depth: int) -> Expr:
    cls = writer.random.choice((e.FloorDiv, e.FloorMod, e.FloorDiv, e.FloorMod, e.Div, e.Mod))
    divisor = writer.const(writer.random.choice(CONSTANTS)) if writer.random.random() < 0.8 else writer.number(0)
    return cls(writer.number(depth), divisor)


def _resplit(writer: Made, depth: int) -> Expr:
    value, inner, outer = (
        writer.number(depth),
        *(writer.const(writer.random.choice((2, 3, 4, 8, 16))) for _ in range(2)),
    )
    return e.Add(e.Mul(e.FloorDiv(value, inner), outer), e.FloorMod(value, inner))


def _pair(writer: Made, depth: int) -> Expr:
    cls = writer.random.choice((e.Add, e.Add, e.Sub, e.Mul, e.Min, e.Max))
    return cls(writer.number(depth), writer.number(depth))


def _chosen(writer: Made, depth: int) -> Expr:
    choose = writer.random.choice((e.Select, if_then_else_))
    chosen: Expr = choose(writer.condition(min(depth, 1)), writer.number(depth), writer.number(depth))
    return chosen


def _less_itself(writer: Made, depth: int) -> Expr:
    """Subtract an operand of a sum, minimum or maximum from it."""
    part = writer.number(depth)
    whole = writer.random.choice((e.Min, e.Max, e.Add))(part, writer.number(depth))
    return e.Sub(whole, part)


def _stepped(writer: Made, depth: int) -> Expr:
    """Draw `x * step + start`, whose modular set is known, or a product of two of these."""
    steps, start = (writer.const(writer.random.choice((2, 3, 4, 5, 6, 8))) for _ in range(2))
    total = e.Add(e.Mul(writer.random.choice(writer.names), steps), start)
    return total if writer.random.random() < 0.5 else e.Mul(total, _stepped(writer, 0))


def _alike(writer: Made, depth: int) -> Expr:
    """Draw the minimum or maximum of two shifted multiples of one step."""
    step = writer.const(writer.random.choice((-8, -3, 2, 3, 4, 8)))
    sides = [
        e.Add(
            e.Mul(writer.random.choice(writer.names), step), writer.const(writer.random.choice((0, 0, 1, 2, 5, -3, 8)))
        )
        for _ in range(2)
    ]
    return writer.random.choice((e.Min, e.Max))(*sides)


_NUMBERS: tuple[Callable[[Made, int], Expr], ...] = (
    _fused, _scaled, _divided, _divided, _divided, _resplit, _pair, _pair, _pair, _chosen, _less_itself, _stepped,
    _alike,
)  # fmt: skip


# ---- conditions and values that have to do with each other

#: dtypes that do not hold all indices
CASTS = ("int8", "uint8", "int16", "uint16", "uint32", "uint64")


def related(rng: random.Random, names: Sequence[Var]) -> Expr:
    """Draw connected conditions on one value: ranges, their complements, single values, digits."""
    var = rng.choice(names)
    by = _const(var, rng.choice((2, 3, 4)))
    value = rng.choice(
        (var, var, e.Add(var, rng.choice(names)), e.FloorDiv(var, by), e.FloorMod(var, by), e.Sub(var, by))
    )
    total = _one(rng, value, var, by, names)
    for _ in range(rng.randint(0, 3)):
        cls, opposite = rng.choice(((e.And, e.Or), (e.Or, e.And)))
        other = _one(rng, value, var, by, names)
        kind = rng.randrange(5)
        if kind == 3:
            other = opposite(other, _one(rng, value, var, by, names))
        elif kind == 4:
            other = e.Not(cls(other, _one(rng, value, var, by, names)))
        total = rng.choice((cls(total, other), cls(other, total)))
    return total


def _one(rng: random.Random, value: Expr, var: Var, by: Expr, names: Sequence[Var]) -> Expr:
    """Draw one condition: a comparison with a number, membership in a range, or its negation."""
    limit = _const(var, rng.randint(-2, 5))
    kind = rng.randrange(13)
    if kind == 7:
        digit = e.EQ(e.FloorDiv(var, by), _const(var, rng.randint(-1, 1)))
        return rng.choice((digit, e.EQ(e.FloorMod(var, by), _const(var, rng.randrange(3)))))
    if kind == 8:
        return rng.choice(COMPARISONS)(rng.choice(names), rng.choice(names))
    if kind >= 9:
        end = _const(var, limit.value + rng.randint(0, 3))
        below, above = rng.choice((e.LT(value, limit), e.LE(value, limit))), e.LE(end, value)
        if kind == 12:
            return rng.choice((e.And(e.LE(limit, value), e.LT(value, end)), e.Not(e.Or(below, above))))
        return rng.choice((e.Or(below, above), e.Or(above, below), e.Or(below, e.GT(value, end))))
    compare = rng.choice((e.LT, e.LE, e.GT, e.GE, e.EQ, e.NE, e.LT, e.LE, e.EQ))
    condition = compare(limit, value) if kind == 6 else compare(value, limit)
    return e.Not(condition) if kind == 5 else likely(condition) if kind == 4 else condition


def guarded(rng: random.Random, names: Sequence[Var], depth: int = 2) -> Expr:
    """Draw selects and conditionals whose conditions are about their operands."""
    if depth == 0:
        return _near(rng, names)
    choose = rng.choice((if_then_else_, if_then_else_, e.Select))
    chosen: Expr = choose(related(rng, names), _near(rng, names), guarded(rng, names, depth - 1))
    return rng.choice((chosen, chosen, e.Add(chosen, _near(rng, names))))


def _near(rng: random.Random, names: Sequence[Var]) -> Expr:
    """Draw clipped, rounded or shifted variables."""
    var = rng.choice(names)
    number = _const(var, rng.randint(-2, 5))
    step = _const(var, rng.choice((2, 3, 4)))
    other = rng.choice((number, rng.choice(names), e.Add(rng.choice(names), number)))
    kind = rng.randrange(6)
    if kind < 3:
        return rng.choice((e.Min, e.Max))(var, other)
    if kind == 3:
        return rng.choice((e.FloorDiv, e.FloorMod, e.Div, e.Mod))(e.Add(var, number), step)
    if kind == 4:
        return e.Sub(e.Max(var, other), var)
    return e.Add(var, number)


def _const(var: Var, value: int) -> e.IntImm:
    return e.IntImm(var.dtype, value)


# ---- constants of every width

_OPERATORS = (e.Add, e.Sub, e.Mul, e.FloorDiv, e.FloorMod, e.Div, e.Mod, e.Min, e.Max)


def of_constants(rng: random.Random, dtype: DType, depth: int) -> Expr:
    """Draw operators on constants, the limits of the dtype included."""
    if depth == 0 or rng.randrange(6) == 0:
        low, high = dtype.min_value, dtype.max_value
        edges = [value for value in (0, 1, -1, 2, 7, low, high, low + 1, high - 1) if low <= value <= high]
        return e.IntImm(dtype, rng.choice(edges) if rng.randrange(2) else low + rng.getrandbits(64) % (high - low + 1))

    def sub(of: DType = dtype) -> Expr:
        return of_constants(rng, of, depth - 1)

    kind = rng.randrange(8)
    if dtype is BOOL and kind < 6:
        of = rng.choice(INTEGERS)
        return rng.choice(COMPARISONS)(sub(of), sub(of))
    if kind < 3:
        return rng.choice(_OPERATORS)(sub(), sub())
    if kind == 3:
        return e.Call(dtype, Intrinsic.get(rng.choice(BIT_OPS)), (sub(), sub()))
    if kind == 4:
        return e.Call(dtype, Intrinsic.get("tir.bitwise_not"), (sub(),))
    if kind == 5:
        var = Var("x", rng.choice(INTEGERS))
        value = sub(var.dtype)
        return e.Let(var, value, e.Max(var, sub()) if var.dtype is dtype else sub())
    if kind == 6:
        return e.Cast(dtype, sub(rng.choice((*INTEGERS, BOOL))))
    chosen: Expr = rng.choice((if_then_else_, e.Select))(sub(BOOL), sub(), sub())
    return chosen


def wrapping(expr: Expr, point: Mapping[Var, int]) -> int:
    """Evaluate sums and products that wrap around. Raises `Undefined` where they divide by zero."""
    if isinstance(expr, e.BinaryOp):
        leaves = {Var("a", expr.a.dtype): wrapping(expr.a, point), Var("b", expr.b.dtype): wrapping(expr.b, point)}
        value = evaluate(type(expr)(*leaves), leaves)
        if not expr.dtype.is_integer or expr.dtype.is_bool:
            return value
        if isinstance(expr, e.FloorDiv) and value > expr.dtype.max_value:
            raise Undefined  # the least value divided by -1
        return wrap(value, expr.dtype)
    return evaluate(expr, point)
