"""Laws of index analysis: iteration maps, inverses, regions, sets, deduced bounds, layouts.

All loops are short; the laws are checked for every point of the iteration domain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate, lanes_of
from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import allocation_shape, flat_extent, flat_index, product, row_major_strides
from tvmscript.ir.arith.deduce_bound import deduce_bound
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, intersect, union, union_lower_bound
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterSumExpr
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify, normalize_to_iter_sum
from tvmscript.ir.arith.iter_map.subspace import subspace_divide
from tvmscript.ir.arith.linear_equation import detect_clip_bound, detect_linear_equation
from tvmscript.ir.arith.region_bound import (
    estimate_region_lower_bound,
    estimate_region_strict_bound,
    estimate_region_upper_bound,
)
from tvmscript.ir.arith.shared_subexpressions import find_repeated
from tvmscript.ir.core import FLOAT32, TVMScriptError, WrongType, nodes
from tvmscript.ir.tir import Buffer, Expr, IntImm, Range, SizeVar, Var, as_expr, match_types, uses
from tvmscript.ir.tir import expr as e

_T = TypeVar("_T")
Point = Mapping[Var, int]
Draw = Callable[[int], int]


@dataclass(frozen=True)
class Puzzle:
    """Expressions over short loops, and the law of index analysis to check on them."""

    law: str
    #: first value and extent
    loops: Mapping[Var, tuple[int, int]]
    exprs: tuple[Expr, ...]
    predicate: Expr | None = None
    numbers: tuple[int, ...] = ()
    #: other variables -> their value
    free: Mapping[Var, int] = field(default_factory=dict[Var, int])
    buffer: Buffer | None = None
    #: loops whose extent is a variable, one of `free`
    named: Mapping[Var, Var] = field(default_factory=dict[Var, Var])

    def extent(self, var: Var) -> Expr:
        """The extent of a loop."""
        return self.named[var] if var in self.named else IntImm(var.dtype, self.loops[var][1])

    def ranges(self) -> dict[Var, Range]:
        """The loops as ranges."""
        return {
            var: Range.from_min_extent(IntImm(var.dtype, low), self.extent(var)) for var, (low, _) in self.loops.items()
        }

    def points(self, *, all_of_them: bool = False) -> Iterator[dict[Var, int]]:
        """Yield the points of the domain that satisfy the predicate; all points with `all_of_them`."""
        names = list(self.loops)
        for values in itertools.product(*[range(low, low + extent) for low, extent in self.loops.values()]):
            point = {**dict(zip(names, values, strict=True)), **self.free}
            if all_of_them or self.predicate is None or evaluate(self.predicate, point):
                yield point

    def fail(self, expr: object, reason: str, point: Point) -> WrongArithmetic:
        """The error that says so."""
        values = ", ".join(f"{var.name} is {value}" for var, value in point.items())
        return WrongArithmetic(law=self.law, expr=expr, reason=reason, values=values)

    def agree(self, before: Expr, after: Expr, point: Point) -> None:
        """Raise `WrongArithmetic` where two expressions differ."""
        expected, value = evaluate(before, point), evaluate(after, point)
        if expected != value:
            raise self.fail(before, f"became {after}, {value} for {expected},", point)


class Writer:
    """Writer of random expressions over a few short loops."""

    def __init__(self, draw: Draw, dtype: str = "int32") -> None:
        self.draw = draw
        self.dtype = dtype
        count = 1 + draw(3)
        self.loops = {
            Var(name, dtype): (self.pick(0, 0, 0, 0, 2, -3), self.pick(4, 2, 3, 8, 6, 5, 1)) for name in "ijk"[:count]
        }
        self.names = list(self.loops)
        #: extents that are variables
        self.named: dict[Var, Var] = {}

    def name_extents(self) -> None:
        """Replace some extents by variables."""
        self.named = {var: SizeVar(f"n{var.name}", self.dtype) for var in self.names if self.draw(3) == 0}

    def pick(self, *items: _T) -> _T:
        return items[self.draw(len(items))]

    def const(self, value: int) -> IntImm:
        return IntImm(self.dtype, value)

    def extent(self, var: Var) -> int:
        return self.loops[var][1]

    def fused(self, names: list[Var]) -> tuple[Expr, int]:
        """Fuse loops, most of them normalized to start at 0. Returns the index and its number of values."""
        total: Expr | None = None
        size = 1
        for var in names:
            low, extent = self.loops[var]
            one: Expr = var if low == 0 or self.draw(3) == 0 else e.Sub(var, self.const(low))
            total = (
                one
                if total is None
                else e.Add(e.Mul(total, self.named[var] if var in self.named else self.const(extent)), one)
            )
            size *= extent
        assert total is not None
        return total, size

    def shuffled(self) -> list[Var]:
        names = list(self.names)
        return [names.pop(self.draw(len(names))) for _ in range(len(names))]

    def split(self, value: Expr, size: int) -> list[Expr]:
        """Split an index into quotient and remainder by a factor that divides its size, or not quite."""
        factors = [factor for factor in (2, 3, 4, 6, 8) if size % factor == 0]
        factor = self.pick(*factors, *([3, 4] if self.draw(4) == 0 else [])) if factors else self.pick(2, 3)
        by = self.const(factor)
        return [e.FloorDiv(value, by), e.FloorMod(value, by)]

    def index(self, names: list[Var]) -> list[Expr]:
        """Draw one or two indices of fused loops."""
        value, size = self.fused(names)
        form = self.draw(7)
        if form < 2:
            return [value]
        if form == 2:
            return [e.Add(value, self.const(self.pick(1, 5, -2)))]
        if form == 3:
            return [e.Mul(value, self.const(self.pick(2, 3, -1, 4)))]
        if form == 4:
            return [e.Sub(self.const(size - 1), value)]
        first, second = self.split(value, size)
        if form == 5:
            return [second, first]
        return [first, second]

    def indices(self) -> list[Expr]:
        """Draw indices that are mostly digits of the loops."""
        names = self.shuffled()
        cut = self.draw(len(names) + 1)
        groups = [group for group in (names[:cut], names[cut:]) if group]
        exprs = [index for group in groups for index in self.index(group)]
        if self.draw(8) == 0:
            exprs.append(e.FloorDiv(exprs[0], self.const(2)))
        return exprs

    def affine(self) -> Expr:
        """Draw a sum of multiples of the loops in any order."""
        total: Expr = self.const(self.pick(0, 1, -3, 7))
        for var in self.shuffled():
            step = self.pick(1, 1, 2, 3, 4, -1, -2, 5)
            part = self.pick(e.Mul(var, self.const(step)), e.Mul(self.const(step), var), var)
            total = self.pick(e.Add(total, part), e.Add(part, total), e.Sub(total, part), e.Sub(part, total))
        return total

    def condition(self) -> Expr:
        var = self.pick(*self.names)
        low, extent = self.loops[var]
        fused, size = self.fused(self.shuffled())
        left = self.pick(var, fused, e.Add(var, self.const(2)))
        limit = self.const(low + self.draw(max(extent, 1) * 2 + 1))
        if left is fused and self.draw(2):
            limit = self.const(size - self.draw(5))
        cls = self.pick(e.LT, e.LT, e.LE, e.GT, e.GE)
        return self.pick(cls(left, limit), cls(left, limit), e.And(cls(left, limit), e.GE(var, self.const(low + 1))))

    def puzzle(self, law: str, exprs: list[Expr], **more: object) -> Puzzle:
        free = {size: self.loops[var][1] for var, size in self.named.items()}
        puzzle = Puzzle(law, self.loops, tuple(exprs), **more)  # type: ignore[arg-type]
        return replace(puzzle, free={**puzzle.free, **free}, named=self.named)


# ---- digits


def _draw_digits(draw: Draw) -> Puzzle:
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    if draw(3) == 0:
        w.name_extents()
    if len(w.names) > 1 and draw(5) == 4:
        return _draw_parts(w)
    predicate = w.condition() if draw(3) == 0 else None
    indices = w.indices()
    return w.puzzle("digits", indices, predicate=predicate, numbers=(draw(3), draw(2), draw(3)))


def _draw_parts(w: Writer) -> Puzzle:
    """Draw single loops under a bound on their sum, as for a partial last tile."""
    names = w.shuffled()
    total, size = w.fused(names)
    limit = w.const(size - w.draw(w.extent(names[-1]) + 2))
    predicate: Expr = w.pick(e.LT, e.LE)(total, limit)
    if w.draw(3) == 0:
        predicate = e.And(predicate, e.GE(total, w.const(w.draw(6))))
    parts: list[Expr] = [*names[: 1 + w.draw(len(names) - 1)]]
    return w.puzzle("digits", parts, predicate=predicate, numbers=(w.pick(1, 1, 0, 2), w.draw(2), w.draw(3)))


_LEVELS: Final = (IterMapLevel.Bijective, IterMapLevel.Surjective, IterMapLevel.NoCheck)


def _digits(puzzle: Puzzle) -> None:
    """Check the values, the claimed bijectivity and the inverse of the iteration map."""
    level, is_trivial, which = _LEVELS[puzzle.numbers[0]], bool(puzzle.numbers[1]), puzzle.numbers[2]
    ranges, exprs = puzzle.ranges(), puzzle.exprs
    predicate: Expr | bool = True if puzzle.predicate is None else puzzle.predicate
    points = list(puzzle.points())
    for simple, expr in zip(iter_map_simplify(exprs, ranges, predicate, level, is_trivial), exprs, strict=True):
        for point in points:
            puzzle.agree(expr, simple, point)
    for expr in exprs:
        total = normalize_iter_map_to_expr(normalize_to_iter_sum(expr, ranges))
        for point in puzzle.points(all_of_them=True):
            puzzle.agree(expr, total, point)
    iter_map = detect_iter_map(exprs, ranges, predicate, level, is_trivial)
    if not iter_map.indices:
        return
    written = [normalize_iter_map_to_expr(index) for index in iter_map.indices]
    seen: dict[tuple[int, ...], Point] = {}
    for point in points:
        for expr, made in zip(exprs, written, strict=True):
            puzzle.agree(expr, made, point)
        values = tuple(evaluate(expr, point) for expr in exprs)
        other = seen.setdefault(values, point)
        if level is IterMapLevel.Bijective and other is not point:
            raise puzzle.fail(exprs, f"is said to be bijective, but has the same values as at {other},", point)
    if level is not IterMapLevel.NoCheck and points:
        _check_box(puzzle, iter_map.indices, seen, points[0])
    if level is IterMapLevel.Bijective:
        _check_inverse(puzzle, iter_map.indices, points)
    _check_subspace(puzzle, level, list(ranges)[: which % (len(ranges) + 1)], points)


def _check_box(
    puzzle: Puzzle, indices: tuple[IterSumExpr, ...], seen: Mapping[tuple[int, ...], Point], point: Point
) -> None:
    """Check that independent indices take every combination of their claimed values."""
    columns = [{values[place] for values in seen} for place in range(len(indices))]
    # a bound on a loop and on one with one value, which is kept, is a bound on a sum: the loop alone counts as a whole
    is_kept = puzzle.predicate is not None and not puzzle.numbers[1] and 1 in {n for _, n in puzzle.loops.values()}
    count = 1
    for column, index in zip(columns, indices, strict=True):
        extents = [evaluate(split.extent, puzzle.free) for split in index.args]
        if len(column) > math.prod(extents) or (len(column) < math.prod(extents) and not is_kept):
            raise puzzle.fail(index, f"takes {len(column)} values, not {extents}, for example", point)
        count *= len(column)
    if count != len(seen):
        raise puzzle.fail(puzzle.exprs, f"has {len(seen)} of {count} combinations of values, for example", point)


def _check_inverse(puzzle: Puzzle, indices: tuple[IterSumExpr, ...], points: list[dict[Var, int]]) -> None:
    outputs = [Var(f"o{place}", index.dtype) for place, index in enumerate(indices)]
    try:
        inverse = inverse_affine_iter_map(indices, outputs)
    except WrongType:
        return  # of digits with unknown scales it is not known whether they overlap
    for var, value in inverse.items():
        for point in points:
            at = dict(puzzle.free)
            at.update({out: evaluate(expr, point) for out, expr in zip(outputs, puzzle.exprs, strict=True)})
            if evaluate(value, at) != point[var]:
                raise puzzle.fail(puzzle.exprs, f"has the inverse {var} = {value}, which is not so", point)


def _check_subspace(puzzle: Puzzle, level: IterMapLevel, inner: list[Var], points: list[dict[Var, int]]) -> None:
    predicate: Expr | bool = True if puzzle.predicate is None else puzzle.predicate
    divided = subspace_divide(puzzle.exprs, puzzle.ranges(), inner, predicate, level) if points else []
    if not divided:
        return
    for mark in divided[-1]:
        for point in points:
            if not evaluate(as_expr(mark.extent), point):
                raise puzzle.fail(puzzle.exprs, f"is divided under {mark.extent}, which does not hold", point)
    for (outer, inside), expr in zip(divided[:-1], puzzle.exprs, strict=True):
        parts = [normalize_iter_map_to_expr(mark.source) for mark in (outer, inside)]
        short = {var for var in puzzle.loops if len({point[var] for point in points}) == 1}
        if not uses(parts[0]).isdisjoint({*inner} - short) or not uses(parts[1]) & {*puzzle.loops} <= {*inner} | short:
            raise puzzle.fail(expr, f"is divided into {parts[0]} and {parts[1]}, which mix variables,", {})
        for point in points:
            extent = evaluate(inside.extent, point)
            above, below = (evaluate(part, point) for part in parts)
            if above * extent + below != evaluate(expr, point):
                raise puzzle.fail(expr, f"is divided into {parts[0]} and {parts[1]} of {extent}, which differs", point)


# ---- index maps


def _draw_map(draw: Draw) -> Puzzle:
    w = Writer(draw)
    if draw(3) == 0:
        w.name_extents()
    w.loops = {var: (0, extent) for var, (_, extent) in w.loops.items()}
    return w.puzzle("index_map", w.indices())


def _index_map(puzzle: Puzzle) -> None:
    """Check the inverse of a map, its ranges, and its padding predicate."""
    index_map = IndexMap(tuple(puzzle.loops), puzzle.exprs)
    extents = [puzzle.extent(var) for var in puzzle.loops]
    points = list(puzzle.points())
    results = {tuple(evaluate(expr, point) for expr in puzzle.exprs): point for point in points}
    ranges = index_map.map_ranges(list(puzzle.ranges().values()))
    for values, point in results.items():
        for value, domain, expr in zip(values, ranges, puzzle.exprs, strict=True):
            low = evaluate(domain.min, point)
            if not low <= value < low + evaluate(domain.extent, point):
                raise puzzle.fail(expr, f"is said to be in {domain}, but is {value}", point)
    for is_whole in (True, False):
        try:
            inverse, padding = (
                (index_map.inverse(extents), None) if is_whole else index_map.non_surjective_inverse(extents)
            )
        except TVMScriptError:
            continue  # it has none
        for values, point in results.items():
            at = {**puzzle.free, **dict(zip(inverse.initial_indices, values, strict=True))}
            back = [evaluate(expr, at) for expr in inverse.final_indices]
            if back != [point[var] for var in puzzle.loops]:
                raise puzzle.fail(puzzle.exprs, f"has the inverse {inverse}, which gives {back}", point)
            if padding is not None and evaluate(padding, at):
                raise puzzle.fail(puzzle.exprs, f"has the padding {padding}, which holds for {values}", point)
        if padding is None:
            continue
        ends = [(evaluate(domain.min, puzzle.free), evaluate(domain.extent, puzzle.free)) for domain in ranges]
        for values in itertools.product(*[range(low, low + extent) for low, extent in ends]):
            at = {**puzzle.free, **dict(zip(inverse.initial_indices, values, strict=True))}
            if values not in results and not evaluate(padding, at):
                raise puzzle.fail(puzzle.exprs, f"has the padding {padding}, which does not hold for {values}", {})


# ---- bounds that are deduced


def _draw_deduced(draw: Draw) -> Puzzle:
    w = Writer(draw)
    if len(w.names) < 2:
        w.loops[Var("l", "int32")] = (0, 3)
        w.names = list(w.loops)
    var = w.names[0]
    left: Expr = var
    for _ in range(1 + draw(3)):
        other = w.pick(w.const(w.pick(1, 3, -2, 4)), w.const(w.pick(2, -3)), w.names[1])
        form = draw(6)
        if form < 2:
            left = w.pick(e.Add(left, other), e.Add(other, left))
        elif form == 2:
            left = w.pick(e.Sub(left, other), e.Sub(other, left))
        elif form < 5:
            left = w.pick(e.Mul, e.Mul, e.FloorDiv)(left, w.const(w.pick(2, 3, 4, *([-2, -1] if draw(2) else [5]))))
        else:
            left = e.FloorDiv(left, w.const(w.pick(2, 3)))
    limit = w.pick(w.const(draw(20) - 6), e.Add(w.names[-1], w.const(draw(9) - 3)))
    cls = w.pick(e.LT, e.LE, e.GT, e.GE, e.EQ)
    sides = (left, limit) if draw(3) else (limit, left)
    return w.puzzle("deduced", [cls(*sides), var], numbers=(draw(2),))


def _deduced(puzzle: Puzzle) -> None:
    """Check that the condition holds on the deduced set, and that the set is exact without divisions."""
    condition, target = puzzle.exprs
    assert isinstance(target, Var)
    domains: dict[Var, IntSet | Range] = dict(puzzle.ranges())
    relaxed = {var: domain for var, domain in domains.items() if var is not target} if puzzle.numbers[0] else {}
    bound = deduce_bound(target, condition, domains, relaxed)
    if bound.is_nothing():
        return
    others_too = uses(condition) != {target}
    # the least multiple that is no less than what is not known is taken to be one more than the quotient, as TVM does
    is_rounded = others_too and any(isinstance(node, e.Mul) for node in nodes(condition))
    others = [point for point in puzzle.points() if point[target] == puzzle.loops[target][0]]
    groups = [others] if relaxed else [[point] for point in others]
    for group in groups:
        for value in range(-40, 41):
            holds = all(evaluate(condition, {**point, target: value}) for point in group)
            inside = all(_has(bound, value, point) for point in group)
            if inside and not holds:
                raise puzzle.fail(condition, f"is said to hold for {target} in {bound}, but not for {value}", group[0])
            if holds and not inside and not is_rounded:
                raise puzzle.fail(condition, f"is said to hold for {target} in {bound}, also for {value}", group[0])


def _has(made: IntervalSet, value: int, point: Point) -> bool:
    low = made.has_lower_bound and value < evaluate(made.min_value, point)
    return not low and not (made.has_upper_bound and value > evaluate(made.max_value, point))


# ---- linear functions


def _draw_linear(draw: Draw) -> Puzzle:
    w = Writer(draw)
    n = Var("n", "int32")
    expr = w.affine()
    if draw(2):
        expr = w.pick(e.Sub(expr, e.Mul(n, w.names[0])), e.Add(expr, n), e.Mul(expr, n), e.Sub(n, expr))
    cls = w.pick(e.LT, e.LE, e.GT, e.GE, e.EQ)
    var, limit = w.pick(*w.names), w.pick(n, w.const(draw(9)), e.Add(n, w.const(2)))
    clips: list[Expr] = []
    for _ in range(1 + draw(3)):
        left = w.pick(var, e.Add(var, w.const(3)), e.Sub(w.const(5), var), e.Sub(var, n))
        clips.append(cls(left, limit) if draw(2) else cls(limit, left))
        cls, var = w.pick(e.LT, e.LE, e.GT, e.GE), w.pick(*w.names)
    whole = clips[0]
    for clip in clips[1:]:
        whole = e.And(whole, clip)
    return w.puzzle("linear", [expr, whole], free={n: draw(9) - 2})


def _linear(puzzle: Puzzle) -> None:
    """Check that the coefficients give the expression and the clip bounds the condition."""
    expr, condition = puzzle.exprs
    names = list(puzzle.loops)
    coefficients = detect_linear_equation(expr, names)
    clipped = detect_clip_bound(condition, names)
    for point in puzzle.points():
        if coefficients:
            total = sum(evaluate(factor, point) * point[var] for factor, var in zip(coefficients, names, strict=False))
            if total + evaluate(coefficients[-1], point) != evaluate(expr, point):
                raise puzzle.fail(expr, f"is said to be linear by {coefficients}, which differs", point)
        if clipped:
            holds = True
            for place, var in enumerate(names):
                low, high = clipped[2 * place], clipped[2 * place + 1]
                holds = holds and (low is None or point[var] >= evaluate(low, point))
                holds = holds and (high is None or point[var] <= evaluate(high, point))
            if holds != bool(evaluate(condition, point)):
                raise puzzle.fail(condition, f"is said to have the limits {clipped}, which differ", point)
    if puzzle.numbers == () and coefficients == [] and not any(isinstance(node, e.Mul) for node in nodes(expr)):
        raise puzzle.fail(expr, "is said not to be linear", {})


# ---- regions


def _draw_region(draw: Draw) -> Puzzle:
    w = Writer(draw)
    if draw(3) == 0:
        w.name_extents()
    exprs = [w.pick(w.affine(), *w.indices()) for _ in range(1 + draw(2))]
    extents = tuple(1 + draw(4) for _ in exprs)
    predicate: Expr | None = None
    if draw(3) == 0:
        predicate = w.condition()
    return w.puzzle("region", exprs, predicate=predicate, numbers=extents)


def _region(puzzle: Puzzle) -> None:
    """Check region estimates against the touched elements: exact, covering, or contained."""
    region = [
        Range.from_min_extent(expr, IntImm(expr.dtype, extent))
        for expr, extent in zip(puzzle.exprs, puzzle.numbers, strict=True)
    ]
    predicate: Expr | bool = True if puzzle.predicate is None else puzzle.predicate
    touched: set[tuple[int, ...]] = set()
    for point in puzzle.points():
        firsts = [evaluate(expr, point) for expr in puzzle.exprs]
        spans = [range(first, first + extent) for first, extent in zip(firsts, puzzle.numbers, strict=True)]
        touched.update(itertools.product(*spans))
    if not touched:
        return
    ranges = puzzle.ranges()
    for estimate, is_exact in (
        (estimate_region_strict_bound, True),
        (estimate_region_lower_bound, True),
        (estimate_region_upper_bound, False),
    ):
        estimated = estimate(region, ranges, predicate)
        if estimated is None:
            continue
        for place in touched:
            if not all(_has(one, value, puzzle.free) for one, value in zip(estimated, place, strict=True)):
                raise puzzle.fail(puzzle.exprs, f"{estimate.__name__} leaves out {place}: {estimated}", {})
        if is_exact:
            sizes = [
                evaluate(one.max_value, puzzle.free) - evaluate(one.min_value, puzzle.free) + 1 for one in estimated
            ]
            total = 1
            for size in sizes:
                total *= size
            if total != len(touched):
                raise puzzle.fail(
                    puzzle.exprs, f"{estimate.__name__} is {estimated}, but has {len(touched)} members", {}
                )


# ---- sets


def _draw_sets(draw: Draw) -> Puzzle:
    w = Writer(draw)
    n = SizeVar("n", "int32")

    def end() -> list[Expr]:
        low = draw(12) - 4
        first = w.pick(w.const(low), w.const(low), e.Add(n, w.const(low)))
        return [first, w.pick(e.Add(first, w.const(draw(5))), w.const(low + draw(7)), w.const(low + draw(7)))]

    exprs = [each for _ in range(2 + draw(2)) for each in end()]
    return w.puzzle("sets", exprs, free={n: draw(6)}, numbers=(draw(5), draw(3)))


def _sets(puzzle: Puzzle) -> None:
    """Check union, intersection and lower bound of a union against the members."""
    point = puzzle.free
    sets = [IntervalSet(*match_types(*ends)) for ends in zip(puzzle.exprs[::2], puzzle.exprs[1::2], strict=True)]
    if puzzle.numbers[0] == 0:
        sets[0] = IntervalSet(sets[0].min_value, IntSet.everything().max_value)
    elif puzzle.numbers[0] == 1:
        sets[-1] = IntervalSet(IntSet.everything().min_value, sets[-1].max_value)
    values = range(-15, 30)
    members = [{value for value in values if _has(one, value, point)} for one in sets]
    together, common = set[int]().union(*members), set(values).intersection(*members)
    laws: list[tuple[str, IntervalSet, Callable[[set[int]], bool]]] = [
        ("union", union(sets), lambda inside: together <= inside or not all(members)),
        ("intersect", intersect(sets), lambda inside: common == inside),
        ("union_lower_bound", union_lower_bound(sets), lambda inside: inside <= together or not all(members)),
    ]
    for name, made, holds in laws:
        inside = set[int]() if made.is_nothing() else {value for value in values if _has(made, value, point)}
        if not holds(inside):
            raise puzzle.fail(sets, f"have the {name} {made}, which is wrong", point)
    for one, own in zip(sets, members, strict=True):
        facts = {
            "positive": (one.can_prove_positive(), all(value > 0 for value in own)),
            "non_negative": (one.can_prove_non_negative(), all(value >= 0 for value in own)),
            "negative": (one.can_prove_negative(), all(value < 0 for value in own)),
            "non_positive": (one.can_prove_non_positive(), all(value <= 0 for value in own)),
            "single": (one.can_prove_single_point(), len(own) == 1),
        }
        for name, (is_proved, is_so) in facts.items():
            if is_proved and own and not is_so:
                raise puzzle.fail(one, f"is proved to be {name}", point)
        whole = one.cover_range()
        if whole is not None and own:
            low = evaluate(whole.min, point)
            if own != {*range(low, low + evaluate(whole.extent, point))} & set(values):
                raise puzzle.fail(one, f"has the range {whole}, which differs", point)
            if not one.match_range(whole) or IntSet.from_range(whole).is_nothing():
                raise puzzle.fail(one, f"does not match its range {whole}", point)


# ---- vectors


_COMPARISONS: Final = (e.LT, e.LE, e.GT, e.GE, e.EQ, e.NE)
_OF_VECTORS: Final = (
    e.Add, e.Sub, e.Mul, e.FloorDiv, e.FloorMod, e.Div, e.Mod, e.Min, e.Max, *_COMPARISONS,
)  # fmt: skip


def _draw_vectors(draw: Draw) -> Puzzle:
    w = Writer(draw)
    lanes = w.pick(4, 2, 3, 8)

    def vector(depth: int) -> Expr:
        if depth == 0 or draw(4) == 0:
            base = w.pick(w.affine(), *w.names, w.const(draw(9) - 3))
            if draw(3) == 0:
                return e.Broadcast(base, lanes)
            return e.Ramp(base, w.const(w.pick(1, 1, 2, -1, 4, 8, 3)), lanes)
        if draw(2):
            cls = w.pick(e.FloorDiv, e.FloorMod, e.FloorDiv, e.FloorMod, e.Mul)
            return cls(vector(depth - 1), e.Broadcast(w.const(w.pick(2, 4, 8, 3, 16)), lanes))
        return w.pick(e.Add, e.Sub, e.Min, e.Max)(vector(depth - 1), vector(depth - 1))

    if draw(3) == 0:
        return w.puzzle("vectors", [vector(2)])
    # each operator of any two kinds of operands
    kind = draw(len(_OF_VECTORS) + 3)
    if kind < len(_OF_VECTORS):
        return w.puzzle("vectors", [_OF_VECTORS[kind](vector(draw(2)), vector(draw(2)))])
    first, second = (w.pick(*_COMPARISONS)(vector(1), vector(0)) for _ in range(2))
    if kind == len(_OF_VECTORS):
        return w.puzzle("vectors", [e.Select(first, vector(1), vector(1))])
    return w.puzzle("vectors", [w.pick(e.And, e.Or)(first, second)])


def _vectors(puzzle: Puzzle) -> None:
    """Check that simplified vectors keep their lanes, and that the interval set covers them."""
    (expr,) = puzzle.exprs
    facts = Analyzer()
    for var, domain in puzzle.ranges().items():
        facts.bind(var, domain)
    simple, index = facts.simplify(expr), facts.simplify_index(expr)
    inside = None if expr.dtype.is_bool else eval_set(expr, puzzle.ranges())
    for point in puzzle.points():
        expected = lanes_of(expr, point)
        for made in (simple, index):
            if lanes_of(made, point) != expected:
                raise puzzle.fail(expr, f"became {made}, {lanes_of(made, point)} for {expected},", point)
        for value in expected if inside is not None else ():
            if inside is not None and not _has(inside, value, point):
                raise puzzle.fail(expr, f"is said to be in {inside}, but is {value}", point)


# ---- layouts


def _draw_layout(draw: Draw) -> Puzzle:
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    n = Var("n", "int32")
    rank = 1 + draw(3)
    shape: list[Expr] = [w.pick(w.const(1 + draw(5)), w.const(1 + draw(5)), n) for _ in range(rank)]
    strides: list[Expr] = []
    if draw(2):
        step: Expr = w.const(w.pick(1, 1, 2))
        for extent in reversed(shape):
            strides.insert(0, step)
            step = e.Mul(*match_types(step, e.Add(extent, IntImm(extent.dtype, draw(3)))))
    offset = w.pick(w.const(0), w.const(0), w.const(draw(9)), n)
    data = Var("A", "handle")
    buffer = Buffer(data, FLOAT32, tuple(shape), tuple(strides), offset, "A")
    return w.puzzle("layout", [], buffer=buffer, free={n: 1 + draw(4)}, numbers=(draw(2),))


def _layout(puzzle: Puzzle) -> None:
    """Check flat indices against the strides, and the flat extent against the last index."""
    buffer, point = puzzle.buffer, puzzle.free
    assert buffer is not None
    shape = [evaluate(extent, point) for extent in buffer.shape]
    steps = [evaluate(step, point) for step in buffer.strides]
    if not steps:
        steps = [0] * len(shape)
        size = 1
        for axis in reversed(range(len(shape))):
            steps[axis] = size
            size *= shape[axis]
        strides = [evaluate(step, point) for step in row_major_strides(buffer.shape)]
        if strides != steps or evaluate(product(buffer.shape), point) != size:
            raise puzzle.fail(buffer.shape, f"has the strides {strides}", point)
    first = evaluate(buffer.elem_offset, point)
    names = [Var(f"v{axis}", extent.dtype) for axis, extent in enumerate(buffer.shape)]
    flat = flat_index(buffer, names)
    lanes = flat_index(buffer, [*names[:-1], e.Ramp(names[-1], IntImm(names[-1].dtype, 3), 2)])
    last = 0
    for values in itertools.product(*map(range, shape)):
        at = {**point, **dict(zip(names, values, strict=True))}
        expected = first + sum(step * value for step, value in zip(steps, values, strict=True))
        last = max(last, expected)
        if evaluate(flat, at) != expected or lanes_of(lanes, at) != [expected, expected + 3 * steps[-1]]:
            raise puzzle.fail(flat, f"and {lanes} are not {expected}", at)
    if evaluate(flat_extent(buffer), point) != last + 1:
        raise puzzle.fail(flat_extent(buffer), f"is not {last + 1}", point)
    room = 1
    for extent in allocation_shape(buffer):
        room *= evaluate(extent, point)
    is_free = isinstance(buffer.elem_offset, Var)
    if room < last + 1 - (first if is_free else 0):
        raise puzzle.fail(allocation_shape(buffer), f"has no room for {last + 1}", point)


# ---- repeated sub-expressions


def _draw_repeated(draw: Draw) -> Puzzle:
    w = Writer(draw)
    parts = [w.affine(), *w.indices()]
    total = w.pick(e.Add, e.Sub)(parts[0], w.pick(parts[-1], parts[0]))
    return w.puzzle("find_repeated", [e.Mul(total, w.pick(*parts)), total])


def _repeated(puzzle: Puzzle) -> None:
    """Check the counts of repeated sub-expressions."""
    counts: dict[str, int] = {}
    for expr in puzzle.exprs:
        waiting = [expr]
        while waiting:
            part = waiting.pop()
            if isinstance(part, e.BinaryOp):
                counts[str(part)] = counts.get(str(part), 0) + 1
                waiting += [part.a, part.b]
    for threshold in (2, 3):
        wanted = {text: count for text, count in counts.items() if count >= threshold}
        repeated = {str(part.expr): part.times for part in find_repeated(puzzle.exprs, threshold)}
        if repeated != wanted:
            raise puzzle.fail(puzzle.exprs, f"has {repeated} for {wanted} written {threshold} times,", {})


def require_defined(check: Callable[[Puzzle], None]) -> Callable[[Puzzle], None]:
    """Return the check of a law whose expressions divide by constants: what is undefined is wrong."""

    def run(puzzle: Puzzle) -> None:
        try:
            check(puzzle)
        except Undefined as error:
            raise puzzle.fail(puzzle.exprs, "became what divides by zero", {}) from error

    return run


#: law -> (draw a puzzle, check it)
LAWS: Final[dict[str, tuple[Callable[[Draw], Puzzle], Callable[[Puzzle], None]]]] = {
    "digits": (_draw_digits, _digits),
    "index_map": (_draw_map, _index_map),
    "deduced": (_draw_deduced, _deduced),
    "linear": (_draw_linear, _linear),
    "region": (_draw_region, _region),
    "sets": (_draw_sets, _sets),
    "vectors": (_draw_vectors, _vectors),
    "layout": (_draw_layout, _layout),
    "find_repeated": (_draw_repeated, _repeated),
}
