"""Integers in the results of index maps: simplified results, and the ranges that they run over.

Who offers `IndexMap` to people takes it from here, so that its methods know this arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.enclosure import Ends, extremes
from tvmscript.ir.arith.fold import add, sub
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm, Range
from tvmscript.ir.tir.index_map import ARITHMETIC
from tvmscript.ir.tir.index_map import IndexMap as IndexMap
from tvmscript.ir.tir.var import Var


class _Arithmetic:
    @staticmethod
    def simplified(exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Expressions of indices, simplified."""
        analyzer = Analyzer()
        return tuple(analyzer.simplify_index(expr) for expr in exprs)

    @staticmethod
    def ranges_of(exprs: Sequence[Expr], domains: dict[Var, Range]) -> tuple[Range, ...]:
        """The smallest known ranges of expressions whose variables run over `domains`.

        An expression about which nothing is known has its own value as its only one, variables included.
        """
        simplifier = Simplifier()
        ends: dict[Var, Ends] = {}
        for var, domain in domains.items():
            low = simplifier.linear(domain.min)
            ends[var] = low, low.plus(simplifier.linear(domain.extent), 1).shifted(-1)
            simplifier.facts.bind_range(var, domain)
        found: list[Range] = []
        for expr in exprs:
            both = extremes(simplifier, simplifier.linear(expr), ends)
            if both is None:
                found.append(Range(expr, IntImm(expr.dtype, 1)))
                continue
            low_expr, high_expr = (simplifier.simplify(simplifier.sums.write(end, expr.dtype)) for end in both)
            found.append(Range(low_expr, simplifier.simplify(add(sub(high_expr, low_expr), IntImm(expr.dtype, 1)))))
        return tuple(found)


ARITHMETIC[:] = [_Arithmetic()]
