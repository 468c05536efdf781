"""Print canonical sums as expressions, in TVM's order: large coefficients first, subtracted terms last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import gcd

from tvmscript.ir.arith.sums.canonical_sum import SumContext
from tvmscript.ir.arith.sums.extremum import absorb_terms, cancel_choices
from tvmscript.ir.arith.sums.linear_form import Atom, Linear, Term, constant
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Add, Expr, FloorDiv, FloorMod, IntImm, Mul, Sub
from tvmscript.ir.tir.operators import wrap

#: more than any divisor
_ENDLESS = 1 << 64


class SumWriter:
    """Writes sums and atoms of one `SumContext` as expressions."""

    __slots__ = ("atoms", "forms", "sums")

    def __init__(self, sums: SumContext) -> None:
        self.sums = sums
        self.atoms = sums.atoms
        self.forms = sums.forms

    def write(self, value: Linear, dtype: DType) -> Expr:
        """Return the sum as an expression."""
        if not value.quotients and not self.atoms.choice_ops and not self.forms.has_notes:
            return self.write_groups([(factor, atom) for atom, factor in value.terms.items()], value.const, dtype)
        if len(value.quotients) > 1:
            value = self._cancel_quotients(value)
        if len(value.quotients) == 2 == len(value.terms):
            difference = self.forms.restore_difference(self, value, dtype)
            if difference is not None:
                return self.write_groups(*difference, dtype)
        if self.atoms.choice_ops and (value.const or len(value.terms) > 1):
            value = absorb_terms(self, cancel_choices(self.sums, value), dtype)
        return self.write_groups(*self.forms.restore(self, *self.sums.regroup(value)), dtype)

    def _cancel_quotients(self, value: Linear) -> Linear:
        """(x * 16 + y) // 9 - (x * 7 + y) // 9 as x: the dividends differ by a multiple of the divisor."""
        for a, b in combinations(value.quotients, 2):
            factor = value.terms[a]
            if a.divisor != b.divisor or factor != -value.terms[b] or a.inner is None or b.inner is None:
                continue
            difference = a.inner.plus(b.inner, -1)
            is_multiple = difference.content() % a.divisor == 0 == difference.const % a.divisor
            if is_multiple and not any(map(self.atoms.is_data, a.inner.terms)):
                whole = {atom: times // a.divisor for atom, times in difference.terms.items()}
                rest = value.plus(a.whole, -factor).plus(b.whole, factor)
                return self._cancel_quotients(rest.plus(Linear(whole, difference.const // a.divisor), factor))
        return value

    def write_groups(self, groups: Sequence[Term], const: int, dtype: DType) -> Expr:
        """Return atoms with coefficients, and a constant, as an expression: `x * -2`, but `0 - x`, alone."""
        if not groups:
            return IntImm(dtype, wrap(const, dtype))
        if abs(const) > dtype.max_value:
            expr = self._write_large_constant(groups, const, dtype)
            if expr is not None:
                return expr
            const = wrap(const, dtype)
        if len(groups) == 1 and not const and groups[0][0] != -1:
            return _scale(self.write_atom(groups[0][1]), groups[0][0])
        ordered = groups if _is_ordered(groups) else self._order(groups)
        if len(groups) > 1 and any(atom.factors for _, atom in groups):
            ordered = self._factor_leading_terms(ordered)
        expr = None
        for factor, atom in ordered:
            if factor > 0:
                expr = _add(expr, _scale(self.write_atom(atom), factor))
        if const > 0 or expr is None:
            expr = _add(expr, IntImm(dtype, max(const, 0)))
        if const == dtype.min_value < 0:  # it has no negation
            expr, const = Add(expr, IntImm(dtype, const)), 0
        for factor, atom in ordered:
            if factor < 0:
                expr = Sub(expr, _scale(self.write_atom(atom), -factor))
        return Sub(expr, IntImm(dtype, -const)) if const < 0 else expr

    def _factor_leading_terms(self, terms: Sequence[Term]) -> Sequence[Term]:
        """x * n + y * n + z as n * (x + y) + z: TVM takes common factors out of the first terms."""
        while len(terms) > 1 and terms[0][0] > 0:
            product = self._factor_pair(*terms[0], *terms[1])
            if product is None:
                break
            terms = [product, *terms[2:]]
        return terms

    def _factor_pair(self, first_factor: int, first: Atom, second_factor: int, second: Atom) -> Term | None:
        """Return the sum of two terms as one product, None if they share no factor or their coefficients differ."""
        if not (first.factors or second.factors) or self.atoms.is_data(first) or self.atoms.is_data(second):
            return None
        left, right = list(first.factors or (first,)), list(second.factors or (second,))
        content = 1
        if abs(first_factor) == abs(second_factor):
            content = abs(first_factor)
        elif not (abs(second_factor) == 1 and len(left) == 1) and not (first_factor == 1 and len(right) == 1):
            return None
        # TVM looks at the operands of the last multiplication
        on_left, on_right = (terms[-1:] if len(terms) > 2 else terms for terms in (left, right))
        common = next((atom for atom in on_left if atom in on_right), None)
        if common is None:
            return None
        left.remove(common)
        right.remove(common)
        inner = self._product(left).times(first_factor // content).plus(self._product(right), second_factor // content)
        if inner.is_const:
            return None
        groups, const = self.sums.regroup(inner)
        inner_terms = [] if const else self._factor_leading_terms(self._order(groups))
        times, atom = inner_terms[0] if len(inner_terms) == 1 else self.sums.factor(inner)
        return content * times, self.atoms.product((common, atom))

    def _product(self, factors: Sequence[Atom]) -> Linear:
        """Return the product of atoms as a sum."""
        if not factors:
            return constant(1)
        if len(factors) > 1:
            return self.atoms.product(factors).whole
        (only,) = factors
        return only.inner if only.divisor == 1 and only.inner is not None else self.sums.sum_of(only)

    def _write_large_constant(self, groups: Sequence[Term], const: int, dtype: DType) -> Expr | None:
        """Return a sum with a constant beyond its dtype: `x + 1 - -2147483648`, or `(x + 3) * 1073741824`."""
        rest = const + dtype.min_value if const > 0 else const - dtype.min_value
        if dtype.is_signed and abs(rest) <= dtype.max_value:
            least = IntImm(dtype, dtype.min_value)
            return (Sub if const > 0 else Add)(self.write_groups(groups, rest, dtype), least)
        content = gcd(*[factor for factor, _ in groups])
        if content == 1 or const % content:
            return None
        inner = self.write_groups([(factor // content, atom) for factor, atom in groups], const // content, dtype)
        return _scale(inner, content)

    def _order(self, groups: Sequence[Term]) -> list[Term]:
        """Large coefficients first; of equal ones, minima and maxima precede variables."""
        is_choice = self.atoms.is_choice
        keys = [
            (-factor, -1, -_ENDLESS - 1) if is_choice(atom) else _order_key((factor, atom)) for factor, atom in groups
        ]
        return [groups[place] for place in sorted(range(len(groups)), key=keys.__getitem__)]

    def write_atom(self, atom: Atom) -> Expr:
        """Return the atom as an expression, which is cached on the atom."""
        if atom in self.forms.product_orders:
            return reduce(Mul, map(self.write_atom, self.forms.factors(atom)))
        expr = atom.expr
        if expr is None:
            if atom.inner is not None:
                expr = self._write_division(atom, atom.inner)
            elif atom.factors:
                expr = reduce(Mul, map(self.write_atom, atom.factors))
            else:
                cls, operands = self.atoms.operands(atom)
                expr = reduce(cls, [self.write(operand, atom.dtype) for operand in operands])
            atom.expr = expr
        return expr

    def _write_division(self, atom: Atom, inner: Linear) -> Expr:
        """Return a quotient or remainder as an expression; x // c % d is written x % (c * d) // c, as in TVM."""
        dtype, quotients = atom.dtype, self.forms.quotients
        if atom.divisor == 1:
            return self.write(inner, dtype)
        if not atom.is_remainder:
            inner, divisor = quotients.get(atom) or (inner, atom.divisor)
            return FloorDiv(self.write(inner, dtype), IntImm(dtype, divisor))
        quotient = inner.single
        if quotient is None or quotient.inner is None or quotient.divisor < 2 or quotient.is_remainder:
            return self.write_remainder(inner, atom.divisor, dtype)
        inner, divisor = quotients.get(quotient) or (quotient.inner, quotient.divisor)
        if divisor * atom.divisor > dtype.max_value:
            return self.write_remainder(quotient.whole, atom.divisor, dtype)
        whole = self.write_remainder(inner, divisor * atom.divisor, dtype)
        return FloorDiv(whole, IntImm(dtype, divisor))

    def write_remainder(self, value: Linear, divisor: int, dtype: DType) -> Expr:
        """Return value % divisor, the constant and an only coefficient reduced modulo the divisor, as in TVM."""
        groups: Sequence[Term]
        groups, const = self.forms.restore(self, *self.sums.regroup(value))
        is_large = not 0 <= const < divisor or max(map(abs, value.terms.values())) >= divisor
        if is_large and not any(map(self.atoms.is_data, value.terms)):  # of data what is added might wrap
            const %= divisor
            if len(groups) + bool(const) < 3 or len({factor for factor, _ in groups}) == 1:
                reduced = [(factor % divisor if abs(factor) >= divisor else factor, atom) for factor, atom in groups]
                groups = [group for group in reduced if group[0]]
        if len(groups) == 1 and not const:
            ((factor, atom),) = groups
            whole = divisor * atom.divisor
            if factor == 1 and atom.divisor > 1 and not atom.is_remainder and atom.inner and whole <= dtype.max_value:
                # (x + 3) // 2 % 2, a quotient with a constant
                return FloorDiv(self.write_remainder(atom.inner, whole, dtype), IntImm(dtype, atom.divisor))
        return FloorMod(self.write_groups(groups, const, dtype), IntImm(dtype, divisor))


def _add(expr: Expr | None, term: Expr) -> Expr:
    return term if expr is None else Add(expr, term)


def _scale(expr: Expr, factor: int) -> Expr:
    if factor == 1:
        return expr
    dtype = expr.dtype
    return Mul(expr, IntImm(dtype, factor if factor <= dtype.max_value else wrap(factor, dtype)))


def _is_ordered(groups: Sequence[Term]) -> bool:
    """Whether each coefficient is smaller than the one before."""
    last = _ENDLESS
    for factor, _ in groups:
        if factor >= last:
            return False
        last = factor
    return True


def _order_key(group: Term) -> tuple[int, int, int]:
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
