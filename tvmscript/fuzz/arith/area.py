"""Fuzz the simplifier, bounds, modular sets, interval sets and proofs against brute-force evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.arith import index_laws, layout_laws, strength_laws, system_laws
from tvmscript.fuzz.arith.assumption_laws import Told, check_told, draw_told
from tvmscript.fuzz.arith.evaluate import Undefined, evaluate, overflows
from tvmscript.fuzz.arith.index_expressions import CASTS, Made, guarded, of_constants, related, wrapping
from tvmscript.fuzz.arith.index_laws import Puzzle
from tvmscript.fuzz.construct_script import construction
from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.fuzz.programs.python_integers import evaluate as evaluate_exactly
from tvmscript.fuzz.records.outcomes import Outcomes
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.engine import ConnectiveRule
from tvmscript.ir.arith.int_set import Domain, IntervalSet, eval_set
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.arith.intervals.interval_analysis import IntervalAnalysis
from tvmscript.ir.arith.simplification.rewrite_logical import (
    convert_to_and_of_ors,
    simplify_branches,
    simplify_in_order,
    simplify_pairwise,
)
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import And, Cast, Expr, IntImm, Not, Or, Range, SizeVar, Var
from tvmscript.testing.arithmetic import RANGES, condition, number
from tvmscript.testing.choices import choices
from tvmscript.testing.strategies.expressions import INTEGERS

#: points at which values are compared
_POINTS: Final = 40
_EDGES: Final = (-(2**31), -(2**31) + 1, -1, 0, 1, 7, 2**30, 2**31 - 2, 2**31 - 1)


@dataclass(frozen=True)
class Question:
    """An expression, the domains of its variables, and the law to check."""

    law: str
    #: loop variable -> (minimum, extent). Other variables are unbounded, sizes non-negative.
    loops: Mapping[Var, tuple[int, int]]
    names: tuple[Var, ...]
    expr: Expr
    assumed: Expr | None = None

    def analyzer(self) -> Analyzer:
        """Return an analyzer with the facts about the variables."""
        facts = Analyzer(is_exact=self.law == "data")
        for var, domain in self.ranges().items():
            facts.bind(var, domain)
        if self.law == "data":
            for var in self.names:
                facts.bind_data(var)
        return facts

    def ranges(self) -> dict[Var, Range]:
        """The loops as ranges."""
        return {
            var: Range.from_min_extent(IntImm(var.dtype, low), IntImm(var.dtype, extent))
            for var, (low, extent) in self.loops.items()
        }

    @cached_property
    def values(self) -> tuple[tuple[dict[Var, int], int], ...]:
        """Sample points that satisfy the assumption, with the value of the expression where it is defined."""
        value = wrapping if self.law == "data" else evaluate
        samples: list[tuple[dict[Var, int], int]] = []
        for point in self._points():
            try:
                if self.assumed is None or evaluate(self.assumed, point):
                    samples.append((point, value(self.expr, point)))
            except Undefined:
                continue
        return tuple(samples)

    def _points(self) -> Iterator[dict[Var, int]]:
        rng = random.Random(0)
        for _ in range(_POINTS):
            yield {var: self._value(var, rng) for var in self.names}

    def _value(self, var: Var, rng: random.Random) -> int:
        if self.law == "data":
            return rng.choice(_EDGES)
        if var in self.loops:
            low, extent = self.loops[var]
            return low + rng.randrange(extent)
        far = rng.choice((9, 70, 1000))
        return rng.randint(0 if isinstance(var, SizeVar) else -far, far)

    def counts(self, point: Mapping[Var, int]) -> bool:
        """Test whether the law applies at a point: index arithmetic must not overflow, data may wrap around."""
        if self.law in ("data", "constants"):
            return True
        return not any(overflows(expr, point) for expr in (self.expr, self.assumed) if expr is not None)

    def fail(self, reason: str, point: Mapping[Var, int]) -> WrongArithmetic:
        """The error that says so."""
        values = ", ".join(f"{var.name} is {value}" for var, value in point.items())
        return WrongArithmetic(law=self.law, expr=self.expr, reason=reason, values=values)


# ---- laws


def _agrees(question: Question, made: Expr) -> None:
    value = wrapping if question.law == "data" else evaluate
    for point, expected in question.values:
        try:
            actual = value(made, point)
        except Undefined:
            if question.counts(point):
                raise question.fail(f"became {made}, which divides by zero,", point) from None
            continue
        if actual != expected and question.counts(point):
            raise question.fail(f"became {made}, {actual} for {expected},", point)


def _simplify(question: Question) -> None:
    facts = question.analyzer()
    simplified = facts.simplify(question.expr)
    _agrees(question, simplified)
    again = facts.simplify(simplified)
    if again is not simplified:
        _agrees(question, again)


def _rewrite(question: Question) -> None:
    _agrees(question, question.analyzer().rewrite_simplify(question.expr))


def _canonical(question: Question) -> None:
    _agrees(question, question.analyzer().canonical_simplify(question.expr))


def _assumed(question: Question) -> None:
    facts = question.analyzer()
    if question.assumed is None:
        return
    with facts.constraint(question.assumed):
        simplified = facts.simplify(question.expr)
    _agrees(question, simplified)
    # it is forgotten afterwards
    _agrees(replace(question, assumed=None), facts.simplify(question.expr))


def _proof(question: Question) -> None:
    facts = question.analyzer()
    for claim, wanted in ((question.expr, True), (Not(question.expr), False)):
        if not facts.can_prove(claim):
            continue
        for point, value in question.values:
            if bool(value) is not wanted and question.counts(point):
                raise question.fail(f"was proved to be {wanted}, but is {bool(value)}", point)


def _bounds(question: Question) -> None:
    facts = question.analyzer()
    inside = {"by an analyzer": facts.const_bounds(question.expr), "by its parts": _bounds_of_parts(question)}
    factor, base = facts.modular(question.expr)
    for point, value in question.values:
        for what, (low, high) in inside.items():
            is_inside = (low is None or low <= value) and (high is None or value <= high)
            if not is_inside and question.counts(point):
                raise question.fail(f"is said {what} to be from {low} to {high}, but is {value}", point)
        differs = value != base if factor == 0 else (value - base) % factor != 0
        if differs and question.counts(point):
            raise question.fail(f"is said to be {factor} * x + {base}, but is {value}", point)


def _bounds_of_parts(question: Question) -> Bounds:
    """Compute bounds by interval analysis, as the dtype passes do; 64-bit values are unbounded."""
    analysis = IntervalAnalysis()
    for var, domain in question.ranges().items():
        analysis.bind(var, domain)
    return analysis.of(question.expr)


def _set(question: Question) -> None:
    domains: dict[Var, Domain] = {
        var: IntervalSet(IntImm(var.dtype, low), IntImm(var.dtype, low + extent - 1))
        for var, (low, extent) in question.loops.items()
    }
    values = eval_set(question.expr, domains)
    for point, value in question.values:
        try:
            low = evaluate(values.min_value, point) if values.has_lower_bound else value
            high = evaluate(values.max_value, point) if values.has_upper_bound else value
        except Undefined:
            continue
        if not low <= value <= high and question.counts(point):
            raise question.fail(f"is said to be in {values}, but is {value}", point)


#: the strategies of simplifying connectives
_WAYS: Final[tuple[ConnectiveRule, ...]] = (
    simplify_in_order,
    simplify_pairwise,
    simplify_branches,
    convert_to_and_of_ors(simplify_pairwise),
    convert_to_and_of_ors(simplify_branches),
)


_MOST_CONNECTIVES: Final = 4


def _ways(question: Question) -> None:
    """Check conditions under each strategy for connectives, alone and under an assumption."""
    parts = sum(isinstance(part, (And, Or, Not)) for part in nodes(question.expr))
    free = replace(question, assumed=None)
    # normal forms of large conditions are too large
    for way in _WAYS if parts <= _MOST_CONNECTIVES else _WAYS[:3]:
        facts = question.analyzer()
        facts.extend(connectives=way, is_transitive=True)
        _agrees(free, facts.simplify(question.expr))
        if question.assumed is None:
            continue
        with facts.constraint(question.assumed):
            _agrees(question, facts.simplify(question.expr))
            is_proved = facts.can_prove(question.expr)
        for point, value in question.values if is_proved else ():
            if not value and question.counts(point):
                raise question.fail(f"was proved under {question.assumed}, but does not hold,", point)


def _constants(question: Question) -> None:
    """Check constant folding for every width."""
    try:
        expected = evaluate_exactly(question.expr, {})
    except ZeroDivisionError:
        return
    for made in (Analyzer().simplify(question.expr), Analyzer(is_exact=True).simplify(question.expr)):
        try:
            actual = evaluate_exactly(made, {})
        except ZeroDivisionError:
            raise question.fail(f"became {made}, which divides by zero,", {}) from None
        if actual != expected or made.dtype is not question.expr.dtype:
            raise question.fail(f"became {made}, {actual} for {expected},", {})


#: law -> (whether its expressions are conditions, check)
_LAWS: Final[dict[str, tuple[bool | None, Callable[[Question], None]]]] = {
    "simplify": (None, _simplify),
    "rewrite_simplify": (None, _rewrite),
    "canonical_simplify": (None, _canonical),
    "assumed": (None, _assumed),
    "proof": (True, _proof),
    "bounds": (False, _bounds),
    "set": (False, _set),
    "data": (False, _simplify),
    "ways": (True, _ways),
    "constants": (False, _constants),
}


#: laws of index analysis -> (draw a puzzle, check it)
_PUZZLES: Final = {**index_laws.LAWS, **strength_laws.LAWS, **system_laws.LAWS, **layout_laws.LAWS}


def check(question: Example) -> None:
    """Raises `WrongArithmetic`."""
    if isinstance(question, Puzzle):
        with suppress(Undefined):  # it divides by zero
            _PUZZLES[question.law][1](question)
        return
    if isinstance(question, Told):
        check_told(question)
        return
    _LAWS[question.law][1](question)


# ---- examples

Example = Question | Puzzle | Told
#: weights of the laws: those of one expression find most bugs in the least time
_OFTEN: Final = {"rewrite_simplify": 2, "canonical_simplify": 2, "constants": 2, "ways": 5, "told": 5}
_KINDS: Final = tuple(
    law for law in (*_LAWS, *_PUZZLES, "told") for _ in range(_OFTEN.get(law, 6 if law in _LAWS else 2))
)


@st.composite
def examples(draw: st.DrawFn, only: tuple[str, ...] = ()) -> Example:
    """Draw a law and an example for it: expressions of any form, of the forms that schedules and passes produce, or
    lists of expressions. `only` restricts the laws.
    """
    rng = draw(choices())
    return draw_example(rng.choice(only or _KINDS), rng)


def draw_example(law: str, rng: random.Random) -> Example:
    """Draw an example of a law."""
    if law == "constants":
        return Question(law, {}, (), of_constants(rng, rng.choice(INTEGERS), 3))
    if law == "told":
        return draw_told(rng)
    if law in _PUZZLES:
        return _PUZZLES[law][0](rng.randrange)
    return draw_question(law, rng)


def draw_question(law: str, rng: random.Random) -> Question:
    """Draw an example of a law about one expression."""
    is_condition = _LAWS[law][0]
    if is_condition is None:
        is_condition = rng.random() < 0.5
    if law == "data":
        return _data_question(rng)
    assumed = law in ("assumed", "ways")
    if rng.random() < 0.4:
        expr = condition(rng, 2) if is_condition else _maybe_cast(rng, number(rng, 3))
        loops = {var: (values.start, len(values)) for var, values in RANGES.items() if var.name != "k"}
        return Question(law, loops, tuple(RANGES), expr, condition(rng, 1) if assumed else None)
    source = Made(rng, rng.choice(("int32", "int64")))
    loops = {var: (0, extent) for var, extent in source.loops.items()}
    if rng.random() < (0.7 if law == "ways" else 0.3):
        names = rng.sample(source.names, 2)
        expr = related(rng, names) if is_condition else _maybe_cast(rng, guarded(rng, names))
        return Question(law, loops, tuple(source.names), expr, related(rng, names) if assumed else None)
    expr = source.condition(2) if is_condition else _maybe_cast(rng, source.number(3))
    return Question(law, loops, tuple(source.names), expr, source.condition(1) if assumed else None)


def _maybe_cast(rng: random.Random, expr: Expr) -> Expr:
    """Sometimes cast the expression to a narrower or unsigned dtype."""
    return Cast(rng.choice(CASTS), expr) if rng.random() > 0.9 else expr


def _data_question(rng: random.Random) -> Question:
    """Draw sums and products of data, which wrap around."""
    source = Made(rng, "int32")
    source.loops, source.sizes, source.names = {}, [], [*source.free]
    return Question("data", {}, tuple(source.names), source.data(rng.randint(1, 3)))


def write(question: Example) -> str:
    """Write the expressions as constructor calls."""
    if not isinstance(question, Question):
        parts = {field.name: getattr(question, field.name) for field in fields(question)}
        tables = {name: dict(value) if isinstance(value, Mapping) else value for name, value in parts.items()}
        shown = question.exprs if isinstance(question, Puzzle) else (question.expr, question.condition)
        return (
            f"{construction(tables, 'fields')}\n\n"
            "from tvmscript.fuzz.arith.area import check\n"
            f"from {type(question).__module__} import {type(question).__name__}\n\n"
            f"{''.join(f'# {expr}' + chr(10) for expr in shown)}check({type(question).__name__}(**fields))\n"
        )
    arguments = (dict(question.loops), question.names, question.expr, question.assumed)
    return "\n".join(
        [
            construction(arguments, "parts"),
            "",
            "from tvmscript.fuzz.arith.area import Question, check",
            "",
            f"# {question.expr}",
            f"check(Question({question.law!r}, *parts))",
        ]
    )


#: half of the time of all outcomes is that of these
_SLOW: Final = frozenset({"group", "inequalities", "tile_layout", "told", "ways"})

AREA: Final = Area(
    "arith", "simplification and proofs against Python's integers", examples, check, write, batch=200,
    subjects=Subjects("law", lambda: {*_KINDS}, examples),
    outcomes=Outcomes(
        "arith", lambda: {*_KINDS}, lambda law, rng: check(draw_example(law, rng)), count=40, slow=_SLOW,
    ),
)  # fmt: skip
