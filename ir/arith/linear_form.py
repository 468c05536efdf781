"""The canonical form of index arithmetic: a sum of atoms with integer coefficients.

An atom is a variable, an opaque expression, or a floor division of a sum by a positive constant. There are no
remainders: `x % c` is `x - c * (x // c)`, so whatever splits and joins cancels by itself. Remainders come back
when a sum is written as an expression (`simplify.Simplifier.regroup`).
"""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import Protocol, TypeAlias

from tvmscript.ir.core.dtype import INT32, INT64, DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Mul

#: The terms of a sum without its constant.
Signature: TypeAlias = "frozenset[tuple[Atom, int]]"
#: What makes two sums the same, whatever the order of their terms.
Key: TypeAlias = tuple[int, Signature]
#: What is divided, and by what.
Division: TypeAlias = "tuple[Linear, int]"


class Atom:
    """A part of a sum that is not a sum itself. There is one object for each atom of a `Simplifier`."""

    __slots__ = (
        "depth",
        "divisor",
        "dtype",
        "expr",
        "factors",
        "inner",
        "is_remainder",
        "number",
        "remainder",
        "shown",
        "whole",
    )

    def __init__(self, number: int, dtype: DType, expr: Expr | None = None) -> None:
        #: order of creation
        self.number = number
        self.dtype = dtype
        #: the atom as an expression; made on demand for quotients, products, minima and maxima
        self.expr = expr
        #: what is divided, and by which positive constant: a quotient, or a remainder where `is_remainder`;
        #: a divisor of 1 makes a whole sum one factor of a product
        self.inner: Linear | None = None
        self.divisor = 0
        #: a quotient as it is written, where that is not `inner // divisor`: TVM cancels fewer common factors
        self.shown: Division | None = None
        #: what the remainder of this quotient is written as, where that is not `inner % divisor`
        self.remainder: Division | None = None
        #: how many divisions are inside of each other
        self.depth = 0
        self.is_remainder = False
        #: the factors of a product
        self.factors: tuple[Atom, ...] = ()
        #: the atom as a sum
        self.whole = Linear({self: 1}, 0)

    def written(self, writer: Writer) -> Expr:
        """The atom as an expression, made once."""
        made = self.expr
        if made is None:
            if self.inner is not None:
                made = writer.write_division(self, self.inner)
            elif self.factors:
                made = reduce(Mul, [factor.written(writer) for factor in self.factors])
            else:
                made = writer.write_choice(self)
            self.expr = made
        return made


class Writer(Protocol):
    """Writes sums as expressions."""

    def write_division(self, atom: Atom, inner: Linear) -> Expr:
        """A quotient or remainder as an expression."""
        ...

    def write_choice(self, atom: Atom) -> Expr:
        """A minimum or maximum as an expression."""
        ...


class Linear:
    """`const` plus the sum of `terms`; coefficients are not zero. Never changed after it is made."""

    __slots__ = ("_key", "_quotients", "const", "terms")

    def __init__(self, terms: dict[Atom, int], const: int) -> None:
        self.terms = terms
        self.const = const
        self._key: Key | None = None
        self._quotients: list[Atom] | None = None

    @property
    def key(self) -> Key:
        """Equal for equal sums."""
        key = self._key
        if key is None:
            key = self._key = self.const, frozenset(self.terms.items())
        return key

    @property
    def quotients(self) -> list[Atom]:
        """The atoms that are quotients."""
        found = self._quotients
        if found is None:
            found = self._quotients = [atom for atom in self.terms if atom.divisor > 1]
        return found

    @property
    def is_const(self) -> bool:
        return not self.terms

    @property
    def single(self) -> Atom | None:
        """The atom that the sum consists of, None where it is more than that."""
        if len(self.terms) == 1 and self.const == 0:
            ((atom, factor),) = self.terms.items()
            return atom if factor == 1 else None
        return None

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """self + factor * other."""
        if factor == 0:
            return self
        if not other.terms:
            return Linear(self.terms, self.const + factor * other.const) if other.const else self
        if not self.terms and factor == 1:
            return Linear(other.terms, self.const + other.const) if self.const else other
        terms = self.terms.copy()
        for atom, value in other.terms.items():
            if atom in terms:
                value = terms[atom] + factor * value
                if value:
                    terms[atom] = value
                else:
                    del terms[atom]
            else:
                terms[atom] = factor * value
        return Linear(terms, self.const + factor * other.const)

    def times(self, factor: int) -> Linear:
        """self * factor."""
        if factor == 1:
            return self
        if factor == 0:
            return ZERO
        return Linear({atom: value * factor for atom, value in self.terms.items()}, self.const * factor)

    def shifted(self, by: int) -> Linear:
        """self + by."""
        return Linear(self.terms, self.const + by) if by else self

    def primitive(self) -> Linear:
        """Without the factor that all coefficients and the constant have in common."""
        common = gcd(self.const, *self.terms.values())
        if common < 2:
            return self
        return Linear({atom: value // common for atom, value in self.terms.items()}, self.const // common)

    def content(self) -> int:
        """The greatest common divisor of the coefficients, 0 where there are none."""
        return gcd(*self.terms.values())


ZERO = Linear({}, 0)


def constant(value: int) -> Linear:
    """A sum of nothing but a constant."""
    return Linear({}, value)


def is_index_dtype(dtype: DType) -> bool:
    """Whether arithmetic of this dtype is index arithmetic, which does not overflow: int32 and int64."""
    return dtype is INT32 or dtype is INT64
