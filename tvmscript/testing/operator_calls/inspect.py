"""Inspection of tensors at run time."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws, Number
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe(
    "inspect.tensor_ndim",
    "inspect.tensor_dtype_code",
    "inspect.tensor_dtype_bits",
    "inspect.tensor_dtype_lanes",
    "inspect.tensor_byte_offset",
    "inspect.tensor_elem_offset",
)
def _inspect(name: str, r: Draws) -> OperatorCall:
    dtype, shape = r.choice(ANY), r.shape()
    codes = {"int": 0, "uint": 1, "float": 2}
    word = dtype.rstrip("0123456789")
    results = {
        "ndim": Number("int32", len(shape)),
        "dtype_code": Number("uint8", codes[word]),
        "dtype_bits": Number("uint8", int(dtype.removeprefix(word))),
        "dtype_lanes": Number("uint16", 1),
        "byte_offset": Number("uint64", 0),
        "elem_offset": Number("uint64", 0),
    }
    return OperatorCall(name, (Data(shape, dtype),), {}, results[name.removeprefix("inspect.tensor_")])


@recipe("inspect.tensor_shape_i", "inspect.tensor_stride_i")
def _inspect_axis(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axis = r.randrange(len(shape))
    stride = 1
    for extent in shape[axis + 1 :]:
        stride *= extent
    value = shape[axis] if name.endswith("shape_i") else stride
    return OperatorCall(name, (Data(shape), axis), {}, Number("int64", value))
