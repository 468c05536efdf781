"""The atoms of sums: one object for each, whatever order its parts are written in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from math import gcd
from typing import Any

from tvmscript.ir.arith.linear_form import Atom, Linear
from tvmscript.ir.arith.sum_to_expr import Groups, Writing
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BinaryOp, Min
from tvmscript.ir.tir.var import Var

#: How many atoms, and things that are known of them, there are.
Mark = tuple[int, ...]


class Atoms(Writing):
    """Makes atoms. They are written as they were made first; what is forgotten is made anew."""

    def __init__(self) -> None:
        #: variables that stand for data
        self.data: set[Var] = set()
        #: remainder by a sum -> the quotient times that sum, and what is divided: the sum of both
        self.remainders: dict[Atom, tuple[Linear, Linear]] = {}
        #: those are never forgotten
        self.variables: dict[Var, Atom] = {}
        self._atoms: dict[Hashable, Atom] = {}
        #: how sums are written: this depends on no facts, as the atoms' expressions do not
        self._groups: dict[Hashable, Groups] = {}
        #: (Min or Max, atom) -> its operands
        self._choices: dict[tuple[type[BinaryOp], Atom], tuple[Linear, ...]] = {}
        self._chosen: dict[Atom, type[BinaryOp]] = {}
        self._made = 0

    def mark(self) -> Mark:
        """What `forget_since` goes back to."""
        return len(self._atoms), len(self.remainders), len(self._choices), len(self._chosen)

    def forget_since(self, mark: Mark) -> None:
        """Forget the atoms that were made since: how sums are written no longer depends on them."""
        atoms = self._atoms
        for _ in range(len(atoms) - mark[0]):
            atoms.popitem()
        if self.remainders or self._choices:
            tables: tuple[dict[Any, Any], ...] = (self.remainders, self._choices, self._chosen)
            for table, size in zip(tables, mark[1:], strict=True):
                while len(table) > size:
                    table.popitem()
        self._groups.clear()

    def _next_number(self) -> int:
        self._made += 1
        return self._made

    def atom(self, key: Hashable, expr: Expr) -> Atom:
        """The atom of an expression that is no sum; equal keys are the same value."""
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = Atom(self._next_number(), expr.dtype, expr)
        return found

    def variable(self, var: Var) -> Atom:
        """The atom of a variable."""
        found = self.variables.get(var)
        if found is None:
            found = self.variables[var] = Atom(self._next_number(), var.dtype, var)
        return found

    def _division(self, inner: Linear, divisor: int, is_remainder: bool) -> Atom:
        key = (inner.key, divisor, is_remainder)
        found = self._atoms.get(key)
        if found is None:
            dtype = next(iter(inner.terms)).dtype
            found = self._atoms[key] = Atom(self._next_number(), dtype)
            found.inner, found.divisor, found.is_remainder = inner, divisor, is_remainder
            found.depth = 1 + max([atom.depth for atom in inner.terms])
        return found

    def product(self, factors: Iterable[Atom]) -> Atom:
        """The atom of a product of several atoms."""
        flat = [part for factor in factors for part in (factor.factors or (factor,))]
        key = ("product", tuple(sorted(part.number for part in flat)))
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = Atom(self._next_number(), flat[0].dtype)
            found.factors = tuple(flat)
        return found

    def factor(self, value: Linear) -> tuple[int, Atom]:
        """A sum as a constant times one atom; what has more than one term becomes an atom of its own."""
        if len(value.terms) == 1 and not value.const:
            ((only, times),) = value.terms.items()
            return times, only
        groups, const = self.regroup(value)
        if len(groups) == 1 and const == 0:
            return groups[0]
        content = abs(gcd(const, *[factor for factor, _ in groups]))
        part = Linear({atom: factor // content for atom, factor in value.terms.items()}, value.const // content)
        key = ("sum", part.key)
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = Atom(self._next_number(), next(iter(part.terms)).dtype)
            found.inner, found.divisor = part, 1
            found.depth = max([atom.depth for atom in part.terms])
        return content, found

    def choices(self, value: Linear, cls: type[BinaryOp]) -> tuple[Linear, ...]:
        """The operands of a minimum (maximum), or the sum itself."""
        atom = value.single
        found = None if atom is None else self._choices.get((cls, atom))
        return (value,) if found is None else found

    def choice(self, cls: type[BinaryOp], operands: Sequence[Linear], dtype: DType) -> Linear:
        """The minimum (maximum) of sums; one operand is itself."""
        if len(operands) == 1:
            return operands[0]
        key = (cls, frozenset([operand.key for operand in operands]))
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = Atom(self._next_number(), dtype)
            self._choices[cls, found] = tuple(operands)
            self._chosen[found] = cls
        return found.whole

    def _written_choice(self, cls: type[BinaryOp], operands: Sequence[Linear], dtype: DType) -> Atom:
        """An atom for writing alone."""
        made = reduce(cls, [self.write(operand, dtype) for operand in operands])
        return self.atom(("written", cls, tuple([operand.key for operand in operands])), made)

    def is_data(self, atom: Atom) -> bool:
        """Whether an atom is more than arithmetic of loop variables, sizes and other parameters."""
        if atom.inner is not None:
            return any(map(self.is_data, atom.inner.terms))
        if atom.factors:
            return any(map(self.is_data, atom.factors))
        cls = self._chosen.get(atom)
        if cls is not None:
            return any(self.is_data(part) for operand in self._choices[cls, atom] for part in operand.terms)
        return atom.expr in self.data if isinstance(atom.expr, Var) else True

    def seen(self, var: Var) -> bool:
        """Whether the variable is part of anything that was looked at."""
        return var in self.variables

    def is_choice(self, atom: Atom) -> bool:
        """Whether the atom is a minimum or maximum of sums."""
        return atom in self._chosen

    def cases(self, value: Linear, atom: Atom) -> tuple[list[Linear], bool]:
        """The sum for each operand of a minimum (maximum) in it, and whether the smallest of these counts."""
        cls, factor = self._chosen[atom], value.terms.get(atom, 0)
        rest = value.plus(atom.whole, -factor)
        cases = [rest.plus(operand, factor) for operand in self._choices[cls, atom]]
        return cases, (cls is Min) == (factor > 0)

    def write_choice(self, atom: Atom) -> Expr:
        """A minimum or maximum as an expression."""
        cls = self._chosen[atom]
        return reduce(cls, [self.write(operand, atom.dtype) for operand in self._choices[cls, atom]])

    def write(self, value: Linear, dtype: DType) -> Expr:
        """The sum as an expression: large coefficients first, what is subtracted last."""
        if self._chosen and len(value.terms) > 1:
            value = self._moved_into_choice(value, dtype)
        return self.write_groups(*self.shown(*self.regroup(value)), dtype)

    def _moved_into_choice(self, value: Linear, dtype: DType) -> Linear:
        """min(x, y) - x as min(0, y - x): what an operand has and is subtracted outside goes into all operands."""
        for atom, factor in value.terms.items():
            cls = self._chosen.get(atom)
            if cls is None or abs(factor) != 1 or any(map(self.is_data, value.terms)):  # data might wrap inside
                continue
            operands = self._choices[cls, atom]
            for operand in operands:
                if operand.terms and all(
                    value.terms.get(part) == -times * factor for part, times in operand.terms.items()
                ):
                    made = self.choice(cls, [one.plus(operand, -1) for one in operands], dtype)
                    return value.plus(atom.whole, -factor).plus(operand, factor).plus(made, factor)
        return value
