"""Bit patterns of floating-point formats that Python lacks: bfloat16, and 8 bits and narrower.

Sources: OCP 8-bit Floating Point Specification 1.0 (e4m3 with nan and no infinity, e5m2), OCP Microscaling 1.0
(e8m0, e2m3, e3m2, e2m1), IEEE-754-like e3m4 and e4m3, and the `fnuz` kinds of Noune et al. (2022), which have one zero
and one nan. Conversion rounds to nearest, ties to even. What is too large becomes infinity; nan where the format has no
infinity; the largest value where it has neither (the non-saturating rules of OCP, as ml_dtypes implements them).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple


class Format(NamedTuple):
    """A format of `bits` bits: sign, exponent with this bias, `mantissa` bits; patterns are without the sign."""

    bits: int
    mantissa: int
    bias: int
    #: pattern of the largest finite value
    largest: int
    #: pattern of what is larger: infinity, nan or the largest value
    overflow: int
    #: pattern of nan; None where there is none, and minus zero stands in
    nan: int | None
    #: whether nan and zero carry a sign; where not, nan has the pattern of minus zero
    signed_special: bool = True
    #: e8m0: powers of two, neither sign nor zero
    unsigned: bool = False

    @property
    def sign(self) -> int:
        return 0 if self.unsigned else 1 << (self.bits - 1)

    @property
    def min_exponent(self) -> int:
        """Exponent of the smallest normal value, and of all values below."""
        return 1 - self.bias


FORMATS: dict[str, Format] = {
    "bfloat16": Format(16, 7, 127, largest=0x7F7F, overflow=0x7F80, nan=0x7FC0),
    "e4m3_float8": Format(8, 3, 7, largest=0x7E, overflow=0x7F, nan=0x7F),
    "e5m2_float8": Format(8, 2, 15, largest=0x7B, overflow=0x7C, nan=0x7E),
    "float8_e3m4": Format(8, 4, 3, largest=0x6F, overflow=0x70, nan=0x78),
    "float8_e4m3": Format(8, 3, 7, largest=0x77, overflow=0x78, nan=0x7C),
    "float8_e4m3b11fnuz": Format(8, 3, 11, largest=0x7F, overflow=0x80, nan=0x80, signed_special=False),
    "float8_e4m3fnuz": Format(8, 3, 8, largest=0x7F, overflow=0x80, nan=0x80, signed_special=False),
    "float8_e5m2fnuz": Format(8, 2, 16, largest=0x7F, overflow=0x80, nan=0x80, signed_special=False),
    "float8_e8m0fnu": Format(8, 0, 127, largest=0xFE, overflow=0xFF, nan=0xFF, unsigned=True),
    "float6_e2m3fn": Format(6, 3, 1, largest=0x1F, overflow=0x1F, nan=None),
    "float6_e3m2fn": Format(6, 2, 3, largest=0x1F, overflow=0x1F, nan=None),
    "float4_e2m1fn": Format(4, 1, 1, largest=0x7, overflow=0x7, nan=None),
}


def value_of(pattern: int, form: Format) -> float:
    """Return the value of a bit pattern."""
    size = pattern & ~form.sign
    negative = pattern & form.sign != 0
    if not form.signed_special:
        if pattern == form.nan:
            return math.nan
    elif size > form.largest:
        value = math.inf if size == form.overflow and form.overflow != form.nan else math.nan
        return -value if negative else value
    if form.unsigned:
        return math.ldexp(1.0, size - 127)
    exponent = size >> form.mantissa
    fraction = size & ((1 << form.mantissa) - 1)
    if exponent:
        fraction += 1 << form.mantissa
    value = math.ldexp(fraction, max(exponent, 1) - form.bias - form.mantissa)
    return -value if negative else value


@cache
def encoder(dtype: str) -> Callable[[float], int]:
    """Return the function from a number to the nearest bit pattern of a dtype."""
    form = FORMATS[dtype]
    mantissa, lowest, largest = form.mantissa, form.min_exponent, form.largest
    sign_bit, overflow = form.sign, form.overflow

    def pattern_of(value: float) -> int:
        size = abs(value)
        if value != value or (form.unsigned and (value <= 0.0 or size == math.inf)):
            return _nan_pattern(value, form)
        if size == math.inf:
            pattern = overflow
        elif size == 0.0:
            pattern = 0
        else:
            exponent = max(math.frexp(size)[1] - 1, lowest)
            pattern = ((exponent - lowest) << mantissa) + round(math.ldexp(size, mantissa - exponent))
            if pattern > largest:
                pattern = overflow
        if math.copysign(1.0, value) > 0.0 or (not form.signed_special and (pattern == 0 or pattern == sign_bit)):
            return pattern
        return pattern | sign_bit

    return pattern_of


def _nan_pattern(value: float, form: Format) -> int:
    """Return the pattern of a value outside the format: nan if the format has one, else minus zero."""
    negative = math.copysign(1.0, value) < 0.0
    if form.nan is None:
        return 0 if negative else form.sign
    return form.nan | form.sign if negative and form.signed_special else form.nan
