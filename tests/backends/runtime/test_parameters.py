"""Calls of built functions: by name, with arguments converted once, with outputs that the call allocates."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.errors import (
    NotAnArray,
    ReadOnlyArray,
    UndecidedShape,
    WrongKeywords,
    WrongNumberOfArguments,
)

SCALE = """
@T.prim_func
def scale(a: T.handle, B: T.Buffer((4,), "float32"), c: T.handle, factor: T.float32):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    C = T.match_buffer(c, (n * 2, 4), "float32")
    for i, j in T.grid(n, 4):
        C[i, j] = A[i] * factor
        C[n + i, j] = A[i] + B[j]
"""
SMALL_FLOATS = """
@T.prim_func
def convert(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "bfloat16"), C: T.Buffer((3,), "float32")):
    for i in range(3):
        B[i] = T.Cast("bfloat16", A[i])
        C[i] = A[i] * T.float32(2)
"""
A, B = np.arange(3, dtype="float32"), np.ones(4, "float32")
EXPECTED = np.concatenate([np.repeat(A[:, None] * 2, 4, 1), np.repeat(A[:, None] + 1, 4, 1)])


@pytest.fixture(params=["llvm", "interp"])
def scale(request: pytest.FixtureRequest) -> Any:
    return tvmscript.build(tvmscript.from_source(SCALE), target=request.param)["scale"]


def test_calls_by_name(scale: Any) -> None:
    out = np.zeros((6, 4), "float32")
    scale(A, factor=2.0, c=out, B=B)
    np.testing.assert_array_equal(out, EXPECTED)
    assert list(inspect.signature(scale).parameters) == ["a", "B", "c", "factor"]


def test_empty_keywords(scale: Any) -> None:
    out = np.zeros((6, 4), "float32")
    nothing: dict[str, Any] = {}
    scale(*(A, B, out, 2.0), **nothing)
    np.testing.assert_array_equal(out, EXPECTED)


def test_bound_calls(scale: Any) -> None:
    values, out = A.copy(), np.zeros((6, 4), "float32")
    values.flags.writeable = False
    run = scale.bind(values, B, factor=2.0, c=out)
    run()
    np.testing.assert_array_equal(out, EXPECTED)
    out[:] = 0
    run()
    np.testing.assert_array_equal(out, EXPECTED)


def test_allocated_outputs(scale: Any) -> None:
    np.testing.assert_array_equal(scale(A, B, ..., 2.0), EXPECTED)
    np.testing.assert_array_equal(scale(A, B, factor=2.0, c=...), EXPECTED)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_several_outputs_of_which_numpy_has_one(target: str) -> None:
    small, plain = tvmscript.build(tvmscript.from_source(SMALL_FLOATS), target=target)["convert"](A, ..., ...)
    assert isinstance(small, NDArray)
    np.testing.assert_array_equal(small.numpy(), A)
    np.testing.assert_array_equal(plain, A * 2)


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "text"),
    [
        ((A, B), {"factor": 2.0, "c": ..., "nothing": 1}, WrongKeywords, "nothing"),
        ((A, B), {"B": B, "c": ..., "factor": 2.0}, WrongKeywords, "'B'"),
        ((A, B), {"factor": 2.0}, WrongKeywords, "missing a required argument: 'c'"),
        ((..., B, ..., 2.0), {}, UndecidedShape, "size n"),
        ((A, B, ..., ...), {}, NotAnArray, "factor"),
        ((A, B, ...), {}, WrongNumberOfArguments, "4 arguments"),
    ],
)
def test_wrong_calls(
    scale: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        scale(*args, **kwargs)


def test_read_only_outputs(scale: Any) -> None:
    out = np.zeros((6, 4), "float32")
    out.flags.writeable = False
    with pytest.raises(ReadOnlyArray):
        scale(A, B, c=out, factor=2.0)
    np.testing.assert_array_equal(out, 0)
