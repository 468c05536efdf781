"""Integers in the results of index maps: simplified results, and the ranges that they run over.

Who offers `IndexMap` to people takes it from here, so that its methods know this arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.enclosure import Ends, extremes
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.arith.fold import add, is_const, sub
from tvmscript.ir.arith.iter_map.detect import detect
from tvmscript.ir.arith.iter_map.forms import IterMapLevel
from tvmscript.ir.arith.iter_map.inverse import is_injective, solve
from tvmscript.ir.arith.iter_map.sizes import Sizes
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm, Range
from tvmscript.ir.tir.index_map import ARITHMETIC
from tvmscript.ir.tir.index_map import IndexMap as IndexMap
from tvmscript.ir.tir.substitute import substitute
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

    @staticmethod
    def inverted(
        index_map: IndexMap, domains: dict[Var, Range], outputs: Sequence[Var], *, is_bijective: bool
    ) -> tuple[list[Expr], Expr]:
        """The indices as expressions of the results, and a predicate that holds for results of no index.

        Raises `NotInvertible`.
        """
        sizes = Sizes()
        level = IterMapLevel.Bijective if is_bijective else IterMapLevel.NoCheck
        found = detect(index_map.final_indices, domains, True, level, False, sizes)
        if not found.indices:
            raise NotInvertible(index_map=index_map, reason="; ".join(found.errors))
        if any(split.step not in (1, -1) for index in found.indices for split in index.args):
            raise NotInvertible(index_map=index_map, reason="results between multiples of a factor are left over")
        made = solve(found.indices, outputs, sizes)
        values: dict[Var, Expr] = {}
        for var, domain in domains.items():
            value = made.get(var)
            if value is None:
                if not is_const(domain.extent, 1):
                    raise NotInvertible(index_map=index_map, reason=f"no result depends on {var}")
                value = domain.min
            values[var] = value
        if not is_bijective and not is_injective(found.indices, sizes):
            raise NotInvertible(index_map=index_map, reason="several indices have the same results")
        padding = substitute(found.padding_predicate, values)
        analyzer = Analyzer()
        exprs = [analyzer.simplify_index(value) for value in values.values()]
        if not is_const(padding, 0):
            for var, domain in zip(outputs, _Arithmetic.ranges_of(index_map.final_indices, domains), strict=True):
                analyzer.bind(var, domain)
            padding = analyzer.simplify_index(padding)
        return exprs, padding


ARITHMETIC[:] = [_Arithmetic()]
