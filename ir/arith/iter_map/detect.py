"""Detection of iteration maps: indices that are independent digits of iterators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import FALSE, is_true
from tvmscript.ir.arith.iter_map.constraints import Constraint, match_bounds
from tvmscript.ir.arith.iter_map.coverage import check_mapping
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.failure_reasons import NotAffine, reason
from tvmscript.ir.arith.iter_map.iter_sum import CheckLevel, IterMapLevel, IterMapResult, IterSumExpr, as_level
from tvmscript.ir.arith.iter_map.rewrite import IterMapRewriter
from tvmscript.ir.tir import Expr, IntImm, Range, Var, as_expr, uses


def detect_iter_map(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool = True,
    check_level: CheckLevel = IterMapLevel.Surjective,
    simplify_trivial_iterators: bool = True,
    *,
    analyzer: Analyzer | None = None,
) -> IterMapResult:
    """Return the indices as sums of digits of the iterators if they are independent, otherwise errors.

    `predicate` is a conjunction of bounds on iterators and sums of them. Iterators of extent 1 are constants with
    `simplify_trivial_iterators`. Where the level is not `Bijective`, iterators may be padded to be divisible:
    `padding_predicate` holds for the values that this adds.
    """
    return detect(
        indices, input_iters, predicate, as_level(check_level), simplify_trivial_iterators, ExtentArithmetic(analyzer)
    )  # fmt: skip


def detect_padded_iter_map(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool = True,
    check_level: CheckLevel = IterMapLevel.NoCheck,
    simplify_trivial_iterators: bool = True,
    *,
    analyzer: Analyzer | None = None,
) -> IterMapResult:
    """`detect_iter_map` without a check that padded values are distinguished from others."""
    return detect_iter_map(
        indices, input_iters, predicate, check_level, simplify_trivial_iterators, analyzer=analyzer
    )  # fmt: skip


def detect(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool,
    level: IterMapLevel,
    simplify_trivial_iterators: bool,
    sizes: ExtentArithmetic,
    *,
    may_miss_ends: bool = False,
) -> IterMapResult:
    """Implement `detect_iter_map`. With `may_miss_ends`, iterators that are padded or bounded by a predicate need not
    take all their values: the rewritten indices are equal to the given ones anyway.
    """
    if depend_on_each_other(input_iters):
        return _failed(reason("the range of an iterator depends on another iterator"))
    constraints: list[Constraint] = []
    if not is_true(predicate):
        matched = match_bounds(predicate, input_iters, sizes)
        if matched is None:
            return _failed(reason("{} is not a conjunction of bounds on iterators", predicate))
        input_iters, constraints = matched
    rewriter = IterMapRewriter(sizes, input_iters, level, simplify_trivial_iterators=simplify_trivial_iterators)
    try:
        for iter_expr, low, high in constraints:
            rewriter.constrain(iter_expr, low, high)
        if not rewriter.fuser.has_compatible_constraints():
            return _failed(reason("the bounds of {} constrain sums that overlap", predicate))
        sums = _rewrite_indices(rewriter, [as_expr(index) for index in indices], level)
    except NotAffine as error:
        return _failed(error.render)
    is_checked = level is not IterMapLevel.NoCheck and not may_miss_ends
    if is_checked and rewriter.fuser.splits_constrained_sum(sums):
        return _failed(reason("{} bounds a sum, and an index is a part of that sum", predicate))
    predicate_of_padding = rewriter.padding.predicate
    problem = check_mapping(sizes, rewriter.padding, rewriter.input_marks, sums, level, may_miss_ends=may_miss_ends)
    if problem is not None:
        return IterMapResult((), predicate_of_padding, (problem,))
    return IterMapResult(sums, predicate_of_padding)


def _rewrite_indices(rewriter: IterMapRewriter, indices: Sequence[Expr], level: IterMapLevel) -> list[IterSumExpr]:
    """Rewrite the indices, twice if iterators need padding. Raises `NotAffine`."""
    padding = rewriter.padding
    if level is not IterMapLevel.Bijective:
        padding.is_collecting = True
        sums = [rewriter.rewrite(index) for index in indices]
        padding.is_collecting = False
        if not padding.is_needed:
            return sums
    return [rewriter.rewrite(index) for index in indices]


def _failed(why: Callable[[], str]) -> IterMapResult:
    return IterMapResult((), FALSE, (why,))


def depend_on_each_other(input_iters: Mapping[Var, Range]) -> bool:
    """Whether the range of an iterator uses an iterator."""
    return any(
        not isinstance(bound, IntImm) and not uses(bound).isdisjoint(input_iters)
        for domain in input_iters.values()
        for bound in (domain.min, domain.extent)
    )
