"""Numbers of mixed radix are recognized, and are what the search for digits finds."""

from __future__ import annotations

import itertools

import pytest

from tvmscript.arith import IterMapLevel, detect_iter_map, iter_map_simplify
from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.arith.iter_map.mixed_radix import are_digits, match_mixed_radix
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.tir.expr import IntImm, Range
from tvmscript.ir.tir.var import Var

X, Y, Z, N = (Var(name, "int32") for name in "xyzn")
LOOPS = {
    var: Range.from_min_extent(IntImm("int32", 0), IntImm("int32", size)) for var, size in ((X, 3), (Y, 4), (Z, 5))
}


@pytest.mark.parametrize(
    "indices",
    [
        [X],
        [X * 4 + Y],
        [X * 20 + Y * 5 + Z],
        [Z * 12 + X * 4 + Y],
        [Y, Z * 3 + X],
        [IntImm("int32", 2), X],
    ],
    ids=str,
)
def test_numbers_are_digits(indices: list[object]) -> None:
    exprs = [IntImm("int32", index) if isinstance(index, int) else index for index in indices]
    assert are_digits(exprs, LOOPS)  # type: ignore[arg-type]
    assert detect_iter_map(exprs, LOOPS, True, IterMapLevel.Surjective).indices  # type: ignore[arg-type]
    assert all(map(structural_equal, iter_map_simplify(exprs, LOOPS), exprs))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "indices",
    [
        [X * 4 + Z],  # values between are missing, or met twice
        [X * 3 + Y],
        [X * 4 + Y, Y],
        [X * 4 + Y + X],
        [Y + X * 4],
        [X * 4 + Y + 1],
        [X // 2],
        [X * Y],
        [X - Y],
        [N + X],
        [N],
    ],
    ids=str,
)
def test_others_are_not(indices: list[object]) -> None:
    assert not are_digits(indices, LOOPS)  # type: ignore[arg-type]


def test_iterators_of_one_value_or_another_start() -> None:
    one = LOOPS | {X: Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 1))}
    assert are_digits([X], one, simplify_trivial_iterators=False)
    assert not are_digits([X], one)
    assert not are_digits([X * 4 + Y], one, simplify_trivial_iterators=False)
    assert not are_digits([X], {X: Range.from_min_extent(IntImm("int32", 1), IntImm("int32", 3))})
    assert not are_digits([X], {X: Range.from_min_extent(IntImm("int32", 0), N)})


def test_base() -> None:
    """All values of `base + [0, size)` are taken."""
    index = N * 2 + X * 4 + Y
    numbers = match_mixed_radix([index, N - 1, Z], LOOPS)
    assert numbers is not None
    assert [number.size for number in numbers] == [12, 1, 5]
    assert numbers[1].base is not None
    assert numbers[2].base is None
    base = numbers[0].base
    assert base is not None
    for n in (0, 7):
        points = [{N: n, X: x, Y: y} for x, y in itertools.product(range(3), range(4))]
        assert {evaluate(index, point) for point in points} == {evaluate(base, {N: n}) + value for value in range(12)}
