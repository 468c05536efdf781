"""Conditions of predicates and triangular loops that exclude iterations which a moved block would execute."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Final, cast

from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.int_set import IntSet
from tvmscript.ir.schedule.analysis.axis_domains import AxisDomain
from tvmscript.ir.schedule.analysis.block_properties import predicate_conjuncts
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of
from tvmscript.ir.tir import EQ, GE, GT, LE, LT, NE, CompareOp, Expr, IterVar, Range, Var, match_types, substitute, uses

#: values of symbolic sizes to test
_SIZES: Final = (2, 3, 5)
#: limit of tested points: corners of the axes' domains at corners of the outer loops
_MAX_POINTS: Final = 256
_COMPARE: Final[Mapping[type[CompareOp], Callable[[int, int], bool]]] = {
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
    EQ: operator.eq,
    NE: operator.ne,
}

Point = dict[Var, int]


def find_lost_conditions(block: StmtRef, domains: Sequence[AxisDomain], outer: Mapping[Var, Range]) -> list[Expr]:
    """Return the conditions of a block, over its axes, that are false somewhere in its new domains.

    `domains` are the new domains of the axes, inside of loops with the ranges `outer`. Only conditions on axes that are
    bound to loop variables are tested, at corners: a linear condition that fails anywhere fails at a corner.
    """
    realize = realize_of(block)
    axis_of: dict[Var, Expr] = {
        value: axis.var
        for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True)
        if isinstance(value, Var)
    }
    conditions = [each for each in _iteration_conditions(block) if uses(each) & axis_of.keys()]
    if not conditions:
        return []
    axes = list(zip(realize.block.iter_vars, domains, strict=True))
    lost: dict[Expr, None] = {}
    for place in islice(_sample_points(axes, outer, _symbolic_sizes(axes, outer)), _MAX_POINTS):
        there = place | {loop: place[cast(Var, axis)] for loop, axis in axis_of.items()}
        lost.update(dict.fromkeys(condition for condition in conditions if _holds(condition, there) is False))
    return [substitute(condition, axis_of) for condition in lost]


def _iteration_conditions(block: StmtRef) -> Iterator[Expr]:
    """Yield the operands of the predicate, and the bounds of loops that depend on other loops."""
    realize = realize_of(block)
    if not is_true(realize.predicate):
        yield from predicate_conjuncts(realize.predicate)
    loops = [ref.loop for ref in loops_above(block)]
    variables = {loop.loop_var for loop in loops}
    for loop in loops:
        if not uses((loop.min, loop.extent)).isdisjoint(variables):
            yield LE(*match_types(loop.min, loop.loop_var))
            yield LT(*match_types(loop.loop_var, fold.add(loop.min, loop.extent)))


def _symbolic_sizes(axes: Sequence[tuple[IterVar, AxisDomain]], outer: Mapping[Var, Range]) -> set[Var]:
    """Return the free variables of the domains that are not loops."""
    ends = [(result.min_value, result.max_value) for _, domain in axes for result in (domain.run, domain.bound)]
    held = uses((ends, [(axis.dom.min, axis.dom.extent) for axis, _ in axes if axis.dom is not None]))
    held |= uses([(domain.min, domain.extent) for domain in outer.values()])
    return {item for item in held if isinstance(item, Var)} - outer.keys()


def _sample_points(
    axes: Sequence[tuple[IterVar, AxisDomain]], outer: Mapping[Var, Range], open_sizes: set[Var]
) -> Iterator[Point]:
    """Yield values of sizes, loops and axes for which the block would run."""
    for size in _SIZES if open_sizes else _SIZES[:1]:
        size_values = dict.fromkeys(open_sizes, size)
        for around in _loop_corners(list(outer.items()), size_values):
            ends = [_axis_ends(axis, domain, around) for axis, domain in axes]
            if all(low is not None and high is not None and low <= high for low, high in ends):
                for corner in product(*(sorted({cast(int, low), cast(int, high)}) for low, high in ends)):
                    yield around | {axis.var: value for (axis, _), value in zip(axes, corner, strict=True)}


def _loop_corners(loops: Sequence[tuple[Var, Range]], known: Point) -> Iterator[Point]:
    """Yield the combinations of first and last iterations; loop bounds may depend on outer loops."""
    if not loops:
        yield known
        return
    (var, domain), *rest = loops
    first, extent = evaluate_size(domain.min, known), evaluate_size(domain.extent, known)
    if first is None or extent is None or extent <= 0:
        return
    for value in sorted({first, first + extent - 1}):
        yield from _loop_corners(rest, {**known, var: value})


def _axis_ends(axis: IterVar, domain: AxisDomain, known: Point) -> tuple[int | None, int | None]:
    """Return the first and last value of an axis; None if they are not constant."""
    whole = IntSet.from_range(cast(Range, axis.dom))
    sets = [result for result in (whole, domain.run, domain.bound) if not result.is_nothing()]
    lows = [result.min_value for result in sets if result.has_lower_bound]
    highs = [result.max_value for result in sets if result.has_upper_bound]
    values = [[evaluate_size(each, known) for each in ends] for ends in (lows, highs)]
    low = None if None in values[0] else max(cast("list[int]", values[0]))
    high = None if None in values[1] else min(cast("list[int]", values[1]))
    return low, high


def _holds(condition: Expr, known: Point) -> bool | None:
    """Evaluate a comparison; None if the condition has another form or free variables."""
    compare = _COMPARE.get(type(condition)) if isinstance(condition, CompareOp) else None
    if compare is None:
        return None
    assert isinstance(condition, CompareOp)
    a, b = evaluate_size(condition.a, known), evaluate_size(condition.b, known)
    return None if a is None or b is None else compare(a, b)
