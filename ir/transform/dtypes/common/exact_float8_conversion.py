"""Exact conversion of 8-bit floats by bit operations, including zeros, subnormal numbers, infinities and NaN.

This takes more operations than `narrow_float_conversion`, which is exact for normal numbers only. A value too large
for e5m2 becomes infinite; a value too large for e4m3, which has no infinity, becomes NaN, as in the interpreter.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tvmscript.ir.core.dtype import FLOAT32, DType
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.expr import GE, GT, LT, Add, Cast, Mul, Select, Sub
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.operators import const
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FORMATS, as_bits, bits_dtype, converted


class _Special(NamedTuple):
    """What is no number: bits below the sign."""

    #: the first of them
    first: int
    #: what a number becomes that is too large
    overflow: int
    nan: int
    #: the least float32 that is too large, in bits
    limit: int


#: 464 is half way between 448, the largest number of e4m3, and the next one, and is rounded to the former, which is
#: even; 61440 is half way between 57344 and the next power of two, and is rounded to that
_SPECIALS: Final = {
    "e4m3_float8": _Special(0x7F, 0x7F, 0x7F, 0x43E80001),
    "e5m2_float8": _Special(0x7C, 0x7C, 0x7E, 0x47700000),
}
_SIGN: Final = 0x80000000
_INFINITE: Final = 0x7F800000


def converted_exactly(value: Expr, dtype: DType) -> Expr:
    """The 8-bit float as float16 or float32, or one of these as an 8-bit float."""
    source, target = value.dtype.element, dtype.element
    single = FLOAT32.with_lanes(dtype.lanes)
    if source in _SPECIALS:
        if target == "float16" and source == "e5m2_float8":
            return converted(value, dtype)  # all of its bits are the same
        wide = _widened(value, single)
        return wide if target is FLOAT32 else Cast(dtype, wide)
    if target in _SPECIALS:
        return _narrowed(value if source is FLOAT32 else Cast(single, value), dtype)
    return converted(value, dtype)


def _widened(value: Expr, single: DType) -> Expr:
    """Exponent and mantissa in the place of float32's, and scaled: subnormal numbers come out right."""
    form, special = FORMATS[value.dtype.element], _SPECIALS[value.dtype.element]
    bits = Cast(bits_dtype(single), as_bits(value))
    magnitude = _op("bitwise_and", bits, 0x7F)
    moved = _op("shift_left", magnitude, FORMATS["float32"].mantissa - form.mantissa)
    scale = 2.0 ** (FORMATS["float32"].bias - form.bias)
    number = as_bits(Mul(reinterpret_(moved, dtype=single), const(scale, single)))
    is_special = GE(magnitude, const(special.first, bits.dtype))
    # all bits of the exponent, and what the mantissa is: 0 for infinities
    mark = const(_INFINITE if special.first != special.nan else _INFINITE | 1 << 22, bits.dtype)
    found = Select(is_special, _op("bitwise_or", moved, mark), number)
    sign = _op("shift_left", _op("shift_right", bits, 7), 31)
    return reinterpret_(_op("bitwise_or", found, sign), dtype=single)


def _narrowed(value: Expr, dtype: DType) -> Expr:
    """Rounded to the nearest, ties to even: subnormal numbers by the addition of floats, others by that of bits."""
    form, special = FORMATS[dtype.element], _SPECIALS[dtype.element]
    wide = FORMATS["float32"]
    bits = as_bits(value)
    magnitude = _op("bitwise_and", bits, _SIGN - 1)
    dropped = wide.mantissa - form.mantissa
    odd = _op("bitwise_and", _op("shift_right", magnitude, dropped), 1)
    rounded = Add(magnitude, Add(odd, _number((1 << (dropped - 1)) - 1, bits)))
    rebias = (wide.bias - form.bias) << form.mantissa
    normal = Sub(_op("shift_right", rounded, dropped), _number(rebias, bits))
    # the last bit of this number is the last of a subnormal one
    unit = const(2.0 ** (wide.mantissa + 1 - form.bias - form.mantissa), value.dtype)
    small = Sub(as_bits(Add(reinterpret_(magnitude, dtype=value.dtype), unit)), as_bits(unit))
    least_normal = (wide.bias + 1 - form.bias) << wide.mantissa
    found = Select(LT(magnitude, _number(least_normal, bits)), small, normal)
    found = Select(GE(magnitude, _number(special.limit, bits)), _number(special.overflow, bits), found)
    found = Select(GT(magnitude, _number(_INFINITE, bits)), _number(special.nan, bits), found)
    sign = _op("shift_left", _op("shift_right", bits, 31), 7)
    return reinterpret_(Cast(bits_dtype(dtype), _op("bitwise_or", found, sign)), dtype=dtype)


def _number(value: int, like: Expr) -> Expr:
    return const(value, like.dtype)


def _op(name: str, value: Expr, operand: Expr | int) -> Expr:
    if isinstance(operand, int):
        operand = const(operand, value.dtype)
    made: Expr = OPERATORS[name](value, operand)
    return made
