"""ONNX's element types and arrays of a model's tensors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.onnx.library import onnx_library
from tvmscript.ir.core import DType
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.relax.expr import Constant

#: TensorProto.DataType -> dtype
DTYPES: Final[dict[int, str]] = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16", 17: "e4m3_float8", 18: "float8_e4m3fnuz",
    19: "e5m2_float8", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4_e2m1fn", 24: "float8_e8m0fnu",
    25: "uint2", 26: "int2",
}  # fmt: skip
#: dtype -> its number in ONNX
ELEMENT_TYPES: Final = {dtype: number for number, dtype in DTYPES.items()}
#: names of the types without a dtype here
_UNSUPPORTED: Final = {8: "string", 14: "complex64", 15: "complex128"}


def dtype_name(element_type: int, place: str) -> str:
    """Return the dtype of an element type. Raises `InvalidModel`."""
    if element_type in DTYPES:
        return DTYPES[element_type]
    name = _UNSUPPORTED.get(element_type, f"number {element_type}")
    raise InvalidModel(source="ONNX", place=place, reason=f"elements of the type {name} are not supported")


def constant_of(tensor: Any, folder: Path | None, place: str) -> Constant:
    """Return a tensor of a model as a constant. Raises `InvalidModel` for damaged ones."""
    dtype = dtype_name(tensor.data_type, place)
    array = _array_of(tensor, dtype, folder, place)
    own = str(array.dtype)
    if own == dtype:
        return Constant(array, DType(dtype))
    # narrow floats and integers have no dtype in NumPy itself: their bits are kept
    return Constant(Data(dtype, tuple(array.shape), array.tobytes()), DType(dtype))


def _array_of(tensor: Any, dtype: str, folder: Path | None, place: str) -> np.ndarray[Any, Any]:
    shape = tuple(tensor.dims)
    if any(size < 0 for size in shape):
        raise InvalidModel(source="ONNX", place=place, reason=f"the shape {list(shape)} has a negative size")
    if tensor.data_location == 1:
        return _external_array(tensor, dtype, shape, folder, place)
    # reading an array takes memory for what the shape claims: check that the file holds as much
    if tensor.HasField("raw_data"):
        expected = _byte_count(shape, dtype)
        if len(tensor.raw_data) != expected:
            reason = f"the shape {list(shape)} of {dtype} needs {expected} bytes, there are {len(tensor.raw_data)}"
            raise InvalidModel(source="ONNX", place=place, reason=reason)
    elif math.prod(shape) > 16 * tensor.ByteSize():
        raise InvalidModel(source="ONNX", place=place, reason=f"there is no data for the shape {list(shape)}")
    try:
        return np.ascontiguousarray(onnx_library().numpy_helper.to_array(tensor)).reshape(shape)
    except (ValueError, TypeError) as error:
        raise InvalidModel(source="ONNX", place=place, reason=str(error)) from error


def _byte_count(shape: tuple[int, ...], dtype: str) -> int:
    """Return the bytes of an array in a file; elements below a byte are packed, but truth values are not."""
    return (math.prod(shape) * (8 if dtype == "bool" else DType(dtype).bits) + 7) // 8


def _external_array(
    tensor: Any, dtype: str, shape: tuple[int, ...], folder: Path | None, place: str
) -> np.ndarray[Any, Any]:
    """Return an array whose data is in a file beside the model's."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    if folder is None:
        raise InvalidModel(source="ONNX", place=place, reason="external data needs a model that is read from a file")
    path = (folder / entries.get("location", "")).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        reason = f"its data is in {entries.get('location', '')!r}, which is no file in the folder of the model"
        raise InvalidModel(source="ONNX", place=place, reason=reason)
    expected = _byte_count(shape, dtype)
    try:
        offset = int(entries.get("offset", "0"))
        length = int(entries.get("length", str(expected)))
    except ValueError as error:
        raise InvalidModel(source="ONNX", place=place, reason=str(error)) from error
    if offset < 0 or length != expected or offset + length > path.stat().st_size:
        reason = f"the shape {list(shape)} of {dtype} needs {expected} bytes, {path.name} has none at {offset}"
        raise InvalidModel(source="ONNX", place=place, reason=reason)
    with path.open("rb") as file:
        file.seek(offset)
        raw = file.read(length)
    inline = onnx_library().TensorProto(data_type=tensor.data_type, dims=shape, raw_data=raw)
    return np.ascontiguousarray(onnx_library().numpy_helper.to_array(inline)).reshape(shape)
