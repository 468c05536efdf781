"""Narrow floats converted by operations on their bits, as code for machines without them does it.

Normal numbers convert exactly, or to the nearest, ties to even. As in TVM, the exponents of zeros, subnormal numbers,
infinities and NaN get no treatment of their own: where both formats have as many exponent bits (bfloat16 and float32,
e5m2 and float16) they convert as they should, otherwise the smallest and the largest exponent are taken for normal
ones.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.expr import LT, Add, Call, Cast, Select, Sub
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.operators import const


class Format(NamedTuple):
    """How a float keeps its bits, below the sign."""

    exponent: int
    mantissa: int
    bias: int


#: dtype of a lane -> its format
FORMATS: Final[dict[str, Format]] = {
    "e4m3_float8": Format(4, 3, 7),
    "e5m2_float8": Format(5, 2, 15),
    "bfloat16": Format(8, 7, 127),
    "float16": Format(5, 10, 15),
    "float32": Format(8, 23, 127),
    "float64": Format(11, 52, 1023),
}

#: kind of narrow float -> the dtypes of a lane
BFLOAT: Final = frozenset(["bfloat16"])
FLOAT8: Final = frozenset(["e4m3_float8", "e5m2_float8"])

#: the compute capability from which a CUDA device computes with them
_CUDA_SINCE: Final = {BFLOAT: 80, FLOAT8: 89}


def is_native(func: PrimFunc, kinds: frozenset[str]) -> bool:
    """Whether the target that the function is bound to has these floats."""
    target = func.attrs.get("target")
    if not isinstance(target, Target) or target.kind != "cuda":
        return False
    arch = "".join(filter(str.isdigit, str(target.options.get("arch", ""))))
    return bool(arch) and int(arch) >= _CUDA_SINCE[kinds]


@cache
def bits_dtype(dtype: DType) -> DType:
    """The unsigned integers of the same width."""
    return DType(f"uint{dtype.bits}").with_lanes(dtype.lanes)


def as_bits(value: Expr) -> Expr:
    """The bits of a float."""
    return reinterpret_(value, dtype=bits_dtype(value.dtype))


def converted(value: Expr, dtype: DType) -> Expr:
    """The float as another one, by operations on its bits; both are of `FORMATS`."""
    source, target = FORMATS[value.dtype.element], FORMATS[dtype.element]
    bits = as_bits(value)
    shift = target.mantissa - source.mantissa
    if shift < 0:
        bits = _rounded(bits, -shift)
    made = _shifted(bits, shift, dtype) if source.exponent == target.exponent else _rebuilt(bits, source, target, dtype)
    return reinterpret_(made, dtype=dtype)


def _rounded(bits: Expr, count: int) -> Expr:
    """The bits with half of the last one added that is kept: dropping `count` bits rounds, ties to even."""
    odd = _op("bitwise_and", _op("shift_right", bits, count), 1)
    return Add(bits, Add(odd, const((1 << (count - 1)) - 1, bits.dtype)))


def _shifted(bits: Expr, shift: int, dtype: DType) -> Expr:
    unsigned = bits_dtype(dtype)
    if shift < 0:
        return _cast(unsigned, _op("shift_right", bits, -shift))
    return _op("shift_left", _cast(unsigned, bits), shift)


def _rebuilt(bits: Expr, source: Format, target: Format, dtype: DType) -> Expr:
    """Mantissa, exponent and sign in their new places; 0 for what is too small to be normal."""
    unsigned = bits_dtype(dtype)
    mantissa = _op("bitwise_and", _shifted(bits, target.mantissa - source.mantissa, dtype), (1 << target.mantissa) - 1)
    biased = _op("shift_right", _op("shift_left", bits, 1), source.mantissa + 1)
    rebias = target.bias - source.bias
    if rebias > 0:
        exponent = _cast(unsigned, Add(biased, const(rebias, bits.dtype)))
    else:
        exponent = _cast(unsigned, Sub(biased, const(-rebias, bits.dtype)))
    exponent = _op("shift_left", exponent, target.mantissa)
    sign = _cast(unsigned, _op("shift_right", bits, bits.dtype.bits - 1))
    sign = _op("shift_left", sign, unsigned.bits - 1)
    made = _op("bitwise_or", _op("bitwise_or", mantissa, exponent), sign)
    if rebias >= 0:
        return made
    is_small, zero = LT(biased, const(-rebias, bits.dtype)), const(0, unsigned)
    if unsigned.lanes != 1:
        return Select(is_small, zero, made)
    return Call(unsigned, Op.get("tir.if_then_else"), (is_small, zero, made))


def _op(name: str, value: Expr, operand: Expr | int) -> Expr:
    if isinstance(operand, int):
        operand = const(operand, value.dtype)
    made: Expr = OPERATORS[name](value, operand)
    return made


def _cast(dtype: DType, value: Expr) -> Expr:
    return value if value.dtype is dtype else Cast(dtype, value)
