"""Simplified expressions have the value of the original; bounds, residues, sets and proofs hold for every value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.booleans import Way, as_clauses, both_ways, in_order, pairwise
from tvmscript.ir.arith.int_set import Domain, IntervalSet, eval_set
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import And, IntImm, Not, Or, Range
from tvmscript.ir.tir.var import SizeVar, Var
from tvmscript.testing.arithmetic import RANGES, conditions, numbers
from tvmscript.testing.fuzzing import index_laws
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.fuzzing.index_laws import Puzzle
from tvmscript.testing.fuzzing.levels import WrongArithmetic
from tvmscript.testing.fuzzing.told_laws import Told, check_told, draw_told
from tvmscript.testing.index_expressions import Made, wrapping
from tvmscript.testing.integer_kernels import integer_exprs
from tvmscript.testing.python_integers import evaluate as evaluate_exactly
from tvmscript.testing.strategies.expressions import INTEGERS
from tvmscript.testing.whole_numbers import Undefined, evaluate

#: points at which values are compared
_POINTS: Final = 40
_EDGES: Final = (-(2**31), -(2**31) + 1, -1, 0, 1, 7, 2**30, 2**31 - 2, 2**31 - 1)


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


#: the ways of simplifying conjunctions
_WAYS: Final[tuple[Way, ...]] = (in_order, pairwise, both_ways, as_clauses(pairwise), as_clauses(both_ways))


_MOST_CONNECTIVES: Final = 4


def _ways(question: Question) -> None:
    """Conditions in every way that connectives are simplified in, alone and under another condition."""
    parts = sum(isinstance(part, And | Or | Not) for part in nodes(question.expr))
    # clauses multiply: those of large conditions are too many
    for way in _WAYS if parts <= _MOST_CONNECTIVES else _WAYS[:3]:
        facts = question.analyzer()
        facts.extend(connectives=way, is_transitive=True)
        free = Question(question.law, question.loops, question.names, question.expr)
        _agrees(free, facts.simplify(question.expr))
        if question.assumed is None:
            continue
        with facts.constraint(question.assumed):
            _agrees(question, facts.simplify(question.expr))
            is_proved = facts.can_prove(question.expr)
        for point in question.points() if is_proved else ():
            try:
                holds = evaluate(question.expr, point)
            except Undefined:
                continue
            if not holds:
                raise question.fail(f"was proved under {question.assumed}, but does not hold,", point)


def _constants(question: Question) -> None:
    """Constants of every width are computed as they run."""
    if any(getattr(getattr(part, "op", None), "name", "").startswith("tir.shift") for part in nodes(question.expr)):
        return  # by any amount
    try:
        expected = evaluate_exactly(question.expr, {})
    except ZeroDivisionError:
        return
    for made in (Analyzer().simplify(question.expr), Analyzer(is_exact=True).simplify(question.expr)):
        try:
            found = evaluate_exactly(made, {})
        except ZeroDivisionError:
            raise question.fail(f"became {made}, which divides by zero,", {}) from None
        if found != expected or made.dtype is not question.expr.dtype:
            raise question.fail(f"became {made}, {found} for {expected},", {})


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
    "ways": (True, _ways),
    "constants": (False, _constants),
}


def check(question: Example) -> None:
    """Raises `WrongArithmetic`."""
    if isinstance(question, Puzzle):
        index_laws.check(question)
        return
    if isinstance(question, Told):
        check_told(question)
        return
    _LAWS[question.law][1](question)


# ---- examples

Example = Question | Puzzle | Told
#: those of one expression find most, and take least time
_PLAIN: Final = tuple(law for law in _LAWS if law not in ("ways", "constants"))
_KINDS: Final = (*_PLAIN * 6, *index_laws.LAWS, *index_laws.LAWS, *["constants"] * 2, *["ways"] * 3, *["told"] * 4)


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """An expression in any form, or one of those that schedules and passes make; several of them, as digits, regions,
    sets.
    """
    law = draw(st.sampled_from(_KINDS))
    if law == "told":
        told = draw(st.randoms(use_true_random=False))
        return draw_told(lambda count: int(told.random() * count))
    if law in index_laws.LAWS:
        rng = draw(st.randoms(use_true_random=False))
        return index_laws.LAWS[law][0](lambda count: int(rng.random() * count))
    is_condition = _LAWS[law][0]
    if is_condition is None:
        is_condition = draw(st.booleans())
    if law == "data":
        return _data_question(draw)
    if law == "constants":
        dtype = draw(st.sampled_from(INTEGERS))
        return Question(law, {}, (), draw(integer_exprs(dtype, [], 3)))
    assumed = law in ("assumed", "ways")
    if draw(st.booleans()):
        expr = draw(conditions(2) if is_condition else numbers(3))
        loops = {var: (values.start, len(values)) for var, values in RANGES.items() if var.name != "k"}
        return Question(law, loops, tuple(RANGES), expr, draw(conditions(1)) if assumed else None)
    made = Made(draw(st.randoms(use_true_random=False)), draw(st.sampled_from(["int32", "int64"])))
    expr = made.condition(2) if is_condition else made.number(3)
    loops = {var: (0, extent) for var, extent in made.loops.items()}
    return Question(law, loops, tuple(made.names), expr, made.condition(1) if assumed else None)


def _data_question(draw: st.DrawFn) -> Question:
    """Sums and products of data, which wrap around."""
    made = Made(draw(st.randoms(use_true_random=False)), "int32")
    made.loops, made.sizes, made.names = {}, [], [*made.free]
    return Question("data", {}, tuple(made.names), made.data(draw(st.integers(1, 3))))


def write(question: Example) -> str:
    """The expressions node by node."""
    if not isinstance(question, Question):
        fields = {name: dict(value) if isinstance(value, Mapping) else value for name, value in vars(question).items()}
        shown = question.exprs if isinstance(question, Puzzle) else (question.expr, question.condition)
        check_name = "check" if isinstance(question, Puzzle) else "check_told"
        return (
            f"{construction(fields, 'fields')}\n\n"
            f"from {type(question).__module__} import {type(question).__name__}, {check_name}\n\n"
            f"{''.join(f'# {expr}' + chr(10) for expr in shown)}{check_name}({type(question).__name__}(**fields))\n"
        )
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
