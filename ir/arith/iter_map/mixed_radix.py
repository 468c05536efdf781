"""Indices that are written as numbers of mixed radix: iteration maps that are recognized without a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.tir import Add, Expr, IntImm, Mul, Range, Var, uses


class MixedRadix(NamedTuple):
    """An index `base + x * (m * n) + y * n + z` of iterators over [0, l), [0, m) and [0, n)."""

    #: the terms without iterators, None for none
    base: Expr | None
    #: the number of values, l * m * n
    size: int
    #: whether an iterator has one value
    has_units: bool


def match_mixed_radix(indices: Sequence[Expr], input_iters: Mapping[Var, Range]) -> list[MixedRadix] | None:
    """Return the indices as numbers of mixed radix of different iterators with constant extents.

    None if one of them has another form; it may still be equal to such a number.
    """
    numbers: list[MixedRadix] = []
    taken: set[Var] = set()
    for index in indices:
        weight, has_units, rest = 1, False, index
        base: Expr | None = None
        while True:
            term = rest.b if isinstance(rest, Add) else rest
            factor = 1
            if isinstance(term, Mul) and isinstance(term.b, IntImm) and term.b.value > 1:
                factor, term = term.b.value, term.a
            if not isinstance(term, Var) or term not in input_iters:
                if not isinstance(rest, IntImm) and not uses(rest).isdisjoint(input_iters):
                    return None
                base = rest
                break
            extent = input_iters[term].extent
            if not isinstance(extent, IntImm) or extent.value < 1 or not is_const(input_iters[term].min, 0):
                return None
            if term in taken or factor != weight:
                return None
            taken.add(term)
            has_units = has_units or extent.value == 1
            weight *= extent.value
            if not isinstance(rest, Add):
                break
            rest = rest.a
        numbers.append(MixedRadix(base, weight, has_units))
    return numbers


def are_digits(
    indices: Sequence[Expr], input_iters: Mapping[Var, Range], *, simplify_trivial_iterators: bool = True
) -> bool:
    """Whether the indices are numbers of mixed radix without a base, or constants.

    `detect` finds them surjective, and its result as expressions is the indices.
    """
    numbers = match_mixed_radix(indices, input_iters)
    return numbers is not None and all(
        (number.base is None or isinstance(index, IntImm))
        and (not number.has_units or (isinstance(index, Var) and not simplify_trivial_iterators))
        for index, number in zip(indices, numbers, strict=True)
    )
