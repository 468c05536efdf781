"""The front of `ir.arith`: facts about variables, simplification and proofs."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from enum import IntEnum
from numbers import Real

from tvmscript.ir.arith import bounds as interval
from tvmscript.ir.arith.assumptions import Assumptions
from tvmscript.ir.arith.bounds import Bounds
from tvmscript.ir.arith.const_int_bound import ConstIntBound, ModularSet
from tvmscript.ir.arith.engine import ConnectiveRule
from tvmscript.ir.arith.errors import AlreadyBound
from tvmscript.ir.arith.int_set import Domain, IntervalSet, IntSet, eval_set, eval_set_over
from tvmscript.ir.arith.modular import Modular
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LT, IntImm, IterVar, Range
from tvmscript.ir.tir.operators import as_expr, match_types
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var

#: What stands for an expression: a number is a constant, an iterator its variable.
Value = Expr | IterVar | float


class ProofStrength(IntEnum):
    """How hard TVM tries. Proofs are always tried in full here: what `SYMBOLIC_BOUND` proves, `DEFAULT` proves too."""

    DEFAULT = 0
    SYMBOLIC_BOUND = 1


class Analyzer:
    """What is known about a program's integers, and what follows from it.

    Arithmetic of int32 and int64 is taken not to overflow; constants wrap; narrower types are left alone. With
    `is_exact`, what is computed from data may wrap around as well (indices of accesses still do not).
    Binding a variable to something else has to be allowed, and forgets what was known about it.
    """

    def __init__(self, *, is_exact: bool = False) -> None:
        self._simplifier = Simplifier()
        self._simplifier.is_exact = is_exact
        self._mark = self._simplifier.sums.atoms.mark()
        self._bindings: dict[Var, Range | Expr] = {}

    def extend(self, *, connectives: ConnectiveRule | None = None, is_transitive: bool = False) -> None:
        """Simplify connectives in another way; add facts up in proofs."""
        if connectives is not None:
            self._simplifier.connectives = connectives
        self._simplifier.sums.is_transitive = is_transitive

    @property
    def simplifier(self) -> Simplifier:
        """How it works: sums of atoms, and the facts about them. It is made ready for a new question.

        What comes out depends on the question and on the facts, not on what was asked before.
        """
        sums = self._simplifier.sums
        if sums.is_used:
            sums.forget_since(self._mark)
        sums.is_used = True
        return self._simplifier

    @property
    def _facts(self) -> Assumptions:
        return self.simplifier.facts

    def _keep(self) -> None:
        """What the facts are made of is not forgotten."""
        self._mark = self._simplifier.sums.atoms.mark()
        self._simplifier.sums.is_used = False

    # -- what is known

    def bind(self, var: Var, what: Range | Value, allow_override: bool = False) -> None:
        """The variable is in a range, or has a value, from here on.

        Raises `AlreadyBound` where it is bound to another one, unless `allow_override`.
        """
        if not isinstance(var, Var):
            raise WrongType(where="Analyzer.bind", expected="a variable", got=repr(var))
        if not isinstance(what, Range):
            what = as_expr(_operand(what), var.dtype)
        known = None if allow_override else self._bindings.get(var)
        if known is not None and not self._is_known_to_be(known, what):
            raise AlreadyBound(var=var.name, known=_format_binding(known), given=_format_binding(what))
        self._bindings[var] = what
        if isinstance(what, Range):
            self._facts.bind_range(var, what)
        else:
            self._facts.bind_value(var, what)
        self._keep()

    def _is_known_to_be(self, known: Range | Expr, given: Range | Expr) -> bool:
        """Whether two ranges, or two values, are known to be the same."""
        if isinstance(known, Range) and isinstance(given, Range):
            return self.can_prove_equal(known.min, given.min) and self.can_prove_equal(known.extent, given.extent)
        if isinstance(known, Expr) and isinstance(given, Expr):
            return self.can_prove_equal(known, given)
        return False

    def bind_bounds(self, var: Var, low: int | None = None, high: int | None = None) -> None:
        """The variable is between two constants, both included, from here on."""
        self._bindings.pop(var, None)
        self._facts.bind_bounds(var, low, high)
        self._keep()

    def bind_data(self, var: Var) -> None:
        """The variable stands for data, from here on: nothing is known about it, and its arithmetic may wrap."""
        self._bindings.pop(var, None)
        self._facts.bind_data(var)
        self._keep()

    def update(self, var: Var, info: ConstIntBound, override: bool = False) -> None:
        """The variable is in the bounds, from here on; without `override`, in what was known as well."""
        if not isinstance(info, ConstIntBound):
            raise WrongType(where="Analyzer.update", expected="a ConstIntBound", got=repr(info))
        known = info.bounds if override else interval.intersect(info.bounds, self.const_bounds(var))
        self.bind_bounds(var, known.low, known.high)

    def rename(self, old: Buffer, new: Buffer) -> None:
        """Accesses of one buffer are accesses of the other, from here on."""
        self.simplifier.renamed[old] = new

    @contextmanager
    def constraint(self, condition: Value, holds: bool = True) -> Generator[None, None, None]:
        """`with analyzer.constraint(i < n):` what is asked inside may rely on the condition."""
        facts, before = self._facts, self._mark
        with facts.assuming(_as_expr(condition), holds):
            self._keep()
            inside = self._mark
            try:
                yield
            finally:
                if self._mark == inside:  # nothing was bound
                    self._mark = before
                self._simplifier.sums.is_used = True

    def constraint_scope(self, constraint: Value) -> AbstractContextManager[None]:
        """TVM's name of `constraint`."""
        return self.constraint(constraint)

    # -- simplification

    def simplify(self, expr: Value, steps: int = 2) -> Expr:
        """An expression with the same value wherever the given one has one; the same object where nothing changes.

        There is one form of simplified expressions, reached in one step: any positive number of `steps` is one,
        and none leaves the expression as it is.
        """
        if not isinstance(expr, Expr):
            expr = _as_expr(expr)
        return self.simplifier.simplify(expr) if steps > 0 and type(expr) is not IntImm else expr

    def rewrite_simplify(self, expr: Value) -> Expr:
        """TVM's name of one half of `simplify`; the whole here."""
        return self.simplify(expr)

    def canonical_simplify(self, expr: Value) -> Expr:
        """TVM's name of the other half of `simplify`; the whole here."""
        return self.simplify(expr)

    def simplify_index(self, expr: Expr) -> Expr:
        """An index of an access, simplified: its arithmetic does not overflow."""
        return self.simplifier.indices((expr,))[0]

    # -- proofs

    def can_prove(self, expr: Value, strength: ProofStrength = ProofStrength.DEFAULT) -> bool:
        """Whether a condition is known to hold. Every `strength` is the highest."""
        condition = _as_expr(expr)
        return condition.value != 0 if isinstance(condition, IntImm) else self.simplifier.can_prove(condition)

    def can_prove_equal(self, lhs: Value, rhs: Value) -> bool:
        """Whether two integer expressions are known to be equal."""
        if lhs is rhs:
            return True
        a, b = match_types(_operand(lhs), _operand(rhs))
        if isinstance(a, IntImm) and isinstance(b, IntImm):
            return a.value == b.value
        return self.simplifier.can_prove_equal(a, b)

    def can_prove_greater_equal(self, expr: Value, lower_bound: Value) -> bool:
        """Whether an integer expression is known to be no less than another."""
        return self.simplifier.can_prove(GE(*match_types(_operand(expr), _operand(lower_bound))))

    def can_prove_less(self, expr: Value, upper_bound: Value) -> bool:
        """Whether an integer expression is known to be less than another."""
        return self.simplifier.can_prove(LT(*match_types(_operand(expr), _operand(upper_bound))))

    # -- facts about expressions

    def const_bounds(self, expr: Expr) -> Bounds:
        """The smallest interval known to hold an integer expression; None stands for "no limit"."""
        return self._facts.bounds_of(expr)

    def const_int_bound(self, expr: Value) -> ConstIntBound:
        """`const_bounds` as TVM's object; variables of which nothing is known are only bound by their dtype."""
        return ConstIntBound.of(self._facts.bounds_of(_as_expr(expr)))

    def modular(self, expr: Expr) -> Modular:
        """factor and base: the expression is base modulo factor; a factor of 0 means that it is base."""
        return self._facts.residues_of(expr)

    def modular_set(self, expr: Value) -> ModularSet:
        """`modular` as TVM's object."""
        return ModularSet(*self.modular(_as_expr(expr)))

    def int_set(self, expr: Value | Domain, dom_map: Mapping[Var, Domain] | None = None) -> IntervalSet:
        """The smallest known interval with all values of an expression, or of a set, over domains of variables.

        Without domains, over the ranges that variables are bound to.
        """
        if not isinstance(expr, Range | IntSet):
            expr = _as_expr(expr)
        if dom_map is not None:
            return eval_set(expr, dom_map, self)
        simplifier = self.simplifier
        bound = {var: ends for var in uses(expr) if (ends := simplifier.facts.domain(var)) is not None}
        return eval_set_over(simplifier, expr, bound)


def _as_expr(value: Value) -> Expr:
    """The expression that a value stands for. Raises `WrongType`."""
    return value if isinstance(value, Expr) else as_expr(_operand(value))


def _operand(value: Value) -> Expr | float:
    """The same, where numbers become constants of the dtype of the other operand."""
    if isinstance(value, IterVar):
        return value.var
    if isinstance(value, Expr | Real):
        return value
    raise WrongType(where="an analyzer", expected="a number or an expression", got=repr(value))


def _format_binding(what: Range | Expr) -> str:
    return f"[{what.min}, {what.min} + {what.extent})" if isinstance(what, Range) else str(what)
