"""log, log2, log10, log1p and what is made of them: asinh, acosh, atanh.

x = 2 ** k * m with m between sqrt(1/2) and sqrt(2); with f = m - 1 and s = f / (2 + f), log(m) is
f - (f ** 2 / 2 - s * (f ** 2 / 2 + R(s ** 2))) (fdlibm's e_log.c, Sun Microsystems 1993). Logarithms to other bases
multiply a value of two parts, as fdlibm's e_log2.c does.

Processors that look up lanes of registers have m between 3/4 and 3/2, and a table of 16 numbers c near 1 / m: log(x) is
k * log(2) - log(c) + log(1 + r) with r = c * m - 1, a polynomial without a division (Tang, "Table-Driven Implementation
of the Logarithm Function in IEEE Floating-Point Arithmetic", ACM TOMS 16, 1990). The first two terms are numbers so
short that their sum is exact, and rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from functools import cache
from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: a number as a sum of two
Parts = tuple[float, float]

#: (2 * atanh(s) / s - 2) / s ** 2 in s ** 2
_SERIES: Final = {
    "float": (0.23584534227848053, 0.2853719890117645, 0.4000033736228943, 0.6666666269302368),
    "double": (
        0.14799013735071534, 0.1531376292032561, 0.18183574791793225, 0.22222198388177455, 0.28571428744007865,
        0.39999999999408403, 0.6666666666666735,
    ),
}  # fmt: skip
#: log(2) in two parts: products of the first one with an exponent are exact
LN2: Final = {
    "float": (0.693145751953125, 1.428606765330187e-06),
    "double": (0.6931471805598903, 5.497923018708371e-14),
}
#: 1 / log(2) and 1 / log(10), the first part short enough for exact products with a short number
_LOG2E: Final = {
    "float": (1.4423828125, 0.0003122283889634073),
    "double": (1.4426946640014648, 3.768874985636099e-07),
}
_LOG10E: Final = {
    "float": (0.4342041015625, 9.03803407518277e-05),
    "double": (0.4342944622039795, 1.9699272335463627e-08),
}
#: the same with the nearest number as the first part
_NEAREST_LOG2E: Final = {
    "float": (1.4426950216293335, 1.925963033500011e-08),
    "double": (1.4426950408889634, 2.0355273740931033e-17),
}
_NEAREST_LOG10E: Final = {
    "float": (0.4342944920063019, -1.0103049952192578e-08),
    "double": (0.4342944819032518, 1.098319650216765e-17),
}
#: log10(2) in two parts
_LOG10_2: Final = {
    "float": (0.301025390625, 4.605038611771306e-06),
    "double": (0.30102999566395283, 2.8363394551044964e-14),
}

#: (log(1 + r) - r) / r ** 2, r from -1/31 to 1/16
_LOG1P: Final = {
    "float": (0.18866114552195296, -0.25007707062660195, 0.33334464894697785, -0.5000000066237611),
    "double": (
        -0.08760779181034903, 0.1107404672735103, -0.125019906675019, 0.14285818762408115, -0.16666665974536005,
        0.19999999925964282, -0.249999999999307, 0.33333333333348303, -0.5000000000000002,
    ),
}  # fmt: skip
#: fraction bits of short logarithms, whose sums with short multiples of log(2) are exact
_SHORT_BITS: Final = {"float": 15, "double": 42}

_SQRT_HALF_BITS: Final = {"float": 0x3F3504F3, "double": 0x3FE6A09E667F3BCD}
_MANTISSA: Final = {"float": 23, "double": 52}
_SMALLEST: Final = {"float": 2.0**-126, "double": 2.0**-1022}
_LIFT: Final = {"float": (2.0**25, 25), "double": (2.0**54, 54)}


def split(x: Value, least: int | None = None) -> tuple[Value, Value]:
    """k as an integer and m of a positive finite x = 2 ** k * m, subnormal numbers included.

    m is at least the number of this bit pattern, sqrt(1/2) if there is none, and below twice that.
    """
    kind = x.type
    lift, places = _LIFT[kind]
    tiny = x < _SMALLEST[kind]
    bits = tiny.choose(x * lift, x).bits()
    offset = bits - (least or _SQRT_HALF_BITS[kind])
    k = offset.sar(_MANTISSA[kind])
    mantissa = bits - (k << _MANTISSA[kind])
    return k - tiny.choose(k.of(places), 0), mantissa.as_float()


def _special(x: Value, value: Value) -> Value:
    """The value where x is positive and finite; -inf at 0, nan below, inf and nan as they are."""
    value = x.eq(0.0).choose(float("-inf"), value)
    value = (x < 0.0).choose(float("nan"), value)
    return (x < float("inf")).choose(value, (x < 0.0).choose(value, x))


def _parts(lanes: Lanes, f: Value) -> tuple[Value, Value]:
    """f ** 2 / 2 and s * (f ** 2 / 2 + R): log(1 + f) is f - (first - second)."""
    s = f / (f + 2.0)
    z = s * s
    half = f * f * 0.5
    return half, s * (half + z * lanes.horner(z, _SERIES[f.type]))


def columns(base: str, bits: int, inverses: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """Return numbers c, -log(c) to a base with so many bits behind the point, and the rest of it."""
    rows: list[tuple[float, float, float]] = []
    with localcontext() as context:
        context.prec = 50
        unit = Decimal(1) if base == "e" else Decimal(base).ln()
        for inverse in inverses:
            logarithm = -Decimal(inverse).ln() / unit
            high = float(round(logarithm * 2**bits)) / 2**bits
            rows.append((inverse, high, float(logarithm - Decimal(high))))
    return tuple(zip(*rows, strict=True))


@cache
def _table(base: str, kind: str) -> tuple[tuple[float, ...], ...]:
    """For each sixteenth of the mantissas from 3/4 to 3/2, by their first bits: c and the parts of -log(c).

    c is 1 next to 1, so that logarithms are exact there. `kind` is the type that the numbers are for.
    """
    centers = [(1 + (index + 0.5) / 16) / (1 if index < 8 else 2) for index in range(16)]
    inverses = [1.0 if index in (0, 15) else round(256 / center) / 256 for index, center in enumerate(centers)]
    return columns(base, _SHORT_BITS[kind], inverses)


def reduced(lanes: Lanes, x: Value, base: str) -> tuple[Value, Value, Value, Value, Value] | None:
    """k, m, c and the parts of -log(c) of x, as `_table` says; None where lanes of registers are not looked up."""
    parts = lanes.split_exponent(x)
    if parts is None:
        return None
    k, m = parts
    index = m.bits() >> (_MANTISSA[x.type] - 4)
    inverse, high, low = (lanes.lookup_lane(x.type, column, index) for column in _table(base, x.type))
    return k, m, inverse, high, low


def _by_table(lanes: Lanes, x: Value, base: str, unit: Parts, factor: Parts, lost: Value | None = None) -> Value | None:
    """The logarithm of x + `lost` to a base; `unit`: that of 2, `factor`: 1 / log(base), each in two parts."""
    parts = reduced(lanes, x, base)
    if parts is None:
        return None
    k, m, inverse, high, low = parts
    r = lanes.fma(m, inverse, -1.0)
    scaled = None if lost is None else lanes.scale_by_floor(lost, -k)
    if scaled is not None:  # nan where x is 0 or infinite
        r = lanes.fma(scaled.is_nan().choose(0.0, scaled), inverse, r)
    tail = r * r * lanes.horner(r, tuple([c * sum(factor) for c in _LOG1P[x.type]]))
    rest = lanes.fma(k, unit[1], low) if unit[1] else low
    whole = lanes.fma(k, unit[0], high)
    if factor[1] == 0.0:
        return whole + (r + (rest + tail))
    return lanes.fma(r, factor[0], lanes.fma(r, factor[1], rest + tail)) + whole


@expansion()
def log(lanes: Lanes, x: Value) -> Value:
    by_table = _by_table(lanes, x, "e", LN2[x.type], (1.0, 0.0))
    if by_table is not None:
        return by_table
    k, m = split(x)
    high, low = LN2[x.type]
    n = k.to_float(x.type)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    value = lanes.fma(n, high, f - (half - lanes.fma(n, low, rest)))
    return _special(x, value)


@expansion()
def log1p(lanes: Lanes, x: Value) -> Value:
    """log(1 + x): the rounding error of the sum is divided by it and added."""
    u, lost = lanes.two_sum(x, x.of(1.0))
    by_table = _by_table(lanes, u, "e", LN2[x.type], (1.0, 0.0), lost)
    if by_table is not None:
        return x.eq(0.0).choose(x, by_table)
    k, m = split(u)
    high, low = LN2[x.type]
    n = k.to_float(x.type)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    correction = lost / u
    value = lanes.fma(n, high, f - (half - (lanes.fma(n, low, rest) + correction)))
    value = _special(u, value)
    # an x that is far below 1 (and -0.0) is its own logarithm
    tiny = x.abs() < (2.0**-25 if x.type == "float" else 2.0**-54)
    return (tiny | x.eq(float("inf"))).choose(x, value)


def short(value: Value) -> Value:
    """The value with the lower half of its digits cleared."""
    mask = -(1 << 12) if value.type == "float" else -(1 << 32)
    return (value.bits() & mask).as_float()


def _two_parts(lanes: Lanes, x: Value) -> tuple[Value, Value, Value]:
    """n, and log(m) as a short number and a rest."""
    k, m = split(x)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    high = short(f - half)
    return k.to_float(x.type), high, (f - high) - half + rest


@expansion()
def log2(lanes: Lanes, x: Value) -> Value:
    by_table = _by_table(lanes, x, "2", (1.0, 0.0), _NEAREST_LOG2E[x.type])
    if by_table is not None:
        return by_table
    n, high, low = _two_parts(lanes, x)
    first, second = _LOG2E[x.type]
    # fdlibm e_log2.c
    top = high * first
    rest = lanes.fma(low + high, second, low * first)
    total, lost = lanes.fast_two_sum(n, top)
    near = n.eq(0.0)
    value = near.choose(top + rest, total + (lost + rest))
    return _special(x, value)


@expansion()
def log10(lanes: Lanes, x: Value) -> Value:
    by_table = _by_table(lanes, x, "10", _LOG10_2[x.type], _NEAREST_LOG10E[x.type])
    if by_table is not None:
        return by_table
    n, high, low = _two_parts(lanes, x)
    first, second = _LOG10E[x.type]
    top = high * first
    whole = n * _LOG10_2[x.type][0]
    rest = lanes.fma(n, _LOG10_2[x.type][1], lanes.fma(low + high, second, low * first))
    total, lost = lanes.fast_two_sum(whole, top)
    near = n.eq(0.0)
    value = near.choose(top + rest, total + (lost + rest))
    return _special(x, value)


@expansion()
def asinh(lanes: Lanes, x: Value) -> Value:
    """sign(x) * log1p(|x| + x ** 2 / (1 + sqrt(1 + x ** 2))); log(2 |x|) where x ** 2 counts alone."""
    size = x.abs()
    large = size > 2.0**28
    square = large.choose(1.0, size * size)
    small = log1p(lanes, size + square / ((square + 1.0).sqrt() + 1.0))
    value = large.choose(log(lanes, size) + 0.6931471805599453, small)
    return value.with_sign_of(x)


@expansion()
def acosh(lanes: Lanes, x: Value) -> Value:
    """log1p(t + sqrt(2 t + t ** 2)) with t = x - 1; nan below 1."""
    large = x > 2.0**28
    t = large.choose(1.0, x - 1.0)
    small = log1p(lanes, t + (t * 2.0 + t * t).sqrt())
    small = (x < 1.0).choose(float("nan"), small)
    return large.choose(log(lanes, x) + 0.6931471805599453, small)


@expansion()
def atanh(lanes: Lanes, x: Value) -> Value:
    """log1p(2 |x| / (1 - |x|)) / 2 with the sign of x."""
    size = x.abs()
    value = log1p(lanes, size * 2.0 / (1.0 - size)) * 0.5
    return (size < 2.0**-28).choose(size, value).with_sign_of(x)
