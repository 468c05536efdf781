"""Minima and maxima of sums in normal form: no bounded operands, common parts taken out, signs of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Protocol, TypeAlias

from tvmscript.ir.arith.sums import division_forms
from tvmscript.ir.arith.sums.canonical_sum import SumContext
from tvmscript.ir.arith.sums.linear_form import ZERO, Atom, Linear, constant
from tvmscript.ir.arith.sums.sum_atoms import AtomTable
from tvmscript.ir.core import DType
from tvmscript.ir.tir import BinaryOp, Max, Min

Extremum: TypeAlias = type[Min] | type[Max]


class Writer(division_forms.Writer, Protocol):
    """The part of `SumWriter` that minima and maxima depend on."""

    @property
    def sums(self) -> SumContext: ...


def simplify_extremum(
    writer: Writer, cls: Extremum, operands: Iterable[Linear], dtype: DType, *, is_node: bool = False
) -> Linear:
    """Return the minimum (maximum) of sums, nested ones flattened, without operands that others bound.

    In an expression (`is_node`), a minimum on the right stays one operand, as in TVM.
    """
    sums = writer.sums
    beaten = 1 if cls is Min else -1
    kept: list[Linear] = []
    for operand in operands:
        for value in (operand,) if is_node and kept else sums.atoms.operands_of(operand, cls):
            sides = [sums.side_of_zero(value.plus(other, -1)) for other in kept]
            if beaten in sides:
                continue
            kept = [other for other, side in zip(kept, sides, strict=True) if side is None]
            kept.append(value)
    if len(kept) > 2:
        kept.sort(key=_is_constant)
    return combine_operands(writer, cls, kept, dtype)


def combine_operands(writer: Writer, cls: Extremum, operands: Sequence[Linear], dtype: DType) -> Linear:
    """Return the normal form of a minimum (maximum) of which no operand bounds another.

    Operands computed from data stay as they are: their differences may wrap.
    """
    sums = writer.sums
    if len(operands) == 1:
        return operands[0]
    if any(map(sums.atoms.is_data, {atom for operand in operands for atom in operand.terms})):
        return _choose(writer, cls, operands, dtype)
    common = _common_part(sums, operands)
    if common is not ZERO:
        rest = [operand.plus(common, -1) for operand in operands]
        return combine_operands(writer, cls, rest, dtype).plus(common)
    if len(operands) == 2:
        if _is_negated(sums, operands[0], operands[1]):
            negated = [operand.times(-1) for operand in operands]
            return combine_operands(writer, opposite(cls), negated, dtype).times(-1)
        factored = _factor_choices(writer, cls, operands[0], operands[1], dtype)
        if factored is not None:
            return factored
    return _choose(writer, cls, operands, dtype)


def opposite(cls: type[BinaryOp]) -> Extremum:
    """Return Max for Min, and Min for Max."""
    return Max if cls is Min else Min


def _choose(writer: Writer, cls: Extremum, operands: Sequence[Linear], dtype: DType) -> Linear:
    """Return the choice between operands, a common factor taken out."""
    sums = writer.sums
    common = _common_factor(operands)
    if common == 1:
        quotient = _choose_dividend(writer, cls, operands, dtype)
        return sums.atoms.choice(cls, operands, dtype) if quotient is None else quotient
    parts = [Linear({atom: f // common for atom, f in one.terms.items()}, one.const // common) for one in operands]
    quotient = _choose_dividend(writer, cls, parts, dtype)
    if quotient is not None:
        return quotient.times(common)
    choice = sums.atoms.choice(cls, parts, dtype)
    if not _is_factored_by_tvm(common, operands):
        sums.forms.record_choice(writer, choice, common, operands, cls)
    return choice.times(common)


def _choose_dividend(writer: Writer, cls: Extremum, operands: Sequence[Linear], dtype: DType) -> Linear | None:
    """min(x // d, y // d) = min(x, y) // d for a positive divisor, also where x is a remainder."""
    divisions = [as_quotient(writer.sums, operand) for operand in operands]
    dividends = [division[0] for division in divisions if division is not None]
    divisors = {division[1] for division in divisions if division is not None}
    if len(dividends) < len(operands) or len(divisors) > 1:
        return None
    return writer.sums.floordiv(simplify_extremum(writer, cls, dividends, dtype), divisors.pop())


def as_quotient(sums: SumContext, value: Linear) -> tuple[Linear, int] | None:
    """Return dividend and divisor of a quotient; x // c % d is x % (c * d) // c."""
    groups, const = sums.regroup(value)
    if len(groups) != 1 or groups[0][0] != 1 or const:
        return None
    ((_, atom),) = groups
    if atom.inner is None or atom.divisor < 2:
        return None
    if not atom.is_remainder:
        return atom.inner, atom.divisor
    quotient = atom.inner.single
    if quotient is None or quotient.inner is None or quotient.divisor < 2 or quotient.is_remainder:
        return None
    return sums.floormod(quotient.inner, quotient.divisor * atom.divisor), quotient.divisor


def _common_part(sums: SumContext, operands: Sequence[Linear]) -> Linear:
    """Return the terms and the constant that all operands have, if they have as many terms; c of min(c - x, d)."""
    groups = [sums.regroup(operand)[0] for operand in operands]
    constants = [operand.const for operand in operands]
    if len(operands) == 2 and all(constants) and operands[1].is_const and _is_negative_term(groups[0]):
        return constant(constants[0])
    if len(operands) == 2:
        for one, other, const in ((groups[0], groups[1], constants), (groups[1], groups[0], constants[::-1])):
            if len(one) == 1 and const[0] and _is_plus_term(other, one[0]) and not const[1]:
                return sums.sum_of_groups(one, 0)  # of x + 3 and x + y
    if len({*constants}) > 1 or len({len(terms) for terms in groups}) > 1:
        return ZERO
    shared = [group for group in groups[0] if all(group in other for other in groups[1:])]
    return sums.sum_of_groups(shared, constants[0]) if shared or constants[0] else ZERO


def _is_plus_term(groups: Sequence[tuple[int, Atom]], term: tuple[int, Atom]) -> bool:
    """Whether a sum is the term and another one, which is not subtracted."""
    rest = [group for group in groups if group != term]
    return len(groups) == 2 and len(rest) == 1 and rest[0][0] > 0


def _is_negative_term(groups: Sequence[tuple[int, Atom]]) -> bool:
    return len(groups) == 1 and groups[0][0] < 0


def _is_negated(sums: SumContext, first: Linear, second: Linear) -> bool:
    """Whether the operands are -x and -y, or -x and a constant, which is not zero unless -x has a factor."""
    terms = sums.regroup(first)[0]
    if first.const or not _is_negative_term(terms):
        return False
    if second.is_const:
        return bool(second.const) or terms[0][0] != -1
    return not second.const and _is_negative_term(sums.regroup(second)[0])


def _factor_choices(writer: Writer, cls: Extremum, first: Linear, second: Linear, dtype: DType) -> Linear | None:
    """min(max(x, y), max(x, z)) = max(min(y, z), x)."""
    atoms, other = writer.sums.atoms, opposite(cls)
    left, right = atoms.operands_of(first, other), atoms.operands_of(second, other)
    if len(left) != 2 or len(right) != 2:
        return None
    keys = [operand.key for operand in right]
    for place, operand in enumerate(left):
        if operand.key in keys:
            rest = left[1 - place], right[1 - keys.index(operand.key)]
            return simplify_extremum(writer, other, [simplify_extremum(writer, cls, rest, dtype), operand], dtype)
    return None


def absorb_terms(writer: Writer, value: Linear, dtype: DType) -> Linear:
    """Move terms into a minimum or maximum where they cancel: min(x, y - z) + z + 1 = min(x + z, y) + 1.

    TVM does so where they stand beside it.
    """
    atoms = writer.sums.atoms
    for atom, factor in value.terms.items():
        if abs(factor) != 1 or not atoms.is_choice(atom) or any(map(atoms.is_data, value.terms)):
            continue  # data might wrap inside
        cls, operands = atoms.operands(atom)
        rest = value.plus(atom.whole, -factor)
        for operand in operands:
            moved = _cancelling_part(operand, rest, factor)
            if moved is ZERO:
                continue
            extremum: Extremum = Min if (cls is Min) == (factor > 0) else Max
            inside = [other.plus(moved, -1).times(factor) for other in operands]
            whole = simplify_extremum(writer, extremum, inside, dtype)
            absorbed = absorb_terms(writer, rest.plus(moved, factor).plus(whole), dtype)
            if len(absorbed.terms) < 2 or _is_beside(atoms, factor, rest, operand, moved):
                return absorbed
    return value


def _is_beside(atoms: AtomTable, factor: int, rest: Linear, operand: Linear, moved: Linear) -> bool:
    """Whether what is moved is written beside a minimum or maximum: terms that are subtracted come last."""
    if moved.is_const:
        is_first = all(times < 0 for times in rest.terms.values())
        return bool(operand.terms) and factor == 1 and rest.const > 0 and is_first
    plain = sorted([atom for atom in rest.terms if not atoms.is_choice(atom)], key=lambda atom: rest.terms[atom] < 0)
    added = [atom for atom in plain if rest.terms[atom] > 0]
    near = plain[: len(moved.terms)] if factor > 0 else added[-len(moved.terms) :]
    return not moved.const and {*near} == {*moved.terms}


def _cancelling_part(operand: Linear, rest: Linear, factor: int) -> Linear:
    """Return the part of an operand that `rest` cancels, where the operand stands in the sum `factor` times.

    A constant alone is left where the operand has terms and is subtracted, as in TVM.
    """
    terms = {atom: times for atom, times in operand.terms.items() if rest.terms.get(atom) == -times * factor}
    is_taken = factor > 0 or terms or operand.is_const
    const = operand.const if is_taken and operand.const and rest.const == -operand.const * factor else 0
    return Linear(terms, const) if terms or const else ZERO


def cancel_choices(sums: SumContext, value: Linear) -> Linear:
    """min(x, y) + max(x, y) = x + y, and min(x + 1, y) - min(x, y - 1) = 1."""
    atoms = sums.atoms
    chosen = [atom for atom in value.terms if atoms.is_choice(atom)]
    for place, first in enumerate(chosen):
        cls, left = atoms.operands(first)
        for second in chosen[place + 1 :]:
            other, right = atoms.operands(second)
            factor = value.terms[first]
            if len(left) != len(right) or abs(factor) != abs(value.terms[second]):
                continue
            rest = value.plus(first.whole, -factor).plus(second.whole, -value.terms[second])
            if value.terms[second] == factor and cls is not other:
                if len(left) == 2 and {part.key for part in left} == {part.key for part in right}:
                    return cancel_choices(sums, rest.plus(left[0], factor).plus(left[1], factor))
            elif value.terms[second] == -factor and cls is other and not any(map(atoms.is_data, value.terms)):
                apart = _common_difference(left, right)
                if apart is not None:
                    return cancel_choices(sums, rest.plus(apart, factor))
    return value


def _common_difference(left: Sequence[Linear], right: Sequence[Linear]) -> Linear | None:
    """Return the difference of the operands if it is the same for all, in one of the two orders."""
    for order in (right, right[::-1]):
        differences = [a.plus(b, -1) for a, b in zip(left, order, strict=True)]
        if len({difference.key for difference in differences}) == 1:
            return differences[0]
    return None


def divide_operands(writer: Writer, value: Linear, divisor: int, dtype: DType) -> Linear | None:
    """min(x * 6, y) // 2 = min(x * 3, y // 2), None if no multiple is divided. The divisor is positive."""
    sums, atom = writer.sums, value.single
    if atom is None or not sums.atoms.is_choice(atom) or sums.atoms.is_data(atom):
        return None
    cls, operands = sums.atoms.operands(atom)
    quotients = [sums.floordiv(operand, divisor) for operand in operands]
    if len(quotients) > 2 or all(quotient.quotients or quotient.is_const for quotient in quotients):
        return None
    return simplify_extremum(writer, Min if cls is Min else Max, quotients, dtype)


def multiply_choices(sums: SumContext, left: Atom, right: Atom) -> tuple[Linear, Linear] | None:
    """Return the factors of min(x, y) * max(x, y) = x * y."""
    atoms = sums.atoms
    if not (atoms.is_choice(left) and atoms.is_choice(right)):
        return None
    (first, operands), (second, others) = atoms.operands(left), atoms.operands(right)
    is_pair = len(operands) == 2 and {part.key for part in operands} == {part.key for part in others}
    return (operands[0], operands[1]) if is_pair and first is not second else None


def _is_constant(value: Linear) -> bool:
    return value.is_const


def _common_factor(values: Sequence[Linear]) -> int:
    """Return the common factor of constants and single terms, 1 if an operand is a sum."""
    if len(values) < 2 or any(len(value.terms) > 1 or (value.terms and value.const) for value in values):
        return 1
    return gcd(*[value.const for value in values], *[factor for value in values for factor in value.terms.values()])


def _is_factored_by_tvm(common: int, operands: Sequence[Linear]) -> bool:
    """Whether TVM takes the factor out.

    That is where the first operand has it and the second is a constant, or where both operands have it.
    """
    return (
        len(operands) == 2
        and common in operands[0].terms.values()
        and (operands[1].is_const or common in operands[1].terms.values())
    )
