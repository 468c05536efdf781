"""`assert_allclose`: distances against NumPy's own neighbours, what is said, and where a NaN came from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import tvmscript
from tvmscript.testing import assert_allclose
from tvmscript.testing.allclose import NotClose, ulp_distance

FLOATS = ("float16", "float32", "float64")


@pytest.mark.parametrize("dtype", FLOATS)
@given(data=st.data(), steps=st.integers(0, 40))
def test_ulp_are_steps_to_the_next_float(dtype: str, data: st.DataObject, steps: int) -> None:
    width = np.dtype(dtype).itemsize * 8
    start = data.draw(arrays_of.from_dtype(np.dtype(dtype), allow_nan=False, allow_infinity=False), label=str(width))
    value = other = np.dtype(dtype).type(start)
    with np.errstate(over="ignore"):  # a step from the largest number
        for _ in range(steps):
            other = np.nextafter(other, np.dtype(dtype).type(np.inf))
    if np.isfinite(other):
        assert ulp_distance(np.array([value]), np.array([other]))[0] == steps
        assert ulp_distance(np.array([other]), np.array([value]))[0] == steps


@pytest.mark.parametrize("dtype", FLOATS)
def test_what_is_special(dtype: str) -> None:
    a = np.array([0.0, np.nan, np.inf, np.inf, 1.0, np.nan], dtype)
    b = np.array([-0.0, np.nan, np.inf, -np.inf, np.inf, 1.0], dtype)
    far = np.iinfo(np.uint64).max
    assert ulp_distance(a, b).tolist() == [0, 0, 0, far, far, far]


def test_the_far_ends_of_float64() -> None:
    """From the least to the greatest float: twice the pattern of the greatest."""
    greatest = np.array([np.finfo("float64").max])
    assert int(ulp_distance(-greatest, greatest)[0]) == 2 * int(greatest.view("uint64")[0])


def test_dtypes_must_be_the_same_float() -> None:
    for a, b in [("float32", "float64"), ("int32", "int32")]:
        with pytest.raises(TypeError, match=a):
            ulp_distance(np.zeros(1, a), np.zeros(1, b))


def test_close_arrays_pass() -> None:
    a = np.linspace(-1, 1, 100, dtype="float32")
    assert_allclose(a, np.nextafter(a, np.float32(2)), ulp=1)
    assert_allclose(a, a + np.float32(1e-7), rtol=1e-6, atol=1e-6)
    assert_allclose(a.astype("int32"), a.astype("int32"))
    assert_allclose(np.array([np.nan, np.inf]), np.array([np.nan, np.inf]))


def test_what_the_error_says() -> None:
    expected = np.ones((4, 256), "float32")
    actual = expected.copy()
    actual[0, :50] = np.nextafter(np.float32(1), np.float32(2))
    actual[2, 17] = 1.5
    actual[3, 1] = np.nan
    with pytest.raises(NotClose) as caught:
        assert_allclose(actual, expected, ulp=1)
    lines = caught.value.text.splitlines()
    assert lines[0] == "2 of 1024 elements differ, first [2, 17]: 1.5 instead of 1.0"
    assert [line.split("#")[0].split() for line in lines[2:]] == [
        ["0", "972"],
        ["1", "50"],
        ["more", "than", "4096", "1"],
        ["inf", "or", "nan", "1"],
    ]


def test_shapes_and_integers() -> None:
    with pytest.raises(NotClose, match=r"\(3,\) instead of \(3, 1\)"):
        assert_allclose(np.zeros(3), np.zeros((3, 1)))
    with pytest.raises(NotClose, match="2 of 2 elements"):
        assert_allclose(np.zeros(2, "int8"), np.ones(2, "int8"))


SCRIPT = """
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(vi < 8, T.log(B[vi]), B[vi + 1])
    for i in range(8):
        with T.block("D"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi] + T.float32(1)
"""


def test_the_line_of_the_first_nan() -> None:
    """log of a negative number; the copy of it further on is not blamed, and the arguments are left alone."""
    program = tvmscript.from_source(SCRIPT)
    inputs = [np.array([1, 2, -3, 4, 5, 6, 7, 8], "float32"), np.zeros(8, "float32"), np.zeros(8, "float32")]
    used = [array.copy() for array in inputs]
    tvmscript.build(program, target="interp")["main"](*used)
    with pytest.raises(NotClose) as caught:
        assert_allclose(used[2], np.ones(8, "float32"), program=program, inputs=inputs)
    assert "<text>:11:13: B[vi] = T.if_then_else(vi < 8, T.log(B[vi]), B[vi + 1])" in caught.value.text
    assert not inputs[2].any()


def test_a_nan_that_was_given_is_nobodys() -> None:
    program = tvmscript.from_source(SCRIPT.replace("T.if_then_else(vi < 8, T.log(B[vi]), B[vi + 1])", "B[vi]"))
    given = np.full(8, np.nan, "float32")
    with pytest.raises(NotClose, match="no kernel stores a NaN"):
        assert_allclose(given, np.ones(8, "float32"), program=program, inputs=[given, given.copy(), given.copy()])
