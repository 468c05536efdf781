"""Maps of indices: made of functions, applied to indices and shapes. Expected values were asked from real TVM."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.errors import TVMScriptError, WrongType
from tvmscript.ir.tir.expr import FloorDiv, IntImm, Ramp, Range, Var
from tvmscript.ir.tir.substitute import rename_definitions, substitute
from tvmscript.tir import IndexMap

tiles = IndexMap.from_func(lambda i, j: (j // 4, i, j % 4))


@pytest.mark.parametrize(
    ("index_map", "text"),
    [
        (tiles, "T.index_map(lambda i, j: (j // T.int64(4), i, j % T.int64(4)))"),
        (IndexMap.from_func(lambda i: i + 1), "T.index_map(lambda i: (i + T.int64(1),))"),
        (IndexMap.from_func(lambda i: 5), "T.index_map(lambda i: (5,))"),
        (IndexMap.from_func(lambda: ()), "T.index_map(lambda : ())"),
        (IndexMap.from_func(lambda i, *r: [i, *r], ndim=3), "T.index_map(lambda i, r_0, r_1: (i, r_0, r_1))"),
        (IndexMap.from_func(lambda i, *, j: (i, j)), "T.index_map(lambda i, j: (i, j))"),
        (IndexMap.from_func(lambda i: i * 2, index_dtype="int32"), "T.index_map(lambda i: (i * 2,))"),
        (
            IndexMap.from_func(lambda i: (i // 4, i % 4), inverse_index_map=lambda a, b: a * 4 + b),
            "T.index_map(lambda i: (i // T.int64(4), i % T.int64(4)), "
            "inverse_index_map=lambda a, b: (a * T.int64(4) + b,))",
        ),
    ],
)
def test_functions_become_maps(index_map: IndexMap, text: str) -> None:
    assert str(index_map) == text


@pytest.mark.parametrize(
    ("shape", "mapped"),
    [([3, 16], (4, 3, 4)), ([3, 18], (5, 3, 4)), ([T.int64(3), T.int64(16)], (4, 3, 4))],
)
def test_shapes(shape: list[Any], mapped: tuple[int, ...]) -> None:
    found = tiles.map_shape(shape)
    assert tuple(extent.value for extent in found) == mapped  # type: ignore[attr-defined]
    assert all(extent.dtype is getattr(shape[0], "dtype", "int32") or extent.dtype == "int32" for extent in found)


def test_shapes_of_variables() -> None:
    n = Var("n", "int64")
    found = tiles.map_shape([n, 16])
    assert found[1] is n
    assert [str(extent) for extent in (found[0], found[2])] == ["T.int64(4)", "T.int64(4)"]


@pytest.mark.parametrize(
    ("function", "shape", "mapped"),
    [
        (lambda i, j: (i + j,), [8, 4], (11,)),
        (lambda i, j: (i * 4 + j,), [8, 4], (32,)),
        (lambda i: (i // 3, i % 3), [7], (3, 3)),
        (lambda n, h, w, c: (n, c // 4, h, w, c % 4), [1, 8, 8, 16], (1, 4, 8, 8, 4)),
    ],
)
def test_shapes_of_other_maps(function: Callable[..., Any], shape: list[int], mapped: tuple[int, ...]) -> None:
    assert tuple(extent.value for extent in IndexMap.from_func(function).map_shape(shape)) == mapped  # type: ignore[attr-defined]


def test_indices() -> None:
    assert [index.value for index in tiles.map_indices([1, 9])] == [2, 1, 1]  # type: ignore[attr-defined]
    n = Var("n", "int64")
    high, same, _ = tiles.map_indices([n, n])
    assert same is n
    assert isinstance(high, FloorDiv)
    assert high.a is n


def test_ranges() -> None:
    low, _, inner = tiles.map_ranges(
        [Range.from_min_extent(T.int64(0), T.int64(3)), Range.from_min_extent(T.int64(8), T.int64(8))]
    )
    assert (str(low.min), str(low.extent)) == ("T.int64(2)", "T.int64(2)")
    assert str(inner.extent) == "T.int64(4)"


def test_axis_separators() -> None:
    index_map, separators = IndexMap.from_func_with_separators(lambda i, j: (j, IndexMap.AXIS_SEPARATOR, i))
    assert str(index_map) == "T.index_map(lambda i, j: (j, i))"
    assert separators == [1]
    with pytest.raises(WrongType, match="from_func_with_separators"):
        IndexMap.from_func(lambda i, j: (j, IndexMap.AXIS_SEPARATOR, i))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: IndexMap.from_func(lambda i: "x"), "indices as its results, but got 'x'"),
        (lambda: IndexMap.from_func(lambda i: i + 1.5), "an integer, but got float32"),
        (lambda: IndexMap((x := Var("x", "int32"),), (Ramp(x, IntImm("int32", 1), 4),)), "a number, but got int32x4"),
        (lambda: IndexMap((Var("x", "int32"),), (Var("p", "handle"),)), "a number, but got handle"),
        (lambda: IndexMap.from_func(lambda *a: a), "the number of indices"),
        (lambda: IndexMap.from_func(lambda i: i, ndim=2), "a function of 2 indices, but got 1"),
        (lambda: IndexMap.from_func(lambda **kw: 1), "indices by position"),
        (lambda: tiles.map_shape([4]), "map_shape takes 2 of them|map_ranges takes 2 of them"),
        (lambda: tiles.map_indices([1, 2, 3]), "map_indices takes 2 of them, but got 3"),
        (lambda: IndexMap.from_func(lambda i: i + 1).map_shape([8]), "indices that begin at 0"),
    ],
)
def test_refusals(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TVMScriptError, match=message):
        make()


def test_equality_is_up_to_names() -> None:
    other = IndexMap.from_func(lambda a, b: (b // 4, a, b % 4))
    assert structural_equal(tiles, other)
    assert structural_hash(tiles) == structural_hash(other)
    assert not structural_equal(tiles, IndexMap.from_func(lambda a, b: (b // 4, a, b % 8)))
    assert not structural_equal(tiles, IndexMap.from_func(lambda a, b: (a // 4, b, a % 4)))
    assert structural_equal(pickle.loads(pickle.dumps(tiles)), tiles)
    assert structural_equal(copy.deepcopy(tiles), tiles)


def test_equivalence_is_up_to_simplification() -> None:
    assert tiles.is_equivalent_to(IndexMap.from_func(lambda a, b: ((b + 4) // 4 - 1, a, b % 4)))
    assert not tiles.is_equivalent_to(IndexMap.from_func(lambda a, b: (a, b, 0)))
    assert not tiles.is_equivalent_to(IndexMap.from_func(lambda a: (a, a, 0)))


def test_variables_from_outside_are_replaced() -> None:
    n = Var("n", "int64")
    shifted = IndexMap.from_func(lambda i: i + n)
    assert str(substitute(shifted, {n: T.int64(3)})) == "T.index_map(lambda i: (i + T.int64(3),))"
    fresh = rename_definitions(tiles)
    assert fresh.initial_indices[0] is not tiles.initial_indices[0]
    assert structural_equal(fresh, tiles)


#: map, shape -> the inverse and where results are padding, as TVM 0.17 says
INVERSES = [
    (lambda i, j: (j, i), [4, 8], "lambda axis0, axis1: (axis1, axis0)", "T.bool(False)"),
    (lambda i, j: (i * 8 + j,), [4, 8], "lambda axis0: (axis0 // T.int64(8), axis0 % T.int64(8))", "T.bool(False)"),
    (lambda i: (15 - i,), [16], "lambda axis0: (T.int64(15) - axis0,)", "T.bool(False)"),
    (
        lambda i: (i // 4, i % 4),
        [14],
        "lambda axis0, axis1: (axis0 * T.int64(4) + axis1,)",
        "axis0 == T.int64(3) and T.int64(2) <= axis1",
    ),
    (
        lambda i: ((i + 1) // 4, (i + 1) % 4),
        [14],
        "lambda axis0, axis1: (axis0 * T.int64(4) + axis1 - T.int64(1),)",
        "axis0 == T.int64(0) and axis1 < T.int64(1) or axis0 == T.int64(3) and axis1 == T.int64(3)",
    ),
    (
        lambda i, j: (i // 4, j // 8, i % 4, j % 8),
        [15, 61],
        "lambda axis0, axis1, axis2, axis3: (axis0 * T.int64(4) + axis2, axis1 * T.int64(8) + axis3)",
        "axis0 == T.int64(3) and axis2 == T.int64(3) or axis1 == T.int64(7) and T.int64(5) <= axis3",
    ),
]


@pytest.mark.parametrize(("mapping", "shape", "inverse", "padding"), INVERSES)
def test_inverses(mapping: Callable[..., Any], shape: list[int], inverse: str, padding: str) -> None:
    index_map = IndexMap.from_func(mapping)
    made, predicate = index_map.non_surjective_inverse(shape)
    assert str(made) == f"T.index_map({inverse})"
    assert str(predicate) == padding
    if padding == "T.bool(False)":
        assert str(index_map.inverse(shape)) == f"T.index_map({inverse})"
    else:
        with pytest.raises(NotInvertible, match="has no inverse over this shape"):
            index_map.inverse(shape)


def test_inverses_of_ranges_and_of_unit_axes() -> None:
    tens = IndexMap.from_func(lambda i: (i - 10,))
    assert (
        str(tens.inverse([Range.from_min_extent(T.int64(10), T.int64(6))]))
        == "T.index_map(lambda axis0: (axis0 + T.int64(10),))"
    )
    first = IndexMap.from_func(lambda i, j: (i,))
    assert str(first.inverse([8, 1])) == "T.index_map(lambda axis0: (axis0, T.int64(0)))"


def test_a_given_inverse_is_taken_at_its_word() -> None:
    made = IndexMap.from_func(lambda i: (i // 4, i % 4), inverse_index_map=lambda a, b: a * 4 + b)
    assert made.inverse([16]) is made.inverse_index_map
    assert str(made.non_surjective_inverse([15])[1]) == "T.bool(False)"


@pytest.mark.parametrize(
    ("mapping", "shape", "reason"),
    [
        (lambda i, j: (i,), [4, 2], "no result depends on j"),
        (lambda i: (i % 4,), [16], "several indices have the same results"),
        (lambda i, j: (i * j,), [4, 4], "product of iterators"),
        (lambda i: (i * 2,), [4], "left over"),
    ],
)
def test_maps_without_inverse(mapping: Callable[..., Any], shape: list[int], reason: str) -> None:
    with pytest.raises(NotInvertible, match=reason):
        IndexMap.from_func(mapping).non_surjective_inverse(shape)


def test_arrays() -> None:
    """Elements go where the map says, of any dtype."""
    values = np.arange(24, dtype="int8").reshape(4, 6)
    tiled = IndexMap.from_func(lambda i, j: (j // 3, i, j % 3), index_dtype="int32").map_ndarray(values)
    assert (tiled.dtype, tiled.shape) == ("int8", (2, 4, 3))
    np.testing.assert_array_equal(tiled.numpy(), values.reshape(4, 2, 3).transpose(1, 0, 2))
    narrow = tvmscript.nd.array([[1.0, 2.0], [3.0, 4.0]], "bfloat16")
    swapped = IndexMap.from_func(lambda i, j: (j, i)).map_ndarray(narrow)
    assert (swapped.dtype, swapped.numpy().tolist()) == ("bfloat16", [[1.0, 3.0], [2.0, 4.0]])
    with pytest.raises(WrongType, match=r"with 6 places, but got one to the shape \(2, 4\)"):
        IndexMap.from_func(lambda i: (i // 4, i % 4)).map_ndarray(np.arange(6))
