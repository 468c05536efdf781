"""The canonical form of index arithmetic: a sum of atoms with integer coefficients.

An atom is a variable, an opaque expression, a product, a minimum or maximum, or a floor division of a sum by a
positive constant. There are no remainders: `x % c` is `x - c * (x // c)`, so that splits and joins cancel.
`SumContext.regroup` recovers remainders.
"""

from __future__ import annotations

from math import gcd
from typing import TypeAlias

from tvmscript.ir.core import INT32, INT64, DType
from tvmscript.ir.tir import Expr

#: The terms of a sum without its constant.
Signature: TypeAlias = "frozenset[tuple[Atom, int]]"
#: The identity of a sum, without the order of its terms.
Key: TypeAlias = tuple[int, Signature]
#: Dividend and divisor.
Division: TypeAlias = "tuple[Linear, int]"
#: Coefficient and atom, which may be a remainder.
Term: TypeAlias = "tuple[int, Atom]"
#: A sum with remainders: terms, and the constant.
Groups: TypeAlias = "tuple[tuple[Term, ...], int]"


class Atom:
    """A part of a sum that is not a sum itself, interned by an `AtomTable`."""

    __slots__ = ("depth", "divisor", "dtype", "expr", "factors", "inner", "is_remainder", "number")

    def __init__(self, number: int, dtype: DType, expr: Expr | None = None) -> None:
        #: order of creation
        self.number = number
        self.dtype = dtype
        #: the expression of a variable or opaque atom; a cache of `SumWriter` for other atoms
        self.expr = expr
        #: dividend and positive divisor of a quotient, or of a remainder where `is_remainder`;
        #: with a divisor of 1 the atom is a sum that is a factor of a product
        self.inner: Linear | None = None
        self.divisor = 0
        #: depth of nested divisions
        self.depth = 0
        self.is_remainder = False
        #: the factors of a product
        self.factors: tuple[Atom, ...] = ()

    @property
    def whole(self) -> Linear:
        """The atom as a sum: a new one each time, for one that is kept would be a cycle of garbage."""
        return Linear({self: 1}, 0)


class Linear:
    """`const` plus the sum of `terms`, whose coefficients are not zero. Immutable."""

    __slots__ = ("_key", "_quotients", "const", "terms")

    def __init__(self, terms: dict[Atom, int], const: int) -> None:
        self.terms = terms
        self.const = const
        self._key: Key | None = None
        self._quotients: list[Atom] | None = None

    @property
    def key(self) -> Key:
        """A key that is equal for equal sums."""
        key = self._key
        if key is None:
            key = self._key = self.const, frozenset(self.terms.items())
        return key

    @property
    def quotients(self) -> list[Atom]:
        """The atoms that are quotients."""
        atoms = self._quotients
        if atoms is None:
            atoms = self._quotients = [atom for atom in self.terms if atom.divisor > 1]
        return atoms

    @property
    def is_const(self) -> bool:
        return not self.terms

    @property
    def single(self) -> Atom | None:
        """The atom that the sum consists of, None for other sums."""
        if len(self.terms) == 1 and self.const == 0:
            ((atom, factor),) = self.terms.items()
            return atom if factor == 1 else None
        return None

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Return self + factor * other."""
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
        """Return self * factor."""
        if factor == 1:
            return self
        if factor == 0:
            return ZERO
        return Linear({atom: value * factor for atom, value in self.terms.items()}, self.const * factor)

    def shifted(self, by: int) -> Linear:
        """Return self + by."""
        return Linear(self.terms, self.const + by) if by else self

    def primitive(self) -> Linear:
        """Return the sum divided by the common factor of its coefficients and constant."""
        common = gcd(self.const, *self.terms.values())
        if common < 2:
            return self
        return Linear({atom: value // common for atom, value in self.terms.items()}, self.const // common)

    def content(self) -> int:
        """Return the greatest common divisor of the coefficients, 0 for a constant."""
        return gcd(*self.terms.values())


ZERO = Linear({}, 0)


def constant(value: int) -> Linear:
    """Return a constant as a sum."""
    return Linear({}, value)


def is_index_dtype(dtype: DType) -> bool:
    """Whether arithmetic of this dtype is index arithmetic, which does not overflow: int32 and int64."""
    return dtype is INT32 or dtype is INT64
