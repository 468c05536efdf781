"""Decide whether two accesses touch the same element in different iterations: never, with a witness, or unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from tvmscript.ir.analysis.access.access_walk import Guard, Loop, Path
from tvmscript.ir.analysis.access.compile_index import Code, NoValue, code_of
from tvmscript.ir.analysis.access.iteration_points import Point, Points, TooMany, budget_of
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.tir import LT, Expr, FloorDiv, FloorMod, IntImm, Range, Var, substitute

#: points of an access that are tried out
_BUDGET = 8192
_CORNERS = 1024


@dataclass(frozen=True)
class Instance:
    """Indices of an access in terms of loop variables; its path has loops and guards only."""

    indices: tuple[Expr, ...]
    path: Path

    @property
    def loops(self) -> list[Loop]:
        return [step for step in self.path if isinstance(step, Loop)]

    @property
    def guards(self) -> list[Expr]:
        steps = [step for step in self.path if isinstance(step, Guard) and step.is_lazy]
        return [step.condition for step in steps if step.condition is not None]


@dataclass(frozen=True)
class Apart:
    """The difference of two runs: not all variables of the pairs in `differ` are equal, those in `equal` are.

    A pair in `equal` may say how much the second is larger. With `is_ordered` the first run is the earlier one.
    """

    differ: tuple[tuple[Var, Var], ...]
    equal: tuple[tuple[Var, Var, int], ...] = ()
    is_ordered: bool = False


class Answer(Enum):
    """Whether there is a collision."""

    NEVER = "never"
    UNKNOWN = "cannot tell"
    FOUND = "found"


@dataclass(frozen=True)
class Collision:
    """The answer, and where there is a collision, its two runs."""

    answer: Answer
    first: Point | None = None
    second: Point | None = None


_UNKNOWN = Collision(Answer.UNKNOWN)
_NEVER = Collision(Answer.NEVER)


def collision(a: Instance, b: Instance, apart: Apart, sizes: Mapping[Var, int | None]) -> Collision:
    """Decide whether two accesses touch the same element in runs that differ as `apart` states.

    `sizes` are variables that have one value in the whole function, with the smallest that they can have.
    """
    a, b = _merge_paths(a, b)
    if _is_injective(a, b, apart, sizes) or _is_disjoint(a, b, apart, sizes):
        return _NEVER
    return _sample(a, b, apart)


def _merge_paths(a: Instance, b: Instance) -> tuple[Instance, Instance]:
    """The same accesses where a quotient and the remainder of the same division are one index."""
    pairs = list(zip(a.indices, b.indices, strict=True))
    for place, (left, right) in enumerate(pairs):
        for other, (low, high) in enumerate(pairs):
            if _is_division(left, low) and _is_division(right, high):
                pairs[place] = left.a, right.a  # type: ignore[attr-defined]  # both are quotients
                del pairs[other]
                first, second = zip(*pairs, strict=True)
                return _merge_paths(replace(a, indices=first), replace(b, indices=second))
    return a, b


def _is_division(quotient: Expr, remainder: Expr) -> bool:
    return (
        isinstance(quotient, FloorDiv)
        and isinstance(remainder, FloorMod)
        and expr_deep_equal(quotient.a, remainder.a)
        and expr_deep_equal(quotient.b, remainder.b)
    )


# proofs


def _is_disjoint(a: Instance, b: Instance, apart: Apart, sizes: Mapping[Var, int | None]) -> bool:
    """Whether an index is proven to differ, whichever of the variables is the one that differs."""
    signs = (1,) if apart.is_ordered else (1, -1)
    return all(_differs(a, b, apart, pair, sign, sizes) for pair, sign in product(apart.differ, signs))


def _differs(
    a: Instance, b: Instance, apart: Apart, pair: tuple[Var, Var], sign: int, sizes: Mapping[Var, int | None]
) -> bool:
    analyzer = Analyzer()
    for size, low in sizes.items():
        analyzer.bind_bounds(size, low=low)
    first, second = pair
    domain = next(loop.domain for loop in a.loops if loop.var is first)
    twin = next(loop.domain for loop in b.loops if loop.var is second)
    if not expr_deep_equal(domain.min, twin.min) or not expr_deep_equal(domain.extent, twin.extent):
        return False
    if isinstance(domain.extent, IntImm) and domain.extent.value < 2:
        return True
    one = IntImm(first.dtype, 1)
    step = Var("step", first.dtype)
    values: dict[Var, Expr] = {}
    others: dict[Var, Var] = {}
    ranges = [part for loop in b.loops for part in (loop.domain.min, loop.domain.extent)]
    for var in [*(loop.var for loop in b.loops), *_in_order((*b.indices, *b.guards, *ranges))]:
        if var not in sizes:  # what is read from memory may differ
            values[var] = others[var] = Var(var.name, var.dtype)
    for shared, partner, more in apart.equal:
        values[partner] = fold.add(shared, IntImm(shared.dtype, more))
        others.pop(partner, None)
    values[second] = fold.add(first, step) if sign > 0 else fold.sub(first, step)
    others.pop(second, None)
    for loop in a.loops:
        analyzer.bind(loop.var, loop.domain)
    analyzer.bind(step, Range.from_min_extent(one, fold.sub(domain.extent, one)))
    for loop in b.loops:
        if loop.var in others:
            analyzer.bind(others[loop.var], substitute(loop.domain, values))
    with ExitStack() as facts:
        before, behind = fold.sub(domain.min, one), fold.add(domain.min, domain.extent)
        inside = (LT(before, values[second]), LT(values[second], behind))
        for condition in (*inside, *a.guards, *(substitute(guard, values) for guard in b.guards)):
            facts.enter_context(analyzer.constraint(condition))
        for left, right in zip(a.indices, b.indices, strict=True):
            turned = substitute(right, values)
            if analyzer.can_prove_less(left, turned) or analyzer.can_prove_less(turned, left):
                return True
    return False


def _is_injective(a: Instance, b: Instance, apart: Apart, sizes: Mapping[Var, int | None]) -> bool:
    """Whether both accesses have the same indices, which tell all iterations apart."""
    if apart.is_ordered and apart.equal:
        return False
    if any(more for _, _, more in apart.equal):
        return False
    fixed = {left for left, _, _ in apart.equal} | sizes.keys()
    used = [var for var in _in_order(a.indices) if var not in fixed]
    domains = {loop.var: loop.domain for loop in a.loops}
    if any(var not in domains for var in used) or any(left not in used for left, _ in apart.differ):
        return False
    pairs_in_order = zip(_in_order(b.indices), _in_order(a.indices), strict=False)
    values: dict[Var, Var] = {right: left for right, left in pairs_in_order if right not in sizes}
    moved = {loop.var: loop.domain for loop in b.loops}
    pairs = {right: left for left, right in apart.differ} | {right: left for left, right, _ in apart.equal}
    for var, twin in values.items():
        if pairs.get(var, twin) is not twin or var not in moved or twin not in domains:
            return False
        if not expr_deep_equal(moved[var].min, domains[twin].min) or not expr_deep_equal(
            moved[var].extent, domains[twin].extent
        ):
            return False
    if not all(
        expr_deep_equal(mine, substitute(theirs, values)) for mine, theirs in zip(a.indices, b.indices, strict=True)
    ):
        return False
    predicate: Expr = fold.TRUE
    if a is b or all(
        any(expr_deep_equal(guard, substitute(other, values)) for other in b.guards) for guard in a.guards
    ):
        for guard in a.guards:
            predicate = fold.logical_and(predicate, guard)
    iterators = {var: domains[var] for var in used}
    return any(
        bool(detect_iter_map(a.indices, iterators, condition, IterMapLevel.Bijective).indices)
        for condition in dict.fromkeys((predicate, fold.TRUE))
    )


def _in_order(indices: Sequence[Expr]) -> list[Var]:
    """Return the variables of indices in the order of their first uses."""
    variables: dict[Var, None] = {}
    stack: list[object] = [*reversed(indices)]
    while stack:
        item = stack.pop()
        if isinstance(item, Var):
            variables.setdefault(item)
        elif isinstance(item, Expr):
            stack += [getattr(item, name) for name in reversed(item.schema.walked)]
        elif isinstance(item, tuple):
            stack += reversed(item)
    return [*variables]


# examples


def _sample(a: Instance, b: Instance, apart: Apart) -> Collision:
    """The answer of trying out iterations."""
    codes = [[code_of(index) for index in each.indices] for each in (a, b)]
    if None in codes[0] or None in codes[1]:
        return _UNKNOWN
    left = [var for var, _ in apart.differ]
    right = [var for _, var in apart.differ]
    first, second = _Runs(a, codes[0], left), _Runs(b, codes[1], right)
    # what only one of them depends on may have any value for the other
    both = [each for each in apart.equal if each[0] in first.points.needed and each[1] in second.points.needed]
    first.equal = [(var, 0) for var, _, _ in both]
    second.equal = [(var, more) for _, var, more in both]
    try:
        first.run(first.points.all(budget_of(first.points, _BUDGET)))
        second.run(second.points.all(budget_of(second.points, _BUDGET)))
    except TooMany:
        first.is_complete = False
        first.run(first.points.corners(budget_of(first.points, _CORNERS)))
        second.run(second.points.corners(budget_of(second.points, _CORNERS)))
    is_open = False
    for key, some in second.seen.items():
        for (one, x), (two, y) in product(first.seen.get(key, {}).items(), some.items()):
            if one == two or (apart.is_ordered and one > two):
                continue
            if x.is_reached and y.is_reached:
                return Collision(Answer.FOUND, x, y)
            is_open = True
    return _UNKNOWN if is_open or not (first.is_complete and second.is_complete) else _NEVER


class _Runs:
    """The elements that an access touches: with the values that are equal, the first and last runs that do."""

    def __init__(self, what: Instance, codes: Sequence[Code | None], apart: list[Var]) -> None:
        self.codes = [code for code in codes if code is not None]
        self.apart = apart
        #: variables that are equal in both, and how much is to be subtracted
        self.equal: list[tuple[Var, int]] = []
        self.points = Points(what.path, (*what.indices, *apart))
        self.is_complete = True
        self.seen: dict[tuple[int, ...], dict[tuple[int, ...], Point]] = {}

    def run(self, some: Iterator[Point]) -> None:
        for point in some:
            values = point.values
            try:
                element = [code(values) for code in self.codes]
                apart = tuple([values[var] for var in self.apart])
                shared = [values[var] - more for var, more in self.equal]
            except (NoValue, KeyError):
                self.is_complete = False
                continue
            points = self.seen.setdefault((*shared, *element), {})
            if apart in points:
                if point.is_reached and not points[apart].is_reached:
                    points[apart] = point
            else:
                if len(points) >= _KEPT:
                    points.pop(next(reversed(points)))
                points[apart] = point


#: runs that are remembered for an element
_KEPT = 4
