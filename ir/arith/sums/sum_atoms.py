"""The atoms of canonical sums, interned: equal parts are one object, in whatever order their operands are written."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from tvmscript.ir.arith.sums.linear_form import Atom, Linear
from tvmscript.ir.core import DType
from tvmscript.ir.tir import BinaryOp, Expr, Min, Var


class Mark(NamedTuple):
    """Sizes of the tables of an `AtomTable`, which `AtomTable.forget_since` goes back to."""

    atoms: int
    remainders: int
    choices: int
    choice_ops: int


class AtomTable:
    """Interning table of atoms. `forget_since` removes atoms, except for variables."""

    __slots__ = ("_atoms", "_choices", "_count", "choice_ops", "data", "has_truncations", "remainders", "variables")

    def __init__(self) -> None:
        self.variables: dict[Var, Atom] = {}
        #: variables whose values are computed from data: their arithmetic may wrap around
        self.data: set[Var] = set()
        #: remainder by a sum -> (quotient * divisor, dividend); dividend = quotient * divisor + remainder
        self.remainders: dict[Atom, tuple[Linear, Linear]] = {}
        self._atoms: dict[Hashable, Atom] = {}
        #: (Min or Max, atom) -> operands
        self._choices: dict[tuple[type[BinaryOp], Atom], tuple[Linear, ...]] = {}
        #: minimum or maximum -> Min or Max
        self.choice_ops: dict[Atom, type[BinaryOp]] = {}
        #: whether quotients rounded towards zero were computed as rounded down
        self.has_truncations = False
        self._count = 0

    def mark(self) -> Mark:
        """Return the mark that `forget_since` goes back to."""
        return Mark(len(self._atoms), len(self.remainders), len(self._choices), len(self.choice_ops))

    def has_grown(self, mark: Mark) -> bool:
        """Return whether there are atoms that were created after the mark."""
        return (
            len(self._atoms) != mark.atoms
            or len(self.remainders) != mark.remainders
            or len(self._choices) != mark.choices
            or len(self.choice_ops) != mark.choice_ops
        )

    def forget_since(self, mark: Mark) -> list[Atom]:
        """Remove the atoms that were created after the mark, and return them."""
        forgotten = [self._atoms.popitem()[1] for _ in range(len(self._atoms) - mark.atoms)]
        if self.remainders or self._choices:
            while len(self.remainders) > mark.remainders:
                self.remainders.popitem()
            while len(self._choices) > mark.choices:
                self._choices.popitem()
            while len(self.choice_ops) > mark.choice_ops:
                self.choice_ops.popitem()
        return forgotten

    def _next_number(self) -> int:
        self._count += 1
        return self._count

    # -- interning

    def atom(self, key: Hashable, expr: Expr) -> Atom:
        """Return the atom of an opaque expression. Equal keys must have equal values."""
        atom = self._atoms.get(key)
        if atom is None:
            atom = self._atoms[key] = Atom(self._next_number(), expr.dtype, expr)
        return atom

    def variable(self, var: Var) -> Atom:
        """Return the atom of a variable."""
        atom = self.variables.get(var)
        if atom is None:
            atom = self.variables[var] = Atom(self._next_number(), var.dtype, var)
        return atom

    def division(self, inner: Linear, divisor: int, is_remainder: bool) -> Atom:
        """Return the atom of `inner // divisor`, or of `inner % divisor`."""
        key = (inner.key, divisor, is_remainder)
        atom = self._atoms.get(key)
        if atom is None:
            dtype = next(iter(inner.terms)).dtype
            atom = self._atoms[key] = Atom(self._next_number(), dtype)
            atom.inner, atom.divisor, atom.is_remainder = inner, divisor, is_remainder
            atom.depth = 1 + max([part.depth for part in inner.terms])
        return atom

    def find_division(self, inner: Linear, divisor: int, is_remainder: bool) -> Atom | None:
        """Return the atom of a division if it exists."""
        return self._atoms.get((inner.key, divisor, is_remainder))

    def product(self, factors: Iterable[Atom]) -> Atom:
        """Return the atom of a product of several atoms."""
        flat = [part for factor in factors for part in (factor.factors or (factor,))]
        key = ("product", tuple(sorted(part.number for part in flat)))
        atom = self._atoms.get(key)
        if atom is None:
            atom = self._atoms[key] = Atom(self._next_number(), flat[0].dtype)
            atom.factors = tuple(flat)
        return atom

    def sum(self, value: Linear) -> Atom:
        """Return the atom of a sum that is a factor of a product."""
        key = ("sum", value.key)
        atom = self._atoms.get(key)
        if atom is None:
            atom = self._atoms[key] = Atom(self._next_number(), next(iter(value.terms)).dtype)
            atom.inner, atom.divisor = value, 1
            atom.depth = max([part.depth for part in value.terms])
        return atom

    # -- minima and maxima

    def choice(self, cls: type[BinaryOp], operands: Sequence[Linear], dtype: DType) -> Linear:
        """Return the minimum (maximum) of sums; one operand is returned as it is."""
        if len(operands) == 1:
            return operands[0]
        key = (cls, frozenset([operand.key for operand in operands]))
        atom = self._atoms.get(key)
        if atom is None:
            atom = self._atoms[key] = Atom(self._next_number(), dtype)
            self._choices[cls, atom] = tuple(operands)
            self.choice_ops[atom] = cls
        return atom.whole

    def operands(self, atom: Atom) -> tuple[type[BinaryOp], tuple[Linear, ...]]:
        """Return Min (Max) and the operands of a minimum (maximum)."""
        cls = self.choice_ops[atom]
        return cls, self._choices[cls, atom]

    def operands_of(self, value: Linear, cls: type[BinaryOp]) -> tuple[Linear, ...]:
        """Return the operands of a minimum (maximum), or the sum itself as the only one."""
        atom = value.single
        operands = None if atom is None else self._choices.get((cls, atom))
        return (value,) if operands is None else operands

    def cases(self, value: Linear, atom: Atom) -> tuple[list[Linear], bool]:
        """Return the sum for each operand of a minimum (maximum) in it, and whether the smallest case is its value."""
        cls, factor = self.choice_ops[atom], value.terms.get(atom, 0)
        rest = value.plus(atom.whole, -factor)
        cases = [rest.plus(operand, factor) for operand in self._choices[cls, atom]]
        return cases, (cls is Min) == (factor > 0)

    # -- predicates

    def is_data(self, atom: Atom) -> bool:
        """Whether an atom is more than arithmetic of loop variables, sizes and other parameters."""
        if atom.inner is not None:
            return any(map(self.is_data, atom.inner.terms))
        if atom.factors:
            return any(map(self.is_data, atom.factors))
        cls = self.choice_ops.get(atom)
        if cls is not None:
            return any(self.is_data(part) for operand in self._choices[cls, atom] for part in operand.terms)
        return atom.expr in self.data if isinstance(atom.expr, Var) else True

    def has_variable(self, var: Var) -> bool:
        """Whether the variable has an atom."""
        return var in self.variables

    def is_choice(self, atom: Atom) -> bool:
        """Whether the atom is a minimum or maximum of sums."""
        return atom in self.choice_ops
