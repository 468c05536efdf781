"""Floats without arithmetic of their own: bfloat16 and the 8-bit (and narrower) dtypes as bit patterns.

Each operation decodes to float32, computes there, and encodes with rounding to nearest even.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core import DType


@dataclass(frozen=True)
class Format:
    """Layout of a small float: sign, `exponent` bits, `mantissa` bits.

    Patterns above `largest` (sign aside) are not finite; what is too large becomes `overflow`, nan becomes `nan`.
    `fnuz` kinds have one zero and their only nan in the place of -0.
    """

    exponent: int
    mantissa: int
    bias: int
    largest: int
    overflow: int
    nan: int
    infinity: int | None = None
    fnuz: bool = False

    @property
    def sign(self) -> int:
        return 1 << (self.exponent + self.mantissa)


FORMATS: Final[dict[str, Format]] = {
    "e5m2_float8": Format(5, 2, 15, 0x7B, 0x7C, 0x7E, infinity=0x7C),
    "float8_e4m3": Format(4, 3, 7, 0x77, 0x78, 0x7C, infinity=0x78),
    "float8_e3m4": Format(3, 4, 3, 0x6F, 0x70, 0x78, infinity=0x70),
    "e4m3_float8": Format(4, 3, 7, 0x7E, 0x7F, 0x7F),
    "float8_e4m3b11fnuz": Format(4, 3, 11, 0x7F, 0x80, 0x80, fnuz=True),
    "float8_e4m3fnuz": Format(4, 3, 8, 0x7F, 0x80, 0x80, fnuz=True),
    "float8_e5m2fnuz": Format(5, 2, 16, 0x7F, 0x80, 0x80, fnuz=True),
    "float6_e2m3fn": Format(2, 3, 1, 0x1F, 0x1F, 0x20),
    "float6_e3m2fn": Format(3, 2, 3, 0x1F, 0x1F, 0x20),
    "float4_e2m1fn": Format(2, 1, 1, 0x7, 0x7, 0x8),
}


#: of float32 and bfloat16, of float16
_LEAST_NORMAL: Final = 2.0**-126
_LEAST_NORMAL_HALF: Final = 2.0**-14


def decode(lanes: Lanes, bits: Value, dtype: DType) -> Value:
    """Return the float32 of a bit pattern: exact."""
    if dtype.code == "bfloat":
        return (bits.zext("i32") << 16).as_float()
    wide = bits.zext("i32")
    if dtype.code == "float8_e8m0fnu":
        power = wide.eq(0).choose(1 << 22, wide << 23)  # 2 ** -127 is subnormal
        return wide.eq(0xFF).choose(0x7FC00000, power).as_float()
    form = FORMATS[dtype.code]
    magnitude = wide & (form.sign - 1)
    normal = ((magnitude << (23 - form.mantissa)) + ((127 - form.bias) << 23)).as_float()
    subnormal = magnitude.to_float("float") * 2.0 ** (1 - form.bias - form.mantissa)
    value = (magnitude >> form.mantissa).eq(0).choose(subnormal, normal).bits()
    if form.infinity is not None:
        value = magnitude.eq(form.infinity).choose(0x7F800000, value)
        value = magnitude.below(form.infinity + 1).choose(value, 0x7FC00000)
    elif not form.fnuz and form.overflow > form.largest:
        value = magnitude.eq(form.nan).choose(0x7FC00000, value)
    value = value | ((wide & form.sign) << (31 - form.exponent - form.mantissa))
    if form.fnuz:
        value = wide.eq(form.nan).choose(0x7FC00000, value)
    return value.as_float()


def encode(lanes: Lanes, value: Value, dtype: DType) -> Value:
    """Return the bit pattern nearest to a float32, ties to even."""
    if dtype.code == "bfloat":
        return lanes.to_bfloat(value, lambda: _encode_bfloat(lanes, value))
    bits = value.bits()
    if dtype.code == "float8_e8m0fnu":
        return _encode_power(value, bits)
    form = FORMATS[dtype.code]
    magnitude = bits & 0x7FFFFFFF
    shift = 23 - form.mantissa
    rounded = (magnitude + ((magnitude >> shift) & 1) + ((1 << (shift - 1)) - 1)) >> shift
    normal = rounded - ((127 - form.bias) << form.mantissa)
    # Adding this power of two leaves the multiple of the smallest subnormal in the low bits, rounded to even.
    anchor = lanes.of("float", 2.0 ** (1 - form.bias - form.mantissa + 23))
    subnormal = (magnitude.as_float() + anchor).bits() - anchor.bits()
    smallest_normal = (127 + 1 - form.bias) << 23
    code = magnitude.below(smallest_normal).choose(subnormal, normal)
    code = code.below(form.largest + 1).choose(code, form.overflow)
    sign = (bits >> (31 - form.exponent - form.mantissa)) & form.sign
    if form.fnuz:
        signed = code.eq(form.overflow).choose(form.nan, code | sign)
        signed = code.eq(0).choose(0, signed)
        nan: Value | int = form.nan
    else:
        signed = code | sign
        # a format without nan has minus zero in its place, zero for a nan with a sign
        nan = sign | form.nan if form.overflow != form.largest else sign ^ form.sign
    return value.is_nan().choose(nan, signed).trunc("i8")


def _encode_bfloat(lanes: Lanes, value: Value) -> Value:
    """Return the nearest bfloat16, ties to even; of nan its sign is kept."""
    bits = value.bits()
    quiet = (((bits >> 16) & 0x8000) | 0x7FC0).trunc("i16")
    return value.is_nan().choose(quiet, round_result(lanes, value))


def round_result(lanes: Lanes, value: Value) -> Value:
    """Return the bfloat16 nearest to a result of arithmetic on bfloat16, ties to even.

    The lower half of a nan is 0 there, so that it stays what it is.
    """
    bits = value.bits()
    return ((bits + ((bits >> 16) & 1) + 0x7FFF) >> 16).trunc("i16")


def divide_by_one(lanes: Lanes, a: Value, b: Value) -> Value:
    """Return the bfloat16 nearest to a / b, of float32 that are bfloat16; all lanes of `b` are the same.

    Significands a and b have p bits, a number m halfway between two results has one more and is odd. So a = m * b is
    impossible, and a / b in [1, 2) is further than 2 ** -2p away from m; a * (1 / b) in float32 is at most 3 * 2 ** -24
    away from a / b, and rounds alike. Subnormal results have fewer bits.
    """
    near = _multiply_by_reciprocal(lanes, a, b)
    has_reciprocal = (b.abs() >= _LEAST_NORMAL) & (b.abs() <= 1 / _LEAST_NORMAL)
    if lanes.rounds_to_bfloat:
        return lanes.to_bfloat(near, lambda: round_result(lanes, a / b), rare=~has_reciprocal)
    is_rare = _is_subnormal(near, _LEAST_NORMAL) | ~has_reciprocal
    (quotient,) = lanes.unless(is_rare, (near,), lambda: (a / b,))
    return round_result(lanes, quotient)


def divide_halves_by_one(lanes: Lanes, a: Value, b: Value) -> Value:
    """Return the float16 nearest to a / b, of float32 that are float16; all lanes of `b` are the same."""
    near = _multiply_by_reciprocal(lanes, a, b)
    (quotient,) = lanes.unless(_is_subnormal(near, _LEAST_NORMAL_HALF), (near,), lambda: (a / b,))
    return quotient.narrow("half")


def _multiply_by_reciprocal(lanes: Lanes, a: Value, b: Value) -> Value:
    one = lanes.of_lanes(1)
    divisor = one.value("float", lanes.text.value(f"extractelement {lanes.full('float')} {b.operand}, i32 0"))
    return a * lanes.repeat(1.0 / divisor)


def _is_subnormal(value: Value, least_normal: float) -> Value:
    """Return where a value is less than the least normal number, but not 0."""
    return (value.abs() < least_normal) & value.ne(0.0)


def _encode_power(value: Value, bits: Value) -> Value:
    """Return the nearest power of two, ties upwards; nan unless positive and finite."""
    magnitude = bits & 0x7FFFFFFF
    subnormal = magnitude.below(0x400001).choose(0, magnitude.of(1))
    code = magnitude.below(0x800000).choose(subnormal, (magnitude + 0x400000) >> 23)
    good = (value > 0.0) & magnitude.below(0x7F800000) & code.below(0xFF)
    return good.choose(code, 0xFF).trunc("i8")


def narrow_to_odd(lanes: Lanes, value: Value) -> Value:
    """Round a double to float32 with rounding to odd, which makes a second rounding exact (Boldo, Melquiond 2008)."""
    near = value.narrow("float")
    back = near.widen("double")
    bits = near.bits()
    bits = (back.abs() > value.abs()).choose(bits - 1, bits)
    inexact = (back < value) | (back > value)
    return inexact.choose(bits | 1, bits).as_float()
