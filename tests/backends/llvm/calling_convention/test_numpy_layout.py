"""Calls with NumPy arrays, whose memory is handed over at once, beside calls with tensors of tvm-ffi."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest
import tvm_ffi
from hypothesis import given
from hypothesis import strategies as st

from tests.backends.llvm.kernels import build_text
from tvmscript.backends.llvm.calling_convention import numpy_layout
from tvmscript.backends.runtime.errors import WrongArrayShape
from tvmscript.ir.core import TVMScriptError

FACTS = """
@T.prim_func
def facts(a: T.handle, B: T.Buffer((4,), "int64")):
    n = T.int64()
    m = T.int64()
    s = T.int64()
    t = T.int64()
    A = T.match_buffer(a, (n, m), "{dtype}", strides=(s, t))
    B[0] = n
    B[1] = m
    B[2] = s
    B[3] = t
"""
RESULT = """
@T.prim_func
def first(A: T.Buffer((3,), "{dtype}")) -> T.{dtype}:
    return A[0]
"""
DTYPES = ("bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64")
BUILT = {dtype: build_text(FACTS.format(dtype=dtype))["facts"] for dtype in DTYPES}


def outcome(function: Any, array: Any) -> Any:
    facts = np.zeros(4, "int64")
    try:
        function(array, facts)
    except TVMScriptError as error:
        return type(error), str(error)
    return facts.tolist()


@given(
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.sampled_from((1, 2, -1)), st.sampled_from((1, 2, -1))),
    st.booleans(),
    st.sampled_from(DTYPES),
    st.sampled_from(DTYPES),
)
def test_the_same_as_with_tensors(
    shape: tuple[int, int], steps: tuple[int, int], is_transposed: bool, dtype: str, expected: str
) -> None:
    array = np.zeros(shape, dtype)[:: steps[0], :: steps[1]]
    array = array.T if is_transposed else array
    assert outcome(BUILT[expected], array) == outcome(BUILT[expected], tvm_ffi.from_dlpack(array))


@pytest.mark.parametrize("name", [*DTYPES, "uint8", "int16", "uint32", "int64"])
def test_native_code_knows_all_dtypes_of_numpy_that_tensors_have(name: str) -> None:
    dtype = tvm_ffi.dtype(name)
    address = numpy_layout.symbols()[numpy_layout.DTYPES]
    words = (ctypes.c_uint32 * numpy_layout.NUMBERS).from_address(address)
    assert words[np.dtype(name).num] == dtype.type_code | dtype.bits << 8 | dtype.lanes << 16


def test_arrays_of_other_kinds() -> None:
    """Subclasses, arrays of many dimensions and other arguments go another way."""

    class Own(np.ndarray[Any, Any]):
        pass

    array = np.zeros((2, 3), "int32")
    assert outcome(BUILT["int32"], array.view(Own)) == [2, 3, 3, 1]
    kind, _ = outcome(BUILT["int32"], np.zeros((1,) * 9, "int32"))
    assert kind.__name__ == "WrongArrayRank"
    names = "ABCDEFGHI"
    params = ", ".join(f'{name}: T.Buffer((1,), "int32")' for name in names)
    stores = "\n".join(f"    {name}[0] = {place}" for place, name in enumerate(names))
    arrays = [np.full(1, -1, "int32") for _ in names]
    build_text(f"@T.prim_func\ndef f({params}):\n{stores}\n")["f"](*arrays)
    assert [array.item() for array in arrays] == [*range(9)]


@pytest.mark.parametrize(("dtype", "value"), [("int64", -7), ("float64", 0.5), ("int32", 3)])
def test_results(dtype: str, value: float) -> None:
    function = build_text(RESULT.format(dtype=dtype))["first"]
    result = function(np.full(3, value, dtype))
    assert (result, type(result)) == (value, type(value))


def test_references() -> None:
    """No call keeps its arguments, nor what it returns."""
    function = build_text(RESULT.format(dtype="int64"))["first"]
    arrays = [np.full(size, 1 << 40) for size in (3, 4)]
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(100):
        function(arrays[0])
        with pytest.raises(WrongArrayShape):
            function(arrays[1])
    gc.collect()  # exceptions have frames that have exceptions
    assert [sys.getrefcount(array) for array in arrays] == before
    facts, nones = np.zeros(4, "int64"), sys.getrefcount(None)
    for _ in range(1000):
        BUILT["int32"](np.zeros((2, 3), "int32"), facts)
    assert abs(sys.getrefcount(None) - nones) < 500


def test_another_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """No object has the type that code looks for where the places of fields are not as expected."""
    assert numpy_layout.symbols()[numpy_layout.ARRAY_TYPE] == id(np.ndarray)
    monkeypatch.setattr(numpy_layout, "NUMBER", numpy_layout.BYTE_ORDER)
    assert numpy_layout.symbols()[numpy_layout.ARRAY_TYPE] == numpy_layout.symbols()[numpy_layout.DTYPES]
