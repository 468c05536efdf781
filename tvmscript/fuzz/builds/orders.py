"""Kernels of operators whose results depend on an order, beside NumPy: sorts, first elements, running sums."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.builds.building import build_scheduled
from tvmscript.fuzz.codegen.running import first_difference
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.ir.core import IRModule
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.topi.scan import cumprod, cumsum
from tvmscript.ir.topi.sort import argsort, sort, topk

_OPERATORS: Final = ("sort", "argsort", "topk", "cumsum", "cumprod")
#: places of 64 bits are sorted by digits, other rows in vectors
_DTYPES: Final = ("float32", "float64", "int32", "int64", "float64", "int64", "int16")


@dataclass(frozen=True)
class Ordering:
    """An operator on rows of integers or floats, many of which may be equal."""

    operator: str
    shape: tuple[int, ...]
    axis: int
    dtype: str
    #: the elements that `topk` returns
    count: int
    #: ascending, or exclusive sums
    flag: bool
    seed: int
    target: str


def draw(rng: random.Random, target: str) -> Ordering:
    """Draw an operator, rows around the lengths of runs, vectors and sorts by digits, and the axis of the rows."""

    def pick(*items: int) -> int:
        return items[int(rng.random() * len(items))]

    shape = tuple(pick(1, 2, 3, 8, 9, 16, 33, 70, 130, 300) for _ in range(pick(1, 2, 2, 3)))
    axis = pick(*range(len(shape)))
    return Ordering(
        _OPERATORS[pick(*range(len(_OPERATORS)))],
        shape,
        axis,
        _DTYPES[pick(*range(len(_DTYPES)))],
        1 + int(rng.random() * shape[axis]),
        rng.random() < 0.5,
        int(rng.random() * 2**32),
        target,
    )


def check(example: Ordering) -> None:
    """Raises `LevelsDisagree`."""
    rng = np.random.default_rng(example.seed)
    most = 4 if example.operator in ("cumsum", "cumprod") else 4 ** int(rng.integers(1, 8))
    values = rng.integers(1 - most, most, example.shape).astype(example.dtype)
    if example.operator == "cumprod":
        values = np.sign(values) + (values == 0)  # products of larger numbers overflow
    elif example.operator != "cumsum" and values.dtype.kind == "f":
        values[tuple(int(rng.integers(size)) for size in example.shape)] = np.nan
    data = placeholder(example.shape, example.dtype, "A")
    output, expected = _call(example, data, values)
    func = create_prim_func([data, output]).with_attr("global_symbol", "main")
    result = np.zeros(expected.shape, expected.dtype)
    build_scheduled(IRModule({"main": func}), example.target)["main"](values, result)
    at = first_difference(expected, result, None)
    if at is not None:
        raise LevelsDisagree(
            name="a build", other="NumPy", buffer="the result", index=[*at], before=expected[at], after=result[at]
        )


def _call(example: Ordering, data: Any, values: Any) -> tuple[Any, Any]:
    """Return the tensor of the operator, and what NumPy computes."""
    axis, flag = example.axis, example.flag
    if example.operator == "cumsum":
        return cumsum(data, axis, exclusive=flag), _accumulated(
            np.cumsum(values, axis, values.dtype), axis, 0 if flag else None
        )
    if example.operator == "cumprod":
        return cumprod(data, axis, exclusive=flag), _accumulated(
            np.cumprod(values, axis, values.dtype), axis, 1 if flag else None
        )
    # NaN is the largest; equal elements keep their order
    ranks = np.unique(values, return_inverse=True, equal_nan=True)[1].reshape(values.shape)
    order = np.argsort(ranks if flag else -ranks, axis, kind="stable")
    if example.operator == "sort":
        return sort(data, axis, flag), np.take_along_axis(values, order, axis)
    if example.operator == "argsort":
        return argsort(data, None, axis, flag, "int64"), order
    first_ones = np.take(order, range(example.count), axis)
    return topk(data, example.count, axis, "indices", flag, "int64"), first_ones


def _accumulated(results: Any, axis: int, first: int | None) -> Any:
    """Return running results, one place further behind `first` where they are exclusive."""
    if first is None:
        return results
    results = np.roll(results, 1, axis)
    results[(slice(None),) * axis + (0,)] = first
    return results
