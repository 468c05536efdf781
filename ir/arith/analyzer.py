"""`Analyzer`: bind variables and assume conditions, then simplify, prove and bound expressions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum, IntFlag
from functools import cached_property
from numbers import Real

from tvmscript.ir.arith.engine import ConnectiveRule
from tvmscript.ir.arith.errors import AlreadyBound
from tvmscript.ir.arith.int_set import Domain, IntervalSet, IntSet, eval_set, eval_set_over
from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals.bounds import Bounds, ConstIntBound
from tvmscript.ir.arith.intervals.modular import Modular, ModularSet
from tvmscript.ir.arith.simplification.assumptions import Assumptions
from tvmscript.ir.arith.simplification.result_forms import AddNegatedConstants
from tvmscript.ir.arith.simplification.rewrite_logical import (
    convert_to_and_of_ors,
    simplify_branches,
    simplify_in_order,
    simplify_pairwise,
)
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.arith.sums.sum_atoms import Mark
from tvmscript.ir.core import WrongType
from tvmscript.ir.tir import GE, LT, Buffer, Expr, IntImm, IterVar, Range, Var, as_expr, match_types, uses
from tvmscript.ir.tir.base import EqualOp

#: An operand: a number stands for a constant, an iterator for its variable.
Value = Expr | IterVar | float


class ProofStrength(IntEnum):
    """TVM's effort levels of proofs. They have no effect: every proof uses all means."""

    DEFAULT = 0
    SYMBOLIC_BOUND = 1


class Extension(IntFlag):
    """Rules of TVM's analyzer that are off where nothing is said."""

    NoExtensions = 0
    TransitivelyProveInequalities = 1
    ConvertBooleanToAndOfOrs = 2
    ApplyConstraintsToBooleanBranches = 4
    ComparisonOfProductAndSum = 8


