"""Simplification of index expressions through iteration maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.iter_map.detect import depend_on_each_other, detect
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.iter_sum import CheckLevel, IterMapLevel, IterSplitExpr, IterSumExpr, as_level
from tvmscript.ir.arith.iter_map.mixed_radix import are_digits
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.arith.iter_map.rewrite import IterMapRewriter
from tvmscript.ir.core import WrongType
from tvmscript.ir.tir import Expr, IntImm, Mul, Range, Var, as_expr


def iter_map_simplify(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool = True,
    check_level: CheckLevel = IterMapLevel.Surjective,
    simplify_trivial_iterators: bool = True,
    *,
    analyzer: Analyzer | None = None,
) -> list[Expr]:
    """Return the indices, simplified if they are independent digits of the iterators."""
    exprs = [as_expr(index) for index in indices]
    level, sizes = as_level(check_level), ExtentArithmetic(analyzer)
    is_free = is_true(predicate)
    if is_free and are_digits(exprs, input_iters, simplify_trivial_iterators=simplify_trivial_iterators):
        return exprs
    sums = detect(exprs, input_iters, predicate, level, simplify_trivial_iterators, sizes, may_miss_ends=True).indices
    if not sums and not is_free and level is not IterMapLevel.Bijective:
        sums = detect(exprs, input_iters, True, level, simplify_trivial_iterators, sizes, may_miss_ends=True).indices
    return [normalize_iter_map_to_expr(index, sizes) for index in sums] if sums else exprs


def normalize_to_iter_sum(
    index: Expr | int, input_iters: Mapping[Var, Range], *, analyzer: Analyzer | None = None
) -> IterSumExpr:
    """Return the index as a sum of digits, large scales first; other terms are in `base`.

    Scales are ordered by their constant factor, then by the number of other factors. Raises `WrongType` where
    the ranges of iterators depend on iterators.
    """
    if depend_on_each_other(input_iters):
        raise WrongType(where="ranges of iterators", expected="ranges without iterators", got="one with iterators")
    sizes = ExtentArithmetic(analyzer)
    rewriter = IterMapRewriter(
        sizes, input_iters, IterMapLevel.NoCheck, simplify_trivial_iterators=True, is_lenient=True
    )
    total = rewriter.fuser.join_digits(rewriter.sum_of(as_expr(index)))
    args = [split.with_scale(sizes.simplify(split.step)) for split in total.args]
    return IterSumExpr(sorted(args, key=_by_scale, reverse=True), total.shift, total.dtype)


def _by_scale(split: IterSplitExpr) -> tuple[int, int]:
    return _factors(split.step)


def _factors(scale: int | Expr) -> tuple[int, int]:
    """Return the product of the constant factors, and the number of others."""
    if isinstance(scale, Mul):
        (a, count_a), (b, count_b) = _factors(scale.a), _factors(scale.b)
        return a * b, count_a + count_b
    if isinstance(scale, IntImm):
        return scale.value, 0
    return (scale, 0) if isinstance(scale, int) else (1, 1)
