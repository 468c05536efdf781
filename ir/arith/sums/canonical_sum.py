"""Algebra of canonical sums under facts: division, remainders, bounds, residues and proofs.

Index arithmetic (int32 and int64) does not overflow, as everywhere in TVM's analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from itertools import combinations
from math import gcd
from typing import NamedTuple

from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals import modular as residue
from tvmscript.ir.arith.intervals.bounds import EVERYTHING, NATURAL, Bounds
from tvmscript.ir.arith.intervals.modular import ANY, Modular
from tvmscript.ir.arith.sums.division_forms import DivisionForms
from tvmscript.ir.arith.sums.linear_form import ZERO, Atom, Groups, Key, Linear, Signature, constant
from tvmscript.ir.arith.sums.recover_floormod import Remainder, split_digits
from tvmscript.ir.arith.sums.sum_atoms import AtomTable, Mark
from tvmscript.ir.tir import Expr, Min, SizeVar, Var

#: proofs by cases stop at sums with more minima and maxima than this
_MAX_CHOICES = 3
#: greatest nesting of proofs by cases; each level doubles the time
_MAX_CASE_DEPTH = 6


class FactCaches:
    """Results that hold under the current facts."""

    __slots__ = ("bounds", "exact_nodes", "exact_simplified", "limits", "nodes", "quotients", "simplified")

    def __init__(self) -> None:
        self.bounds: dict[Key, Bounds] = {}
        #: bounds of sums that result from how they were built
        self.limits: dict[Key, Bounds] = {}
        self.quotients: dict[tuple[Key, int], Linear] = {}
        #: expression -> its sum
        self.nodes: dict[Expr, Linear] = {}
        #: expression -> its simplified form
        self.simplified: dict[Expr, Expr] = {}
        #: the same for values that may wrap around (`Simplifier.is_exact`)
        self.exact_nodes: dict[Expr, Linear] = {}
        self.exact_simplified: dict[Expr, Expr] = {}


class LoneRemainder(NamedTuple):
    """A dividend `whole * divisor + factor * atom + const` whose atom is a remainder.

    The factor divides the divisor, and the constant is smaller: x % 16 * 2 + 1 modulo 8 is x % 4 * 2 + 1.
    """

    whole: Linear
    factor: int
    atom: Atom
    const: int


class SumContext:
    """Atoms of sums, facts about them, and caches of what follows from the facts.

    `opaque_bounds` and `opaque_residues` give the bounds and residues of expressions that are not sums.
    """

    def __init__(self, opaque_bounds: Callable[[Expr], Bounds], opaque_residues: Callable[[Expr], Modular]) -> None:
        self.atoms = AtomTable()
        self.forms = DivisionForms(self.atoms)
        self.opaque_bounds = opaque_bounds
        self.opaque_residues = opaque_residues
        self.caches = FactCaches()
        #: sum -> its grouped form, which depends on no facts
        self._groups: dict[Hashable, Groups] = {}
        #: current nesting of proofs by cases
        self._case_depth = 0
        #: quotient -> multiple of the divisor that was taken out of the dividend's constant
        self._extracted_constants: dict[Atom, int] = {}
        #: whether a question was answered since the last mark
        self.is_used = False
        #: constant bounds of atoms
        self.ranges: dict[Atom, Bounds] = {}
        #: whether conditions are assumed
        self.has_conditions = False
        #: whether proofs add up assumptions: a < b and b < c imply a < c
        self.is_transitive = False
        #: constant bounds of sums of several atoms, without their constants
        self.sum_ranges: dict[Signature, Bounds] = {}
        self.sum_terms: dict[Signature, Linear] = {}
        #: residues of sums, without their constants
        self.congruent: dict[Signature, Modular] = {}
        #: sums that are not zero
        self.nonzero: dict[Key, bool] = {}
        #: symbolic first and last value of loop variables
        self.ends: dict[Atom, tuple[Linear, Linear]] = {}

    def forget_since(self, mark: Mark) -> None:
        """Forget the atoms that were created after the mark, so that answers do not depend on earlier questions."""
        self.forms.forget(self.atoms.forget_since(mark))
        self.forget_results()

    def forget_results(self) -> None:
        """Forget what follows from the facts, and keep the atoms."""
        self._groups.clear()
        self.caches = FactCaches()
        self._extracted_constants.clear()

    def forget_question(self, mark: Mark) -> None:
        """Forget the last question. Caches stay where it created no atoms, as they tell of facts alone then."""
        if self.atoms.has_grown(mark) or self._extracted_constants or self.forms.has_notes:
            self.forget_since(mark)

    # -- division

    def floordiv(self, value: Linear, divisor: int) -> Linear:
        """Return value // divisor, for a divisor that is not zero."""
        if divisor < 0:
            value, divisor = value.times(-1), -divisor
        if divisor == 1:
            return value
        if not value.terms:
            return constant(value.const // divisor)
        key = (value.key, divisor)
        quotient = self.caches.quotients.get(key)
        if quotient is None:
            quotient = self.caches.quotients[key] = self._floordiv(value, divisor)
        return quotient

    def floormod(self, value: Linear, divisor: int) -> Linear:
        """Return value % divisor, for a divisor that is not zero."""
        factors = value.terms.values()
        if divisor > 0 and factors and (max(factors) >= divisor or min(factors) <= -divisor):
            small = Linear({a: f % divisor for a, f in value.terms.items() if f % divisor}, value.const % divisor)
            low, high = self.bounds(small)
            if low is not None and high is not None and low // divisor == high // divisor:
                return small.shifted(-(low // divisor) * divisor)
        if value.quotients and (alone := self._lone_remainder(value, divisor)) is not None:
            small = self.floormod(self.sum_of(alone.atom), divisor // alone.factor)
            return small.times(alone.factor).shifted(alone.const)
        quotient = self.floordiv(value, divisor)
        remainder = value.plus(quotient, -divisor)
        limits = Bounds(0, divisor - 1) if divisor > 0 else Bounds(divisor + 1, 0)
        if self.has_conditions and remainder.terms:
            # facts may have changed its form, so that it no longer looks like a remainder
            self.caches.limits[remainder.key] = limits
            low, high = self.bounds(remainder)
            if low is not None and low == high:
                return constant(low)
        elif _is_irreducible_remainder(value, divisor, quotient):
            # its grouped form and its bounds need no search
            self._groups[remainder.const, *remainder.terms.items()] = (
                ((1, self.atoms.division(value, divisor, True)),),
                0,
            )
            self.caches.bounds[remainder.key] = limits
        elif remainder.quotients:
            self.caches.limits[remainder.key] = limits
        if quotient.terms:
            self._record_remainder(value, divisor)
        return remainder

    def _record_remainder(self, value: Linear, divisor: int) -> None:
        rest = self._split(value, divisor)[1]
        if rest.terms:
            self.forms.record_remainder(self, self.floordiv(rest, divisor), rest, divisor)

    def _floordiv(self, value: Linear, divisor: int) -> Linear:
        if value.quotients and (alone := self._lone_remainder(value, divisor)) is not None:
            return alone.whole.plus(self.floordiv(self.sum_of(alone.atom), divisor // alone.factor))
        whole, rest = self._split(value, divisor)
        small = self._small_quotient(rest, divisor)
        if whole is ZERO:
            return small
        if whole.const and (atom := small.single) is not None and atom.inner is not None:
            self._extracted_constants.setdefault(atom, whole.const)
        return whole.plus(small)

    def _split(self, value: Linear, divisor: int) -> tuple[Linear, Linear]:
        """Split a sum into multiples of the divisor, divided by it, and the rest.

        The constant stays in the rest beside data, where another constant may wrap.
        """
        remainders = ZERO
        if value.quotients and _has_remainders(value):
            multiples = self._multiples_of_remainders(value, divisor)
            if multiples is not ZERO:
                whole_part, rest_part = self._split(value.plus(multiples, -divisor), divisor)
                return whole_part.plus(multiples), rest_part
            remainders = self._whole_remainders(value, divisor)
            value = value.plus(remainders, -1)
        whole: dict[Atom, int] = {}
        rest: dict[Atom, int] = {}
        for atom, factor in value.terms.items():
            if factor % divisor:
                rest[atom] = factor
            else:
                whole[atom] = factor // divisor
        above, below = divmod(value.const, divisor)
        if above and below and any(map(self.atoms.is_data, (*rest, *remainders.terms))):
            above, below = 0, value.const
        if not whole and not above:
            return ZERO, value.plus(remainders)
        return Linear(whole, above), Linear(rest, below).plus(remainders)

    def _lone_remainder(self, value: Linear, divisor: int) -> LoneRemainder | None:
        """Return the dividend as a multiple of the divisor, of one remainder, and a constant, where it is that."""
        if not _has_remainders(value):
            return None
        groups, const = self.regroup(value)
        groups_left = [(factor, atom) for factor, atom in groups if factor % divisor]
        if len(groups_left) != 1:
            return None
        ((factor, atom),) = groups_left
        above, below = divmod(const, divisor)
        is_multiple = factor > 1 and divisor % factor == 0 and below < factor
        if not atom.is_remainder or not is_multiple or self.atoms.is_data(atom):  # parts of data might wrap
            return None
        whole = value.plus(self.sum_of(atom), -factor).shifted(above * divisor - const)
        quotient = Linear({part: times // divisor for part, times in whole.terms.items()}, above)
        return LoneRemainder(quotient, factor, atom, below)

    def _whole_remainders(self, value: Linear, divisor: int) -> Linear:
        """Return the remainders in a dividend that stay whole: they have tighter bounds than their parts."""
        whole = ZERO
        groups, const = self.regroup(value)
        groups_left = [(factor, atom) for factor, atom in groups if factor % divisor]
        for factor, atom in groups_left:
            is_alone = len(groups_left) == 1 and factor * atom.divisor % divisor == 0 == const % divisor
            is_divided = is_alone and (factor == 1 or gcd(factor, divisor) > 1)
            if atom.is_remainder and (not is_divided or self.atoms.is_data(atom)):  # parts of data might wrap
                whole = whole.plus(self.sum_of(atom), factor)
        return whole

    def _multiples_of_remainders(self, value: Linear, divisor: int) -> Linear:
        """Return remainders whose coefficient the divisor divides, while it does not divide those of their parts."""
        multiples = ZERO
        for factor, atom in self.regroup(value)[0]:
            if atom.is_remainder and factor % divisor == 0 and not self.atoms.is_data(atom):
                parts = self.sum_of(atom)
                if any(value.terms.get(part, 0) % divisor for part in parts.terms):
                    multiples = multiples.plus(parts, factor // divisor)
        return multiples

    def _small_quotient(self, value: Linear, divisor: int) -> Linear:
        """Return the quotient of a sum without multiples of the divisor."""
        if not value.terms:
            return ZERO
        low, high = self.bounds(value)
        if low is not None and high is not None and low // divisor == high // divisor:
            return constant(low // divisor)
        if max(value.terms.values()) > divisor:
            # (c * d + r) * x // d = c * x if r * x is in [0, d)
            small = Linear({a: f % divisor for a, f in value.terms.items() if f % divisor}, value.const)
            low, high = self.bounds(small)
            if low is not None and high is not None and low // divisor == high // divisor:
                return Linear({a: f // divisor for a, f in value.terms.items() if f // divisor}, low // divisor)
        reduced = self._cancel(value, divisor)
        if reduced is not None:
            quotient = self.floordiv(*reduced)
            whole = quotient.single
            # no term of the sum vanished
            is_kept = len(value.terms) == 1 or (whole is not None and whole.divisor == reduced[1])
            if reduced[1] < divisor and is_kept:
                self.forms.record_quotient(quotient, value, divisor)
            return quotient
        quotient_of_large_part = self._drop_small_part(value, divisor)
        return (
            quotient_of_large_part
            if quotient_of_large_part is not None
            else self.atoms.division(value, divisor, False).whole
        )

    def _cancel(self, value: Linear, divisor: int) -> tuple[Linear, int] | None:
        """Return a smaller dividend and divisor with the same quotient. Beside data the constant must not grow."""
        if len(value.terms) > 1 and gcd(divisor, *value.terms.values()) == 1:
            return None
        reduced = self._cancel_factor(value, divisor)
        grows = reduced is not None and abs(reduced[0].const) > abs(value.const)
        return None if grows and any(map(self.atoms.is_data, value.terms)) else reduced

    def _cancel_factor(self, value: Linear, divisor: int) -> tuple[Linear, int] | None:
        """Cancel a common factor, or merge a nested division."""
        common = gcd(value.content(), divisor)
        if common > 1:
            # (g * x + c) // (g * d) = (x + c // g) // d
            terms = {atom: factor // common for atom, factor in value.terms.items()}
            return Linear(terms, value.const // common), divisor // common
        if len(value.terms) == 1:
            ((atom, factor),) = value.terms.items()
            is_small = atom.divisor * divisor <= atom.dtype.max_value
            if factor == 1 and atom.inner is not None and not atom.is_remainder and atom.divisor > 1 and is_small:
                # (x // c + k) // d = (x + k * c) // (c * d)
                inner, by = self.forms.quotients.get(atom) or (atom.inner, atom.divisor)
                return inner.shifted(value.const * by), by * divisor
        return None

    def quotient_without_facts(self, value: Linear, divisor: int) -> Linear:
        """Return value // divisor for a positive divisor, without facts, so that the result outlives them."""
        whole, rest = self._split(value, divisor)
        if not rest.terms:
            return whole
        reduced = self._cancel(rest, divisor)
        if reduced is not None:
            return whole.plus(self.quotient_without_facts(*reduced))
        return whole.plus(self.atoms.division(rest, divisor, False).whole)

    def factor(self, value: Linear) -> tuple[int, Atom]:
        """Return a sum as a constant times one atom. A sum of several terms becomes an atom of its own."""
        times, atom = self._factor(value)
        self.forms.record_scaled_sum(atom, value, times)
        return times, atom

    def _factor(self, value: Linear) -> tuple[int, Atom]:
        if len(value.terms) == 1 and not value.const:
            ((only, times),) = value.terms.items()
            return times, only
        groups, const = self.regroup(value)
        if len(groups) == 1 and const == 0:
            return groups[0]
        content = abs(gcd(const, *[factor for factor, _ in groups]))
        part = Linear({atom: factor // content for atom, factor in value.terms.items()}, value.const // content)
        return content, self.atoms.sum(part)

    def divide_exactly(self, value: Linear, by: Linear) -> tuple[Linear, Linear]:
        """Return quotient and rest such that value = quotient * by + rest."""
        times, divisor = self.factor(by)
        parts = divisor.factors or (divisor,)
        groups, const = self.regroup(value)
        quotient, rest = ZERO, constant(const)
        for factor, atom in groups:
            left = _divide_factors(atom.factors or (atom,), parts) if factor % times == 0 else None
            if left is None:
                rest = rest.plus(self.sum_of(atom), factor)
            elif left:
                product = left[0] if len(left) == 1 else self.atoms.product(left)
                quotient = quotient.plus(self.sum_of(product), factor // times)
            else:
                quotient = quotient.shifted(factor // times)
        return quotient, rest

    def _drop_small_part(self, value: Linear, divisor: int) -> Linear | None:
        """(g * x + y) // (g * d) = (x + k) // d if y is in [k * g, k * g + g)."""
        if not value.quotients and max([gcd(factor, divisor) for factor in value.terms.values()]) == 1:
            return None
        groups, const = self.regroup(value)
        candidates = {gcd(factor, divisor) for factor, _ in groups} - {1}
        for common in sorted(candidates, reverse=True):
            small = self.sum_of_groups([group for group in groups if group[0] % common], const)
            low, high = self.bounds(small)
            if low is not None and high is not None and low // common == high // common:
                large = [(factor // common, atom) for factor, atom in groups if factor % common == 0]
                return self.floordiv(self.sum_of_groups(large, low // common), divisor // common)
        return None

    def sum_of_groups(self, groups: Sequence[tuple[int, Atom]], const: int) -> Linear:
        """Return a grouped sum without remainders."""
        if not any(atom.is_remainder for _, atom in groups):
            return Linear({atom: factor for factor, atom in groups}, const)
        total = constant(const)
        for factor, atom in groups:
            total = total.plus(self.sum_of(atom), factor)
        return total

    def sum_of(self, atom: Atom) -> Linear:
        """Return an atom as a sum without remainders."""
        if atom.is_remainder and atom.inner is not None:
            return self.floormod(atom.inner, atom.divisor)
        return atom.whole

    # -- recovery of remainders

    def regroup(self, value: Linear) -> Groups:
        """Return the sum with remainders where they make it shorter. The order of terms is kept."""
        quotients = value.quotients
        if not quotients:
            return tuple([(factor, atom) for atom, factor in value.terms.items()]), value.const
        key = (value.const, *value.terms.items())
        groups = self._groups.get(key)
        if groups is None:
            groups = self._groups[key] = self._recover_remainders(value, quotients)
        return groups

    def _recover_remainders(self, value: Linear, quotients: list[Atom]) -> Groups:
        taken: list[Remainder] = []
        rest = value
        if _has_remainders(value):
            taken, rest = split_digits(value, quotients, self.quotient_without_facts)
        const = rest.const
        if const and self._extracted_constants:
            rest, const = self._absorb_constants(rest)
        if not taken:
            return tuple([(factor, atom) for atom, factor in rest.terms.items()]), const
        if not rest.terms and len(taken) == 1:
            ((factor, part, by),) = taken
            return ((factor, self.atoms.division(part, by, True)),), const
        # a remainder takes the place of the first term of its dividend
        place = {atom: index for index, atom in enumerate(value.terms)}
        groups = [(place.get(atom, len(place)), factor, atom) for atom, factor in rest.terms.items()]
        for factor, part, by in taken:
            first = min(place.get(atom, len(place)) for atom in part.terms)
            groups.append((first, factor, self.atoms.division(part, by, True)))
        return tuple((factor, atom) for _, factor, atom in sorted(groups, key=_place_of)), const

    def _absorb_constants(self, value: Linear) -> tuple[Linear, int]:
        """x // c + k as (x + c * k) // c, if that constant was taken out of the dividend."""
        terms, const = value.terms, value.const
        for atom, factor in value.terms.items():
            by, dividend = self._extracted_constants.get(atom), atom.inner
            if by is None or dividend is None or not dividend.const or any(map(self.atoms.is_data, dividend.terms)):
                continue  # of data the larger constant might wrap
            shifted = self.atoms.division(dividend.shifted(atom.divisor * by), atom.divisor, False)
            form = self.forms.quotients.get(atom)
            if form is not None:
                inner, divisor = form
                self.forms.quotients[shifted] = inner.shifted(divisor * by), divisor
            terms = {shifted if other is atom else other: times for other, times in terms.items()}
            const -= factor * by
        return (value, const) if terms is value.terms else (Linear(terms, 0), const)

    # -- bounds and residues

    def bounds(self, value: Linear) -> Bounds:
        """Return constant bounds of the sum."""
        if not value.terms:
            return Bounds(value.const, value.const)
        if not self.has_conditions and not value.quotients:
            # only variables have ranges
            get, other = self.ranges.get, self.atom_bounds
            return interval.combination(value.const, [(f, get(atom) or other(atom)) for atom, f in value.terms.items()])
        result = self.caches.bounds.get(value.key)
        if result is None:
            groups, const = self.regroup(value)
            result = interval.combination(const, [(factor, self.atom_bounds(atom)) for factor, atom in groups])
            if self.sum_ranges:
                result = interval.intersect(result, self._sum_range(value))
            if len(value.quotients) > 1:
                result = interval.intersect(result, self._difference_bounds(value))
            limits = self.caches.limits.get(value.key)
            if limits is not None:
                result = interval.intersect(result, limits)
            self.caches.bounds[value.key] = result
        return result

    def _difference_bounds(self, value: Linear) -> Bounds:
        """Bound x // d - y // d by floor and ceiling of (x - y) / d."""
        for first, second in combinations(value.quotients, 2):
            factor = value.terms[first]
            if first.divisor != second.divisor or value.terms[second] != -factor:
                continue
            if first.inner is not None and second.inner is not None:
                low, high = self.bounds(first.inner.plus(second.inner, -1))
                divisor = first.divisor
                apart = Bounds(None if low is None else low // divisor, None if high is None else -(-high // divisor))
                rest = value.plus(first.whole, -factor).plus(second.whole, factor)
                return interval.add(self.bounds(rest), interval.scale(apart, factor))
        return EVERYTHING

    def _sum_range(self, value: Linear) -> Bounds:
        content = value.content()
        terms = value if content == 1 else Linear({a: f // content for a, f in value.terms.items()}, 0)
        term_bounds = self.sum_ranges.get(terms.key[1])
        if term_bounds is None:
            term_bounds = self.sum_ranges.get(terms.times(-1).key[1])
            term_bounds = EVERYTHING if term_bounds is None else interval.scale(term_bounds, -1)
        return interval.add(interval.scale(term_bounds, content), Bounds(value.const, value.const))

    def atom_bounds(self, atom: Atom) -> Bounds:
        """Return constant bounds of an atom."""
        declared_bounds = self.ranges.get(atom, EVERYTHING)
        if isinstance(atom.expr, Var):
            if declared_bounds is not EVERYTHING:
                return declared_bounds
            limits = interval.of_dtype(atom.dtype)
            return interval.intersect(limits, NATURAL) if isinstance(atom.expr, SizeVar) else limits
        if atom.factors:
            bounds = reduce(interval.mul, [self.atom_bounds(part) for part in atom.factors])
        elif atom.inner is not None:
            inner = self.bounds(atom.inner)
            bounds = (
                interval.floormod(inner, atom.divisor) if atom.is_remainder else interval.floordiv(inner, atom.divisor)
            )
        elif (cls := self.atoms.choice_ops.get(atom)) is not None:
            rule = interval.minimum if cls is Min else interval.maximum
            bounds = reduce(rule, map(self.bounds, self.atoms.operands(atom)[1]))
        else:
            bounds = self.opaque_bounds(_expr_of(atom))
        return bounds if declared_bounds is EVERYTHING else interval.intersect(bounds, declared_bounds)

    def residues(self, value: Linear) -> Modular:
        """Return the modular set of the sum."""
        groups, const = self.regroup(value)
        result = Modular(0, const)
        for factor, atom in groups:
            result = residue.add(result, residue.scale(self.atom_residues(atom), factor))
        if self.congruent and (known := self.congruent.get(value.key[1])) is not None:
            result = residue.intersect(result, residue.add(known, Modular(0, value.const)))
        return result

    def atom_residues(self, atom: Atom) -> Modular:
        """Return the modular set of an atom."""
        if (range_ := self.ranges.get(atom)) is not None and range_.is_single:
            return Modular(0, range_.low or 0)
        if self.congruent and (known := self.congruent.get(atom.whole.key[1])) is not None:
            return known
        if atom.factors:
            return reduce(residue.mul, [self.atom_residues(part) for part in atom.factors])
        if atom.inner is not None:
            rule = residue.floormod if atom.is_remainder else residue.floordiv
            return rule(self.residues(atom.inner), atom.divisor)
        if self.atoms.is_choice(atom):
            return reduce(residue.union, map(self.residues, self.atoms.operands(atom)[1]))
        return ANY if isinstance(atom.expr, Var) else self.opaque_residues(_expr_of(atom))

    def join_remainders(self, value: Linear) -> Linear:
        """x // n * n + x % n = x."""
        for atom, factor in value.terms.items():
            division = self.atoms.remainders.get(atom)
            if division is None:
                continue
            whole, dividend = division
            for form in (value, self.expand(value)):
                if whole.terms and all(form.terms.get(part) == factor * times for part, times in whole.terms.items()):
                    return self.join_remainders(
                        form.plus(whole, -factor).plus(atom.whole, -factor).plus(dividend, factor)
                    )
        return value

    # -- proofs

    def side_of_zero(self, value: Linear) -> int | None:
        """Return -1 if the sum is provably at most zero, 1 if it is provably at least zero, else None."""
        if self.is_at_most_zero(value):
            return -1
        if self.bounds(value).within(0, None):
            return 1
        if not (self.sum_ranges or self.ends or self.atoms.choice_ops or value.quotients):
            return None
        # of sums with quotients, the bounds of the negative one may be others
        return 1 if self.is_at_most_zero(value.times(-1)) else None

    def is_at_most_zero(self, value: Linear) -> bool:
        """Whether the sum is provably at most zero."""
        if self.bounds(value).within(None, 0):
            return True
        if self.sum_ranges and self._is_at_most_zero_by_facts(value):
            return True
        if self.ends and self._is_at_most_zero_at_ends(value):
            return True
        if self.atoms.choice_ops and self._is_at_most_zero_by_cases(value):
            return True
        return self.is_transitive and self._follows_from_facts(value, frozenset())

    def _follows_from_facts(self, value: Linear, used: frozenset[Signature]) -> bool:
        """Prove the sum by adding up assumptions, each used once."""
        for signature, (low, high) in self.sum_ranges.items():
            if signature in used:
                continue
            terms = self.sum_terms[signature]
            for fact in (
                None if high is None else terms.shifted(-high),
                None if low is None else terms.times(-1).shifted(low),
            ):
                if fact is None or not any(
                    value.terms.get(atom, 0) * factor > 0 for atom, factor in fact.terms.items()
                ):
                    continue
                rest = value.plus(fact, -1)
                if self.bounds(rest).within(None, 0) or self._follows_from_facts(rest, used | {signature}):
                    return True
        return False

    def _is_at_most_zero_by_facts(self, value: Linear) -> bool:
        """Prove the sum by a multiple of one assumption and the bounds of the rest."""
        for signature, known in self.sum_ranges.items():
            terms = self.sum_terms[signature].terms
            first = next(iter(terms))
            times, rest = divmod(value.terms.get(first, 0), terms[first])
            if rest or not times or any(value.terms.get(atom) != factor * times for atom, factor in terms.items()):
                continue
            left = value.plus(Linear(terms, 0), -times)
            if interval.add(self.bounds(left), interval.scale(known, times)).within(None, 0):
                return True
        return False

    def _is_at_most_zero_at_ends(self, value: Linear) -> bool:
        """Prove the sum by replacing loop variables with their symbolic ends, inner loops first."""
        for atom in reversed(self.ends):
            factor = value.terms.get(atom)
            if factor is not None:
                first, last = self.ends[atom]
                value = value.plus(atom.whole, -factor).plus(last if factor > 0 else first, factor)
                if self.bounds(self.expand(value)).within(None, 0):
                    return True
        return False

    def _is_at_most_zero_by_cases(self, value: Linear) -> bool:
        """Prove the sum by cases: a minimum needs one operand that is at most zero, a maximum needs all."""
        chosen = [atom for atom in value.terms if atom in self.atoms.choice_ops]
        if not 0 < len(chosen) <= _MAX_CHOICES or self._case_depth == _MAX_CASE_DEPTH:
            return False
        self._case_depth += 1
        try:
            for atom in chosen:
                cases, decides = self.atoms.cases(value, atom)
                if (any if decides else all)(map(self.is_at_most_zero, cases)):
                    return True
            return False
        finally:
            self._case_depth -= 1

    def expand(self, value: Linear) -> Linear:
        """Return the sum with products of sums multiplied out."""
        if not any(atom.factors or atom.divisor == 1 for atom in value.terms):
            return value
        total = constant(value.const)
        for atom, factor in value.terms.items():
            total = total.plus(self._expand_atom(atom), factor)
        return total

    def _expand_atom(self, atom: Atom) -> Linear:
        if atom.divisor == 1 and atom.inner is not None:
            return self.expand(atom.inner)
        if not atom.factors:
            return atom.whole
        product = constant(1)
        for part in atom.factors:
            product = self._multiply(product, self._expand_atom(part))
        return product

    def _multiply(self, a: Linear, b: Linear) -> Linear:
        product = a.times(b.const)
        for right, factor in b.terms.items():
            product = product.plus(right.whole, factor * a.const)
            for left, times in a.terms.items():
                product = product.plus(Linear({self.atoms.product((left, right)): 1}, 0), factor * times)
        return product


def _has_remainders(value: Linear) -> bool:
    """Whether quotients of a sum may be parts of remainders. A single one needs the terms of its dividend."""
    if len(value.quotients) != 1:
        return bool(value.quotients)
    inner = value.quotients[0].inner
    return inner is not None and inner.terms.keys() <= value.terms.keys()


def _is_irreducible_remainder(value: Linear, divisor: int, quotient: Linear) -> bool:
    """Whether value % divisor cannot be split into simpler remainders."""
    whole = quotient.single
    if whole is None or whole.inner is value:
        return whole is not None
    part = value.single
    return (
        part is not None and part.divisor > 1 and part.inner is whole.inner and whole.divisor == part.divisor * divisor
    )


def _place_of(group: tuple[int, int, Atom]) -> int:
    return group[0]


def _divide_factors(factors: Sequence[Atom], parts: Sequence[Atom]) -> list[Atom] | None:
    """Return the factors without `parts`, None if a part is missing."""
    left = list(factors)
    for part in parts:
        if part not in left:
            return None
        left.remove(part)
    return left


def _expr_of(atom: Atom) -> Expr:
    """Return the expression of an opaque atom."""
    assert atom.expr is not None
    return atom.expr
