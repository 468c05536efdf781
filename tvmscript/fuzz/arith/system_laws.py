"""Laws of systems of equations and inequalities: their solutions are those that enumeration finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.fuzz.arith.index_laws import Draw, Point, Puzzle, Writer, require_defined
from tvmscript.ir.arith.constraints.equations import solve_linear_equations
from tvmscript.ir.arith.constraints.inequalities import solve_linear_inequalities
from tvmscript.ir.arith.constraints.system import IntConstraints, IntConstraintsTransform, IntGroupBounds
from tvmscript.ir.tir import CompareOp, Expr, Range, Var
from tvmscript.ir.tir import expr as e

#: values of variables without a range
_FAR: Final = range(-4, 5)


def _within(value: int, domain: Range, point: Point) -> bool:
    first = evaluate(domain.min, point)
    return first <= value < first + evaluate(domain.extent, point)


def _hold(relations: Sequence[Expr], point: Point) -> bool:
    return all(evaluate(relation, point) for relation in relations)


def _admits(system: IntConstraints, point: Point) -> bool:
    """Return whether a point satisfies the relations and the ranges of a system."""
    ranges = ((point[var], domain) for var, domain in system.ranges.items() if var in point)
    return all(_within(value, domain, point) for value, domain in ranges) and _hold(system.relations, point)


def _solutions(system: IntConstraints, free: Point) -> Iterator[Point]:
    """Enumerate the solutions; ranges depend on variables behind theirs, and variables without one are near 0."""

    def extend(variables: Sequence[Var], point: Point) -> Iterator[Point]:
        if not variables:
            if _hold(system.relations, point):
                yield point
            return
        *others, var = variables
        domain = system.ranges.get(var)
        values = _FAR
        if domain is not None:
            first = evaluate(domain.min, point)
            values = range(first, first + evaluate(domain.extent, point))
        for value in values:
            yield from extend(others, {**point, var: value})

    return extend(system.variables, free)


def _mapped(values: Mapping[Var, Expr], point: Point, free: Point) -> dict[Var, int]:
    return {**free, **{var: evaluate(value, point) for var, value in values.items()}}


def _check_transform(puzzle: Puzzle, transform: IntConstraintsTransform) -> None:
    """Check that the solutions of the two systems correspond one to one."""
    old, new, free = transform.src, transform.dst, puzzle.free
    for point in puzzle.points():
        if not _hold(old.relations, point):
            continue
        moved = _mapped(transform.dst_to_src, point, free)
        if not _admits(new, moved):
            raise puzzle.fail(puzzle.exprs, f"loses a solution in {transform}", point)
        back = _mapped(transform.src_to_dst, moved, free)
        if any(back[var] != point[var] for var in old.variables):
            raise puzzle.fail(puzzle.exprs, f"changes a solution in {transform}", point)
    for there in _solutions(new, free):
        point = _mapped(transform.src_to_dst, there, free)
        if not _admits(old, point):
            raise puzzle.fail(puzzle.exprs, f"has a solution that is none in {transform}", point)
        again = _mapped(transform.dst_to_src, point, free)
        if any(again[var] != there[var] for var in new.variables):
            raise puzzle.fail(puzzle.exprs, f"counts a solution twice in {transform}", point)


# ---- equations


def _relation(w: Writer, kinds: Sequence[type[CompareOp]], limit: Expr) -> Expr:
    left = w.affine()
    right = w.pick(limit, w.const(w.draw(12) - 3), w.affine())
    return kinds[w.draw(len(kinds))](left, right)


def _draw_equations(draw: Draw) -> Puzzle:
    w = Writer(draw)
    n = Var("n", "int32")
    equations = [_relation(w, (e.EQ,), n) for _ in range(1 + draw(3))]
    if draw(4) == 0:
        equations.append(_relation(w, (e.LE, e.LT, e.GE, e.NE), n))
    return w.puzzle("equations", equations, free={n: draw(12) - 3}, numbers=(draw(3),))


def _equations(puzzle: Puzzle) -> None:
    """Check `solve_linear_equations`, of variables with ranges or without them."""
    ranges = puzzle.ranges() if puzzle.numbers[0] else {}
    _check_transform(puzzle, solve_linear_equations(puzzle.exprs, list(puzzle.loops), ranges))


# ---- inequalities


def _draw_inequalities(draw: Draw) -> Puzzle:
    w = Writer(draw)
    n = Var("n", "int32")
    relations = [_relation(w, (e.LE, e.LT, e.GE, e.GT, e.EQ), n) for _ in range(1 + draw(3))]
    return w.puzzle("inequalities", relations, free={n: draw(12) - 3}, numbers=(draw(3),))


def _inequalities(puzzle: Puzzle) -> None:
    """Check `solve_linear_inequalities`: narrow ranges and relations, and the system whose variables begin at 0."""
    variables, ranges = list(puzzle.loops), puzzle.ranges() if puzzle.numbers[0] else {}
    narrow = solve_linear_inequalities(puzzle.exprs, variables, ranges)
    assert isinstance(narrow, IntConstraints)
    for point in puzzle.points():
        expected = _hold(puzzle.exprs, point)
        if _admits(narrow, point) is not expected:
            raise puzzle.fail(puzzle.exprs, f"is {expected}, but not {narrow}", point)
    if ranges:
        shifted = solve_linear_inequalities(puzzle.exprs, variables, ranges, deskew_range=True)
        assert isinstance(shifted, IntConstraintsTransform)
        _check_transform(puzzle, shifted)


# ---- bounds of one variable


def _draw_group(draw: Draw) -> Puzzle:
    w = Writer(draw)
    count = 1 + draw(2)
    lower = [w.pick(w.affine(), w.const(draw(9) - 6)) for _ in range(count)]
    upper = [e.Add(bound, w.const(draw(9))) if draw(2) else w.const(draw(20)) for bound in lower]
    equal = [w.affine()] if draw(6) == 0 else []
    numbers = (1 + draw(4), len(lower), len(equal))
    return w.puzzle("group", [*lower, *equal, *upper], numbers=numbers)


def _group(puzzle: Puzzle) -> None:
    """Check that `find_best_range` has all values, and that the conditions of bounds are those bounds."""
    factor, first, count = puzzle.numbers
    lower, equal, upper = puzzle.exprs[:first], puzzle.exprs[first : first + count], puzzle.exprs[first + count :]
    bounds = IntGroupBounds(factor, lower, equal, upper)
    domain = bounds.find_best_range(puzzle.ranges())
    var = Var("x", "int32")
    conditions = list(bounds.conditions(var))
    for point in puzzle.points():
        lows, highs = ([evaluate(bound, point) for bound in each] for each in ((*equal, *lower), (*equal, *upper)))
        for value in range(-30, 60):
            is_possible = max(lows) <= factor * value <= min(highs)
            if _hold(conditions, {**point, var: value}) is not is_possible:
                raise puzzle.fail(bounds, f"has the conditions {conditions}, which differ for {value}", point)
            if is_possible and domain is not None and not _within(value, domain, point):
                raise puzzle.fail(bounds, f"has the range {domain}, which leaves out {value}", point)
    if domain is None:
        raise puzzle.fail(bounds, "has no range, but bounds on both sides", {})


#: law -> (draw a puzzle, check it)
LAWS: Final[dict[str, tuple[Callable[[Draw], Puzzle], Callable[[Puzzle], None]]]] = {
    "equations": (_draw_equations, require_defined(_equations)),
    "inequalities": (_draw_inequalities, require_defined(_inequalities)),
    "group": (_draw_group, require_defined(_group)),
}
