"""TVM's spelling of divisions, minima and maxima, where it differs from the canonical form.

Canonical sums divide by the smallest divisor: `(8 * x) // 20` and `(2 * x) // 5` are one atom. TVM cancels a common
factor only where one term has it and the other terms are smaller. `DivisionForms` records how a division was written
and restores that form when a sum is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Protocol

from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.arith.sums.linear_form import Atom, Division, Groups, Linear, Term
from tvmscript.ir.arith.sums.sum_atoms import AtomTable
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Add, BinaryOp, Expr, FloorDiv, IntImm, Sub


class Algebra(Protocol):
    """The part of `SumContext` that forms depend on."""

    def regroup(self, value: Linear) -> Groups: ...

    def atom_bounds(self, atom: Atom) -> Bounds: ...


class Writer(Protocol):
    """The part of `SumWriter` that forms depend on."""

    @property
    def sums(self) -> Algebra: ...

    def write(self, value: Linear, dtype: DType) -> Expr: ...

    def write_remainder(self, value: Linear, divisor: int, dtype: DType) -> Expr: ...


class DivisionForms:
    """Side tables from atoms to the form in which TVM writes them."""

    __slots__ = (
        "_by_sums",
        "_has_divisions",
        "_has_scaled_sums",
        "_scaled_choices",
        "atoms",
        "product_orders",
        "quotients",
        "remainders",
        "scaled_sums",
    )

    def __init__(self, atoms: AtomTable) -> None:
        self.atoms = atoms
        #: quotient -> dividend and divisor as written
        self.quotients: dict[Atom, Division] = {}
        #: quotient -> dividend and divisor of the remainder that goes with it, as written
        self.remainders: dict[Atom, Division] = {}
        #: sum in a product -> the sum with a constant factor multiplied in, and that factor
        self.scaled_sums: dict[Atom, Division] = {}
        self._has_divisions = False
        self._has_scaled_sums = False
        #: minimum (maximum) -> a factor, and the minimum of the operands times that factor
        self._scaled_choices: dict[Atom, tuple[int, Atom]] = {}
        #: quotient or remainder by a sum -> what was taken out of it, and the atom of the whole division
        self._by_sums: dict[Atom, tuple[Linear, Atom]] = {}
        #: product that facts write in another order -> its factors as the question writes them
        self.product_orders: dict[Atom, tuple[Atom, ...]] = {}

    def forget(self, atoms: Iterable[Atom]) -> None:
        """Drop the forms of atoms that no longer exist."""
        self._has_divisions = self._has_scaled_sums = False
        self._scaled_choices.clear()
        self._by_sums.clear()
        self.product_orders.clear()
        if self.quotients or self.remainders or self.scaled_sums:
            for atom in atoms:
                self.quotients.pop(atom, None)
                self.remainders.pop(atom, None)
                self.scaled_sums.pop(atom, None)

    @property
    def has_notes(self) -> bool:
        """Whether forms of atoms were recorded since the last `forget`."""
        return (
            self._has_divisions
            or self._has_scaled_sums
            or bool(self._scaled_choices or self._by_sums or self.product_orders)
        )

    # -- recording

    def record_quotient(self, quotient: Linear, dividend: Linear, divisor: int) -> None:
        """Record that dividend // divisor became `quotient`."""
        atom = quotient.single
        if atom is None or atom.divisor < 2 or atom.is_remainder or atom in self.quotients or atom.expr is not None:
            return
        if not _is_cancelled(dividend, divisor):
            self.quotients[atom] = dividend, divisor
            self._has_divisions = True

    def record_remainder(self, sums: Algebra, quotient: Linear, dividend: Linear, divisor: int) -> None:
        """Record that dividend // divisor, where dividend % divisor is wanted, became `quotient`."""
        atom = quotient.single
        if atom is None or atom.divisor < 2 or atom.is_remainder or atom in self.remainders:
            return
        if divisor > atom.divisor and not _is_digit(sums, dividend, divisor):
            self.remainders[atom] = dividend, divisor
            self._has_divisions = True

    def record_scaled_sum(self, atom: Atom, value: Linear, factor: int) -> None:
        """Record that `value` became `factor` times the atom: it is written with the factor inside."""
        if factor > 1 and atom.divisor == 1 and atom not in self.scaled_sums:
            self.scaled_sums[atom] = value, factor
            self._has_scaled_sums = True

    def record_choice(
        self, writer: Writer, choice: Linear, factor: int, operands: Sequence[Linear], cls: type[BinaryOp]
    ) -> None:
        """Record that the minimum (maximum) of the operands became `factor` times `choice`."""
        atom = choice.single
        if atom is None or atom in self._scaled_choices:
            return
        expr = reduce(cls, [writer.write(operand, atom.dtype) for operand in operands])
        key = ("written", cls, tuple([operand.key for operand in operands]))
        self._scaled_choices[atom] = factor, self.atoms.atom(key, expr)

    def record_division_by_sum(self, division: Linear, taken_out: Linear, expr: Expr) -> None:
        """Record that `expr`, a quotient or remainder by a sum, became `division + taken_out`."""
        atom = division.single
        if atom is not None and atom not in self._by_sums:
            self._by_sums[atom] = taken_out, self.atoms.atom(("written", structural_key(expr)), expr)

    def record_product(self, product: Linear, left: Linear, right: Linear) -> None:
        """Record the order of the factors of left * right, which became `product`."""
        if any(len(value.terms) != 1 or value.const for value in (product, left, right)):
            return
        (atom,) = product.terms
        factors = tuple([factor for side in (left, right) for part in side.terms for factor in self.factors(part)])
        if factors != atom.factors and Counter(factors) == Counter(atom.factors):
            self.product_orders.setdefault(atom, factors)

    def factors(self, atom: Atom) -> tuple[Atom, ...]:
        """Return the factors of a product in the order in which they are written; another atom is its only factor."""
        return self.product_orders.get(atom, atom.factors) or (atom,)

    # -- restoring

    def restore(self, writer: Writer, groups: Sequence[Term], const: int) -> Groups:
        """Return the grouped sum with the remainders, minima and maxima that TVM leaves whole."""
        if self._scaled_choices or self._has_scaled_sums:
            groups = [self._multiply_in(writer, group) for group in groups]
        if self._by_sums:
            groups, const = self._restore_divisions_by_sums(groups, const)
        if self._has_divisions:
            for factor, atom in groups:
                form = self._remainder_form(atom)
                restored = (
                    None if form is None else self._restore_remainder(writer, groups, const, (factor, atom), form)
                )
                if restored is not None:
                    return self.restore(writer, *restored)
        return tuple(groups), const

    def _restore_divisions_by_sums(self, groups: Sequence[Term], const: int) -> Groups:
        for index, (factor, atom) in enumerate(groups):
            form = self._by_sums.get(atom)
            if form is None:
                continue
            taken_out, division = form
            rest = _remove(groups, [(part, times * factor) for part, times in taken_out.terms.items()])
            if rest is not None:
                place = index - sum(1 for group in groups[:index] if group not in rest)
                rest[place] = factor, division
                return self._restore_divisions_by_sums(rest, const - taken_out.const * factor)
        return tuple(groups), const

    def _multiply_in(self, writer: Writer, group: Term) -> Term:
        """Move a coefficient into a minimum (maximum) or into the sums of a product, where TVM leaves it there."""
        factor, atom = group
        by, scaled = self._scaled_choices.get(atom, (0, atom))
        if by and factor % by == 0:
            return factor // by, scaled
        parts = list(atom.factors or (atom,))
        for index, part in enumerate(parts):
            form = self.scaled_sums.get(part)
            if form is None or factor % form[1]:
                continue
            value, by = form
            parts[index] = self.atoms.atom(("written", value.key), writer.write(value, atom.dtype))
            factor //= by
        return factor, self.atoms.product(parts) if len(parts) > 1 else parts[0]

    def _remainder_form(self, atom: Atom) -> Division | None:
        """Return the whole remainder that a remainder is a part of."""
        if not atom.is_remainder or atom.inner is None:
            return None
        quotient = self.atoms.find_division(atom.inner, atom.divisor, False)
        return None if quotient is None else self.remainders.get(quotient) or self.quotients.get(quotient)

    def _restore_remainder(
        self, writer: Writer, groups: Sequence[Term], const: int, part: Term, form: Division
    ) -> Groups | None:
        """Replace a part of a remainder, and the terms that complete it, by the whole remainder."""
        (factor, atom), (value, divisor) = part, form
        times, left = divmod(factor, divisor // atom.divisor)
        if left or atom.inner is None:
            return None
        others, more = writer.sums.regroup(value.plus(atom.inner, -(divisor // atom.divisor)))
        rest = _remove(groups, [(atom, factor), *[(other, count * times) for count, other in others]])
        if rest is None or (more and const != more * times):
            return None
        rest.insert(groups.index(part), (times, self.atoms.division(value, divisor, True)))
        return tuple(rest), const - more * times

    def restore_difference(self, writer: Writer, value: Linear, dtype: DType) -> Groups | None:
        """Return (x + a) // d - (x + b) // d as ((x + b) % d + a - b) // d, the simpler form in TVM."""
        (first, factor), (second, opposite) = sorted(value.terms.items(), key=lambda term: -term[1])
        a, b, divisor = first.inner, second.inner, first.divisor
        if factor != -opposite or divisor != second.divisor or a is None or b is None or not a.const:
            return None
        distance = a.plus(b, -1)
        if distance.terms or not distance.const or any(map(self.atoms.is_data, a.terms)):
            return None
        key = "difference", first, second
        rest = writer.write_remainder(b, divisor, dtype)
        if divisor == 2 and distance.const == 1:  # (x % 2 + 1) // 2
            return ((factor, self.atoms.atom(key, rest)),), value.const
        cls, by = (Add, distance.const) if distance.const > 0 else (Sub, -distance.const)
        expr = FloorDiv(cls(rest, IntImm(dtype, by)), IntImm(dtype, divisor))
        return ((factor, self.atoms.atom(key, expr)),), value.const


def _remove(groups: Sequence[Term], taken: list[tuple[Atom, int]]) -> list[Term] | None:
    """Return the groups without some of them, None where not all of those are there."""
    rest = list(groups)
    for atom, factor in taken:
        if (factor, atom) not in rest:
            return None
        rest.remove((factor, atom))
    return rest


def _is_digit(sums: Algebra, value: Linear, divisor: int) -> bool:
    """Whether TVM writes value % divisor as x % c * d + y, for single terms x and y."""
    if len(value.terms) == 1:
        ((atom, factor),) = value.terms.items()
        return factor % divisor > 0 and _is_cancelled(Linear({atom: factor % divisor}, value.const), divisor)
    groups, const = sums.regroup(value)
    if len(groups) != 2 or const:
        return False
    for (large, _), (small, atom) in (groups, groups[::-1]):
        low, high = interval.scale(sums.atom_bounds(atom), small)
        if large > 1 and divisor % large == 0 and low is not None and high is not None and 0 <= low <= high < large:
            return True
    return False


def _is_cancelled(value: Linear, divisor: int) -> bool:
    """Whether TVM cancels the coefficient: that of one term, or of all terms where there is no constant."""
    factors = {*value.terms.values()}
    if len(factors) != 1 or divisor % min(factors):
        return False
    return value.const == 0 or (len(value.terms) == 1 and 0 <= value.const < min(factors))
