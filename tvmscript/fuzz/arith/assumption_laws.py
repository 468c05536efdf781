"""Fuzz `Analyzer.bind` and `constraint`: answers must agree with brute-force evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate
from tvmscript.fuzz.arith.index_expressions import CASTS, related
from tvmscript.fuzz.arith.index_laws import Writer
from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.bounded_analyzer import LimitedAnalyzer
from tvmscript.ir.arith.errors import AlreadyBound, TooManySteps
from tvmscript.ir.arith.intervals.bounds import ConstIntBound
from tvmscript.ir.tir import Expr, IntImm, Range, SizeVar, Var, match_types
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.intrin.control import if_then_else_

_I, _J, _X = (Var(name, "int32") for name in "ijx")
_N = SizeVar("n", "int32")
_POINTS: Final = 120
#: domains of unbound variables; a bound may refer to variables before it
_VALUES: Final[Mapping[Var, tuple[int, int]]] = {_N: (0, 7), _I: (-3, 11), _J: (-3, 11), _X: (-6, 13)}


@dataclass(frozen=True)
class Told:
    """Bindings and assumptions of an analyzer, and an expression and a condition to query."""

    expr: Expr
    condition: Expr
    #: variable -> range, value, or pair of constants
    bound: Mapping[Var, tuple[Expr, ...]] = field(default_factory=dict[Var, tuple[Expr, ...]])
    assumed: tuple[Expr, ...] = ()
    #: how a range is bound: 0 as a range, 1 as constants, 2 by intersection, 3 and 4 by one end alone
    ways: tuple[int, ...] = ()
    #: unbound variable -> (first value, count)
    values: Mapping[Var, tuple[int, int]] = field(default_factory=lambda: dict(_VALUES))

    def points(self) -> Iterator[dict[Var, int]]:
        """Yield points that satisfy all bindings and assumptions."""
        rng = random.Random(0)
        for _ in range(_POINTS):
            point = self._drawn(rng)
            if point is not None and all(_value(condition, point) for condition in self.assumed):
                yield point

    def _drawn(self, rng: random.Random) -> dict[Var, int] | None:
        """Draw values within the bounds; None if a domain is empty."""
        point: dict[Var, int] = {}
        for var, values in self.values.items():
            ends = [_value(end, point) for end in self.bound[var]] if var in self.bound else []
            if any(end is None for end in ends):
                return None
            finite_ends = [end for end in ends if end is not None]
            first, extent = [*finite_ends, 1][:2] if finite_ends else values
            if extent <= 0:
                return None
            point[var] = first + rng.randrange(extent)
        return point

    def tell(self, facts: Analyzer) -> None:
        """Bind the variables."""
        for (var, ends), way in zip(self.bound.items(), self.ways, strict=True):
            if len(ends) == 1:
                facts.bind(var, ends[0])
                continue
            first, extent = ends
            if way and isinstance(first, IntImm) and isinstance(extent, IntImm):
                last = first.value + extent.value - 1
                if way != 2:
                    facts.bind_bounds(var, None if way == 4 else first.value, None if way == 3 else last)
                else:
                    facts.bind_bounds(var, first.value - 5, last)
                    facts.update(var, ConstIntBound(first.value, last + 9))
                continue
            facts.bind(var, Range.from_min_extent(first, extent))
            if way:
                _bind_again(facts, var, Range.from_min_extent(first, extent))

    def fail(self, reason: str, point: Mapping[Var, int]) -> WrongArithmetic:
        """The error that says so."""
        ranges = "; ".join(f"{var.name}: {', '.join(map(str, ends))}" for var, ends in self.bound.items())
        values = ", ".join(f"{var.name} is {value}" for var, value in point.items())
        told = f"{values}, as is told by {ranges}, {', '.join(map(str, self.assumed))}"
        return WrongArithmetic(law="told", expr=self.expr, reason=reason, values=told)


def _value(expr: Expr, point: Mapping[Var, int]) -> int | None:
    try:
        return evaluate(expr, point)
    except Undefined:
        return None


def _bind_again(facts: Analyzer, var: Var, domain: Range) -> None:
    """Check that binding the same range again succeeds and another range requires `allow_override`."""
    facts.bind(var, domain)
    other = Range.from_min_extent(domain.min, fold.add(domain.extent, IntImm(domain.extent.dtype, 3)))
    try:
        facts.bind(var, other)
    except AlreadyBound:
        facts.bind(var, other, allow_override=True)
        facts.bind(var, domain, allow_override=True)
    else:
        raise WrongArithmetic(law="told", expr=var, reason=f"was bound to {domain} and to {other}", values="both")


# ---- drawing


def draw_told(rng: random.Random) -> Told:
    """Draw bindings, assumptions, an expression and a condition."""
    draw = rng.randrange
    w = Writer(draw)
    w.loops = {_I: (0, 4), _J: (0, 3), _X: (0, 2)}
    w.names = [_I, _J, _X]
    bound: dict[Var, tuple[Expr, ...]] = {}

    def number() -> Expr:
        return w.const(draw(5) - 1)

    ends: list[tuple[Expr, ...]] = [
        (w.const(0), _N),
        (w.const(0), e.Add(_N, w.const(1))),
        (number(), w.const(1 + draw(6))),
        (number(), w.const(1 + draw(6))),
        (e.Sub(w.const(1), _N), w.const(3)),
    ]
    if draw(5):
        bound[_I] = w.pick(*ends)
    if draw(4):
        bound[_J] = w.pick(*ends, (_I, w.const(2)), (_I, e.Sub(_N, _I)), (w.const(0), e.Add(_I, w.const(1))))
    if draw(3) == 0:
        bound[_X] = w.pick((e.Sub(_I, _J),), (e.Mul(_I, w.const(2)),), (e.FloorDiv(_N, w.const(2)),), (number(),))
    names = [*w.names, _N]

    def term(depth: int) -> Expr:
        if depth == 0:
            return w.pick(*names, number())
        a, b = term(depth - 1), term(depth - 1)
        form = draw(10)
        if form < 2:
            return e.Add(a, b)
        if form < 4:
            return w.pick(e.Sub, e.Min, e.Max)(a, b)
        if form < 6:
            cls = w.pick(e.FloorDiv, e.FloorMod, e.Div, e.Mod)
            return cls(a, w.pick(w.const(2), w.const(3), w.const(4), e.Add(_N, w.const(1)), b))
        if form == 6:
            return e.Mul(a, w.pick(w.const(2), w.const(-3), w.const(4), b))
        if form == 7:
            kind = w.pick("int8", "int64", "uint8", "int16", "int64", "bool")
            return e.Cast("int32", e.Cast(kind, a))
        condition = related(rng, names)
        choice: Expr = if_then_else_(condition, a, b) if draw(2) == 0 else e.Select(condition, a, b)
        return choice

    def compared() -> Expr:
        cls = w.pick(e.LT, e.LE, e.EQ, e.NE)
        return cls(term(2), term(1))

    assumed = [related(rng, names) if draw(3) == 0 else compared() for _ in range(draw(3))]
    expr = e.Cast(w.pick(*CASTS, "int64"), term(2)) if draw(8) == 7 else term(2)
    condition = related(rng, names) if draw(2) else compared()
    return Told(expr, condition, bound, tuple(assumed), tuple(draw(5) for _ in bound))


# ---- the law


def check_told(told: Told) -> None:
    """Raises `WrongArithmetic`."""
    points = list(told.points())
    if not points:
        return
    facts = Analyzer()
    told.tell(facts)
    with ExitStack() as stack:
        for condition in told.assumed:
            stack.enter_context(facts.constraint_scope(condition))
        _ask(told, facts, points)
    _forgotten(told, facts)
    _limited(told)


def _ask(told: Told, facts: Analyzer, points: list[dict[Var, int]]) -> None:
    expr, condition = told.expr, told.condition
    simple, holds = facts.simplify(expr), facts.simplify(condition)
    low, high = facts.const_bounds(expr)
    outer, residues = facts.const_int_bound(expr), facts.modular_set(expr)
    inside = facts.int_set(expr)
    proofs: dict[str, tuple[bool, Callable[[int, int], bool]]] = {
        "holds": (facts.can_prove(condition), lambda _, is_so: bool(is_so)),
        "is false": (facts.can_prove(e.Not(condition)), lambda _, is_so: not is_so),
        "is zero": (facts.can_prove_equal(expr, 0), lambda value, _: value == 0),
        "is below 3": (facts.can_prove_less(expr, 3), lambda value, _: value < 3),
        "is no less than -1": (facts.can_prove_greater_equal(expr, -1), lambda value, _: value >= -1),
    }
    for point in points:
        value, is_so = _value(expr, point), _value(condition, point)
        if value is None or is_so is None:
            continue
        if _value(simple, point) != value:
            raise told.fail(f"became {simple}, {_value(simple, point)} for {value},", point)
        if bool(_value(holds, point)) != bool(is_so):
            raise told.fail(f"and {condition} became {holds}, which differs,", point)
        if not _is_inside(value, low, high):
            raise told.fail(f"is said to be from {low} to {high}, but is {value}", point)
        if not _is_inside(value, *outer.bounds):
            raise told.fail(f"is said to be in {outer}, but is {value}", point)
        factor, base = residues.coeff, residues.base
        if value != base if factor == 0 else (value - base) % factor:
            raise told.fail(f"is said to be {factor} * x + {base}, but is {value}", point)
        first = _value(inside.min_value, point) if inside.has_lower_bound else value
        last = _value(inside.max_value, point) if inside.has_upper_bound else value
        if first is not None and last is not None and not first <= value <= last:
            raise told.fail(f"is said to be in {inside}, but is {value}", point)
        for what, (is_proved, is_right) in proofs.items():
            if is_proved and not is_right(value, is_so):
                raise told.fail(f"and {condition}: it is proved that one {what}, which is wrong", point)


def _is_inside(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _forgotten(told: Told, facts: Analyzer) -> None:
    """Check that assumptions end with their scope and bindings do not."""
    free = replace(told, assumed=())
    simple = facts.simplify(told.expr)
    for point in free.points():
        value = _value(told.expr, point)
        if value is not None and _value(simple, point) != value:
            raise free.fail(f"became {simple} outside, {_value(simple, point)} for {value},", point)


def _limited(told: Told) -> None:
    """Check that a limited analyzer agrees with an unlimited one up to its limit, and raises beyond it."""
    limited, facts = LimitedAnalyzer(2), Analyzer()
    for each in (limited, facts):
        told.tell(each) if not any(told.ways) and len(told.bound) < 2 else None
    answers = [str(each.simplify(told.expr)) for each in (limited, facts)]
    proofs = [each.can_prove(told.condition) for each in (limited, facts)] if limited.steps < 2 else [True, True]
    if answers[0] != answers[1] or proofs[0] != proofs[1]:
        raise told.fail(f"is {answers[0]} within a limit and {answers[1]} without,", {})
    limited.steps = 2
    try:
        limited.simplify(e.Add(*match_types(told.expr, list(told.values)[-1])))
    except TooManySteps:
        return
    raise told.fail("was simplified in more steps than there are,", {})
