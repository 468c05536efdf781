"""Detection of iteration maps: indices that are independent digits of iterators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import FALSE, is_true
from tvmscript.ir.arith.iter_map.constraints import Constraint, match_bounds
from tvmscript.ir.arith.iter_map.coverage import check_mapping
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.failure_reasons import NotAffine, reason
from tvmscript.ir.arith.iter_map.iter_sum import CheckLevel, IterMapLevel, IterMapResult, IterSumExpr, as_level
from tvmscript.ir.arith.iter_map.rewrite import IterMapRewriter
from tvmscript.ir.tir import Expr, IntImm, Range, Var, as_expr, uses

_DEPENDENT: Final = reason("the range of an iterator depends on another iterator")


def detect_iter_map(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool = True,
    check_level: CheckLevel = IterMapLevel.Surjective,
    simplify_trivial_iterators: bool = True,
    *,
    analyzer: Analyzer | None = None,
    in_each: bool = False,
) -> IterMapResult:
    """Return the indices as sums of digits of the iterators if they are independent, otherwise errors.

    `predicate` is a conjunction of bounds on iterators and sums of them. Iterators of extent 1 are constants with
    `simplify_trivial_iterators`. Where the level is not `Bijective`, iterators may be padded to be divisible:
    `padding_predicate` holds for the values that this adds. With `in_each`, which TVM does not have, ranges may depend
    on iterators that are indices of their own: there is a map for each value of these.
    """
    return detect(
        indices, input_iters, predicate, as_level(check_level), simplify_trivial_iterators, ExtentArithmetic(analyzer),
        in_each=in_each,
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
    in_each: bool = False,
) -> IterMapResult:
    """Implement `detect_iter_map`. With `may_miss_ends`, iterators that are padded or bounded by a predicate need not
    take all their values: the rewritten indices are equal to the given ones anyway.
    """
    if depend_on_each_other(input_iters):
        if not in_each:
            return _failed(_DEPENDENT)
        return _detect_in_each(indices, input_iters, predicate, level, simplify_trivial_iterators, sizes)
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


def _detect_in_each(
    indices: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    predicate: Expr | bool,
    level: IterMapLevel,
    simplify_trivial_iterators: bool,
    sizes: ExtentArithmetic,
) -> IterMapResult:
    """Detect a map for each value of the iterators that ranges of others depend on: these are indices of their own."""
    outer = {var: domain for var, domain in input_iters.items() if _bounds(input_iters, {var})}
    inner = {var: domain for var, domain in input_iters.items() if var not in outer}
    own = [index for index in indices if isinstance(index, Var) and index in outer]
    others = [index for index in indices if index not in own]
    is_apart = len(own) == len(outer) and not any(uses(as_expr(each)) & {*outer} for each in (*others, predicate))
    if not is_apart or _bounds(outer, outer):
        return _failed(_DEPENDENT)
    results = [
        detect(part, iters, condition, level, simplify_trivial_iterators, sizes)
        for part, iters, condition in ((own, outer, True), (others, inner, predicate))
    ]
    if not all(result.indices for result in results):
        return next(result for result in results if not result.indices)
    sums = [iter(result.indices) for result in results]
    ordered = [next(sums[index not in own]) for index in indices]
    return IterMapResult(tuple(ordered), results[1].padding_predicate)


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
    return _bounds(input_iters, input_iters)


def _bounds(input_iters: Mapping[Var, Range], variables: Iterable[Var]) -> bool:
    """Whether the range of an iterator uses one of some variables."""
    return any(
        not isinstance(bound, IntImm) and not uses(bound).isdisjoint(variables)
        for domain in input_iters.values()
        for bound in (domain.min, domain.extent)
    )
