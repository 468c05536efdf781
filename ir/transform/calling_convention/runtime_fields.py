"""Fields of runtime structures, by the numbers of `tvm_struct_get` and `tvm_struct_set`."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from tvmscript.ir.core.dtype import FLOAT64, HANDLE, INT32, INT64, UINT64, DType
from tvmscript.ir.tir import Call, Cast, Evaluate, Expr, IntImm, Stmt
from tvmscript.ir.tir.intrin.memory import tvm_struct_get_, tvm_struct_set

UINT8: Final = DType("uint8")
UINT16: Final = DType("uint16")


class Field(IntEnum):
    """Fields of DLTensor, TVMValue and TVMFFIAny."""

    #: of DLTensor: the structure itself
    ARRAY = 0
    DATA = 1
    SHAPE = 2
    STRIDES = 3
    NDIM = 4
    TYPE_CODE = 5
    TYPE_BITS = 6
    TYPE_LANES = 7
    BYTE_OFFSET = 8
    DEVICE_ID = 9
    DEVICE_TYPE = 10
    #: of TVMValue, an argument before tvm-ffi
    VALUE = 12
    #: of TVMFFIAny, an argument of tvm-ffi
    ANY_TYPE_INDEX = 13
    ANY_PADDING = 14
    ANY_VALUE = 15


#: field -> dtype
DTYPES: Final[dict[Field, DType]] = {
    Field.ARRAY: HANDLE,
    Field.DATA: HANDLE,
    Field.SHAPE: HANDLE,
    Field.STRIDES: HANDLE,
    Field.NDIM: INT32,
    Field.TYPE_CODE: UINT8,
    Field.TYPE_BITS: UINT8,
    Field.TYPE_LANES: UINT16,
    Field.BYTE_OFFSET: UINT64,
    Field.DEVICE_ID: INT32,
    Field.DEVICE_TYPE: INT32,
    Field.ANY_TYPE_INDEX: INT32,
    Field.ANY_PADDING: INT32,
}

#: DLPack type codes in TVM 0.17, then in tvm-ffi
_TYPE_CODES: Final[dict[str, int]] = {
    "int": 0,
    "uint": 1,
    "bool": 1,
    "float": 2,
    "handle": 3,
    "bfloat": 4,
    "e4m3_float8": 6,
    "e5m2_float8": 7,
}
_FFI_TYPE_CODES: Final[dict[str, int]] = {**_TYPE_CODES, "bool": 6, "e4m3_float8": 10, "e5m2_float8": 12}


class AnyType(IntEnum):
    """Type indices of tvm-ffi."""

    NONE = 0
    INT = 1
    BOOL = 2
    FLOAT = 3
    POINTER = 4
    DLTENSOR = 7
    TEXT = 8
    #: from here on, objects
    OBJECT = 64
    TENSOR = 70


class ArgCode(IntEnum):
    """Type codes of arguments before tvm-ffi."""

    INT = 0
    FLOAT = 2
    HANDLE = 3
    NULL = 4
    DLTENSOR = 7
    TEXT = 11
    NDARRAY = 13


def get_field(structure: Expr, index: int, field: Field, dtype: DType | None = None) -> Expr:
    """Return a field of a structure at an index of an array of structures."""
    field_dtype = DTYPES.get(field) if dtype is None else dtype
    return tvm_struct_get_(structure, index, int(field), dtype=field_dtype)


def set_field(structure: Expr, index: int, field: Field, value: Expr) -> Stmt:
    """Return the statement that sets a field."""
    return Evaluate(tvm_struct_set(structure, index, int(field), value))


#: returns DLPack's code, bits and lanes of a dtype
TypeOf = Callable[[DType], tuple[int, int, int]]


def tvm_type_of(dtype: DType) -> tuple[int, int, int]:
    """Return DLPack's type in TVM 0.17: a bool is an unsigned integer of one bit."""
    return _code(_TYPE_CODES, dtype), dtype.bits, dtype.lanes


def ffi_type_of(dtype: DType) -> tuple[int, int, int]:
    """Return DLPack's type in tvm-ffi: a bool is a byte with its own code."""
    return _code(_FFI_TYPE_CODES, dtype), 8 if dtype.is_bool else dtype.bits, dtype.lanes


def _code(codes: dict[str, int], dtype: DType) -> int:
    return codes.get("bool" if dtype.is_bool else dtype.code, codes["float"])


def packed_dtype(dtype: DType) -> DType:
    """Return the dtype in which a value is passed."""
    if dtype.is_handle:
        return dtype
    return INT64 if dtype.is_integer else FLOAT64


def packed(value: Expr) -> Expr:
    """Convert a value to the dtype in which it is passed: int64, float64 or handle."""
    dtype = packed_dtype(value.dtype)
    return value if value.dtype is dtype else Cast(dtype, value)


def is_array(value: Expr) -> bool:
    """Return whether a handle is that of an array on a stack."""
    if not isinstance(value, Call) or value.op is not tvm_struct_get_:
        return False
    field = value.args[2]
    return isinstance(field, IntImm) and field.value == Field.ARRAY
