"""What is said of iteration maps is so, for every value of the iterators."""

from __future__ import annotations

import itertools
from math import prod

import pytest

from tests.ir.arith.iter_map.programs import Case, extent, random_case
from tvmscript.arith import (
    IterMapLevel,
    detect_iter_map,
    inverse_affine_iter_map,
    iter_map_simplify,
    normalize_iter_map_to_expr,
    normalize_to_iter_sum,
    subspace_divide,
)
from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import GE, LT, And, Range
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.var import Var

CASES = 240


def values(exprs: list[Expr], case: Case) -> list[tuple[int, ...]]:
    return [tuple(evaluate(expr, point) for expr in exprs) for point in case.points()]


@pytest.mark.parametrize("seed", range(CASES))
def test_detected_maps_are_what_they_are_said_to_be(seed: int) -> None:
    case = random_case(seed)
    found = detect_iter_map(case.indices, case.domains, case.predicate, case.level)
    assert bool(found.errors) is not bool(found.indices)
    if not found.indices:
        return
    expected = values(case.indices, case)
    assert values([normalize_iter_map_to_expr(index) for index in found.indices], case) == expected
    if case.level != "nocheck" and expected:
        sizes = [prod([evaluate(split.extent, {}) for split in index.args]) for index in found.indices]
        assert len(set(expected)) == prod(sizes)
        assert [len(set(axis)) for axis in zip(*expected, strict=True)] == sizes
    if case.level == "bijective":
        assert len(set(expected)) == len(expected)


def test_many_cases_are_iteration_maps() -> None:
    found = [detect_iter_map(case.indices, case.domains).indices for case in map(random_case, range(CASES))]
    assert sum(map(bool, found)) > CASES // 3


@pytest.mark.parametrize("seed", range(CASES))
def test_other_forms_have_the_same_values(seed: int) -> None:
    case = random_case(seed)
    expected = values(case.indices, case)
    assert values(iter_map_simplify(case.indices, case.domains, case.predicate, case.level), case) == expected
    sums = [normalize_to_iter_sum(index, case.domains) for index in case.indices]
    assert values([normalize_iter_map_to_expr(total) for total in sums], case) == expected


@pytest.mark.parametrize("seed", range(CASES))
def test_inverses_lead_back(seed: int) -> None:
    case = random_case(seed)._replace(predicate=True)
    found = detect_iter_map(case.indices, case.domains, True, IterMapLevel.Bijective, False)
    if not found.indices:
        return
    outputs = [Var(f"out{place}", "int32") for place in range(len(case.indices))]
    inverse = inverse_affine_iter_map(found.indices, outputs)
    for point in case.points():
        results = dict(zip(outputs, [evaluate(index, point) for index in case.indices], strict=True))
        assert {var: evaluate(value, results) for var, value in inverse.items()} == {
            var: value for var, value in point.items() if var in inverse
        }
        assert all(extent(case.domains[var]) == 1 for var in point if var not in inverse)


@pytest.mark.parametrize("seed", range(CASES))
def test_divided_spaces_are_the_whole_space(seed: int) -> None:
    case = random_case(seed)
    for inner in ([], list(case.domains)[1:], list(case.domains)[:1], list(case.domains)):
        divided = subspace_divide(case.indices, case.domains, inner, case.predicate, case.level)
        if not divided:
            continue
        *pairs, (outer_predicate, inner_predicate) = divided
        for point in case.points():
            for index, (outer, inside) in zip(case.indices, pairs, strict=True):
                high, low = (normalize_iter_map_to_expr(mark.source) for mark in (outer, inside))
                together = evaluate(high, point) * evaluate(inside.extent, {}) + evaluate(low, point)
                assert together == evaluate(index, point)
            assert evaluate(outer_predicate.extent, point) == 1
            assert evaluate(inner_predicate.extent, point) == 1


def test_overlapping_sums_have_no_inverse() -> None:
    first, second, out = (Var(name, "int32") for name in ("i", "j", "out"))
    domain = Range.from_min_extent(as_expr(0), as_expr(4))
    found = detect_iter_map([first * 2 + second], {first: domain, second: domain})
    with pytest.raises(WrongType, match="digits that do not overlap"):
        inverse_affine_iter_map(found.indices, [out])


def _loops(*extents: int) -> dict[Var, Range]:
    return {
        Var(name, "int32"): Range.from_min_extent(as_expr(0), as_expr(size))
        for name, size in zip("ijk", extents, strict=False)
    }


def test_parts_of_bounded_sums() -> None:
    """TVM accepts [i] under i * 4 + j < 12, where i is never 3; below 13 it is."""
    loops = _loops(4, 4)
    i, j = loops
    for limit, is_one in ((13, True), (12, False)):
        assert bool(detect_iter_map([i], loops, i * 4 + j < limit).indices) is is_one
    assert not detect_iter_map([i], loops, And(i * 4 + j >= 4, i * 4 + j < 13)).indices
    assert detect_iter_map([i], loops, And(i * 4 + j >= 3, i * 4 + j < 13)).indices
    # the last part of a bounded sum is looked for together with the others, as in TVM
    assert not detect_iter_map([i, j], loops, i * 4 + j < 16).indices


@pytest.mark.parametrize("extents", [(4, 4), (3, 2), (2, 3, 4), (2, 1, 3), (5, 2, 2)])
def test_parts_of_bounded_sums_take_all_values(extents: tuple[int, ...]) -> None:
    """Any parts of a sum, under any bounds: they are an iteration map where every combination of values is left."""
    loops = _loops(*extents)
    total: Expr = as_expr(0)
    for var, size in zip(loops, extents, strict=True):
        total = total * size + var
    whole = prod(extents)
    accepted = refused = 0
    for count in range(1, len(extents) + 1):
        for parts in itertools.combinations(loops, count):
            for low, high in itertools.combinations(range(-1, whole + 2), 2):
                predicate = And(GE(total, as_expr(low)), LT(total, as_expr(high)))
                case = Case(list(parts), loops, predicate, "surjective")
                combinations = set(values(case.indices, case))
                if not combinations:
                    continue
                is_whole = len(combinations) == prod(extent(loops[var]) for var in parts)
                found = bool(detect_iter_map(case.indices, loops, predicate).indices)
                assert is_whole or not found, (parts, low, high)
                if list(loops)[-1] not in parts:  # which is looked for together with the others
                    accepted += found
                    refused += is_whole and not found
    assert accepted > 5 * refused
