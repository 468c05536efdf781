"""log, log2, log10, log1p and what is made of them: asinh, acosh, atanh.

x = 2 ** k * m with m between sqrt(1/2) and sqrt(2); with f = m - 1 and s = f / (2 + f), log(m) is
f - (f ** 2 / 2 - s * (f ** 2 / 2 + R(s ** 2))) (fdlibm's e_log.c, Sun Microsystems 1993). Logarithms to other bases
multiply a value of two parts, as fdlibm's e_log2.c does.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: (2 * atanh(s) / s - 2) / s ** 2 in s ** 2
_SERIES: Final = {
    "float": (0.23584534227848053, 0.2853719890117645, 0.4000033736228943, 0.6666666269302368),
    "double": (
        0.14799013735071534, 0.1531376292032561, 0.18183574791793225, 0.22222198388177455, 0.28571428744007865,
        0.39999999999408403, 0.6666666666666735,
    ),
}  # fmt: skip
#: log(2) in two parts: products of the first one with an exponent are exact
_LN2: Final = {
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
#: log10(2) in two parts
_LOG10_2: Final = {
    "float": (0.301025390625, 4.605038611771306e-06),
    "double": (0.30102999566395283, 2.8363394551044964e-14),
}

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


@expansion()
def log(lanes: Lanes, x: Value) -> Value:
    k, m = split(x)
    high, low = _LN2[x.type]
    n = k.to_float(x.type)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    value = lanes.fma(n, high, f - (half - lanes.fma(n, low, rest)))
    return _special(x, value)


@expansion()
def log1p(lanes: Lanes, x: Value) -> Value:
    """log(1 + x): the rounding error of the sum is divided by it and added."""
    u, lost = lanes.two_sum(x, x.of(1.0))
    k, m = split(u)
    high, low = _LN2[x.type]
    n = k.to_float(x.type)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    correction = lost / u
    value = lanes.fma(n, high, f - (half - (lanes.fma(n, low, rest) + correction)))
    value = _special(u, value)
    # an x that is far below 1 (and -0.0) is its own logarithm
    tiny = x.abs() < (2.0**-25 if x.type == "float" else 2.0**-54)
    return (tiny | x.eq(float("inf"))).choose(x, value)


def _short(value: Value) -> Value:
    """The value with the lower half of its digits cleared."""
    mask = -(1 << 12) if value.type == "float" else -(1 << 32)
    return (value.bits() & mask).as_float()


def _two_parts(lanes: Lanes, x: Value) -> tuple[Value, Value, Value]:
    """n, and log(m) as a short number and a rest."""
    k, m = split(x)
    f = m - 1.0
    half, rest = _parts(lanes, f)
    high = _short(f - half)
    return k.to_float(x.type), high, (f - high) - half + rest


@expansion()
def log2(lanes: Lanes, x: Value) -> Value:
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
    n, high, low = _two_parts(lanes, x)
    first, second = _LOG10E[x.type]
    top = high * first
    whole = n * _LOG10_2[x.type][0]
    rest = lanes.fma(n, _LOG10_2[x.type][1], lanes.fma(low + high, second, low * first))
    total, lost = lanes.fast_two_sum(whole, top)
    near = n.eq(0.0)
    value = near.choose(top + rest, total + (lost + rest))
    return _special(x, value)


@expansion(in_double=True)
def asinh(lanes: Lanes, x: Value) -> Value:
    """sign(x) * log1p(|x| + x ** 2 / (1 + sqrt(1 + x ** 2))); log(2 |x|) where x ** 2 counts alone."""
    size = x.abs()
    large = size > 2.0**28
    square = large.choose(1.0, size * size)
    small = log1p(lanes, size + square / ((square + 1.0).sqrt() + 1.0))
    value = large.choose(log(lanes, size) + 0.6931471805599453, small)
    return value.with_sign_of(x)


@expansion(in_double=True)
def acosh(lanes: Lanes, x: Value) -> Value:
    """log1p(t + sqrt(2 t + t ** 2)) with t = x - 1; nan below 1."""
    large = x > 2.0**28
    t = large.choose(1.0, x - 1.0)
    small = log1p(lanes, t + (t * 2.0 + t * t).sqrt())
    small = (x < 1.0).choose(float("nan"), small)
    return large.choose(log(lanes, x) + 0.6931471805599453, small)


@expansion(in_double=True)
def atanh(lanes: Lanes, x: Value) -> Value:
    """log1p(2 |x| / (1 - |x|)) / 2 with the sign of x."""
    size = x.abs()
    value = log1p(lanes, size * 2.0 / (1.0 - size)) * 0.5
    return (size < 2.0**-28).choose(size, value).with_sign_of(x)
