"""The front of `ir.arith`: facts about variables, simplification and proofs."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tvmscript.ir.arith.bounds import Bounds
from tvmscript.ir.arith.facts import is_index
from tvmscript.ir.arith.modular import ANY, Modular
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import EQ, IntImm, Range
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.var import Var


class Analyzer:
    """What is known about a program's integers, and what follows from it.

    Arithmetic of int32 and int64 is taken not to overflow; constants wrap; narrower types are left alone. With
    `is_exact`, what is computed from data may wrap around as well (indices of accesses still do not).
    Variables are bound once; binding a variable again forgets what was known about it.
    """

    def __init__(self, *, is_exact: bool = False) -> None:
        self._simplifier = Simplifier()
        self._simplifier.is_exact = is_exact
        self._facts = self._simplifier.facts

    def bind(self, var: Var, what: Range | Expr) -> None:
        """The variable is in a range, or has a value, from here on."""
        if isinstance(what, Range):
            self._facts.bind_range(var, what)
        else:
            self._facts.bind_value(var, what)

    def bind_bounds(self, var: Var, low: int | None = None, high: int | None = None) -> None:
        """The variable is between two constants, both included, from here on."""
        self._facts.bind_bounds(var, low, high)

    def bind_data(self, var: Var) -> None:
        """The variable stands for data, from here on: nothing is known about it, and its arithmetic may wrap."""
        self._facts.bind_data(var)

    def simplify_index(self, expr: Expr) -> Expr:
        """An index of an access, simplified: its arithmetic does not overflow."""
        return self._simplifier.indices((expr,))[0]

    def rename(self, old: Buffer, new: Buffer) -> None:
        """Accesses of one buffer are accesses of the other, from here on."""
        self._simplifier.renamed[old] = new

    def constraint(self, condition: Expr, holds: bool = True) -> AbstractContextManager[None]:
        """`with analyzer.constraint(i < n):` what is asked inside may rely on the condition."""
        return self._facts.assuming(condition, holds)

    def simplify(self, expr: Expr) -> Expr:
        """An expression with the same value wherever the given one has one; the same object where nothing changes."""
        return self._simplifier.simplify(expr)

    def can_prove(self, condition: Expr) -> bool:
        """Whether a condition is known to hold."""
        made = self.simplify(condition)
        return isinstance(made, IntImm) and made.value != 0

    def can_prove_equal(self, a: Expr | int, b: Expr | int) -> bool:
        """Whether two integer expressions are known to be equal."""
        if a is b:
            return True
        left, right = match_types(a, b)
        return self.can_prove(EQ(left, right))

    def const_bounds(self, expr: Expr) -> Bounds:
        """The smallest interval known to hold an integer expression; None stands for "no limit"."""
        return self._facts.bounds_of(expr)

    def modular(self, expr: Expr) -> Modular:
        """factor and base: the expression is base modulo factor; a factor of 0 means that it is base."""
        return self._facts.residues_of(expr) if is_index(expr.dtype) else ANY
