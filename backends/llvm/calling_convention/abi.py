"""Constants of tvm-ffi's and DLPack's C interfaces (tvm_ffi/include/tvm/ffi/c_api.h, dlpack.h)."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.types import container_bits
from tvmscript.ir.core import DType
from tvmscript.ir.transform.calling_convention.runtime_fields import Field

#: `TVMFFIAny.type_index`.
NONE, INT, BOOL, FLOAT, POINTER, ARRAY, TEXT, TENSOR, LARGE_INT = 0, 1, 2, 3, 4, 7, 8, 70, 78
#: DLTensor: data, device type and id, rank, dtype, shape, strides, byte offset.
DLTENSOR: Final = "{ ptr, i32, i32, i32, i32, ptr, ptr, i64 }"
#: Byte offsets in a DLTensor.
DEVICE_TYPE, DEVICE_ID, NDIM, DTYPE, SHAPE, STRIDES, BYTE_OFFSET = 8, 12, 16, 20, 24, 32, 40
#: DLDeviceType of arrays.
CPU, CUDA = 1, 2
#: Byte offset of the value in a TVMFFIAny, of the DLTensor in a tensor object.
ANY_VALUE, TENSOR_HEADER_BYTES = 8, 24
#: Byte offsets of the number of words and of the words in an object of a large int.
LARGE_INT_COUNT, LARGE_INT_WORDS = 24, 32
#: Bytes of a DLTensor and of a TVMFFIAny.
TENSOR_BYTES, ANY_BYTES = 48, 16

#: Where `tvm_struct_get` and `tvm_struct_set` find a field: bytes of its structure, bytes from there to the field.
FIELDS: Final[dict[int, tuple[int, int]]] = {
    Field.ARRAY: (TENSOR_BYTES, 0),
    Field.DATA: (TENSOR_BYTES, 0),
    Field.DEVICE_TYPE: (TENSOR_BYTES, DEVICE_TYPE),
    Field.DEVICE_ID: (TENSOR_BYTES, DEVICE_ID),
    Field.NDIM: (TENSOR_BYTES, NDIM),
    Field.TYPE_CODE: (TENSOR_BYTES, DTYPE),
    Field.TYPE_BITS: (TENSOR_BYTES, DTYPE + 1),
    Field.TYPE_LANES: (TENSOR_BYTES, DTYPE + 2),
    Field.SHAPE: (TENSOR_BYTES, SHAPE),
    Field.STRIDES: (TENSOR_BYTES, STRIDES),
    Field.BYTE_OFFSET: (TENSOR_BYTES, BYTE_OFFSET),
    Field.ANY_TYPE_INDEX: (ANY_BYTES, 0),
    Field.ANY_PADDING: (ANY_BYTES, 4),
    Field.ANY_VALUE: (ANY_BYTES, ANY_VALUE),
}
#: Bytes of what `tvm_stack_alloca` makes, by name.
ON_THE_STACK: Final = {"tvm_ffi_any": ANY_BYTES, "array": TENSOR_BYTES, "shape": 8, "tensormap": 128}

#: DLDataTypeCode by the code of a dtype.
_CODES: Final = {
    "int": 0, "uint": 1, "float": 2, "handle": 3, "bfloat": 4, "float8_e3m4": 7, "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9, "e4m3_float8": 10, "float8_e4m3fnuz": 11, "e5m2_float8": 12, "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14, "float6_e2m3fn": 15, "float6_e3m2fn": 16, "float4_e2m1fn": 17,
}  # fmt: skip
_BOOL_CODE: Final = 6


def dlpack_dtype(dtype: DType) -> int:
    """Return a DLDataType in one word: code, bits, lanes."""
    code, bits = (_BOOL_CODE, 8) if dtype.is_bool else (_CODES[dtype.code], dtype.bits)
    return code | bits << 8 | dtype.lanes << 16


def accepted_dtypes(dtype: DType) -> list[int]:
    """DLDataTypes of memory that holds elements of a scalar dtype.

    What NumPy has no dtype for comes as integers of the same size; bool also as bytes.
    """
    exact = dlpack_dtype(dtype)
    lane = 1 << 16
    if dtype.is_bool:
        return [exact, *(code | bits << 8 | lane for code, bits in ((1, 8), (0, 8), (1, 1)))]
    cell = container_bits(dtype.bits) << 8
    if dtype.is_integer:
        return [exact, _CODES[dtype.code] | cell | lane]
    return [exact] if dtype.code == "float" else [exact, _CODES["uint"] | cell | lane]
