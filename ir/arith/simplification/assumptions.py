"""Assumptions at a point of a program: values and ranges of variables, conditions that hold."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar

from tvmscript.ir.arith.engine import Engine
from tvmscript.ir.arith.fold import MIRRORED, OPPOSITE
from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals import modular as residue
from tvmscript.ir.arith.intervals.bounds import EVERYTHING, Bounds
from tvmscript.ir.arith.intervals.interval_analysis import RULES, divide_bounds
from tvmscript.ir.arith.intervals.modular import ANY, Modular
from tvmscript.ir.arith.sums.canonical_sum import FactCaches, SumContext
from tvmscript.ir.arith.sums.linear_form import Atom, Linear, constant, is_index_dtype
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core import CallEffect, Op
from tvmscript.ir.tir import EQ, GE, GT, LE, Call, Expr, IntImm, Range, Var, effect_of
from tvmscript.ir.tir.expr import LT, NE, And, Cast, CompareOp, Div, FloorDiv, FloorMod, Max, Min, Mod, Not, Or, Select

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")
_T = TypeVar("_T")


def _call_weakly(method: Callable[[Expr], _T]) -> Callable[[Expr], _T]:
    """Return a function that calls a method of an object, and does not keep the object alive."""
    weak_method = weakref.WeakMethod(method)

    def call(expr: Expr) -> _T:
        live_method = weak_method()
        assert live_method is not None
        return live_method(expr)

    return call


class Assumptions:
    """Facts about variables, and a stack of assumed conditions."""

    def __init__(self, engine: Engine) -> None:
        """Begin without facts. The engine has them, and they do not keep it alive: together they are no garbage."""
        self._engine = weakref.ref(engine)
        self.sums = SumContext(_call_weakly(self.expr_bounds), _call_weakly(self.expr_residues))
        #: values of variables that are bound to a sum
        self.values: dict[Var, Linear] = {}
        #: truth of conditions that imply nothing about integers
        self.literals: dict[Hashable, bool] = {}
        #: what restores the tables on exit of a scope, in reverse order
        self._undo: list[Callable[[], object]] = []

    @property
    def engine(self) -> Engine:
        """The simplifier that has these facts."""
        engine = self._engine()
        assert engine is not None
        return engine

    # -- variables

    def variable(self, var: Var) -> Linear:
        """Return the value of a variable as a sum; an unbound variable is its own value."""
        value = self.values.get(var)
        if value is not None:
            return value
        return self.sums.atoms.variable(var).whole

    def bind_value(self, var: Var, value: Expr) -> None:
        """Bind a variable to a value."""
        self._forget(var)
        if is_index_dtype(var.dtype):
            self.values[var] = self.engine.linear(value)
        else:
            self.engine.renamed[var] = self.engine.simplify(value)

    def bind_data(self, var: Var) -> None:
        """Bind a variable to an unknown value that is computed from data."""
        self._forget(var)
        self.sums.atoms.data.add(var)

    def bind_range(self, var: Var, domain: Range) -> None:
        """Bind a variable to a range."""
        self._forget(var)
        dtype, low, count = var.dtype, domain.min, domain.extent
        if not is_index_dtype(dtype):
            return
        if type(low) is IntImm and type(count) is IntImm and count.value != 1:
            high = min(low.value + count.value - 1, dtype.max_value)
            self.sums.ranges[self.sums.atoms.variable(var)] = Bounds(low.value, high)
            return
        first, extent = self.engine.linear(domain.min), self.engine.linear(domain.extent)
        if extent.is_const and extent.const == 1:
            self.values[var] = first
            return
        atom = self.sums.atoms.variable(var)
        if not first.terms and not extent.terms:
            range_bounds = Bounds(first.const, first.const + extent.const - 1)
            self.sums.ranges[atom] = interval.intersect(range_bounds, interval.of_dtype(var.dtype))
            return
        last = first.plus(extent).shifted(-1)
        limits = Bounds(self.sums.bounds(first).low, self.sums.bounds(last).high)
        self.sums.ranges[atom] = interval.intersect(limits, interval.of_dtype(var.dtype))
        self.sums.ends[atom] = first, last

    def bind_bounds(self, var: Var, low: int | None, high: int | None) -> None:
        """Bind a variable to constant bounds."""
        self._forget(var)
        limits = Bounds(low, high)
        self.sums.ranges[self.sums.atoms.variable(var)] = interval.intersect(limits, interval.of_dtype(var.dtype))

    def domain(self, var: object) -> tuple[Linear | None, Linear | None] | None:
        """Return the first and the last value of a variable that is bound to a range, else None."""
        atom = self.sums.atoms.variable(var) if isinstance(var, Var) and self.sums.atoms.has_variable(var) else None
        if atom is None or (atom not in self.sums.ends and atom not in self.sums.ranges):
            return None
        low, high = self.sums.ranges.get(atom, EVERYTHING)
        constant_ends = None if low is None else constant(low), None if high is None else constant(high)
        return self.sums.ends.get(atom, constant_ends)

    def _forget(self, var: Var) -> None:
        """Drop the facts about a variable, and what follows from them."""
        if self.sums.atoms.has_variable(var) or var in self.values or var in self.engine.renamed:
            atom = self.sums.atoms.variable(var)
            self.sums.ranges.pop(atom, None)
            self.sums.ends.pop(atom, None)
            self.values.pop(var, None)
            self.engine.renamed.pop(var, None)
            self.sums.caches = FactCaches()

    # -- conditions

    @contextmanager
    def scope(self) -> Generator[None, None, None]:
        """Restore the assumptions on exit."""
        before, mark = self.sums.caches, len(self._undo)
        try:
            yield
        finally:
            while len(self._undo) > mark:
                self._undo.pop()()
            self.sums.caches = before
            self.sums.has_conditions = bool(self._undo)

    @contextmanager
    def fresh(self) -> Generator[None, None, None]:
        """Use separate caches inside the context."""
        before, self.sums.caches = self.sums.caches, FactCaches()
        try:
            yield
        finally:
            self.sums.caches = before

    @contextmanager
    def assuming(self, condition: Expr, holds: bool = True) -> Generator[None, None, None]:
        """Assume the condition (or its negation) inside the context."""
        with self.scope():
            self.add(condition, holds)
            yield

    def add(self, condition: Expr, holds: bool = True) -> None:
        """Assume the condition (or its negation) until the scope ends."""
        before, mark = self.sums.caches, len(self._undo)
        # results found while the condition is taken apart may rely on its first parts
        self.sums.caches = FactCaches()
        self.assume(condition, holds)
        self.sums.caches = before if len(self._undo) == mark else FactCaches()

    def assume(self, condition: Expr, holds: bool = True) -> None:
        """Record what a condition implies. One that reads memory may change: it implies nothing."""
        if effect_of(condition) > CallEffect.PURE:
            return
        rule = ASSUME.get(type(condition))
        if rule is not None:
            rule(self, condition, holds)
        if isinstance(condition, (Not, IntImm)) or (
            isinstance(condition, CompareOp) and is_index_dtype(condition.a.dtype)
        ):
            return
        self._set(self.literals, structural_key(condition), holds)
        if isinstance(condition, CompareOp) and holds:
            opposite = OPPOSITE[type(condition)]
            self._set(self.literals, structural_key(opposite(condition.a, condition.b)), False)
            if opposite in MIRRORED:
                self._set(self.literals, structural_key(MIRRORED[opposite](condition.b, condition.a)), False)

    def truth_of(self, condition: Expr) -> bool | None:
        """Return whether an assumed condition holds, None if it is not assumed."""
        return self.literals.get(structural_key(condition)) if self.literals else None

    def assume_at_most_zero(self, value: Linear) -> None:
        """Assume that the sum is at most zero."""
        content = value.content()
        if content == 0:
            return
        limit = -value.const // content
        groups, shift = self.sums.regroup(Linear({atom: f // content for atom, f in value.terms.items()}, 0))
        limit -= shift
        if len(groups) == 1:
            factor, atom = groups[0]
            old_bounds = self.sums.ranges.get(atom)
            # without a range, `atom_bounds` returns the limits of the dtype
            old_bounds = self.sums.atom_bounds(atom) if old_bounds is None else old_bounds
            bound = Bounds(None, limit // factor) if factor > 0 else Bounds(-(limit // -factor), None)
            self._set(self.sums.ranges, atom, interval.intersect(old_bounds, bound))
            self._derive_residue(atom)
            return
        terms = Linear({atom: f // content for atom, f in value.terms.items()}, 0)
        signature = terms.key[1]
        opposite = terms.times(-1).key[1]
        if opposite in self.sums.sum_ranges:
            old_bounds = interval.intersect(self.sums.sum_ranges[opposite], Bounds(-limit - shift, None))
            self._set(self.sums.sum_ranges, opposite, old_bounds)
        else:
            old_bounds = interval.intersect(
                self.sums.sum_ranges.get(signature, EVERYTHING), Bounds(None, limit + shift)
            )
            self.sums.sum_terms[signature] = terms
            self._set(self.sums.sum_ranges, signature, old_bounds)

    def assume_nonzero(self, value: Linear) -> None:
        """Assume that the sum is not zero."""
        value = value.primitive()
        self._set(self.sums.nonzero, value.key, True)
        self._set(self.sums.nonzero, value.times(-1).key, True)

    def _derive_residue(self, atom: Atom) -> None:
        """Derive the residue of a dividend from a remainder with one value."""
        range_, inner, divisor = self.sums.ranges[atom], atom.inner, atom.divisor
        if isinstance(atom.expr, Mod) and isinstance(atom.expr.b, IntImm) and atom.expr.b.value > 0:
            inner, divisor = self.engine.linear(atom.expr.a), atom.expr.b.value
        elif not atom.is_remainder:
            return
        if inner is None or range_.low is None or not range_.is_single:
            return
        old_residues = self.sums.congruent.get(inner.key[1], ANY)
        residues = residue.residues(divisor, range_.low - inner.const)
        self._set(self.sums.congruent, inner.key[1], residue.intersect(old_residues, residues))
        opposite = inner.times(-1).key[1]
        old_residues = self.sums.congruent.get(opposite, ANY)
        residues = residue.residues(divisor, inner.const - range_.low)
        self._set(self.sums.congruent, opposite, residue.intersect(old_residues, residues))

    def _set(self, table: dict[_K, _V], key: _K, value: _V) -> None:
        """Set an entry of a table until the scope ends."""
        self.sums.has_conditions = True
        old = table.get(key)
        if old is None:
            self._undo.append(lambda: table.pop(key, None))  # a variable may have been bound anew since
        else:
            self._undo.append(lambda: table.__setitem__(key, old))
        table[key] = value

    # -- bounds and residues of expressions that are not sums

    def expr_bounds(self, expr: Expr) -> Bounds:
        """Return bounds of a scalar integer expression that is not a sum."""
        if not expr.dtype.is_integer or expr.dtype.lanes != 1:
            return EVERYTHING
        limits = interval.of_dtype(expr.dtype)
        if isinstance(expr, (FloorDiv, FloorMod, Div, Mod)):
            divisor = self.bounds_of(expr.b)
            is_bounded = isinstance(expr, (FloorDiv, Div)) or divisor != limits
            bounds = divide_bounds(type(expr), self.bounds_of(expr.a), divisor) if is_bounded else None
        else:
            is_bounded = type(expr) in _OPAQUE and not self._is_negative_shift(expr)
            bounds = RULES[type(expr)](self.bounds_of, expr) if is_bounded else None
        if bounds is None:
            return limits
        if bounds.within(limits.low, limits.high):
            return bounds
        return interval.intersect(bounds, limits) if is_index_dtype(expr.dtype) and not self.may_wrap(expr) else limits

    def _is_negative_shift(self, expr: Expr) -> bool:
        """Return whether `expr` may shift a negative value left, which is undefined in C; TVM proves nothing of it."""
        return _is_left_shift(expr) and not self.bounds_of(expr.args[0]).within(0, None)

    def may_wrap(self, expr: Expr) -> bool:
        """Whether an expression of an index dtype may wrap around: a conversion of data, or a left shift."""
        if isinstance(expr, Cast):
            value = expr.value
            return not is_index_dtype(value.dtype) or any(map(self.sums.atoms.is_data, self.engine.linear(value).terms))
        return _is_left_shift(expr)

    def bounds_of(self, expr: Expr) -> Bounds:
        """Return constant bounds of an operand."""
        if not is_index_dtype(expr.dtype):
            return self.expr_bounds(expr)
        bounds = self.sums.bounds(self.engine.linear(expr))
        if self.sums.has_conditions and isinstance(expr, (FloorDiv, Div)):
            # a canonical sum may not have the dividend any more, which conditions speak of
            return interval.intersect(bounds, self.expr_bounds(expr))
        return bounds

    def expr_residues(self, expr: Expr) -> Modular:
        """Return the modular set of a scalar integer expression that is not a sum."""
        rule = RESIDUES.get(type(expr))
        return ANY if rule is None else rule(self, expr)

    def residues_of(self, expr: Expr) -> Modular:
        """Return the modular set of an operand."""
        if isinstance(expr, IntImm):
            return Modular(0, expr.value)
        return self.sums.residues(self.engine.linear(expr)) if is_index_dtype(expr.dtype) else ANY


# -- implications of a condition: (assumptions, condition, whether it holds)


def _assume_and(facts: Assumptions, node: And, holds: bool) -> None:
    if holds:
        facts.assume(node.a)
        facts.assume(node.b)


def _assume_or(facts: Assumptions, node: Or, holds: bool) -> None:
    if not holds:
        facts.assume(node.a, False)
        facts.assume(node.b, False)


def _assume_not(facts: Assumptions, node: Not, holds: bool) -> None:
    facts.assume(node.a, not holds)


def _assume_likely(facts: Assumptions, node: Call, holds: bool) -> None:
    if isinstance(node.op, Op) and node.op.name == "tir.likely":
        facts.assume(node.args[0], holds)


def _order_rule(sign: int, is_strict: bool) -> Callable[[Assumptions, CompareOp, bool], None]:
    """sign * (a - b) < 0, or <= 0"""

    def rule(facts: Assumptions, node: CompareOp, holds: bool) -> None:
        if is_index_dtype(node.a.dtype):
            difference = facts.engine.linear(node.a).plus(facts.engine.linear(node.b), -1).times(sign)
            # not (d < 0) is -d <= 0
            facts.assume_at_most_zero(
                difference.shifted(is_strict) if holds else difference.times(-1).shifted(not is_strict)
            )

    return rule


def _equality_rule(when: bool) -> Callable[[Assumptions, CompareOp, bool], None]:
    def rule(facts: Assumptions, node: CompareOp, holds: bool) -> None:
        if not is_index_dtype(node.a.dtype):
            return
        difference = facts.engine.linear(node.a).plus(facts.engine.linear(node.b), -1)
        if holds is when:
            facts.assume_at_most_zero(difference)
            facts.assume_at_most_zero(difference.times(-1))
            return
        # an interval that ends at zero shrinks
        facts.assume_nonzero(difference)
        low, high = facts.sums.bounds(difference)
        if low == 0:
            facts.assume_at_most_zero(difference.times(-1).shifted(1))
        if high == 0:
            facts.assume_at_most_zero(difference.shifted(1))

    return rule


#: A rule for a condition of one class, and whether it holds.
AssumeRule: TypeAlias = Callable[[Assumptions, Any, bool], None]
ASSUME: Final[dict[type[Expr], AssumeRule]] = {
    And: _assume_and,
    Or: _assume_or,
    Not: _assume_not,
    Call: _assume_likely,
    LT: _order_rule(1, True),
    LE: _order_rule(1, False),
    GT: _order_rule(-1, True),
    GE: _order_rule(-1, False),
    EQ: _equality_rule(True),
    NE: _equality_rule(False),
}


def _is_left_shift(expr: Expr) -> TypeGuard[Call]:
    return isinstance(expr, Call) and isinstance(expr.op, Op) and expr.op.name == "tir.shift_left"


#: expressions that are not sums and that `RULES` bound
_OPAQUE: Final = frozenset({IntImm, Select, Cast, Min, Max, Call})


def _choice_residues(facts: Assumptions, node: Select) -> Modular:
    return residue.union(facts.residues_of(node.true_value), facts.residues_of(node.false_value))


def _extreme_residues(facts: Assumptions, node: Min | Max) -> Modular:
    return residue.union(facts.residues_of(node.a), facts.residues_of(node.b))


def _converted_residues(facts: Assumptions, node: Cast) -> Modular:
    return facts.residues_of(node.value) if is_index_dtype(node.value.dtype) and not facts.may_wrap(node) else ANY


RESIDUES: Final[dict[type[Expr], Callable[[Assumptions, Any], Modular]]] = {
    Cast: _converted_residues,
    Select: _choice_residues,
    Min: _extreme_residues,
    Max: _extreme_residues,
}
