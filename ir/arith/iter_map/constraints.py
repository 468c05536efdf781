"""Predicates as bounds on iterators and on sums of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tvmscript.ir.arith.fold import conjuncts, is_true, make
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.iter_sum import Size, as_index, as_size
from tvmscript.ir.tir import GE, GT, LE, LT, Add, CompareOp, Expr, IntImm, Range, Sub, Var, as_expr, uses


class Constraint(NamedTuple):
    """low <= iter < high; None stands for no bound."""

    iter: Expr
    low: Size | None
    high: Size | None


def match_bounds(
    predicate: Expr | bool, input_iters: Mapping[Var, Range], sizes: ExtentArithmetic
) -> tuple[dict[Var, Range], list[Constraint]] | None:
    """Return the ranges of iterators, narrowed by the predicate, and its bounds on sums, short ones first.

    None if the predicate has other conditions.
    """
    domains = dict(input_iters)
    constraints: list[Constraint] = []
    for condition in conjuncts(as_expr(predicate)):
        if is_true(condition):
            continue
        if not isinstance(condition, (LT, LE, GT, GE)) or not condition.a.dtype.is_integer:
            return None
        bound = _bound(condition, domains, sizes)
        if bound is None or _is_free(bound.iter, domains):
            continue  # iterators may cancel out
        if isinstance(bound.iter, Var):
            domains[bound.iter] = _narrow(domains[bound.iter], bound, sizes)
        else:
            constraints.append(bound)
    constraints.sort(key=_complexity)
    return domains, constraints


def _bound(node: CompareOp, domains: Mapping[Var, Range], sizes: ExtentArithmetic) -> Constraint | None:
    """Return the comparison as bounds of the side with iterators, None if neither side has any."""
    a, b = node.a, node.b
    is_upper, is_strict = isinstance(node, (LT, LE)), isinstance(node, (LT, GT))
    if _is_free(a, domains):
        if _is_free(b, domains):
            return None
        a, b, is_upper = b, a, not is_upper
    elif not _is_free(b, domains):
        a, b = _separate(make(Sub, a, b), domains, sizes)
    limit = as_size(b)
    if is_upper:
        return Constraint(a, None, limit if is_strict else sizes.add(limit, 1))
    return Constraint(a, sizes.add(limit, 1) if is_strict else limit, None)


def _is_free(expr: Expr, domains: Mapping[Var, Range]) -> bool:
    return uses(expr).isdisjoint(domains)


def _separate(difference: Expr, domains: Mapping[Var, Range], sizes: ExtentArithmetic) -> tuple[Expr, Expr]:
    """Split a sum into its terms with iterators, and the negated rest."""
    zero = IntImm(difference.dtype, 0)
    sides: list[Expr] = [zero, zero]

    def collect(part: Expr, sign: int) -> None:
        if isinstance(part, (Add, Sub)):
            collect(part.a, sign)
            collect(part.b, sign if isinstance(part, Add) else -sign)
            return
        is_free = _is_free(part, domains)
        adds = (sign > 0) != is_free
        sides[is_free] = make(Add if adds else Sub, sides[is_free], part)

    collect(difference, 1)
    left, right = (as_index(sizes.simplify(side), difference.dtype) for side in sides)
    return left, right


def _narrow(domain: Range, bound: Constraint, sizes: ExtentArithmetic) -> Range:
    first = as_size(domain.min)
    last = sizes.add(first, as_size(domain.extent))
    if bound.low is not None:
        first = sizes.greatest(first, bound.low)
    if bound.high is not None:
        last = sizes.least(last, bound.high)
    dtype = domain.min.dtype
    return Range.from_min_extent(as_index(first, dtype), as_index(sizes.sub(last, first), dtype))


def _complexity(bound: Constraint) -> int:
    return _count(bound.iter)


def _count(expr: Expr) -> int:
    return 1 + sum(_count(part) for name in expr.schema.children if isinstance(part := getattr(expr, name), Expr))
