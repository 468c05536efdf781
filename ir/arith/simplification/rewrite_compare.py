"""Comparisons of sums: prove, refute, or simplify them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import gcd
from typing import Final, TypeAlias

from tvmscript.ir.arith.fold import FALSE, TRUE, logical_and, logical_or
from tvmscript.ir.arith.sums.canonical_sum import SumContext
from tvmscript.ir.arith.sums.extremum import as_quotient
from tvmscript.ir.arith.sums.linear_form import ZERO, Atom, Linear, constant
from tvmscript.ir.arith.sums.sum_to_expr import SumWriter
from tvmscript.ir.core import DType
from tvmscript.ir.tir import EQ, LE, LT, NE, And, CompareOp, Expr, Or

# -- comparisons of a difference with zero; None if unknown


def _is_negative(sums: SumContext, difference: Linear) -> bool | None:
    if sums.is_at_most_zero(difference.shifted(1)):
        return True
    return False if sums.is_at_most_zero(difference.times(-1)) else None


def _is_at_most_zero(sums: SumContext, difference: Linear) -> bool | None:
    if sums.is_at_most_zero(difference):
        return True
    return False if sums.is_at_most_zero(difference.times(-1).shifted(1)) else None


def _is_zero(sums: SumContext, difference: Linear) -> bool | None:
    if difference.is_const:
        return difference.const == 0
    expanded = sums.expand(difference)
    if expanded.is_const:
        return expanded.const == 0
    if sums.nonzero and difference.primitive().key in sums.nonzero:
        return False
    if difference.const % difference.content():
        return False
    factor, base = sums.residues(difference)
    if (base % factor if factor else base) != 0:
        return False
    if sums.is_at_most_zero(difference.shifted(1)) or sums.is_at_most_zero(difference.times(-1).shifted(1)):
        return False
    if sums.is_at_most_zero(difference) and sums.is_at_most_zero(difference.times(-1)):
        return True
    return None


def _is_not_zero(sums: SumContext, difference: Linear) -> bool | None:
    decide_compare = _is_zero(sums, difference)
    return None if decide_compare is None else not decide_compare


DECIDE: Final[dict[type[CompareOp], Callable[[SumContext, Linear], bool | None]]] = {
    LT: _is_negative,
    LE: _is_at_most_zero,
    EQ: _is_zero,
    NE: _is_not_zero,
}


def decide_compare(sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear) -> bool | None:
    """Return whether a comparison (LT, LE, EQ, NE) holds, None if unknown."""
    value = DECIDE[cls](sums, left.plus(right, -1))
    if value is not None:
        return value
    # bounds of one side may be lost where its terms cancel, or change their signs
    a, b = sums.bounds(left), sums.bounds(right)
    if a.high is not None and b.low is not None and a.high < b.low + (cls is LE):
        return cls is not EQ
    if a.low is not None and b.high is not None and a.low >= b.high + (cls is not LT):
        return cls is NE
    return None


# -- simplification of undecided comparisons


def simplify_compare(writer: SumWriter, cls: type[CompareOp], left: Linear, right: Linear, dtype: DType) -> Expr:
    """Return a comparison (LT, LE, EQ, NE) of two sums in its simplest form."""
    if cls is EQ or cls is NE:
        return _simplify_equality(writer, cls, left, right, dtype)
    sums = writer.sums
    left, right = _cancel_common_terms(sums, *_reduce_choices(sums, cls, left, right))
    difference = left.plus(right, -1)
    is_same_term = len(left.terms) == 1 and left.terms.keys() == right.terms.keys() and not left.const | right.const
    if is_same_term or (left.terms and right.terms and _has_fewer_groups(sums, difference, left, right)):
        # x * 4 < x is x < 0, and x // 4 * 4 < x is 0 < x % 4
        left, right = _split_by_sign(sums, difference)
    parts = None if cls is NE else _split_choice(writer, cls, left, right, dtype)
    if parts is not None:
        return parts
    if cls is LE and sums.bounds(difference).low == 0:
        cls = EQ
    elif cls is NE and difference.const == 0 and not (left.terms and right.terms):
        cls, left, right = _simplify_not_zero(sums, left, right)
    if cls is LT or cls is LE:
        left, right = remove_quotient(sums, cls, left, right)
        large = _drop_small_part(sums, cls, left.plus(right, -1))
        if large is not None:
            cls, left, right = LT, *_split_by_sign(sums, large)
            value = decide_compare(sums, cls, left, right)
            if value is not None:
                return TRUE if value else FALSE
    return _write_compare(writer, cls, left, right, dtype)


def _split_choice(writer: SumWriter, cls: type[CompareOp], left: Linear, right: Linear, dtype: DType) -> Expr | None:
    """min(x, y) < z is x < z or y < z, and x < min(y, z) is x < y and x < z; the same of maxima, the other way round.

    TVM splits a minimum or maximum that is all of a side: of x < y the left one first, of x <= y, which is not y < x
    there, the right one.
    """
    sums = writer.sums
    if not sums.atoms.choice_ops or not any(map(sums.atoms.is_choice, (*left.terms, *right.terms))):
        return None
    chosen = _find_choice(sums, cls, left, right)
    if chosen is None:
        cls, left, right = _place(sums, cls, left, right)
        chosen = _find_choice(sums, cls, left, right)
    if chosen is None:
        return None
    (atom,) = chosen.terms
    operands, is_minimum = sums.atoms.cases(chosen, atom)
    parts: list[Expr] = []
    for operand in operands:
        ends = (operand, right) if chosen is left else (left, operand)
        value = decide_compare(sums, cls, *ends)
        part = simplify_compare(writer, cls, *ends, dtype) if value is None else (FALSE, TRUE)[value]
        parts.append(part)
    connective = Or if is_minimum is (chosen is left) else And
    # x or (y or z) is x or y or z
    return reduce(
        logical_or if connective is Or else logical_and, [leaf for part in parts for leaf in _leaves(connective, part)]
    )


def _find_choice(sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear) -> Linear | None:
    """Return the side that is a minimum or maximum, the one that TVM splits first."""
    for side in (left, right) if cls is LT else (right, left):
        atom = side.single
        if atom is not None and sums.atoms.is_choice(atom):
            return side
    return None


def _place(
    sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear
) -> tuple[type[CompareOp], Linear, Linear]:
    """Return a comparison with the terms and the constant on the sides where they are written."""
    new_cls, first, second, const, on_left = _arrange(sums, cls, left, right)
    if (cls is LE and new_cls is LT and const == 0) or (cls is LT and new_cls is LE and right.const):
        # TVM does not make x < y of x <= y - 1, nor x <= y of x < y + 1, before it splits
        new_cls, const = cls, 1 if cls is LT else -1
    left, right = (
        reduce(lambda total, group: total.plus(sums.sum_of(group[1]), group[0]), groups, Linear({}, limit))
        for groups, limit in ((first, on_left), (second, const + on_left))
    )
    return new_cls, left, right


def _leaves(connective: type[And | Or], expr: Expr) -> list[Expr]:
    if type(expr) is not connective or not isinstance(expr, (And, Or)):
        return [expr]
    return [*_leaves(connective, expr.a), *_leaves(connective, expr.b)]


def _simplify_equality(writer: SumWriter, cls: type[CompareOp], left: Linear, right: Linear, dtype: DType) -> Expr:
    """Move constants to the right: c == x is x == c, x + c == d is x == d - c, and -x == c is x == -c."""
    if left.is_const:
        left, right = right, left
    if right.is_const:
        # (x + 1) % 3 has no constant, but its sum has
        groups, const = writer.sums.regroup(left)
        left, right = left.shifted(-const), right.shifted(-const)
        if len(groups) == 1 and groups[0][0] < 0:
            left, right = left.times(-1), right.times(-1)
        if len(groups) == 1 and right.const == 0:
            return _simplify_zero(writer, cls, groups[0][1], dtype)
    if cls is NE and right.is_const and right.const == 0 and writer.sums.bounds(left).within(0, None):
        return LT(writer.write(ZERO, dtype), writer.write(left, dtype))
    return cls(writer.write(left, dtype), writer.write(right, dtype))


def _simplify_zero(writer: SumWriter, cls: type[CompareOp], atom: Atom, dtype: DType) -> Expr:
    """k * x == 0 is x == 0, and x * y == 0 is x == 0 or y == 0."""
    sums = writer.sums
    if len(atom.factors) < 2 or sums.atoms.is_data(atom):
        value = sums.sum_of(atom)
        if cls is NE and sums.bounds(value).within(0, None):
            return LT(writer.write(ZERO, dtype), writer.write(value, dtype))
        return cls(writer.write(value, dtype), writer.write(ZERO, dtype))
    factors = [part.inner if part.divisor == 1 and part.inner else part.whole for part in atom.factors]
    return reduce(Or if cls is EQ else And, [_simplify_equality(writer, cls, part, ZERO, dtype) for part in factors])


def _has_fewer_groups(sums: SumContext, difference: Linear, left: Linear, right: Linear) -> bool:
    """Whether terms of both sides join to remainders."""
    if not difference.quotients:
        return False
    sides = len(sums.regroup(left)[0]) + len(sums.regroup(right)[0])
    return len(sums.regroup(difference)[0]) < sides


def _cancel_common_terms(sums: SumContext, left: Linear, right: Linear) -> tuple[Linear, Linear]:
    """Remove terms that both sides have."""
    on_left = {atom: factor for factor, atom in sums.regroup(left)[0]}
    for factor, atom in sums.regroup(right)[0]:
        if on_left.get(atom) == factor:
            part = sums.sum_of(atom)
            left, right = left.plus(part, -factor), right.plus(part, -factor)
    return left, right


def _reduce_choices(sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear) -> tuple[Linear, Linear]:
    """Remove operands of a minimum or maximum that do not affect the result: max(a, b) <= a is b <= a."""
    chosen = [atom for side in (left, right) for atom in side.terms if sums.atoms.is_choice(atom)]
    if len(chosen) != 1 or cls in (EQ, NE):
        return left, right
    differences, one_suffices = sums.atoms.cases(left.plus(right, -1), chosen[0])
    open_ = [index for index, case in enumerate(differences) if DECIDE[cls](sums, case) is not (not one_suffices)]
    if len(open_) != 1:
        return left, right
    return (
        sums.atoms.cases(left, chosen[0])[0][open_[0]] if chosen[0] in left.terms else left,
        sums.atoms.cases(right, chosen[0])[0][open_[0]] if chosen[0] in right.terms else right,
    )


def _simplify_not_zero(sums: SumContext, left: Linear, right: Linear) -> tuple[type[CompareOp], Linear, Linear]:
    """x != 0 is 0 < x if x is not negative."""
    value = left.plus(right, -1) if left.terms else right.plus(left, -1)
    return (LT, ZERO, value) if sums.bounds(value).within(0, None) else (NE, value, ZERO)


def remove_quotient(sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear) -> tuple[Linear, Linear]:
    """x // d < c is x < c * d; x // d <= c is x <= c * d + d - 1, and the same with the constant on the left."""
    is_above = right.is_const
    quotient = as_quotient(sums, left if is_above else right) if is_above or left.is_const else None
    if quotient is None:
        return left, right
    dividend, divisor = quotient
    if is_above:
        return dividend, constant((right.const + (cls is LE)) * divisor - (cls is LE))
    return constant((left.const + (cls is LT)) * divisor - (cls is LT)), dividend


