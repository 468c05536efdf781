"""Bounds of buffer regions while loop variables run over their domains, exact or conservative.

A region is exact where its first indices are independent digits of the loop variables (an iteration map); what lies
between two steps of a digit must be in the region too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_true, mul, sub
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterSumExpr
from tvmscript.ir.arith.iter_map.mixed_radix import MixedRadix, match_mixed_radix
from tvmscript.ir.tir import Expr, IntImm, Range, Var, match_types, uses

Region = Sequence[Range]


def estimate_region_strict_bound(
    region: Region, var_dom: Mapping[Var, Range], predicate: Expr | bool = True, analyzer: Analyzer | None = None
) -> list[IntervalSet] | None:
    """Return the exact set of indices in each dimension, None if it is unknown.

    The dimensions must be independent of each other, their extents constant.
    """
    analyzer = analyzer or Analyzer()
    if not all(isinstance(part.extent, IntImm) for part in region):
        return None
    firsts = [part.min for part in region]
    numbers = match_mixed_radix(firsts, var_dom) if is_true(predicate) else None
    if numbers is not None:
        return [_run_of(number, part, analyzer) for number, part in zip(numbers, region, strict=True)]
    iter_map = detect_iter_map(firsts, var_dom, predicate, IterMapLevel.Surjective, analyzer=analyzer)
    if len(iter_map.indices) != len(region):
        return None
    sets: list[IntervalSet] = []
    for index, part in zip(iter_map.indices, region, strict=True):
        covered = _covered(index, part, var_dom, analyzer)
        if covered is None:
            return None
        sets.append(covered)
    return sets


def _covered(index: IterSumExpr, part: Range, var_dom: Mapping[Var, Range], analyzer: Analyzer) -> IntervalSet | None:
    """Return the set of base + [0, extent) * scale, each step extended by the range. None if there are holes."""
    if not _is_fixed(index.base, var_dom, analyzer):
        return None  # by the predicate alone it has one value
    if not index.args:
        return _from(index.base, part.extent, var_dom, analyzer)
    if len(index.args) != 1:
        return None
    (digit,) = index.args
    extent, scale = match_types(digit.extent, digit.scale)
    first = index.base
    if analyzer.can_prove_less(scale, 0):
        # a negative scale: the last value of the digit gives the first index
        first = add(*match_types(first, mul(sub(extent, IntImm(extent.dtype, 1)), scale)))
        scale = sub(IntImm(scale.dtype, 0), scale)
    if not analyzer.can_prove_greater_equal(part.extent, scale):
        return None
    length = add(*match_types(mul(extent, scale), sub(*match_types(part.extent, scale))))
    return _from(first, length, var_dom, analyzer)


def _run_of(number: MixedRadix, part: Range, analyzer: Analyzer) -> IntervalSet:
    """Return the set of base + [0, size), the last one extended by the range."""
    first = IntImm(part.min.dtype, 0) if number.base is None else number.base
    return _from(first, add(part.extent, IntImm(part.extent.dtype, number.size - 1)), {}, analyzer)


def _is_fixed(expr: Expr, var_dom: Mapping[Var, Range], analyzer: Analyzer) -> bool:
    """Whether each loop variable in an expression has one value."""
    used = uses(expr)
    return all(var not in used or analyzer.can_prove_equal(domain.extent, 1) for var, domain in var_dom.items())


def _from(first: Expr, extent: Expr, var_dom: Mapping[Var, Range], analyzer: Analyzer) -> IntervalSet:
    # the remaining loop variables have one value
    return eval_set(Range.from_min_extent(*match_types(first, extent)), var_dom, analyzer)


def estimate_region_lower_bound(
    region: Region, var_dom: Mapping[Var, Range], predicate: Expr | bool = True, analyzer: Analyzer | None = None
) -> list[IntervalSet] | None:
    """Return sets of indices inside the region, None if unknown. As in TVM 0.17, only exact sets."""
    return estimate_region_strict_bound(region, var_dom, predicate, analyzer)


def estimate_region_upper_bound(
    region: Region, var_dom: Mapping[Var, Range], predicate: Expr | bool = True, analyzer: Analyzer | None = None
) -> list[IntervalSet]:
    """Return sets that contain the region: exact if known, for each dimension if not for all."""
    analyzer = analyzer or Analyzer()
    exact = estimate_region_strict_bound(region, var_dom, predicate, analyzer)
    if exact is not None:
        return exact
    sets: list[IntervalSet] = []
    for part in region:
        alone = estimate_region_strict_bound([part], var_dom, predicate, analyzer)
        sets.append(eval_set(part, var_dom, analyzer) if alone is None else alone[0])
    return sets
