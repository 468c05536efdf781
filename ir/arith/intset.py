"""The least and the greatest value of an expression while some of its variables run over ranges."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.arith.linear import Atom, Linear, constant
from tvmscript.ir.arith.sums import Sums
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var

#: Both ends, included.
Ends = tuple[Linear, Linear]


def extremes(sums: Sums, value: Linear, domains: Mapping[Var, Ends]) -> Ends | None:
    """Sums without the variables of `domains`: the value lies between them. None where nothing is known.

    The ends of a domain may depend on variables of other domains. Both ends are reached for affine sums of
    independent variables; they are a safe enclosure otherwise.
    """
    groups, const = sums.regroup(value)
    low = high = constant(const)
    for factor, atom in groups:
        ends = _atom_extremes(sums, atom, domains)
        if ends is None:
            return None
        first, last = ends if factor > 0 else (ends[1], ends[0])
        low, high = low.plus(first, factor), high.plus(last, factor)
    return low, high


def _atom_extremes(sums: Sums, atom: Atom, domains: Mapping[Var, Ends]) -> Ends | None:
    if isinstance(atom.expr, Var):
        domain = domains.get(atom.expr)
        if domain is None:
            return Linear({atom: 1}, 0), Linear({atom: 1}, 0)
        return _domain_extremes(sums, atom, domain, domains)
    if atom.inner is not None and atom.divisor > 1:
        return _division_extremes(sums, atom, atom.inner, domains)
    if uses(atom.written(sums)).isdisjoint(domains):
        return Linear({atom: 1}, 0), Linear({atom: 1}, 0)
    low, high = sums.atom_bounds(atom)
    return None if low is None or high is None else (constant(low), constant(high))


def _domain_extremes(sums: Sums, atom: Atom, domain: Ends, domains: Mapping[Var, Ends]) -> Ends | None:
    """The ends of a variable's range over the other ranges; what conditions tell about the variable counts."""
    low, high = extremes(sums, domain[0], domains), extremes(sums, domain[1], domains)
    if low is None or high is None:
        return None
    first, last = low[0], high[1]
    known = sums.ranges.get(atom)
    if known is not None:
        if known.low is not None and first.is_const:
            first = constant(max(first.const, known.low))
        if known.high is not None and last.is_const:
            last = constant(min(last.const, known.high))
    return first, last


def _division_extremes(sums: Sums, atom: Atom, inner: Linear, domains: Mapping[Var, Ends]) -> Ends | None:
    ends = extremes(sums, inner, domains)
    if ends is None:
        return (constant(0), constant(atom.divisor - 1)) if atom.is_remainder else None
    first, last = (sums.floordiv(end, atom.divisor) for end in ends)
    if not atom.is_remainder:
        return first, last
    if first.key == last.key:
        return ends[0].plus(first, -atom.divisor), ends[1].plus(last, -atom.divisor)
    return constant(0), constant(atom.divisor - 1)


def joined(sums: Sums, a: Ends | None, b: Ends | None) -> Ends | None:
    """An interval around two; None where it is not known which ends are the outer ones."""
    if a is None or b is None:
        return None
    low, high = _least(sums, a[0], b[0], 1), _least(sums, a[1], b[1], -1)
    return None if low is None or high is None else (low, high)


def _least(sums: Sums, a: Linear, b: Linear, sign: int) -> Linear | None:
    difference = a.plus(b, -1).times(sign)
    if sums.is_at_most_zero(difference):
        return a
    return b if sums.is_at_most_zero(difference.times(-1)) else None