def _drop_small_part(sums: SumContext, cls: type[CompareOp], difference: Linear) -> Linear | None:
    """d * x + y + c < 0 is x + k < 0 if (y + c) // d = k for every y."""
    groups, const = sums.regroup(difference)
    const -= cls is LE
    for divisor in sorted({abs(factor) for factor, _ in groups} - {1}, reverse=True):
        large, small = ZERO, Linear({}, const)
        for factor, atom in groups:
            if factor % divisor == 0:
                large = large.plus(sums.sum_of(atom), factor // divisor)
            else:
                small = small.plus(sums.sum_of(atom), factor)
        low, high = sums.bounds(small)
        if small.terms and low is not None and high is not None and low // divisor == high // divisor:
            return large.shifted(low // divisor)
    return None


def _split_by_sign(sums: SumContext, difference: Linear) -> tuple[Linear, Linear]:
    """Split into positive terms, with the constant, and negated negative terms. Remainders stay whole."""
    groups, const = sums.regroup(difference)
    left, right = Linear({}, const), ZERO
    for factor, atom in groups:
        if factor > 0:
            left = left.plus(sums.sum_of(atom), factor)
        else:
            right = right.plus(sums.sum_of(atom), -factor)
    return left, right


def _write_compare(writer: SumWriter, cls: type[CompareOp], left: Linear, right: Linear, dtype: DType) -> Expr:
    if abs(right.const - left.const) > dtype.max_value:  # on one side it has no place
        (first, left_const), (second, right_const) = writer.sums.regroup(left), writer.sums.regroup(right)
        return cls(writer.write_groups(first, left_const, dtype), writer.write_groups(second, right_const, dtype))
    cls, first, second, const, on_left = _arrange(writer.sums, cls, left, right)
    return cls(writer.write_groups(first, on_left, dtype), writer.write_groups(second, const + on_left, dtype))


def _arrange(
    sums: SumContext, cls: type[CompareOp], left: Linear, right: Linear
) -> tuple[type[CompareOp], Groups, Groups, int, int]:
    """Return the terms of first < second + const as TVM places them, and the constant that is written on the left."""
    (first, left_const), (second, right_const) = sums.regroup(left), sums.regroup(right)
    const, content = right_const - left_const, gcd(*[factor for factor, _ in (*first, *second)])
    if content > 1 and (cls in (LT, LE) or const % content == 0):
        # g * x < g * y + c is x < y + c / g, rounded up; <= rounds down
        is_rounded = const % content != 0
        const = const // content if cls is LE else -(-const // content)
        first, second = _divide_terms(first, content), _divide_terms(second, content)
        if cls is LE and is_rounded and _is_plain_sum(first or second) and not (first and second):
            # TVM's form of sums if the division is inexact: 3 <= 2 * x + 2 * y is 1 < x + y
            cls, const = LT, const + 1
    if cls is LT or cls is LE:
        first, second = _place_terms(cls, first, second, is_divided=content > 1)
    if first and second and (cls, const) in _SHIFTED:
        cls, const = _SHIFTED[cls, const], 0
    if not first and cls in (EQ, NE):
        first, second, const = second, first, -const
    on_left = -const if not first or (second and const < 0) else 0
    return cls, first, second, const, on_left


Groups: TypeAlias = tuple[tuple[int, Atom], ...]


def _place_terms(cls: type[CompareOp], first: Groups, second: Groups, *, is_divided: bool) -> tuple[Groups, Groups]:
    """Move terms of first < second + c as TVM does: a single negative one, or all after a division."""
    if _is_negative_term(first) and _is_negative_term(second):
        first, second = _minus((), second), _minus((), first)
    elif first and second:
        if (is_divided and cls is LT) or _is_negative_term(second):
            first, second = _minus(first, second), ()
        elif _is_negative_term(first):
            first, second = (), _minus(second, first)
    if not (first and second) and _is_negative_term(first or second):
        first, second = _minus((), second), _minus((), first)
    return first, second


def _is_negative_term(groups: Groups) -> bool:
    return len(groups) == 1 and groups[0][0] < 0


def _minus(groups: Groups, other: Groups) -> Groups:
    """Return the difference of two sums."""
    factors = {atom: factor for factor, atom in groups}
    for factor, atom in other:
        factors[atom] = factors.get(atom, 0) - factor
    return tuple([(factor, atom) for atom, factor in factors.items() if factor])


#: x < y + 1 and x + 1 <= y
_SHIFTED: Final[dict[tuple[type[CompareOp], int], type[CompareOp]]] = {(LT, 1): LE, (LE, -1): LT}


def _is_plain_sum(groups: Sequence[tuple[int, Atom]]) -> bool:
    """Whether there are several terms, all with coefficients 1 or -1."""
    return len(groups) > 1 and all(abs(factor) == 1 for factor, _ in groups)


def _divide_terms(groups: Sequence[tuple[int, Atom]], by: int) -> tuple[tuple[int, Atom], ...]:
    return tuple([(factor // by, atom) for factor, atom in groups])
