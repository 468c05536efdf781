"""Solve systems of linear inequalities over the integers, by elimination of one variable after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.constraints.system import (
    IntConstraints,
    IntConstraintsTransform,
    IntGroupBounds,
    bind_all,
    last_of,
)
from tvmscript.ir.arith.fold import FALSE, add, is_const, make, mul, sub
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import nodes, structural_equal
from tvmscript.ir.tir import EQ, GE, GT, LE, LT, CompareOp, Expr, IntImm, Range, Var, match_types, substitute

#: whether the first of two bounds is at least as good as the second
_IsBetter = Callable[[Expr, Expr], bool]
#: the side of a comparison that is not the greater one, and the difference that it keeps at least
_ORDERS: Final[dict[type[Expr], tuple[bool, int]]] = {LE: (True, 0), LT: (True, 1), GE: (False, 0), GT: (False, 1)}


def solve_linear_inequalities(
    equations: IntConstraints | Sequence[Expr],
    variables: Sequence[Var] | None = None,
    ranges: Mapping[Var, Range] | None = None,
    deskew_range: bool = False,
) -> IntConstraints | IntConstraintsTransform:
    """Solve inequalities for variables: ranges as narrow as can be proven, and the relations they do not imply.

    The range of a variable may depend on the variables behind it. With `deskew_range` each variable is replaced by
    one that begins at zero, and the map between the two systems is returned. Unsolvable systems have the relation
    `False`.

    rewrite: x >= y, x <= 10, [x]  -->  x in range(y, 11)
    """
    system = equations if isinstance(equations, IntConstraints) else IntConstraints(variables, ranges, equations)
    solved = _Elimination(system)
    return _deskew(solved) if deskew_range else _narrow(solved)


def solve_inequalities_as_conditions(
    variables: Sequence[Var], ranges: Mapping[Var, Range] | None, relations: Sequence[Expr]
) -> list[Expr]:
    """Solve inequalities for variables: comparisons, with the bounds of each variable in terms of later ones."""
    return list(_Elimination(IntConstraints(variables, ranges, relations)).conditions())


@dataclass(frozen=True)
class _Term:
    """factor * variable + rest <= 0"""

    factor: int
    rest: Expr


@dataclass
class _Sides:
    """Inequalities by the sign of the factor of a variable."""

    above: list[_Term] = field(default_factory=list)
    below: list[_Term] = field(default_factory=list)

    def add(self, factor: int, rest: Expr) -> None:
        (self.above if factor > 0 else self.below).append(_Term(factor, rest))


class _Elimination:
    """Bounds of each variable in terms of the variables behind it, and relations without variables."""

    def __init__(self, system: IntConstraints) -> None:
        self.system = system
        self.analyzer = system.bound_analyzer()
        self.bounds: dict[Var, IntGroupBounds] = {}
        #: relations that are no linear inequalities
        self.others: list[Expr] = []
        relations: list[Expr] = []
        for relation in system.relations:
            self._insert(relations, self._normalize(self.analyzer.simplify(relation)))
        for var in system.variables:
            relations = self._eliminate(var, relations)
        self.remaining = [self.analyzer.simplify(relation) for relation in relations]
        if any(is_const(relation, 0) for relation in self.remaining):
            self.remaining = [FALSE]

    def conditions(self) -> Iterator[Expr]:
        """Yield comparisons that hold for the solutions alone."""
        for var, bounds in self.bounds.items():
            yield from bounds.conditions(var)
        yield from (relation for relation in self.remaining if not is_const(relation, 1))
        yield from self.others

    def _normalize(self, relation: Expr) -> Expr:
        """Write a comparison of integers as expression <= 0 or == 0."""
        if not isinstance(relation, CompareOp) or relation.a.dtype.code != "int":
            return relation
        a, b, zero = relation.a, relation.b, IntImm(relation.a.dtype, 0)
        order = _ORDERS.get(type(relation))
        if order is None:
            return make(type(relation), self.analyzer.simplify(sub(a, b)), zero)
        is_lower, least = order
        difference = sub(a, b) if is_lower else sub(b, a)
        return LE(self.analyzer.simplify(add(difference, IntImm(a.dtype, least))), zero)

    def _insert(self, relations: list[Expr], new: Expr) -> None:
        """Add a relation that does not follow from one of the others; drop those that follow from it."""
        if self.analyzer.can_prove(new) or any(structural_equal(relation, new) for relation in relations):
            return
        if isinstance(new, LE):
            inequalities = [relation for relation in relations if isinstance(relation, LE)]
            if any(self._is_at_most(new.a, relation.a) for relation in inequalities):
                return
            weaker = [relation for relation in inequalities if self._is_at_most(relation.a, new.a)]
            relations[:] = [relation for relation in relations if relation not in weaker]
        relations.append(new)

    def _is_at_most(self, low: Expr, high: Expr) -> bool:
        return self.analyzer.can_prove_greater_equal(high, low)

    def _eliminate(self, var: Var, relations: Iterable[Expr]) -> list[Expr]:
        """Compute the bounds of a variable; return what the relations say of the others."""
        remaining: list[Expr] = []
        sides = _Sides()
        domain = self.system.ranges.get(var)
        if domain is not None:
            sides.add(-1, self.analyzer.simplify(domain.min))
            sides.add(1, self.analyzer.simplify(self._negative(last_of(domain))))
        for relation in relations:
            if not self._classify(var, relation, sides, remaining):
                self.others.append(relation)
        for above in sides.above:
            for below in sides.below:
                self._insert(remaining, self._combine(above, below))
        self.bounds[var] = self._bounds_of(var, sides)
        return remaining

    def _classify(self, var: Var, relation: Expr, sides: _Sides, remaining: list[Expr]) -> bool:
        """Add a relation to the inequalities of its sign, or to the remaining ones. False if it is neither."""
        if not isinstance(relation, (LE, EQ)) or relation.a.dtype.code != "int":
            return False
        factor, *rest = detect_linear_equation(relation.a, [var]) or (None,)
        factor = None if factor is None else self.analyzer.simplify(factor)
        if not isinstance(factor, IntImm):
            return False
        if factor.value == 0:
            self._insert(remaining, relation)
            return True
        sides.add(factor.value, rest[0])
        if isinstance(relation, EQ):
            sides.add(-factor.value, self._negative(rest[0]))
        return True

    @staticmethod
    def _negative(expr: Expr) -> Expr:
        return sub(IntImm(expr.dtype, 0), expr)

    def _combine(self, above: _Term, below: _Term) -> Expr:
        """Return the sum of multiples of two inequalities in which the variable cancels."""
        divisor = math.gcd(above.factor, below.factor)
        a, b = match_types(above.rest, below.rest)
        scaled = mul(a, IntImm(a.dtype, -below.factor // divisor)), mul(b, IntImm(b.dtype, above.factor // divisor))
        return self._normalize(self.analyzer.simplify(LE(add(*scaled), IntImm(a.dtype, 0))))

    def _bounds_of(self, var: Var, sides: _Sides) -> IntGroupBounds:
        """Return the bounds of a multiple of the variable that all inequalities have in common."""
        multiple = math.lcm(*[term.factor for term in (*sides.above, *sides.below)])
        upper: list[Expr] = []
        for term in sides.above:
            self._keep_best(upper, self._bound(term, multiple), self._is_at_most)
        lower: list[Expr] = []
        for term in sides.below:
            self._keep_best(lower, self._bound(term, multiple), lambda a, b: self._is_at_most(b, a))
        equal = [bound for bound in upper if any(structural_equal(bound, low) for low in lower)]
        upper, lower = (
            [bound for bound in bounds if not any(structural_equal(bound, value) for value in equal)]
            for bounds in (upper, lower)
        )
        # the simplest value first
        equal.sort(key=_node_count)
        return IntGroupBounds(IntImm(var.dtype, multiple), lower, equal, upper)

    def _bound(self, term: _Term, multiple: int) -> Expr:
        """Return the bound of `multiple * variable`."""
        return self.analyzer.simplify(mul(term.rest, IntImm(term.rest.dtype, -(multiple // term.factor))))

    @staticmethod
    def _keep_best(bounds: list[Expr], new: Expr, is_better: _IsBetter) -> None:
        """Add a bound if none of the others is at least as good; drop those that it makes needless."""
        if not any(is_better(known, new) for known in bounds):
            bounds[:] = [known for known in bounds if not is_better(new, known)]
            bounds.append(new)


def _node_count(expr: Expr) -> int:
    return sum(1 for _ in nodes(expr))


def _narrow(solved: _Elimination) -> IntConstraints:
    """Return the system with narrow ranges."""
    all_ranges = dict(solved.system.ranges)
    ranges: dict[Var, Range] = {}
    for var, bounds in reversed(solved.bounds.items()):
        value = bounds.value
        if value is not None:
            domain: Range | None = Range.from_min_extent(value, IntImm(value.dtype, 1))
        else:
            domain = (bounds if var not in all_ranges else bounds.tightened(all_ranges[var])).find_best_range(
                all_ranges
            )
        if domain is None:
            continue
        if _is_empty(domain, all_ranges):
            return IntConstraints.unsolvable()
        ranges[var] = all_ranges[var] = domain
    analyzer = bind_all(all_ranges)
    relations = [condition for condition in solved.conditions() if not analyzer.can_prove(condition)]
    return IntConstraints(solved.system.variables, ranges, relations)


def _deskew(solved: _Elimination) -> IntConstraintsTransform:
    """Return the system with variables that begin at zero."""
    system = solved.system
    all_ranges = dict(system.ranges)
    src_to_dst: dict[Var, Expr] = {}
    dst_to_src: dict[Var, Expr] = {}
    ranges: dict[Var, Range] = {}
    for var, old_bounds in reversed(solved.bounds.items()):
        bounds = old_bounds.substituted(src_to_dst)
        if bounds.value is not None:
            src_to_dst[var] = bounds.value
            continue
        if var in all_ranges:
            bounds = bounds.tightened(substitute(all_ranges[var], src_to_dst))
        domain = bounds.find_best_range(all_ranges)
        if domain is None:
            src_to_dst[var] = dst_to_src[var] = var
        elif is_const(domain.extent, 1):
            src_to_dst[var] = domain.min
        elif _is_empty(domain, all_ranges):
            return IntConstraintsTransform(system, IntConstraints.unsolvable(), {}, {})
        else:
            shifted = Var(f"{var.name}.shifted", var.dtype)
            src_to_dst[var] = add(*match_types(shifted, domain.min))
            offset = sub(*match_types(var, substitute(domain.min, dst_to_src)))
            dst_to_src[shifted] = solved.analyzer.simplify(offset)
            ranges[shifted] = all_ranges[shifted] = Range.from_min_extent(IntImm(var.dtype, 0), domain.extent)
    analyzer = bind_all(all_ranges)
    relations = [analyzer.simplify(substitute(condition, src_to_dst)) for condition in solved.conditions()]
    relations = [relation for relation in relations if not is_const(relation, 1)]
    dst = IntConstraints(tuple(reversed(dst_to_src)), ranges, relations)
    return IntConstraintsTransform(system, dst, src_to_dst, dst_to_src)


def _is_empty(domain: Range, known: Mapping[Var, Range]) -> bool:
    """Return whether a range provably has no members."""
    return bind_all(known).can_prove_less(domain.extent, 1)
