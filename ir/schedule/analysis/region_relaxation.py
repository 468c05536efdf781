"""Relaxation of regions over loops, with TVM's precision.

A floormod of a sum is relaxed to its whole period where TVM cannot prove that it does not wrap around, so that moved
blocks compute the same region. A floordiv whose value is constant over the loops stays a single value.
"""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, FloorDiv, FloorMod, IntImm, Mul, Range, Sub
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


def relax_range(part: Range, domains: Mapping[Var, Range]) -> IntervalSet:
    """Return the union of a range over all values of the loop variables."""
    remainders = _DivisionRelaxer(domains)
    made = Range.from_min_extent(remainders.rewrite(part.min), remainders.rewrite(part.extent))
    return eval_set(made, remainders.domains)


class _DivisionRelaxer(TirRewriter):
    """Replace floormods that may wrap by variables over their period, and constant floordivs by their value."""

    def __init__(self, domains: Mapping[Var, Range]) -> None:
        super().__init__()
        self.domains = dict(domains)

    @on(FloorMod)
    def remainder(self, node: FloorMod) -> Expr:
        made: Expr = self.binary(node)
        if not isinstance(made, FloorMod) or not isinstance(made.b, IntImm) or made.b.value <= 0:
            return made
        if uses(made.a).isdisjoint(self.domains):
            return made
        first = eval_set(made.a, self.domains).min_value
        unaligned = sum(factor % made.b.value != 0 for factor in _coefficients(Analyzer().simplify(first)))
        if unaligned <= 1:
            return made
        whole = Var("period", made.dtype)
        self.domains[whole] = Range.from_min_extent(IntImm(made.dtype, 0), made.b)
        return whole

    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        made: Expr = self.binary(node)
        if not isinstance(made, FloorDiv) or not isinstance(made.b, IntImm) or made.b.value <= 1:
            return made
        if not isinstance(made.a, Add | Sub) or uses(made.a).isdisjoint(self.domains):
            return made
        ends = eval_set(made.a, self.domains)
        if not (ends.has_lower_bound and ends.has_upper_bound):
            return made
        analyzer = Analyzer()
        first, last = (analyzer.simplify(fold.make(FloorDiv, end, made.b)) for end in (ends.min_value, ends.max_value))
        if analyzer.can_prove_equal(first, last):
            return first
        parts, rest = eval_set(made, self.domains), analyzer.simplify(fold.sub(last, first))
        is_wider = (parts.has_lower_bound and analyzer.can_prove_less(parts.min_value, first)) or (
            parts.has_upper_bound and analyzer.can_prove_less(last, parts.max_value)
        )
        if not is_wider or not isinstance(rest, IntImm):
            return made
        whole = Var("quotient", made.dtype)
        self.domains[whole] = Range.from_min_extent(first, IntImm(made.dtype, rest.value + 1))
        return whole


def _coefficients(total: Expr) -> list[int]:
    """Return the coefficients of the non-constant terms of a sum."""
    stack, found = [total], []
    while stack:
        item = stack.pop()
        if isinstance(item, Add | Sub):
            stack += [item.a, item.b]
        elif isinstance(item, Mul) and isinstance(item.b, IntImm):
            found.append(item.b.value)
        elif not isinstance(item, IntImm):
            found.append(1)
    return found
