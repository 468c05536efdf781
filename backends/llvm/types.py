"""LLVM types of dtypes: values in registers, elements in memory, constants."""

from __future__ import annotations

import struct
from functools import cache

from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.ir.core import DType

_FLOATS = {16: "half", 32: "float", 64: "double"}
#: Largest finite values, to tell overflow from rounding before `struct` refuses.
_PACK = {16: "<e", 32: "<f"}


def container_bits(bits: int) -> int:
    """Width of the memory cell of an integer: 8, 16, 32 or 64 bits."""
    if bits > 64:
        raise NotSupportedByLLVM(what=f"an element of {bits} bits")
    return 8 if bits <= 8 else 16 if bits <= 16 else 32 if bits <= 32 else 64


def is_encoded(dtype: DType) -> bool:
    """Return whether values are bit patterns that are decoded for each operation: bfloat16 and the 8-bit floats."""
    return dtype.is_floating and dtype.code != "float"


@cache
def value_type(dtype: DType) -> str:
    """Return the type of a value of this dtype."""
    return vector_type(dtype.lanes, _scalar(dtype))


def _scalar(dtype: DType) -> str:
    if dtype.is_integer:
        return f"i{dtype.bits}"
    if dtype.code == "float":
        return _FLOATS[dtype.bits]
    if dtype.is_handle:
        return "ptr"
    if dtype.is_floating:
        return f"i{container_bits(dtype.bits)}"
    raise NotSupportedByLLVM(what=f"a value of dtype {dtype}")


@cache
def memory_type(dtype: DType) -> str:
    """Return the type of elements in memory: as many lanes, each in whole bytes."""
    return vector_type(dtype.lanes, element_memory_type(dtype))


def vector_type(lanes: int, scalar: str) -> str:
    """Return the type of vectors of a scalar type; of scalars for one lane. -4 lanes are 4 times vscale."""
    if lanes < 0:
        return f"<vscale x {-lanes} x {scalar}>"
    return scalar if lanes == 1 else f"<{lanes} x {scalar}>"


def lanes_suffix(lanes: int) -> str:
    """Return the number of lanes in the names of overloaded intrinsics: v4, nxv4 of scalable ones, none of scalars."""
    if lanes < 0:
        return f"nxv{-lanes}"
    return "" if lanes == 1 else f"v{lanes}"


@cache
def element_memory_type(dtype: DType) -> str:
    """Return the type of one lane in memory."""
    return f"i{container_bits(dtype.bits)}" if dtype.is_integer else _scalar(dtype.element)


@cache
def element_bytes(dtype: DType) -> int:
    """Return the bytes of one lane in memory, which is also the alignment of accesses."""
    return container_bits(dtype.bits) // 8


def integer_constant(dtype: DType, value: int) -> str:
    """Return an integer, in all lanes."""
    text = ("true" if value else "false") if dtype.is_bool else str(value)
    return text if dtype.lanes == 1 else f"splat ({_scalar(dtype)} {text})"


def float_constant(dtype: DType, value: float) -> str:
    """Return a float16, float32 or float64 rounded from a double, in all lanes."""
    text = _float_text(dtype.bits, value)
    return text if dtype.lanes == 1 else f"splat ({_scalar(dtype)} {text})"


def _float_text(bits: int, value: float) -> str:
    if bits == 64:
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    try:
        packed = struct.pack(_PACK[bits], value)
    except OverflowError:
        packed = struct.pack(_PACK[bits], float("inf") if value > 0 else float("-inf"))
    if bits == 16:
        return f"0xH{struct.unpack('<H', packed)[0]:04X}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', struct.unpack('<f', packed)[0]))[0]:016X}"
