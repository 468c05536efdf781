"""Arrays: what they hold, where their memory is."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tvmscript.backends.runtime.array import NDArray, array, asarray, empty, from_dlpack, storage_dtype, zeros
from tvmscript.backends.runtime.device import Device, cpu
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType, WrongValues
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongType


def test_lists_have_the_dtypes_of_numpy() -> None:
    assert array([1.0, 2.0]).dtype == "float64"
    assert array([[1, 2], [3, 4]]).dtype == "int64"
    assert array([True, False]).dtype == "bool"
    assert array([[1, 2], [3, 4]]).shape == (2, 2)


def test_array_copies_and_asarray_shares() -> None:
    values = np.arange(4, dtype="int64")
    copied, shared = array(values), asarray(values)
    values[0] = 9
    assert copied.numpy().tolist() == [0, 1, 2, 3]
    assert shared.numpy().tolist() == [9, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float64"])
def test_native_dtypes(dtype: str) -> None:
    made = array([1, 0, 1], dtype)
    assert made.numpy().dtype == dtype
    assert made.numpy().tolist() == [1, 0, 1]


def test_bfloat16_is_stored_as_patterns() -> None:
    made = array([1.0, -2.5, 3.0e38, float("inf")], "bfloat16")
    assert made.storage.tolist() == [0x3F80, 0xC020, 0x7F62, 0x7F80]
    assert made.numpy()[1] == -2.5


def test_arrays_of_ml_dtypes_are_seen_as_patterns() -> None:
    values = np.array([1.0, 448.0], ml_dtypes.float8_e4m3fn)
    made = asarray(values)
    assert made.dtype == "e4m3_float8"
    assert made.storage.dtype == np.uint8
    assert made.numpy().tolist() == [1.0, 448.0]
    made.storage[0] = 0
    assert values[0] == 0.0


@pytest.mark.parametrize("dtype", ["bfloat16", "e4m3_float8", "float32", "int33"])
def test_arrays_without_dimensions(dtype: str) -> None:
    values = np.array(array(np.array(2), dtype))
    assert values.shape == ()
    assert values == 2


def test_integers_of_odd_widths() -> None:
    assert storage_dtype("int4") == np.int8
    assert storage_dtype("uint20") == np.uint32
    assert array(np.array([3, -2], ml_dtypes.int4)).numpy().tolist() == [3, -2]
    with pytest.raises(UnsupportedDType, match="makes a copy"):
        asarray(np.array([3, -2], ml_dtypes.int4))


def test_empty_and_zeros() -> None:
    assert empty((2, 3), "float64").shape == (2, 3)
    assert zeros(4, "bfloat16").numpy().tolist() == [0.0] * 4
    assert zeros((2,), "float32x4").shape == (2, 4)


def test_copies() -> None:
    source, target = array([1, 2, 3], "int32"), zeros(3, "int32")
    assert source.copyto(target) is target
    assert target.numpy().tolist() == [1, 2, 3]
    target.copyfrom([4, 5, 6])
    assert target.numpy().tolist() == [4, 5, 6]
    with pytest.raises(WrongType, match=r"int32 of shape \(3,\)"):
        source.copyto(zeros(4, "int32"))


def test_dlpack_both_ways() -> None:
    made = array([[1.0, 2.0], [3.0, 4.0]])
    tensor = tvm_ffi.from_dlpack(made)
    assert tuple(tensor.shape) == (2, 2)
    shared = asarray(tensor)
    shared.storage[0, 0] = 7
    assert made.numpy()[0, 0] == 7


def test_strided_tensors() -> None:
    values = np.arange(24, dtype="float32").reshape(2, 3, 4)
    seen = asarray(tvm_ffi.from_dlpack(values.transpose(2, 0, 1)))
    assert np.array_equal(seen.storage, values.transpose(2, 0, 1))
    assert seen.strides == (1, 12, 4)
    assert asarray(tvm_ffi.from_dlpack(np.empty((0, 3), "int32"))).shape == (0, 3)


def test_conversion_between_dtypes() -> None:
    assert array(array([1.0, 2.0], "bfloat16"), "float64").numpy().tolist() == [1.0, 2.0]
    assert np.asarray(array([1.5], "e5m2_float8")).tolist() == [1.5]


@pytest.mark.parametrize(
    "value", [np.zeros(2, "complex64"), np.array(["a"]), np.array(["2020"], "datetime64[Y]"), np.zeros(2, ">f4")]
)
def test_dtypes_that_programs_do_not_have(value: Any) -> None:
    with pytest.raises(UnsupportedDType):
        asarray(value)


def test_subclasses_of_numpys_array_are_plain() -> None:
    assert type(asarray(np.ma.masked_array([1.0, 2.0])).storage) is np.ndarray


def test_refusals() -> None:
    with pytest.raises(WrongType, match="an array, but got int"):
        asarray(3)
    with pytest.raises(UnsupportedDType):
        storage_dtype("handle")
    with pytest.raises(ValueError, match=r"copyfrom takes the shape \(2, 2\), but got \(3, 3\)") as caught:
        array(np.zeros((2, 2))).copyfrom(np.zeros((3, 3)))
    assert isinstance(caught.value, WrongValues)


def test_views_under_tvms_name() -> None:
    values = array(np.arange(6.0))
    view = values._create_view((3, 2))  # pyright: ignore[reportPrivateUsage]  # TVM's name
    assert view.numpy().tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    assert not view.is_view
    assert values.view((2,), relative_byte_offset=8).numpy().tolist() == [1.0, 2.0]
    assert values.view((2,), "uint32", 12).numpy().tolist() == [0x3FF00000, 0]  # 1.0 is 0x3FF0000000000000
    with pytest.raises(WrongValues, match="a view takes 24 bytes of compact memory from byte 32 on, but got 48"):
        values.view((3,), relative_byte_offset=32)


def test_capsules_share_memory() -> None:
    values = array(np.arange(3.0))
    again = from_dlpack(values.to_dlpack())
    values.storage[1] = 7
    assert again.numpy().tolist() == [0.0, 7.0, 2.0]


def test_devices() -> None:
    assert str(cpu()) == "cpu(0)"
    assert cpu(1).type == "cpu"
    assert Device(2).type == "cuda"
    assert Device(99).type == "device type 99"
    assert NDArray(np.zeros(1), DType("float64")).device == cpu()
    stream = cpu().create_raw_stream()
    cpu().set_raw_stream(stream)
    cpu().free_raw_stream(stream)
    assert stream.value is None
    with pytest.raises(Unsupported, match=r"nothing runs on opencl\(0\) here"):
        Device(4).create_raw_stream()


def test_repr_shows_values() -> None:
    assert repr(array([1, 2], "int32")) == "array([1, 2], dtype=int32)\nint32 on cpu(0)"
    assert len(array([1, 2])) == 2


def test_the_device_may_come_second() -> None:
    """As in TVM's signature."""
    for made in (
        array(np.array([1.5, 2.0], "float32"), cpu(0)),
        array([1.5, 2.0], "float32", cpu(0)),
    ):
        assert made.dtype == "float32"
        assert made.device == cpu(0)
        assert made.numpy().tolist() == [1.5, 2.0]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))], ids=["deepcopy", "pickle"])
def test_copies_of_arrays_that_were_arguments(copied: Callable[[NDArray], NDArray]) -> None:
    """A call keeps the array in the form that native code takes; copies have memory of their own."""
    program = """@T.prim_func
def main(A: T.Buffer((3,), "float32")):
    for i in range(3):
        A[i] = A[i] + T.float32(1)
"""
    add_one = tvmscript.build(tvmscript.from_source(program))["main"]
    first = array(np.zeros(3, "float32"))
    add_one(first)
    add_one(first)
    second = copied(first)
    add_one(second)
    np.testing.assert_array_equal(first.numpy(), [2, 2, 2])
    np.testing.assert_array_equal(second.numpy(), [3, 3, 3])
