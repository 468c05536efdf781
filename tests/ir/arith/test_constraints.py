"""Solved systems have the solutions of the original, point by point, and the form that TVM gives them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.arith import (
    IntConstraints,
    IntConstraintsTransform,
    IntGroupBounds,
    solve_linear_equations,
    solve_linear_inequalities,
)
from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.arith.constraints.inequalities import solve_inequalities_as_conditions
from tvmscript.ir.tir import EQ, GE, GT, LE, LT, NE, CompareOp, Expr, FloorMod, IntImm, Range, Var

X, Y, Z, N = (Var(name, "int32") for name in "xyzn")
VARIABLES = (X, Y, Z, N)
#: where solutions are looked for
BOX = range(-3, 6)
#: values of the variables that are not solved for
PARAMETERS: list[int] = [-4, -1, 0, 3]


def number(value: int) -> IntImm:
    return IntImm("int32", value)


def linear(factors: Sequence[int], rest: int) -> Expr:
    total: Expr = number(rest)
    for factor, var in zip(factors, VARIABLES, strict=False):
        total = total + var * factor
    return total


FACTORS = st.lists(st.integers(-4, 4), min_size=4, max_size=4)
SUMS = st.builds(linear, FACTORS, st.integers(-6, 6))
RANGES = st.dictionaries(
    st.sampled_from(VARIABLES),
    st.builds(lambda low, size: Range(low, low + size), st.integers(-3, 3), st.integers(1, 6)),
)


def relations(*kinds: type[CompareOp]) -> st.SearchStrategy[list[Expr]]:
    one = st.builds(lambda cls, a, b: cls(a, number(b)), st.sampled_from(kinds), SUMS, st.integers(-6, 6))
    return st.lists(one, min_size=1, max_size=4)


EQUATIONS = st.builds(IntConstraints, st.integers(1, 3).map(lambda count: VARIABLES[:count]), RANGES, relations(EQ))
INEQUALITIES = st.builds(
    IntConstraints, st.integers(1, 3).map(lambda count: VARIABLES[:count]), RANGES, relations(EQ, LE, LT, GE, GT)
)


def holds(system: IntConstraints, values: Mapping[Var, int]) -> bool:
    """Whether a point is in the ranges and satisfies the relations."""
    for var, domain in system.ranges.items():
        if not 0 <= values[var] - evaluate(domain.min, values) < evaluate(domain.extent, values):
            return False
    return all(evaluate(relation, values) for relation in system.relations)


def points(variables: Sequence[Var], fixed: Mapping[Var, int]) -> Iterator[dict[Var, int]]:
    for point in itertools.product(BOX, repeat=len(variables)):
        yield {**fixed, **dict(zip(variables, point, strict=True))}


def parameters(system: IntConstraints) -> Iterator[dict[Var, int]]:
    """Some values, in their ranges, of the variables that are not solved for."""
    outer = [var for var in VARIABLES if var not in system.variables]
    domains = IntConstraints((), {var: system.ranges[var] for var in outer if var in system.ranges}, ())
    for point in itertools.product(PARAMETERS, repeat=len(outer)):
        values = dict(zip(outer, point, strict=True))
        if holds(domains, values):
            yield values


def check_one_direction(
    src: IntConstraints, dst: IntConstraints, there: Mapping[Var, Expr], back: Mapping[Var, Expr], fixed: dict[Var, int]
) -> None:
    """Each solution of `src` in the box is one of `dst`, and the way back leads to it."""
    for values in points(src.variables, fixed):
        if holds(src, values):
            image = {**fixed, **{var: evaluate(value, values) for var, value in there.items()}}
            assert holds(dst, image), f"{values} is lost as {image} in {dst}"
            assert all(evaluate(back[var], image) == values[var] for var in src.variables)


def check_transform(solved: IntConstraintsTransform) -> None:
    for fixed in parameters(solved.src):
        check_one_direction(solved.src, solved.dst, solved.dst_to_src, solved.src_to_dst, fixed)
        check_one_direction(solved.dst, solved.src, solved.src_to_dst, solved.dst_to_src, fixed)


PROPERTY = settings(max_examples=60, deadline=None)


@PROPERTY
@given(EQUATIONS)
def test_equations_keep_their_solutions(system: IntConstraints) -> None:
    check_transform(solve_linear_equations(system))


@PROPERTY
@given(INEQUALITIES)
def test_deskewed_inequalities_keep_their_solutions(system: IntConstraints) -> None:
    solved = solve_linear_inequalities(system, deskew_range=True)
    assert isinstance(solved, IntConstraintsTransform)
    check_transform(solved)


@PROPERTY
@given(INEQUALITIES)
def test_inequalities_keep_their_solutions(system: IntConstraints) -> None:
    solved = solve_linear_inequalities(system)
    assert isinstance(solved, IntConstraints)
    conditions = IntConstraints(
        (), {}, solve_inequalities_as_conditions(system.variables, system.ranges, system.relations)
    )
    for fixed in parameters(system):
        for values in points(system.variables, fixed):
            expected = holds(system, values)
            assert holds(solved, values) == expected
            assert holds(conditions, values) == expected


#: equations for x and y, ranges -> x and y, and the relations that are left: as TVM 0.17 has them
SOLUTIONS: list[tuple[list[Expr], dict[Var, Range], list[str], list[str]]] = [
    ([EQ(X + Y, number(20)), EQ(X - Y, number(10))], {}, ["15", "5"], []),
    ([EQ(X + Y, number(20))], {X: Range(0, 10), Y: Range(0, 20)}, ["n0 + 20", "0 - n0"], ["n0 <= -11"]),
    ([EQ(X * 2 + Y * 4, N + 20)], {}, ["n0 * 2 + n // 2 + 10", "0 - n0"], ["n % 2 == 0"]),
    ([EQ(X * 2 + Y * 4, number(7))], {}, [], ["T.bool(False)"]),
    ([EQ(X, Y), NE(FloorMod(X, number(3)), number(0))], {}, ["0 - n0", "0 - n0"], ["(0 - n0) % 3 != 0"]),
    ([], {}, ["n0_x", "n1_y"], []),
]


@pytest.mark.parametrize(("equations", "ranges", "values", "relations"), SOLUTIONS)
def test_solutions_of_equations(
    equations: list[Expr], ranges: dict[Var, Range], values: list[str], relations: list[str]
) -> None:
    solved = solve_linear_equations(equations, [X, Y], ranges)
    assert [str(value) for value in solved.src_to_dst.values()] == values
    assert list(map(str, solved.dst.relations)) == relations


WIDE = {X: Range(0, 100), Y: Range(0, 100)}
#: inequalities, variables, ranges -> the solved system: as TVM 0.17 has it
NARROWED: list[tuple[list[Expr], dict[Var, Range], str]] = [
    ([LE(X + Y, number(20)), GE(X - Y, number(10))], WIDE,
     "IntConstraints([x, y], {y: I.Range(0, 6), x: I.Range(y + 10, 11 + (y + 10))}, [x <= 20 - y])"),
    ([LE(X + Y, number(20)), GE(X - Y, number(10))], {},
     "IntConstraints([x, y], {x: I.Range(y + 10, 11 - y * 2 + (y + 10))}, [y <= 5])"),
    ([NE(X, Y), LT(X * N, number(3))], {}, "IntConstraints([x, y], {}, [x - y != 0, x * n - 2 <= 0])"),
    ([LT(X, number(3)), GT(X, number(5))], {}, "IntConstraints([], {}, [T.bool(False)])"),
]  # fmt: skip


@pytest.mark.parametrize(("inequalities", "ranges", "expected"), NARROWED)
def test_solutions_of_inequalities(inequalities: list[Expr], ranges: dict[Var, Range], expected: str) -> None:
    assert str(solve_linear_inequalities(inequalities, [X, Y], ranges)) == expected


def test_deskewed_variables_begin_at_zero() -> None:
    solved = solve_linear_inequalities([LE(X + Y, number(20)), GE(X - Y, number(10))], [X, Y], WIDE, deskew_range=True)
    assert str(solved) == (
        "IntConstraintsTransform("
        "\n\tIntConstraints([x, y], {x: I.Range(0, 100), y: I.Range(0, 100)}, [x + y <= 20, x - y >= 10])"
        "\n\tIntConstraints([x_shifted, y_shifted], {y_shifted: I.Range(0, 6), x_shifted: I.Range(0, 11)}, "
        "[y_shifted * 2 + x_shifted <= 10])"
        "\n\t{y: y_shifted, x: x_shifted + (y_shifted + 10)}"
        "\n\t{y_shifted: y, x_shifted: x - y - 10}\n)"
    )


def test_the_best_range_of_bounds() -> None:
    assert str(IntGroupBounds.from_range(Range(2, 7)).find_best_range()) == "I.Range(2, 7)"
    bounds = IntGroupBounds(2, [3, X], [], [30])
    assert str(bounds) == "IntGroupBounds(coef=2, lower=[3, x], equal=[], upper=[30])"
    assert str(bounds.find_best_range()) == "I.Range(2, 16)"
    assert str(bounds.find_best_range({X: Range(20, 30)})) == "I.Range((x + 1) // 2, 6 + (x + 1) // 2)"
    assert IntGroupBounds(1, [X], [], []).find_best_range() is None