class Analyzer:
    """Integer analyzer: bounds, modular sets, simplification and proofs under assumptions.

    Arithmetic of int32 and int64 does not overflow; constants wrap; narrower types are not simplified. With
    `is_exact`, values computed from data may wrap around as well (indices of accesses still do not).
    Binding a variable again needs `allow_override`, and drops the earlier facts about it.
    """

    #: the atoms that facts refer to, when there is a simplifier
    _mark: Mark

    def __init__(self, *, is_exact: bool = False) -> None:
        self._is_exact = is_exact
        self._bindings: dict[Var, Range | Expr] = {}
        #: facts since the last question, in order: the method of `Assumptions` that adds each, and its arguments
        self._new_facts: list[tuple[Callable[..., None], tuple[object, ...]]] = []
        #: conditions that are assumed
        self._num_constraints = 0
        #: whether facts changed since the last question
        self._is_changed = False
        self._extensions = Extension.NoExtensions

    # many analyzers get facts, and are never asked
    @cached_property
    def _simplifier(self) -> Simplifier:
        simplifier = Simplifier()
        simplifier.is_exact = self._is_exact
        self._mark = simplifier.sums.atoms.mark()
        return simplifier

    def extend(self, *, connectives: ConnectiveRule | None = None, is_transitive: bool = False) -> None:
        """Set the rule for connectives, and whether proofs add up assumptions."""
        if connectives is not None:
            self._simplifier.connectives = connectives
        self._simplifier.sums.is_transitive = is_transitive
        self._is_changed = True

    @property
    def enabled_extensions(self) -> Extension:
        """The extensions that were set. Without any, connectives are simplified in order."""
        return self._extensions

    @enabled_extensions.setter
    def enabled_extensions(self, extensions: int) -> None:
        self._extensions = enabled = Extension(extensions)
        has_branches = Extension.ApplyConstraintsToBooleanBranches in enabled
        connectives: ConnectiveRule = simplify_branches if has_branches else simplify_in_order
        if Extension.ConvertBooleanToAndOfOrs in enabled:
            connectives = convert_to_and_of_ors(connectives if has_branches else simplify_pairwise)
        self.extend(connectives=connectives, is_transitive=Extension.TransitivelyProveInequalities in enabled)

    @property
    def simplifier(self) -> Simplifier:
        """The simplifier, prepared for a new question.

        Answers depend on the question and on the facts, not on earlier questions.
        """
        if self._new_facts:
            self._add_new_facts()
        sums = self._simplifier.sums
        if self._is_changed:
            self._is_changed = False
            sums.forget_since(self._mark)
        elif sums.is_used:
            sums.forget_question(self._mark)
        sums.is_used = True
        return self._simplifier

    @property
    def _facts(self) -> Assumptions:
        return self.simplifier.facts

    @property
    def _changing_facts(self) -> Assumptions:
        """The facts, which are changed from here on: nothing is known of earlier questions."""
        self._is_changed = True
        return self._facts

    def _keep(self) -> None:
        """Keep the atoms that facts refer to."""
        self._mark = self._simplifier.sums.atoms.mark()
        self._simplifier.sums.is_used = False

    def _add_fact(self, method: Callable[..., None], *args: object) -> None:
        """Add a fact when the next question is asked, but at once where it may follow from an assumed condition."""
        self._new_facts.append((method, args))
        if self._num_constraints:
            self._add_new_facts()

    def _add_new_facts(self) -> None:
        simplifier = self._simplifier
        new_facts, self._new_facts = self._new_facts, []
        simplifier.sums.forget_since(self._mark)
        for method, args in new_facts:
            method(simplifier.facts, *args)
            simplifier.sums.forget_results()
        self._keep()

    # -- facts

    def bind(self, var: Var, what: Range | Value, allow_override: bool = False) -> None:
        """Bind a variable to a range or a value.

        Raises `AlreadyBound` where it is bound to another one, unless `allow_override`.
        """
        if not isinstance(var, Var):
            raise WrongType(where="Analyzer.bind", expected="a variable", got=repr(var))
        if not isinstance(what, Range):
            what = as_expr(_operand(what), var.dtype)
        bound_value = None if allow_override else self._bindings.get(var)
        if bound_value is not None and not self._is_known_to_be(bound_value, what):
            raise AlreadyBound(var=var.name, known=_format_binding(bound_value), given=_format_binding(what))
        self._bindings[var] = what
        self._add_fact(Assumptions.bind_range if isinstance(what, Range) else Assumptions.bind_value, var, what)

    def _is_known_to_be(self, known: Range | Expr, given: Range | Expr) -> bool:
        """Whether two ranges, or two values, are provably equal."""
        if isinstance(known, Range) and isinstance(given, Range):
            return self.can_prove_equal(known.min, given.min) and self.can_prove_equal(known.extent, given.extent)
        if isinstance(known, Expr) and isinstance(given, Expr):
            return self.can_prove_equal(known, given)
        return False

    def bind_bounds(self, var: Var, low: int | None = None, high: int | None = None) -> None:
        """Bind a variable to constant bounds, both included."""
        self._bindings.pop(var, None)
        self._add_fact(Assumptions.bind_bounds, var, low, high)

    def bind_data(self, var: Var) -> None:
        """Bind a variable to data: its value is unknown, and its arithmetic may wrap."""
        self._bindings.pop(var, None)
        self._add_fact(Assumptions.bind_data, var)

    def update(self, var: Var, info: ConstIntBound, override: bool = False) -> None:
        """Bind a variable to constant bounds, intersected with its current ones unless `override`."""
        if not isinstance(info, ConstIntBound):
            raise WrongType(where="Analyzer.update", expected="a ConstIntBound", got=repr(info))
        bounds = info.bounds if override else interval.intersect(info.bounds, self.const_bounds(var))
        self.bind_bounds(var, bounds.low, bounds.high)

    def rename(self, old: Buffer, new: Buffer) -> None:
        """Replace accesses of one buffer by accesses of another."""
        self.simplifier.renamed[old] = new
        self._is_changed = True

    @contextmanager
    def constraint(self, condition: Value, holds: bool = True) -> Generator[None, None, None]:
        """Assume the condition (or its negation) inside the context."""
        facts, before = self._changing_facts, self._mark
        with facts.assuming(_as_expr(condition), holds):
            self._keep()
            inside = self._mark
            self._num_constraints += 1
            try:
                yield
            finally:
                self._num_constraints -= 1
                if self._mark == inside:  # nothing was bound
                    self._mark = before
                self._is_changed = True

    def constraint_scope(self, constraint: Value) -> AbstractContextManager[None]:
        """TVM's name of `constraint`."""
        return self.constraint(constraint)

    # -- simplification

    def simplify(self, expr: Value, steps: int = 2) -> Expr:
        """Return an expression with the same value wherever the given one has one, the same object if nothing changes.

        Simplification reaches its fixed point in one step; with 0 `steps` the expression is returned as it is.
        """
        if not isinstance(expr, Expr):
            expr = _as_expr(expr)
        return self.simplifier.simplify(expr) if steps > 0 and type(expr) is not IntImm else expr

    def rewrite_simplify(self, expr: Value) -> Expr:
        """TVM's name of a part of `simplify`; here the same, but that negative constants are added, as TVM does."""
        simplified: Expr = AddNegatedConstants().rewrite(self.simplify(expr))
        return simplified

    def canonical_simplify(self, expr: Value) -> Expr:
        """TVM's name of a part of `simplify`; here the same."""
        return self.simplify(expr)

    def simplify_index(self, expr: Expr) -> Expr:
        """Simplify an index of an access: its arithmetic does not overflow."""
        return self.simplifier.indices((expr,))[0]

    # -- proofs

    def can_prove(self, expr: Value, strength: ProofStrength = ProofStrength.DEFAULT) -> bool:
        """Whether a condition provably holds. `strength` has no effect."""
        condition = _as_expr(expr)
        return condition.value != 0 if isinstance(condition, IntImm) else self.simplifier.can_prove(condition)

    def can_prove_equal(self, lhs: Value, rhs: Value) -> bool:
        """Whether two integer expressions are provably equal."""
        if lhs is rhs:
            return True
        a, b = match_types(_operand(lhs), _operand(rhs))
        if isinstance(a, IntImm) and isinstance(b, IntImm):
            return a.value == b.value
        return self.simplifier.can_prove_equal(a, b)

    def can_prove_greater_equal(self, expr: Value, lower_bound: Value) -> bool:
        """Whether an integer expression is provably at least another."""
        return self.simplifier.can_prove(GE(*match_types(_operand(expr), _operand(lower_bound))))

    def can_prove_less(self, expr: Value, upper_bound: Value) -> bool:
        """Whether an integer expression is provably less than another."""
        return self.simplifier.can_prove(LT(*match_types(_operand(expr), _operand(upper_bound))))

    # -- facts about expressions

    def const_bounds(self, expr: Expr) -> Bounds:
        """Return constant bounds of an integer expression; None is "no limit"."""
        return self._facts.bounds_of(expr)

    def const_int_bound(self, expr: Value) -> ConstIntBound:
        """Return `const_bounds` as TVM's object. An unbound variable has the bounds of its dtype."""
        return ConstIntBound.of(self._facts.bounds_of(_as_expr(expr)))

    def modular(self, expr: Expr) -> Modular:
        """Return factor and base: the expression is base modulo factor, or base itself if the factor is 0."""
        return self._facts.residues_of(expr)

    def modular_set(self, expr: Value) -> ModularSet:
        """Return `modular` as TVM's object."""
        return ModularSet(*self.modular(_as_expr(expr)))

    def int_set(self, expr: Value | Domain, dom_map: Mapping[Var, Domain] | None = None) -> IntervalSet:
        """Return an interval with all values of an expression (or members of a set) over domains of variables.

        Without `dom_map`, variables run over the ranges that they are bound to.
        """
        if not isinstance(expr, (Range, IntSet)):
            expr = _as_expr(expr)
        if dom_map is not None:
            return eval_set(expr, dom_map, self)
        simplifier = self.simplifier
        bound = {var: ends for var in uses(expr) if (ends := simplifier.facts.domain(var)) is not None}
        return eval_set_over(simplifier, expr, bound)


def _as_expr(value: Value) -> Expr:
    """Return the expression of an operand. Raises `WrongType`."""
    return value if isinstance(value, Expr) else as_expr(_operand(value))


def _operand(value: Value) -> Expr | float:
    """Return the expression of an operand; a number is returned as it is. Raises `WrongType`."""
    if isinstance(value, IterVar):
        return value.var
    if isinstance(value, (Expr, Real)):
        return value
    if isinstance(value, EqualOp):
        return value.asobject()
    raise WrongType(where="an analyzer", expected="a number or an expression", got=repr(value))


def _format_binding(what: Range | Expr) -> str:
    return f"[{what.min}, {what.min} + {what.extent})" if isinstance(what, Range) else str(what)
