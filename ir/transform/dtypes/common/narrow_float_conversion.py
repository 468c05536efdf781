"""Conversion of narrow floats by bit operations, for machines without them.

Normal numbers are converted exactly or rounded to nearest even. As in TVM, zeros, subnormal numbers, infinities and NaN
are not handled separately. They are converted correctly if both formats have the same number of exponent bits (bfloat16
and float32, e5m2 and float16); otherwise they are treated as normal numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tvmscript.ir.core import DType, Op, Target
from tvmscript.ir.core.targets.cuda import cuda_arch
from tvmscript.ir.tir import LT, Add, Call, Cast, PrimFunc, Select, Sub, const
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.intrin.bits import reinterpret_


class Format(NamedTuple):
    """The layout of a float: bits of exponent and mantissa, exponent bias."""

    exponent: int
    mantissa: int
    bias: int


#: element dtype -> its format
FORMATS: Final[dict[str, Format]] = {
    "e4m3_float8": Format(4, 3, 7),
    "e5m2_float8": Format(5, 2, 15),
    "bfloat16": Format(8, 7, 127),
    "float16": Format(5, 10, 15),
    "float32": Format(8, 23, 127),
    "float64": Format(11, 52, 1023),
}

#: element dtypes of each kind of narrow float
BFLOAT: Final = frozenset(["bfloat16"])
FLOAT8: Final = frozenset(["e4m3_float8", "e5m2_float8"])

#: the CUDA compute capability from which a kind is native
_CUDA_SINCE: Final = {BFLOAT: 80, FLOAT8: 89}


def is_native(func: PrimFunc, kinds: frozenset[str]) -> bool:
    """Return whether the target of the function computes with these floats."""
    target = func.attrs.get("target")
    arch = cuda_arch(target) if isinstance(target, Target) else None
    return arch is not None and arch >= _CUDA_SINCE[kinds]


@cache
def bits_dtype(dtype: DType) -> DType:
    """Return the unsigned integer dtype of the same width."""
    return DType(f"uint{dtype.bits}").with_lanes(dtype.lanes)


def as_bits(value: Expr) -> Expr:
    """Reinterpret a float as an unsigned integer."""
    return reinterpret_(value, dtype=bits_dtype(value.dtype))


def convert(value: Expr, dtype: DType) -> Expr:
    """Convert a float to another format of `FORMATS` by bit operations."""
    source, target = FORMATS[value.dtype.element], FORMATS[dtype.element]
    bits = as_bits(value)
    shift = target.mantissa - source.mantissa
    if shift < 0:
        bits = _add_rounding(bits, -shift)
    new_bits = (
        _shift(bits, shift, dtype) if source.exponent == target.exponent else _rebias(bits, source, target, dtype)
    )
    return reinterpret_(new_bits, dtype=dtype)


def _add_rounding(bits: Expr, count: int) -> Expr:
    """Add half a unit of the last kept bit, so that dropping `count` bits rounds to nearest even."""
    odd = _apply("bitwise_and", _apply("shift_right", bits, count), 1)
    return Add(bits, Add(odd, const((1 << (count - 1)) - 1, bits.dtype)))


def _shift(bits: Expr, shift: int, dtype: DType) -> Expr:
    unsigned = bits_dtype(dtype)
    if shift < 0:
        return _cast(unsigned, _apply("shift_right", bits, -shift))
    return _apply("shift_left", _cast(unsigned, bits), shift)


def _rebias(bits: Expr, source: Format, target: Format, dtype: DType) -> Expr:
    """Move mantissa, exponent and sign to their new positions; a number too small to be normal becomes 0."""
    unsigned = bits_dtype(dtype)
    mantissa = _apply("bitwise_and", _shift(bits, target.mantissa - source.mantissa, dtype), (1 << target.mantissa) - 1)
    biased = _apply("shift_right", _apply("shift_left", bits, 1), source.mantissa + 1)
    rebias = target.bias - source.bias
    if rebias > 0:
        exponent = _cast(unsigned, Add(biased, const(rebias, bits.dtype)))
    else:
        exponent = _cast(unsigned, Sub(biased, const(-rebias, bits.dtype)))
    exponent = _apply("shift_left", exponent, target.mantissa)
    sign = _cast(unsigned, _apply("shift_right", bits, bits.dtype.bits - 1))
    sign = _apply("shift_left", sign, unsigned.bits - 1)
    result = _apply("bitwise_or", _apply("bitwise_or", mantissa, exponent), sign)
    if rebias >= 0:
        return result
    is_small, zero = LT(biased, const(-rebias, bits.dtype)), const(0, unsigned)
    if unsigned.lanes != 1:
        return Select(is_small, zero, result)
    return Call(unsigned, Op.get("tir.if_then_else"), (is_small, zero, result))


def _apply(name: str, value: Expr, operand: Expr | int) -> Expr:
    if isinstance(operand, int):
        operand = const(operand, value.dtype)
    return OPERATORS[name](value, operand)


def _cast(dtype: DType, value: Expr) -> Expr:
    return value if value.dtype is dtype else Cast(dtype, value)
