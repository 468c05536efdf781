"""Simplified expressions have the value of the original; bounds, residues, sets and proofs hold for every value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import Domain, IntervalSet, eval_set
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm, Not, Range
from tvmscript.ir.tir.var import SizeVar, Var
from tvmscript.testing.arithmetic import RANGES, conditions, numbers
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.index_expressions import Made, wrapping
from tvmscript.testing.whole_numbers import Undefined, evaluate

#: points at which values are compared
_POINTS: Final = 40
_EDGES: Final = (-(2**31), -(2**31) + 1, -1, 0, 1, 7, 2**30, 2**31 - 2, 2**31 - 1)


class WrongArithmetic(TVMScriptError):
    """A simplified expression has another value than the original, or what is known of an expression is not so."""

    code = "TS8044"
    message = "{law}: {expr} {reason} where {values}"


@dataclass(frozen=True)
class Question:
    """An expression, what is known of its variables, and what has to hold."""

    law: str
    #: loop variables: the first value and how many there are. Sizes are not negative, others may be anything.
    loops: Mapping[Var, tuple[int, int]]
    names: tuple[Var, ...]
    expr: Expr
    assumed: Expr | None = None

    def analyzer(self) -> Analyzer:
        """What is known of the variables."""
        facts = Analyzer(is_exact=self.law == "data")
        for var, (low, extent) in self.loops.items():
            facts.bind(var, Range.from_min_extent(IntImm(var.dtype, low), IntImm(var.dtype, extent)))
        if self.law == "data":
            for var in self.names:
                facts.bind_data(var)
        return facts

    def points(self) -> Iterator[dict[Var, int]]:
        """Values of the variables for which what is assumed holds."""
        rng = random.Random(0)
        for _ in range(_POINTS):
            point = {var: self._value(var, rng) for var in self.names}
            if self.assumed is None or _holds(self.assumed, point):
                yield point

    def _value(self, var: Var, rng: random.Random) -> int:
        if self.law == "data":
            return rng.choice(_EDGES)
        if var in self.loops:
            low, extent = self.loops[var]
            return low + rng.randrange(extent)
        far = rng.choice((9, 70, 1000))
        return rng.randint(0 if isinstance(var, SizeVar) else -far, far)

    def fail(self, reason: str, point: Mapping[Var, int]) -> WrongArithmetic:
        """The error that says so."""
        values = ", ".join(f"{var.name} is {value}" for var, value in point.items())
        return WrongArithmetic(law=self.law, expr=self.expr, reason=reason, values=values)


def _holds(condition: Expr, point: Mapping[Var, int]) -> bool:
    try:
        return bool(evaluate(condition, point))
    except Undefined:
        return False


# ---- laws


def _agrees(question: Question, made: Expr, value: Callable[[Expr, Mapping[Var, int]], int] = evaluate) -> None:
    for point in question.points():
        try:
            expected = value(question.expr, point)
        except Undefined:
            continue
        try:
            found = value(made, point)
        except Undefined:
            raise question.fail(f"became {made}, which divides by zero,", point) from None
        if found != expected:
            raise question.fail(f"became {made}, {found} for {expected},", point)


def _simplify(question: Question) -> None:
    facts = question.analyzer()
    made = facts.simplify(question.expr)
    _agrees(question, made)
    _agrees(question, facts.simplify(made))


def _rewrite(question: Question) -> None:
    _agrees(question, question.analyzer().rewrite_simplify(question.expr))


def _canonical(question: Question) -> None:
    _agrees(question, question.analyzer().canonical_simplify(question.expr))


def _data(question: Question) -> None:
    _agrees(question, question.analyzer().simplify(question.expr), wrapping)


def _assumed(question: Question) -> None:
    facts = question.analyzer()
    if question.assumed is None:
        return
    with facts.constraint(question.assumed):
        made = facts.simplify(question.expr)
    _agrees(question, made)
    # it is forgotten afterwards
    free = Question(question.law, question.loops, question.names, question.expr)
    _agrees(free, facts.simplify(question.expr))


def _proof(question: Question) -> None:
    facts = question.analyzer()
    for condition, wanted in ((question.expr, True), (Not(question.expr), False)):
        if not facts.can_prove(condition):
            continue
        for point in question.points():
            try:
                found = bool(evaluate(question.expr, point))
            except Undefined:
                continue
            if found is not wanted:
                raise question.fail(f"was proved to be {wanted}, but is {found}", point)


def _bounds(question: Question) -> None:
    facts = question.analyzer()
    low, high = facts.const_bounds(question.expr)
    factor, base = facts.modular(question.expr)
    for point in question.points():
        try:
            value = evaluate(question.expr, point)
        except Undefined:
            continue
        if (low is not None and value < low) or (high is not None and value > high):
            raise question.fail(f"is said to be from {low} to {high}, but is {value}", point)
        if value != base if factor == 0 else (value - base) % factor != 0:
            raise question.fail(f"is said to be {factor} * x + {base}, but is {value}", point)


def _set(question: Question) -> None:
    domains: dict[Var, Domain] = {
        var: IntervalSet(IntImm(var.dtype, low), IntImm(var.dtype, low + extent - 1))
        for var, (low, extent) in question.loops.items()
    }
    found = eval_set(question.expr, domains)
    for point in question.points():
        try:
            value = evaluate(question.expr, point)
            low = evaluate(found.min_value, point) if found.has_lower_bound else value
            high = evaluate(found.max_value, point) if found.has_upper_bound else value
        except Undefined:
            continue
        if not low <= value <= high:
            raise question.fail(f"is said to be in {found}, but is {value}", point)


#: law -> whether its expressions are conditions, and what checks it
_LAWS: Final[dict[str, tuple[bool | None, Callable[[Question], None]]]] = {
    "simplify": (None, _simplify),
    "rewrite_simplify": (None, _rewrite),
    "canonical_simplify": (None, _canonical),
    "assumed": (None, _assumed),
    "proof": (True, _proof),
    "bounds": (False, _bounds),
    "set": (False, _set),
    "data": (False, _data),
}


def check(question: Question) -> None:
    """Raises `WrongArithmetic`."""
    _LAWS[question.law][1](question)


# ---- examples


@st.composite
def examples(draw: st.DrawFn) -> Question:
    """An expression in any form, or one of those that schedules and passes make."""
    law = draw(st.sampled_from(list(_LAWS)))
    is_condition = _LAWS[law][0]
    if is_condition is None:
        is_condition = draw(st.booleans())
    if law == "data":
        return _data_question(draw)
    if draw(st.booleans()):
        expr = draw(conditions(2) if is_condition else numbers(3))
        loops = {var: (values.start, len(values)) for var, values in RANGES.items() if var.name != "k"}
        return Question(law, loops, tuple(RANGES), expr, draw(conditions(1)) if law == "assumed" else None)
    made = Made(draw(st.randoms(use_true_random=False)), draw(st.sampled_from(["int32", "int64"])))
    expr = made.condition(2) if is_condition else made.number(3)
    loops = {var: (0, extent) for var, extent in made.loops.items()}
    return Question(law, loops, tuple(made.names), expr, made.condition(1) if law == "assumed" else None)


def _data_question(draw: st.DrawFn) -> Question:
    """Sums and products of data, which wrap around."""
    made = Made(draw(st.randoms(use_true_random=False)), "int32")
    made.loops, made.sizes, made.names = {}, [], [*made.free]
    return Question("data", {}, tuple(made.names), made.data(draw(st.integers(1, 3))))


def write(question: Question) -> str:
    """The expression node by node."""
    parts = (dict(question.loops), question.names, question.expr, question.assumed)
    return "\n".join(
        [
            construction(parts, "parts"),
            "",
            "from tvmscript.testing.fuzzing.arith import Question, check",
            "",
            f"# {question.expr}",
            f"check(Question({question.law!r}, *parts))",
        ]
    )


AREA: Final = Area("arith", "simplification and proofs against Python's integers", examples, check, write, batch=200)
