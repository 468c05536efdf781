"""Arithmetic of index maps: simplify their results, bound them, invert the map."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.arith.fold import add, is_const, sub
from tvmscript.ir.arith.iter_map.detect import detect
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.inverse import is_injective, solve
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterSumExpr, Size, as_index
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.arith.simplification.symbolic_bounds import ClosedBounds, infer_closed_bounds
from tvmscript.ir.tir import Expr, IntImm, Range, Var, substitute
from tvmscript.ir.tir.index_map import IndexMap as IndexMap
from tvmscript.ir.tir.index_map import index_ranges, invert, simplify_indices


def _simplify_indices(indices: Sequence[Expr]) -> tuple[Expr, ...]:
    """Simplify index expressions."""
    analyzer = Analyzer()
    return tuple(analyzer.simplify_index(index) for index in indices)


def _index_ranges(indices: Sequence[Expr], domains: dict[Var, Range]) -> tuple[Range, ...]:
    """Return ranges of expressions whose variables run over `domains`, with whole digits, as layouts need them.

    The remainder by 16 takes 16 values, also where only some of them occur. Where the expressions are no sums of
    digits, the smallest known ranges are taken; an expression about which nothing is known has its own value
    as its only one, variables included.
    """
    sizes = ExtentArithmetic()
    digits = detect(indices, domains, True, IterMapLevel.NoCheck, False, sizes).indices
    if digits and all(_is_forwards(split.step) for index in digits for split in index.args):
        return tuple([_range_of_digits(index, sizes) for index in digits])
    simplifier = Simplifier()
    ends: dict[Var, ClosedBounds] = {}
    for var, domain in domains.items():
        low = simplifier.linear(domain.min)
        ends[var] = low, low.plus(simplifier.linear(domain.extent), 1).shifted(-1)
        simplifier.facts.bind_range(var, domain)
    ranges: list[Range] = []
    for expr in indices:
        both = infer_closed_bounds(simplifier, simplifier.linear(expr), ends)
        if both is None:
            ranges.append(Range.from_min_extent(expr, IntImm(expr.dtype, 1)))
            continue
        low_expr, high_expr = (simplifier.simplify(simplifier.writer.write(end, expr.dtype)) for end in both)
        ranges.append(
            Range.from_min_extent(low_expr, simplifier.simplify(add(sub(high_expr, low_expr), IntImm(expr.dtype, 1))))
        )
    return tuple(ranges)


def _invert(
    index_map: IndexMap, domains: dict[Var, Range], outputs: Sequence[Var], is_bijective: bool
) -> tuple[list[Expr], Expr]:
    """Return the indices as expressions of the results, and a predicate that holds for padding results.

    Raises `NotInvertible`.
    """
    sizes = ExtentArithmetic()
    level = IterMapLevel.Bijective if is_bijective else IterMapLevel.NoCheck
    result = detect(index_map.final_indices, domains, True, level, False, sizes)
    if not result.indices:
        raise NotInvertible(index_map=index_map, reason="; ".join(result.errors))
    if any(split.step not in (1, -1) for index in result.indices for split in index.args):
        raise NotInvertible(index_map=index_map, reason="results between multiples of a factor are left over")
    solved = solve(result.indices, outputs, sizes)
    values: dict[Var, Expr] = {}
    for var, domain in domains.items():
        value = solved.get(var)
        if value is None:
            if not is_const(domain.extent, 1):
                raise NotInvertible(index_map=index_map, reason=f"no result depends on {var}")
            value = domain.min
        values[var] = value
    if not is_bijective and not is_injective(result.indices, sizes):
        raise NotInvertible(index_map=index_map, reason="several indices have the same results")
    padding = substitute(result.padding_predicate, values)
    analyzer = Analyzer()
    exprs = [analyzer.simplify_index(value) for value in values.values()]
    if not is_const(padding, 0):
        for var, domain in zip(outputs, _index_ranges(index_map.final_indices, domains), strict=True):
            analyzer.bind(var, domain)
        padding = analyzer.simplify_index(padding)
    return exprs, padding


def _is_forwards(step: Size) -> bool:
    return not isinstance(step, int) or step > 0


def _range_of_digits(index: IterSumExpr, sizes: ExtentArithmetic) -> Range:
    """Return the range of a sum of digits. Digits do not overlap, so the uppermost one determines the extent."""
    reach: Size | None = None
    for split in index.args:
        own = sizes.mul(split.size, split.step)
        reach = own if reach is None else sizes.greatest(reach, own)
    analyzer = Analyzer()
    first, extent = index.base, as_index(1 if reach is None else reach, index.dtype)
    return Range.from_min_extent(analyzer.simplify(first), analyzer.simplify(extent))


simplify_indices.fill(_simplify_indices)
index_ranges.fill(_index_ranges)
invert.fill(_invert)
