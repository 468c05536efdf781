"""Reference implementations of the mathematical functions: from Python floats to Python floats, without exceptions.

Where Python's `math` raises, the result follows IEEE 754: overflow and poles are infinite, arguments outside of the
domain give nan. Values are those of the C library in double precision; results of narrower dtypes are rounded from
them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from tvmscript.ir.core import DType, WrongType

Unary = Callable[[float], float]

INF = math.inf
NAN = math.nan


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def exp2(x: float) -> float:
    try:
        return math.exp2(x)
    except OverflowError:
        return INF


def exp10(x: float) -> float:
    return power(10.0, x)


def log_of(function: Unary, pole: float) -> Unary:
    """A logarithm that is -inf at its pole and nan left of it."""

    def log(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return -INF if x == pole else NAN

    return log


log = log_of(math.log, 0.0)
log2 = log_of(math.log2, 0.0)
log10 = log_of(math.log10, 0.0)
log1p = log_of(math.log1p, -1.0)


def within_domain(function: Unary) -> Unary:
    """The function, nan outside of its domain."""

    def total(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return NAN

    return total


sin = within_domain(math.sin)
cos = within_domain(math.cos)
tan = within_domain(math.tan)
asin = within_domain(math.asin)
acos = within_domain(math.acos)
acosh = within_domain(math.acosh)
sqrt = within_domain(math.sqrt)


def sinh(x: float) -> float:
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(INF, x)


def cosh(x: float) -> float:
    try:
        return math.cosh(x)
    except OverflowError:
        return INF


def atanh(x: float) -> float:
    try:
        return math.atanh(x)
    except ValueError:
        return math.copysign(INF, x) if abs(x) == 1.0 else NAN


def rsqrt(x: float) -> float:
    if x == 0.0:
        return math.copysign(INF, x)
    return 1.0 / math.sqrt(x) if x > 0.0 else NAN


def sigmoid(x: float) -> float:
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)


def power(x: float, y: float) -> float:
    """x ** y by the rules of C's Annex F (pow(1, nan) is 1, pow(-0.0, -3) is -inf, ...)."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0.0 and math.fmod(y, 2.0) in (1.0, -1.0) else INF
    except ValueError:
        if x != 0.0:
            return NAN
        return math.copysign(INF, x) if math.fmod(y, 2.0) in (1.0, -1.0) else INF


def fmod(x: float, y: float) -> float:
    """The remainder of the quotient rounded towards zero: exact, with the sign of x."""
    try:
        return math.fmod(x, y)
    except ValueError:
        return NAN


def ldexp(x: float, exponent: float) -> float:
    try:
        return math.ldexp(x, int(exponent))
    except OverflowError:
        return math.copysign(INF, x)


def _rounding(function: Callable[[float], int]) -> Unary:
    """A rounding to integers that keeps infinities, nan and the sign of zero."""

    def rounded(x: float) -> float:
        # from 2 ** 52 on, every double is an integer
        return math.copysign(float(function(x)), x) if abs(x) < 4503599627370496.0 else x

    return rounded


def _half_away(x: float) -> int:
    whole = math.trunc(x)
    return whole if abs(x - whole) < 0.5 else whole + (1 if x > 0.0 else -1)


floor = _rounding(math.floor)
ceil = _rounding(math.ceil)
trunc = _rounding(math.trunc)
#: half to even
nearbyint = _rounding(round)
#: half away from zero, as C's round
round_away = _rounding(_half_away)

#: dtype -> struct codes of the float and of the integer of its bits
_LAYOUT = {"float16": ("<e", "<H"), "float32": ("<f", "<I"), "float64": ("<d", "<Q")}


def nextafter(dtype: DType) -> Callable[[float, float], float]:
    """The next value of the dtype after x in the direction of y. Raises `WrongType` for 8-bit floats."""
    if dtype == "float64":
        return math.nextafter
    if dtype != "bfloat16" and dtype not in _LAYOUT:
        raise WrongType(where="nextafter", expected="float16, bfloat16, float32 or float64", got=dtype)
    code, bits = _LAYOUT.get(dtype, _LAYOUT["float32"])
    step = 1 << 16 if dtype == "bfloat16" else 1  # a bfloat16 is the upper half of a float32

    def following(x: float, y: float) -> float:
        if x != x or y != y:
            return NAN
        if x == y:
            return y
        if x == 0.0:
            smallest: float = struct.unpack(code, struct.pack(bits, step))[0]
            return math.copysign(smallest, y)
        pattern = struct.unpack(bits, struct.pack(code, x))[0]
        pattern += step if (x < y) == (x > 0.0) else -step
        moved: float = struct.unpack(code, struct.pack(bits, pattern))[0]
        return moved

    return following


def fma(dtype: DType) -> Callable[[float, float, float], float]:
    """a * b + c with one rounding to the dtype: the sum is exact, and for narrower dtypes the double is rounded to odd.

    Rounding to odd first makes the second rounding the only one that counts (Boldo and Melquiond, 2008). Integers wrap.
    """
    if dtype.is_integer:
        return lambda a, b, c: a * b + c
    from fractions import Fraction  # for fma only

    narrow = dtype.bits < 64

    def multiply_add(a: float, b: float, c: float) -> float:
        if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
            # a product that would overflow does not count against an infinite c
            return c if math.isfinite(a) and math.isfinite(b) else a * b + c
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        if exact == 0:
            return a * b + c  # the sign of zero
        try:
            near = float(exact)
        except OverflowError:
            return INF if exact > 0 else -INF
        if narrow and math.isfinite(near) and Fraction(near) != exact:
            even = struct.unpack("<Q", struct.pack("<d", near))[0] % 2 == 0
            if even:
                near = math.nextafter(near, INF if exact > near else -INF)
        return near

    return multiply_add
