"""Sorts of rows as words, in vectors and by digits, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.ir.core import DType, Target, nodes
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.expr import Shuffle
from tvmscript.ir.topi import bitonic_sort
from tvmscript.ir.topi.sorted_words import packs_positions, sorts_keys, sorts_order

DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint64")
#: one row of a vector, rows that stay in registers, rows in the first cache, and more; with and without words left over
SIZES = (17, 32, 33, 63, 64, 65, 100, 128, 257, 500, 1024, 1500, 5000)
TARGETS = ("llvm -mcpu=x86-64", "llvm -mcpu=haswell")


@cache
def _program(kind: str, dtype: str, size: int, rows: int, is_ascend: bool, count: int = 1) -> PrimFunc:
    data = te.placeholder((rows, size), dtype, "A")
    results: dict[str, Callable[[], Any]] = {
        "sort": lambda: [topi.sort(data, 1, is_ascend)],
        "argsort": lambda: [topi.argsort(data, axis=1, is_ascend=is_ascend, dtype="int32")],
        "topk": lambda: topi.topk(data, count, 1, "both", is_ascend, "int32"),
    }
    func: Any = te.create_prim_func([data, *results[kind]()])
    program: PrimFunc = func
    return program


@cache
def _built(target: str, *program: Any) -> Any:
    return tvmscript.build(_program(*program), target)["main"]


def _numbers(dtype: str, shape: tuple[int, int], seed: int) -> Any:
    """Return numbers of which some are equal, and of floats some are nan, infinite and zeros of both signs."""
    random = np.random.default_rng(seed)
    numpy_dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if numpy_dtype.kind in "iu":
        limits = np.iinfo(numpy_dtype)
        most = min(limits.max, 40) if seed % 2 else limits.max
        return random.integers(max(limits.min, -most), most, shape, numpy_dtype, endpoint=True)
    values = np.round(random.standard_normal(shape) * 4) if seed % 2 else random.standard_normal(shape)
    for special in (np.nan, np.inf, -np.inf, 0.0, -0.0):
        values[random.random(shape) < 0.02] = special
    return values.astype(numpy_dtype)


def _stable_order(numbers: Any, is_ascend: bool) -> Any:
    """Return the stable order: nan is the greatest number, and the first one where the order is descending."""
    if numbers.dtype.kind in "iu":
        return np.argsort(numbers if is_ascend else ~numbers, axis=1, kind="stable")
    wide = numbers.astype("float64")
    if is_ascend:
        return np.argsort(wide, axis=1, kind="stable")
    backwards = np.argsort(wide[:, ::-1], axis=1, kind="stable")[:, ::-1]
    return wide.shape[1] - 1 - backwards


def _exact(numbers: Any) -> Any:
    """Return numbers in a dtype that NumPy knows."""
    return numbers.astype("float32") if numbers.dtype.kind == "V" else numbers


#: each dtype with a size, a dtype with each size, and other processors
CASES = (
    *((dtype, size, "llvm") for dtype, size in zip(DTYPES, SIZES, strict=False)),
    *(("float32", size, "llvm") for size in SIZES),
    *((dtype, 100, target) for dtype in ("uint16", "int32", "float64") for target in TARGETS),
)


@pytest.mark.parametrize("is_ascend", [True, False])
@pytest.mark.parametrize(("dtype", "size", "target"), CASES)
def test_rows_are_sorted_as_numpy_does(dtype: str, size: int, target: str, is_ascend: bool) -> None:
    for seed in range(4):
        numbers = _numbers(dtype, (3, size), seed)
        order = _stable_order(numbers, is_ascend)
        results, places = np.empty_like(numbers), np.empty((3, size), "int32")
        _built(target, "sort", dtype, size, 3, is_ascend)(numbers, results)
        np.testing.assert_array_equal(_exact(results), _exact(np.take_along_axis(numbers, order, 1)))
        _built(target, "argsort", dtype, size, 3, is_ascend)(numbers, places)
        np.testing.assert_array_equal(places, order)


@pytest.mark.parametrize("dtype", ["float32", "int16", "int64"])
@pytest.mark.parametrize(("size", "count"), [(40, 1), (40, 9), (300, 4), (300, 60), (300, 300)])
def test_first_elements_and_their_places(dtype: str, size: int, count: int) -> None:
    numbers = _numbers(dtype, (2, size), 7)
    values, places = np.empty((2, count), numbers.dtype), np.empty((2, count), "int32")
    _built("llvm", "topk", dtype, size, 2, False, count)(numbers, values, places)
    order = _stable_order(numbers, is_ascend=False)[:, :count]
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(values, np.take_along_axis(numbers, order, 1))


@pytest.mark.parametrize("dtype", ["uint16", "float32", "int64"])
@pytest.mark.parametrize("size", [17, 40, 130])
def test_the_interpreter_sorts_the_same(dtype: str, size: int) -> None:
    numbers = _numbers(dtype, (1, size), 3)
    results = np.empty_like(numbers)
    _built("interp", "sort", dtype, size, 1, True)(numbers, results)
    np.testing.assert_array_equal(results, np.sort(numbers, 1))


def test_elements_from_a_count_on_stay() -> None:
    data, count = te.placeholder((3, 100), "float32", "A"), te.placeholder((3,), "int32", "count")
    order = topi.argsort(data, count, 1, dtype="int32")
    func: Any = te.create_prim_func([data, count, order])
    numbers, places = _numbers("float32", (3, 100), 5), np.empty((3, 100), "int32")
    counts = np.array([0, 37, 100], "int32")
    tvmscript.build(func)["main"](numbers, counts, places)
    for row, number in enumerate(counts):
        first = _stable_order(numbers[row : row + 1, :number], is_ascend=True)[0]
        np.testing.assert_array_equal(places[row], [*first, *range(number, 100)])


def test_what_is_sorted_in_vectors() -> None:
    """Long rows of words by digits, short ones by comparisons; GPUs have no vectors."""
    for size, is_network in ((16, False), (17, True), (1 << 17, True), ((1 << 17) + 1, False)):
        assert bitonic_sort.has_network(32, size) is is_network
    assert not bitonic_sort.has_network(8, 100)
    assert not bitonic_sort.has_network(32, None)
    with Target.make("cuda -arch=sm_90a"):
        assert not bitonic_sort.has_network(32, 100)
    assert packs_positions(DType("float32"), 100)
    assert not packs_positions(DType("float64"), 100)
    assert packs_positions(DType("int16"), 1 << 16)
    assert not packs_positions(DType("int16"), (1 << 16) + 1)
    for size, is_sorted in ((17, True), (1 << 20, True), (16, False)):
        assert sorts_keys(DType("int8"), size) is is_sorted
    assert sorts_order(DType("float64"), 96)
    assert not sorts_order(DType("float64"), 95)
    assert not sorts_keys(DType("bool"), 100)
    has_shuffles = [
        any(isinstance(node, Shuffle) for node in nodes(_program("sort", "int32", n, 3, True).body)) for n in (16, 17)
    ]
    assert has_shuffles == [False, True]


def test_rows_that_do_not_stay_in_a_cache() -> None:
    """Exchanges at long distances go through all rows, those at short ones through parts."""
    numbers = _numbers("int64", (1, 40_000), 2)
    results = np.empty_like(numbers)
    _built("llvm", "sort", "int64", 40_000, 1, True)(numbers, results)
    np.testing.assert_array_equal(results, np.sort(numbers, 1))
