"""Exact conversion of 8-bit floats by bit operations, including zeros, subnormal numbers, infinities and NaN.

This takes more operations than `narrow_float_conversion`, which is exact for normal numbers only. A value too large
for e5m2 becomes infinite; a value too large for e4m3, which has no infinity, becomes NaN, as in the interpreter.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tvmscript.ir.core import FLOAT32, DType
from tvmscript.ir.tir import GE, GT, LT, Add, Cast, Mul, Select, Sub, const
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import FORMATS, as_bits, bits_dtype, convert


class _Special(NamedTuple):
    """Bit patterns of infinities and NaN, without the sign."""

    #: the smallest pattern that is not a finite number
    first: int
    #: the pattern of a number that is too large
    overflow: int
    nan: int
    #: the pattern of the least float32 that is too large
    limit: int


#: Ties to even: 464 is half way between 448, the largest e4m3 number, and the next one, and rounds to 448; 61440 is
#: half way between 57344 and the next power of two, and rounds to the latter.
_SPECIALS: Final = {
    "e4m3_float8": _Special(0x7F, 0x7F, 0x7F, 0x43E80001),
    "e5m2_float8": _Special(0x7C, 0x7C, 0x7E, 0x47700000),
}
_SIGN: Final = 0x80000000
_INFINITE: Final = 0x7F800000


def convert_exactly(value: Expr, dtype: DType) -> Expr:
    """Convert between an 8-bit float and float16 or float32."""
    source, target = value.dtype.element, dtype.element
    single = FLOAT32.with_lanes(dtype.lanes)
    if source in _SPECIALS:
        if target == "float16" and source == "e5m2_float8":
            return convert(value, dtype)  # the formats share the exponent
        wide = _widen(value, single)
        return wide if target is FLOAT32 else Cast(dtype, wide)
    if target in _SPECIALS:
        return _narrow(value if source is FLOAT32 else Cast(single, value), dtype)
    return convert(value, dtype)


def _widen(value: Expr, single: DType) -> Expr:
    """Shift exponent and mantissa to the positions of float32 and scale, which is exact for subnormal numbers."""
    form, special = FORMATS[value.dtype.element], _SPECIALS[value.dtype.element]
    bits = Cast(bits_dtype(single), as_bits(value))
    magnitude = _apply("bitwise_and", bits, 0x7F)
    shifted = _apply("shift_left", magnitude, FORMATS["float32"].mantissa - form.mantissa)
    scale = 2.0 ** (FORMATS["float32"].bias - form.bias)
    number = as_bits(Mul(reinterpret_(shifted, dtype=single), const(scale, single)))
    is_special = GE(magnitude, const(special.first, bits.dtype))
    # exponent of ones; the mantissa is 0 for infinities
    mark = const(_INFINITE if special.first != special.nan else _INFINITE | 1 << 22, bits.dtype)
    magnitude_bits = Select(is_special, _apply("bitwise_or", shifted, mark), number)
    sign = _apply("shift_left", _apply("shift_right", bits, 7), 31)
    return reinterpret_(_apply("bitwise_or", magnitude_bits, sign), dtype=single)


def _narrow(value: Expr, dtype: DType) -> Expr:
    """Round to nearest even: subnormal numbers by adding floats, others by adding bits."""
    form, special = FORMATS[dtype.element], _SPECIALS[dtype.element]
    wide = FORMATS["float32"]
    bits = as_bits(value)
    magnitude = _apply("bitwise_and", bits, _SIGN - 1)
    dropped = wide.mantissa - form.mantissa
    odd = _apply("bitwise_and", _apply("shift_right", magnitude, dropped), 1)
    rounded = Add(magnitude, Add(odd, _constant((1 << (dropped - 1)) - 1, bits)))
    rebias = (wide.bias - form.bias) << form.mantissa
    normal = Sub(_apply("shift_right", rounded, dropped), _constant(rebias, bits))
    # the last bit of this number is the last bit of a subnormal one
    unit = const(2.0 ** (wide.mantissa + 1 - form.bias - form.mantissa), value.dtype)
    small = Sub(as_bits(Add(reinterpret_(magnitude, dtype=value.dtype), unit)), as_bits(unit))
    least_normal = (wide.bias + 1 - form.bias) << wide.mantissa
    result = Select(LT(magnitude, _constant(least_normal, bits)), small, normal)
    result = Select(GE(magnitude, _constant(special.limit, bits)), _constant(special.overflow, bits), result)
    result = Select(GT(magnitude, _constant(_INFINITE, bits)), _constant(special.nan, bits), result)
    sign = _apply("shift_left", _apply("shift_right", bits, 31), 7)
    return reinterpret_(Cast(bits_dtype(dtype), _apply("bitwise_or", result, sign)), dtype=dtype)


def _constant(value: int, like: Expr) -> Expr:
    return const(value, like.dtype)


def _apply(name: str, value: Expr, operand: Expr | int) -> Expr:
    if isinstance(operand, int):
        operand = const(operand, value.dtype)
    return OPERATORS[name](value, operand)
