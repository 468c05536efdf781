"""Values that have another kind than a graph takes are refused, those of the kind are passed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript.backends.runtime.array import NDArray, array
from tvmscript.backends.runtime.errors import NotAnArray, UndecidedShape, WrongScalar
from tvmscript.backends.vm.random_inputs import random_argument
from tvmscript.backends.vm.values import as_function, as_items, as_shape, as_tensor, matched
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.relax import struct_info
from tvmscript.ir.relax.base import StructInfo

#: constructors that take lists, too
infos: Any = struct_info
NO_DEVICE: Any = "cpu"
NOTHING: Any = None
TENSOR = array(np.zeros(4, "float32"))
VALUES: dict[str, Any] = {"tensor": TENSOR, "shape": (2, 3), "tuple": [TENSOR], "function": len, "number": 3}
CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "tensor": as_tensor,
    "shape": as_shape,
    "tuple": as_items,
    "function": as_function,
}


@pytest.mark.parametrize("kind", CONVERSIONS)
@pytest.mark.parametrize("given", VALUES)
def test_kinds(kind: str, given: str) -> None:
    value = VALUES[given]
    if kind == given:
        assert CONVERSIONS[kind](value) is value
    else:
        with pytest.raises(WrongScalar, match=f"a {kind}"):
            CONVERSIONS[kind](value)


def test_struct_infos_that_values_have() -> None:
    fields = [
        infos.ShapeStructInfo(ndim=2),
        infos.ShapeStructInfo([2, 3]),
        infos.PrimStructInfo("int64"),
        infos.ObjectStructInfo(),
    ]
    values: list[Any] = [(2, 3), (2, 3), 3, "text"]
    assert matched("f", "x", values, infos.TupleStructInfo(fields), {}) == values
    assert matched("f", "x", len, infos.FuncStructInfo(None, infos.ObjectStructInfo()), {}) is len


@pytest.mark.parametrize(
    ("value", "info", "expected"),
    [
        ((2, 3), infos.ShapeStructInfo(ndim=3), "a shape of 3 extents"),
        (2, infos.ShapeStructInfo(), "a shape"),
        ((2,), infos.PrimStructInfo("int64"), "int64"),
        ([1], infos.TupleStructInfo([infos.PrimStructInfo("int64")] * 2), "a tuple of 2 values"),
        (1, infos.TupleStructInfo([]), "a tuple of 0 values"),
        (1, infos.FuncStructInfo(None, infos.ObjectStructInfo()), "a function"),
    ],
)
def test_struct_infos_that_values_have_not(value: Any, info: StructInfo, expected: str) -> None:
    with pytest.raises(WrongScalar, match=expected):
        matched("f", "x", value, info, {})


def test_a_number_is_no_array() -> None:
    with pytest.raises(NotAnArray, match="x"):
        matched("f", "x", 3, infos.TensorStructInfo([4], "float32"), {})


def test_random_values_of_no_known_shape() -> None:
    for info in (
        infos.ObjectStructInfo(),
        infos.TensorStructInfo(ndim=2, dtype="float32"),
        infos.ShapeStructInfo(ndim=1),
    ):
        with pytest.raises(UndecidedShape, match="of a value of"):
            random_argument("x", info, np.random.default_rng(0))


def test_random_values_have_the_struct_info() -> None:
    info = infos.TupleStructInfo(
        [infos.TensorStructInfo([2, 3], "float32"), infos.ShapeStructInfo([4, 5]), infos.PrimStructInfo("int64")]
    )
    value = random_argument("x", info, np.random.default_rng(0), integers=7)
    assert isinstance(value, list)
    tensor, shape, number = value
    assert isinstance(tensor, NDArray)
    assert (tensor.shape, tensor.dtype, shape) == ((2, 3), "float32", (4, 5))
    assert isinstance(number, int)
    assert 0 <= number < 7
    assert (np.abs(tensor.numpy()) <= 1).all()


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (lambda: tvm.device("tape"), "the name of a device type, but got 'tape'"),
        (lambda: TENSOR.__setitem__(slice(0, 2), 1.0), r"all of it, array\[:\]"),
        (lambda: tvm.relax.VirtualMachine(NOTHING, []), r"devices, such as tvm.cpu\(\)"),
        (lambda: tvm.relax.VirtualMachine(NOTHING, NO_DEVICE), r"devices, such as tvm.cpu\(\)"),
    ],
)
def test_what_is_no_device_or_no_whole_array(action: Callable[[], Any], expected: str) -> None:
    with pytest.raises(WrongType, match=expected):
        action()
