"""Values of a lane and the operators on them.

Integers are Python integers reduced to their width after each operation. bool is `False`/`True` (0 and 1; its
arithmetic is modulo 2). Floats of every dtype are Python floats that are exactly representable in the dtype: each
operation is done in double precision and rounded once more. For +, -, *, / and square root that second rounding is
harmless, because 53 bits are at least 2 p + 2 for every p up to float32's 24 (Figueroa, 1995): the result is the
correctly rounded one.

Decisions, where hardware differs:
- float to integer rounds towards zero; values out of range become the nearest limit, nan becomes 0;
- the smallest integer divided by -1 wraps around to itself; division by zero is an error;
- min(a, b) is a where a < b and b otherwise, max(a, b) is a where a > b and b otherwise (so nan gives b).
"""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from tvmscript.backends.runtime.small_floats import values_of
from tvmscript.ir.arith.fold import COMPARISONS, INTEGERS
from tvmscript.ir.core import DType
from tvmscript.ir.core.values.float_formats import FORMATS, encoder
from tvmscript.ir.tir import Add, BinaryOp, Div, FloorDiv, FloorMod, Max, Min, Mod, Mul, Sub
from tvmscript.ir.tir.intrin import reference_math

Unary = Callable[[Any], Any]
Binary = Callable[[Any, Any], Any]


@cache
def wrapper(dtype: DType) -> Callable[[int], int]:
    """Return a function that reduces an integer to the dtype's width, two's complement."""
    bits = dtype.bits
    mask = (1 << bits) - 1
    if not dtype.is_signed:
        return lambda value: value & mask
    half = 1 << (bits - 1)
    return lambda value: ((value + half) & mask) - half


@cache
def rounder(dtype: DType) -> Unary | None:
    """Return a function that rounds to the dtype, ties to even; None for float64, which needs none."""
    if dtype == "float64":
        return None
    if dtype == "float32":
        single = ctypes.c_float
        return lambda value: single(value).value
    pattern_of, values = encoder_of(dtype), values_of(dtype)
    return lambda value: values[pattern_of(value)]


@cache
def encoder_of(dtype: DType) -> Callable[[float], int]:
    """Return a function that encodes the nearest value of a dtype that is stored as bit patterns."""
    return _half_pattern if dtype == "float16" else encoder(dtype)


_HALF, _SHORT = struct.Struct("<e"), struct.Struct("<H")


def _half_pattern(value: float) -> int:
    try:
        pattern: int = _SHORT.unpack(_HALF.pack(value))[0]
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00
    return pattern


def divide(a: float, b: float) -> float:
    """Compute a / b by IEEE 754: a division by zero is an infinity, 0 / 0 is nan."""
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _floor_div(a: float, b: float) -> float:
    return reference_math.floor(divide(a, b))


def _floor_mod(a: float, b: float) -> float:
    remainder = reference_math.fmod(a, b)
    return remainder + b if remainder != 0.0 and (remainder < 0.0) != (b < 0.0) else remainder


_FLOAT: dict[type[BinaryOp], Binary] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    Div: divide,
    Mod: reference_math.fmod,
    FloorDiv: _floor_div,
    FloorMod: _floor_mod,
}
#: The same for every dtype; the result needs no rounding.
_ORDER: dict[type[BinaryOp], Binary] = {
    Min: lambda a, b: a if a < b else b,
    Max: lambda a, b: a if a > b else b,
    **COMPARISONS,
}


def exact(kind: type[BinaryOp], dtype: DType) -> Binary:
    """Return the operator before its result is reduced to the dtype."""
    return _ORDER.get(kind) or (_FLOAT if dtype.is_floating else INTEGERS)[kind]


@cache
def binary(kind: type[BinaryOp], dtype: DType) -> Binary:
    """Return the operator on one lane of a dtype. Integer divisions raise ZeroDivisionError."""
    operate = exact(kind, dtype)
    finish = None if kind in _ORDER else finisher(dtype)
    if finish is None:
        return operate
    return lambda a, b: finish(operate(a, b))


@cache
def finisher(dtype: DType) -> Unary | None:
    """Return the function that reduces an exact result to the dtype: wrap or round; None where it is the identity."""
    return rounder(dtype) if dtype.is_floating else wrapper(dtype) if dtype.is_integer else None


@cache
def caster(source: DType, target: DType) -> Unary:
    """Return a function that converts one lane from a dtype to another."""
    if target.is_bool:
        return lambda value: value != 0
    if source.is_floating:
        return _from_float(target)
    if target.is_floating:
        return _from_integer(source, target)
    if target.is_integer:
        return wrapper(target)
    return lambda value: value  # handles


def _from_float(target: DType) -> Unary:
    if target.is_floating:
        return rounder(target) or float
    low, high = target.min_value, target.max_value

    def convert(value: float) -> int:
        if value != value:
            return 0
        if not low <= value <= high:
            return low if value < low else high
        return int(value)

    return convert


def _from_integer(source: DType, target: DType) -> Unary:
    finish = rounder(target) or float
    if source.bits <= 53:
        return lambda value: finish(float(value))
    if target == "float64":
        return float
    return lambda value: finish(_odd(value))


def _odd(value: int) -> float:
    """Return a float that rounds to narrower dtypes as the integer does: bits below the 53rd become one sticky bit."""
    size = abs(value)
    drop = size.bit_length() - 53
    if drop > 0:
        size = (size >> drop | (size & ((1 << drop) - 1) != 0)) << drop
    return float(-size if value < 0 else size)


@cache
def to_bits(dtype: DType) -> Callable[[Any], int]:
    """Return a function that encodes a lane as an unsigned integer."""
    if dtype == "float32":
        # struct refuses what c_float takes: values that round to infinity do not occur here
        return lambda value: int.from_bytes(bytes(ctypes.c_float(value)), "little")
    if dtype == "float64":
        return lambda value: int.from_bytes(struct.pack("<d", value), "little")
    if dtype.is_floating:
        return encoder_of(dtype)
    mask = (1 << dtype.bits) - 1
    return lambda value: int(value) & mask


@cache
def from_bits(dtype: DType) -> Callable[[int], Any]:
    """Return a function that decodes the bit pattern of a lane."""
    if dtype == "float32":
        return lambda bits: ctypes.c_float.from_buffer_copy(bits.to_bytes(4, "little")).value
    if dtype == "float64":
        return lambda bits: struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    if dtype.is_floating:
        return values_of(dtype).__getitem__
    return bool if dtype.is_bool else wrapper(dtype)


#: Whether a dtype's elements are stored as patterns that Python's memory views do not decode.
def is_pattern(dtype: DType) -> bool:
    return dtype == "float16" or dtype in FORMATS
