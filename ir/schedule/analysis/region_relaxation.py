"""Relaxation of regions over loops, with TVM's precision.

A floormod of a sum is relaxed to its whole period where TVM cannot prove that it does not wrap around, so that moved
blocks compute the same region. A floordiv whose value is constant over the loops stays a single value.
"""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.core import on
from tvmscript.ir.tir import Add, Expr, FloorDiv, FloorMod, IntImm, Mul, Range, Sub, TirRewriter, Var, uses


def relax_range(part: Range, domains: Mapping[Var, Range], analyzer: Analyzer | None = None) -> IntervalSet:
    """Return the union of a range over all values of the loop variables. What the analyzer knows is used."""
    remainders = _DivisionRelaxer(domains)
    new_range = Range.from_min_extent(remainders.rewrite(part.min), remainders.rewrite(part.extent))
    return eval_set(new_range, remainders.domains, analyzer)


class _DivisionRelaxer(TirRewriter):
    """Replace floormods that may wrap by variables over their period, and constant floordivs by their value."""

    def __init__(self, domains: Mapping[Var, Range]) -> None:
        super().__init__()
        self.domains = dict(domains)

    @on(FloorMod)
    def remainder(self, node: FloorMod) -> Expr:
        expr: Expr = self.binary(node)
        if not isinstance(expr, FloorMod) or not isinstance(expr.b, IntImm) or expr.b.value <= 0:
            return expr
        if uses(expr.a).isdisjoint(self.domains):
            return expr
        first = eval_set(expr.a, self.domains).min_value
        unaligned = sum(factor % expr.b.value != 0 for factor in _coefficients(Analyzer().simplify(first)))
        if unaligned <= 1:
            return expr
        whole = Var("period", expr.dtype)
        self.domains[whole] = Range.from_min_extent(IntImm(expr.dtype, 0), expr.b)
        return whole

    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        expr: Expr = self.binary(node)
        if not isinstance(expr, FloorDiv) or not isinstance(expr.b, IntImm) or expr.b.value <= 1:
            return expr
        if not isinstance(expr.a, (Add, Sub)) or uses(expr.a).isdisjoint(self.domains):
            return expr
        ends = eval_set(expr.a, self.domains)
        if not (ends.has_lower_bound and ends.has_upper_bound):
            return expr
        analyzer = Analyzer()
        first, last = (analyzer.simplify(fold.make(FloorDiv, end, expr.b)) for end in (ends.min_value, ends.max_value))
        if analyzer.can_prove_equal(first, last):
            return first
        parts, rest = eval_set(expr, self.domains), analyzer.simplify(fold.sub(last, first))
        is_wider = (parts.has_lower_bound and analyzer.can_prove_less(parts.min_value, first)) or (
            parts.has_upper_bound and analyzer.can_prove_less(last, parts.max_value)
        )
        if not is_wider or not isinstance(rest, IntImm):
            return expr
        whole = Var("quotient", expr.dtype)
        self.domains[whole] = Range.from_min_extent(first, IntImm(expr.dtype, rest.value + 1))
        return whole


def _coefficients(total: Expr) -> list[int]:
    """Return the coefficients of the non-constant terms of a sum."""
    stack, result = [total], []
    while stack:
        item = stack.pop()
        if isinstance(item, (Add, Sub)):
            stack += [item.a, item.b]
        elif isinstance(item, Mul) and isinstance(item.b, IntImm):
            result.append(item.b.value)
        elif not isinstance(item, IntImm):
            result.append(1)
    return result
