"""Sums as expressions: large coefficients first, what is subtracted last, as TVM writes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tvmscript.ir.arith.linear_form import Atom, Linear
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, FloorDiv, FloorMod, IntImm, Mul, Sub
from tvmscript.ir.tir.operators import wrap

#: A sum as it is written: coefficients and atoms (remainders among them), and the constant.
Groups = tuple[tuple[tuple[int, Atom], ...], int]
#: more than any divisor
_ENDLESS = 1 << 64


class Writing(ABC):
    """Writes sums. What takes remainders out of them, and knows what is data, is below it."""

    @abstractmethod
    def regroup(self, value: Linear) -> Groups:
        """The sum with remainders where they make it shorter."""

    @abstractmethod
    def shown(self, groups: Sequence[tuple[int, Atom]], const: int) -> Groups:
        """The sum with the remainders that TVM leaves whole."""

    @abstractmethod
    def is_data(self, atom: Atom) -> bool:
        """Whether an atom is more than arithmetic of loop variables, sizes and other parameters."""

    @abstractmethod
    def is_choice(self, atom: Atom) -> bool:
        """Whether the atom is a minimum or maximum of sums."""

    @abstractmethod
    def write_choice(self, atom: Atom) -> Expr:
        """A minimum or maximum as an expression."""

    @abstractmethod
    def write(self, value: Linear, dtype: DType) -> Expr:
        """The sum as an expression."""

    def write_groups(self, groups: Sequence[tuple[int, Atom]], const: int, dtype: DType) -> Expr:
        """Atoms with their coefficients, and the constant, as an expression: `x * -2`, but `0 - x`, alone."""
        if const:
            const = wrap(const, dtype)
        if not groups:
            return IntImm(dtype, const)
        if len(groups) == 1 and not const and groups[0][0] != -1:
            return _scaled(groups[0][1].written(self), groups[0][0])
        ordered = groups if _is_ordered(groups) else self._in_order(groups)
        made: Expr | None = None
        for factor, atom in ordered:
            if factor > 0:
                made = _added(made, _scaled(atom.written(self), factor))
        if const > 0 or made is None:
            made = _added(made, IntImm(dtype, max(const, 0)))
        if const == dtype.min_value:  # it has no negation
            made, const = Add(made, IntImm(dtype, const)), 0
        for factor, atom in ordered:
            if factor < 0:
                made = Sub(made, _scaled(atom.written(self), -factor))
        return Sub(made, IntImm(dtype, -const)) if const < 0 else made

    def _in_order(self, groups: Sequence[tuple[int, Atom]]) -> list[tuple[int, Atom]]:
        """Large coefficients first; of equal ones, minima and maxima stand before variables, the last one first."""
        keys = [
            (-factor, -1, -_ENDLESS - 1 - place) if self.is_choice(atom) else _by_factor((factor, atom))
            for place, (factor, atom) in enumerate(groups)
        ]
        return [groups[place] for place in sorted(range(len(groups)), key=keys.__getitem__)]

    def write_division(self, atom: Atom, inner: Linear) -> Expr:
        """A quotient or remainder as an expression; x // c % d is written x % (c * d) // c, as in TVM."""
        if atom.divisor == 1:
            return self.write(inner, atom.dtype)
        if not atom.is_remainder:
            inner, divisor = atom.shown or (inner, atom.divisor)
            return FloorDiv(self.write(inner, atom.dtype), IntImm(atom.dtype, divisor))
        quotient = inner.single
        if quotient is None or quotient.inner is None or quotient.divisor < 2 or quotient.is_remainder:
            return self._write_remainder(inner, atom.divisor, atom.dtype)
        inner, divisor = quotient.shown or (quotient.inner, quotient.divisor)
        if divisor * atom.divisor > atom.dtype.max_value:
            return self._write_remainder(quotient.whole, atom.divisor, atom.dtype)
        whole = self._write_remainder(inner, divisor * atom.divisor, atom.dtype)
        return FloorDiv(whole, IntImm(atom.dtype, divisor))

    def _write_remainder(self, value: Linear, divisor: int, dtype: DType) -> Expr:
        """value % divisor, the constant and the coefficient smaller than the divisor; unequal ones stay, as in TVM."""
        groups: Sequence[tuple[int, Atom]]
        groups, const = self.shown(*self.regroup(value))
        is_large = not 0 <= const < divisor or max(map(abs, value.terms.values())) >= divisor
        if is_large and not any(map(self.is_data, value.terms)):  # of data what is added might wrap
            const %= divisor
            if len(groups) + bool(const) < 3 or len({factor for factor, _ in groups}) == 1:
                reduced = [(factor % divisor if abs(factor) >= divisor else factor, atom) for factor, atom in groups]
                groups = [group for group in reduced if group[0]]
        written = self.write_groups(groups, const, dtype)
        return FloorMod(written, IntImm(dtype, divisor))


def _added(made: Expr | None, term: Expr) -> Expr:
    return term if made is None else Add(made, term)


def _is_ordered(groups: Sequence[tuple[int, Atom]]) -> bool:
    """Whether each coefficient is smaller than the one before."""
    last = _ENDLESS
    for factor, _ in groups:
        if factor >= last:
            return False
        last = factor
    return True


def _by_factor(group: tuple[int, Atom]) -> tuple[int, int, int]:
    """Large coefficients first; of equal ones quotients by large divisors, then remainders by large ones."""
    factor, atom = group
    divisor = atom.divisor
    if divisor < 2 or atom.inner is None:
        return -factor, -1, -_ENDLESS
    if not atom.is_remainder:
        return -factor, -divisor, -_ENDLESS
    quotient = atom.inner.single
    below = quotient.divisor if quotient is not None and quotient.divisor > 1 else 1
    return -factor, -below, -divisor * below


def _scaled(expr: Expr, factor: int) -> Expr:
    if factor == 1:
        return expr
    dtype = expr.dtype
    return Mul(expr, IntImm(dtype, factor if factor <= dtype.max_value else wrap(factor, dtype)))
