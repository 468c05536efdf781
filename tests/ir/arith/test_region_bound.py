"""Bounds of regions agree with TVM 0.17 and with enumeration of small domains."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.ir.arith.test_rules import NAMES, read
from tvmscript.arith import (
    IntervalSet,
    estimate_region_lower_bound,
    estimate_region_strict_bound,
    estimate_region_upper_bound,
)
from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.tir.expr import IntImm, Range, Var

Domains = dict[Var, Range]


def domains(first: int, second: int) -> Domains:
    """Ranges of i and j from zero on."""
    zero = IntImm("int32", 0)
    return {
        NAMES["i"]: Range.from_min_extent(zero, IntImm("int32", first)),
        NAMES["j"]: Range.from_min_extent(zero, IntImm("int32", second)),
    }


def region(*parts: tuple[str, str]) -> list[Range]:
    return [Range.from_min_extent(read(first), read(extent)) for first, extent in parts]


def shown(sets: list[IntervalSet] | None) -> str | None:
    return None if sets is None else " ".join(f"[{one.min_value}, {one.max_value}]" for one in sets)


#: region, extents of i and j, predicate, lower (and strict) bound, upper bound: as TVM 0.17 says
CASES = [
    ([("i * 8 + j", "1")], (4, 8), "", "[0, 31]", "[0, 31]"),
    ([("i * 8 + j", "1"), ("i", "1")], (4, 8), "", None, "[0, 31] [0, 3]"),
    ([("i * 8 + j", "1")], (4, 8), "i * 8 + j < 30", "[0, 29]", "[0, 29]"),
    ([("i * 8 + j", "8")], (4, 8), "i * 8 + j < 30", "[0, 36]", "[0, 36]"),
    ([("i * 8", "4")], (4, 8), "", None, "[0, 27]"),
    ([("i * 8", "8")], (4, 8), "", "[0, 31]", "[0, 31]"),
    ([("i * 8", "9")], (4, 8), "", "[0, 32]", "[0, 32]"),
    ([("i * 8", "n")], (4, 8), "", None, "[0, n + 23]"),
    ([("i * 8 + k", "8"), ("k", "3"), ("j // 4", "1"), ("j % 4", "1")], (4, 8), "",
     "[k, k + 31] [k, k + 2] [0, 1] [0, 3]", "[k, k + 31] [k, k + 2] [0, 1] [0, 3]"),
    ([("i // 4 * 20 + i % 4", "8"), ("j", "3")], (16, 8), "", None, "[0, 70] [0, 9]"),
    ([("i // 4 * 20 + i % 4 + k", "n"), ("j", "3")], (16, 8), "", None, "[k, k + n + 62] [0, 9]"),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "extents", "predicate", "lower", "upper"), CASES)
def test_bounds(
    parts: list[tuple[str, str]], extents: tuple[int, int], predicate: str, lower: str | None, upper: str
) -> None:
    condition = read(predicate) if predicate else True
    given = region(*parts)
    assert shown(estimate_region_strict_bound(given, domains(*extents), condition)) == lower
    assert shown(estimate_region_lower_bound(given, domains(*extents), condition)) == lower
    assert shown(estimate_region_upper_bound(given, domains(*extents), condition)) == upper


def test_every_point() -> None:
    """Strict bounds are exactly the points of a region, upper bounds contain them."""
    numbers, exact = random.Random(3), 0
    texts = [
        "i * {a} + j",
        "i + {a}",
        "(i * {b} + j) // {a}",
        "(i * {b} + j) % {a}",
        "i * {a} + j // 2",
        "{a} - i",
        "9 - i * {a} - j",
        "j",
    ]
    for _ in range(120):
        a, b, first, second = (numbers.choice((1, 2, 3, 4, 6, 8)) for _ in range(4))
        text, extent = numbers.choice(texts).format(a=a, b=b), numbers.choice((1, 2, 4))
        given, loops = region((text, str(extent))), domains(first, second)
        points = {
            evaluate(given[0].min, dict(zip(loops, point, strict=True))) + more
            for point in itertools.product(range(first), range(second))
            for more in range(extent)
        }
        strict = estimate_region_strict_bound(given, loops)
        if strict is not None:
            exact += 1
            assert points == members(strict[0]), text
        assert points <= members(estimate_region_upper_bound(given, loops)[0]), text
    assert exact > 60


def members(one: IntervalSet) -> set[int]:
    return set(range(evaluate(one.min_value, {}), evaluate(one.max_value, {}) + 1))


def test_bounds_of_sums_of_loops() -> None:
    """What is bounded is a sum: a part of it takes fewer values than its loop, which ones is not looked for."""
    parts = region(("i", "2"))
    assert estimate_region_strict_bound(parts, domains(3, 8), read("i * 8 + j < 16")) is None
    assert estimate_region_strict_bound(parts, domains(3, 8), read("i < 2")) is not None


def test_loops_of_one_value() -> None:
    """A loop that a predicate leaves one value takes no other one."""
    found = estimate_region_strict_bound(region(("i % 3 // 2", "4")), domains(3, 1), read("i >= 2"))
    assert found is None
    assert shown(estimate_region_upper_bound(region(("i % 3 // 2", "4")), domains(3, 1))) == "[0, 4]"


def test_loops_that_run_backwards() -> None:
    """(1 - i) // 2 for i from 0 to 1 is 0, which no digit of a negative length is."""
    found = estimate_region_strict_bound(region(("(3 - i) // 2", "1")), domains(2, 1))
    assert found is None or shown(found) == "[1, 1]"
    assert shown(estimate_region_upper_bound(region(("(4 - i) // 2", "1")), domains(4, 1))) == "[0, 2]"
