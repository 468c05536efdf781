"""Arrays of vectors: the last dimension has the lanes, which are neighbours; vectors may have a stride."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import WrongArrayDType, WrongArrayStrides

PROGRAM = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, {shape}, "float32x4"{strides})
    B = T.match_buffer(b, {shape}, "float32x4")
    for i, j in T.grid(*{shape}):
        B[i, j] = A[i, j] + A[i, j]
"""
WHOLE = np.arange(240, dtype="float32")

#: arrays of (2, 3) vectors of 4 lanes, and their strides in vectors
ARRAYS = {
    "compact": (WHOLE[:24].reshape(2, 3, 4), (3, 1)),
    "every second vector": (WHOLE[:48].reshape(2, 3, 8)[:, :, 4:], (6, 2)),
    "long rows": (WHOLE[:40].reshape(2, 5, 4)[:, :3], (5, 1)),
    "columns": (WHOLE[:24].reshape(3, 2, 4).transpose(1, 0, 2), (1, 2)),
}
#: arrays of (2, 3, 4) elements that are no vectors
OTHERS = {
    "an element between vectors": WHOLE[:30].reshape(2, 3, 5)[:, :, :4],
    "an element between rows": np.lib.stride_tricks.as_strided(WHOLE, (2, 3, 4), (52, 16, 4)),
    "every second lane": WHOLE[:48].reshape(2, 3, 8)[:, :, ::2],
    "lanes apart": WHOLE[:24].reshape(2, 4, 3).transpose(0, 2, 1),
}


@pytest.mark.parametrize("declared", ARRAYS)
def test_strides_are_those_of_vectors(declared: str) -> None:
    strides = ARRAYS[declared][1]
    text = PROGRAM.format(shape=(2, 3), strides="" if declared == "compact" else f", strides={strides}")
    function = tvmscript.build(tvmscript.from_source(text), target="interp")["main"]
    for name, (array, got) in ARRAYS.items():
        result = np.zeros((2, 3, 4), "float32")
        if name == declared:
            function(array, result)
            np.testing.assert_array_equal(result, 2 * array)
        else:
            with pytest.raises(WrongArrayStrides, match=re.escape(f"got the strides {got}")):
                function(array, result)


@pytest.mark.parametrize("declared", [name for name in ARRAYS if name != "compact"])
def test_declared_strides_in_compiled_code(declared: str) -> None:
    """The strides that an array has are those of elements in a message."""
    function = tvmscript.build(
        tvmscript.from_source(PROGRAM.format(shape=(2, 3), strides=f", strides={ARRAYS[declared][1]}"))
    )
    for name, (array, _) in {**ARRAYS, **{name: (array, ()) for name, array in OTHERS.items()}}.items():
        result = np.zeros((2, 3, 4), "float32")
        if name == declared:
            function["main"](array, result)
            np.testing.assert_array_equal(result, 2 * array)
        else:
            with pytest.raises(WrongArrayStrides):
                function["main"](array, result)


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_strides_known_at_run_time(target: str) -> None:
    text = PROGRAM.format(shape=(2, 3), strides=", strides=(s, t)").replace(
        "    A =", "    s, t = T.int32(), T.int32()\n    A ="
    )
    function = tvmscript.build(tvmscript.from_source(text), target=target)["main"]
    for array, _ in ARRAYS.values():
        result = np.zeros((2, 3, 4), "float32")
        function(array, result)
        np.testing.assert_array_equal(result, 2 * array)
    for array in OTHERS.values():
        with pytest.raises(WrongArrayStrides, match="must have vectors of 4 neighbouring elements"):
            function(array, np.zeros((2, 3, 4), "float32"))


def test_elements_that_are_no_vectors() -> None:
    function = tvmscript.build(tvmscript.from_source(PROGRAM.format(shape=(2, 3), strides="")), target="interp")["main"]
    result = np.zeros((2, 3, 4), "float32")
    for array in OTHERS.values():
        with pytest.raises(WrongArrayStrides):
            function(array, result)
    function(ARRAYS["compact"][0], result)
    np.testing.assert_array_equal(result, 2 * ARRAYS["compact"][0])


def test_strides_of_one_vector_or_none_mean_nothing() -> None:
    for shape in ((1, 1), (0, 3)):
        function = tvmscript.build(tvmscript.from_source(PROGRAM.format(shape=shape, strides="")), target="interp")
        result = np.zeros((*shape, 4), "float32")
        given = np.lib.stride_tricks.as_strided(WHOLE, (*shape, 4), (20, 12, 4))
        function["main"](given, result)
        np.testing.assert_array_equal(result, 2 * given)


def test_other_numbers_of_lanes() -> None:
    function = tvmscript.build(tvmscript.from_source(PROGRAM.format(shape=(2, 3), strides="")), target="interp")["main"]
    with pytest.raises(WrongArrayDType):
        function(WHOLE[:30].reshape(2, 3, 5), np.zeros((2, 3, 4), "float32"))
