"""exp, exp2, exp10, expm1 and what is made of them: sigmoid, tanh, sinh, cosh.

Reduction: x = n * log(2) + r with |r| <= log(2) / 2, the product in two parts (Cody and Waite, "Software Manual for
the Elementary Functions", 1980); exp(x) = 2 ** n * exp(r). The scale is applied as two powers of two, so that results
overflow and become subnormal where they should. Processors that look up lanes of registers have n in steps of 1/16,
and 2 ** n from a table of 16 numbers (Tang, "Table-Driven Implementation of the Exponential Function in IEEE
Floating-Point Arithmetic", ACM TOMS 15, 1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.math.piecewise import Pieces, by_pieces, tanh_series
from tvmscript.backends.llvm.vector_builder import Lanes, Value

Coefficients = tuple[float, ...]


@dataclass(frozen=True)
class Base:
    """Constants for base ** x in one precision."""

    #: 1 / log_base(2)
    inverse: float
    #: log_base(2), the first part with zeros at its end so that its products with n are exact
    high: float
    low: float
    #: the result overflows above, and is 0 below
    largest: float
    smallest: float
    #: (base ** r - 1) / r, or (exp(r) - 1 - r) / r ** 2 where `quadratic`
    polynomial: Coefficients
    #: (base ** r - 1) / r for |r| <= log_base(2) / 32
    short: Coefficients
    quadratic: bool = False


_E32 = Base(
    1.4426950408889634, 0.693145751953125, 1.428606765330187e-06, 90.0, -104.5,
    (0.0013941163197159767, 0.008363207802176476, 0.04166637361049652, 0.16666576266288757, 0.5),
    (0.16667155512480814, 0.5000146653835601, 0.9999999995411808), True,
)  # fmt: skip
_E64 = Base(
    1.4426950408889634, 0.6931471805598903, 5.497923018708371e-14, 711.0, -746.0,
    (
        6.562553105492265e-10, 2.5087109886370947e-08, 2.760091470987296e-07, 2.755729433106874e-06,
        2.4801540933990687e-05, 0.00019841269847849948, 0.0013888888908993936, 0.008333333333332867,
        0.04166666666663613, 0.16666666666666666, 0.5,
    ),
    (
        0.0013889121695608122, 0.008333473002792493, 0.041666666660179014, 0.1666666666420873, 0.5000000000000004,
        1.0000000000000007,
    ), True,
)  # fmt: skip
_TWO32 = Base(
    1.0, 1.0, 0.0, 129.0, -151.0,
    (
        0.00015476156841032207, 0.0013399360468611121, 0.009618004783987999, 0.05550330877304077,
        0.24022650718688965, 0.6931471824645996,
    ),
    (0.05550573664189291, 0.24023355298683247, 0.6931471802419161),
)  # fmt: skip
_TWO64 = Base(
    1.0, 1.0, 0.0, 1025.0, -1076.0,
    (
        2.573313336728968e-11, 4.3752108595420596e-10, 7.054895014445705e-09, 1.0178605789195848e-07,
        1.321548681340377e-06, 1.5252732489859907e-05, 0.00015403530393367015, 0.0013333558147850528,
        0.00961812910762848, 0.05550410866481545, 0.24022650695910072, 0.6931471805599453,
    ),
    (
        0.00015403788588648644, 0.0013333781621331041, 0.009618129106130899, 0.05550410865663605, 0.24022650695910094,
        0.6931471805599457,
    ),
)  # fmt: skip
_TEN32 = Base(
    3.321928094887362, 0.301025390625, 4.605038611771306e-06, 39.0, -46.0,
    (
        0.20795966684818268, 0.5419713258743286, 1.1712404489517212, 2.034651517868042, 2.650949239730835,
        2.3025851249694824,
    ),
    (2.034738270940255, 2.651026809608586, 2.3025850919375754),
)  # fmt: skip
_TEN64 = Base(
    3.321928094887362, 0.30102999566395283, 2.8363394551044964e-14, 309.0, -325.0,
    (
        4.646812492526458e-05, 0.00021227631670417182, 0.0011544971944360538, 0.005015723216807609,
        0.019597694658072116, 0.06808932605565354, 0.20699584869669835, 0.5393829295570753, 1.1712551489122673,
        2.0346785922921824, 2.650949055239199, 2.302585092994047,
    ),
    (
        0.20699931837862703, 0.5393919694342214, 1.171255148729898, 2.0346785919934094, 2.6509490552392014,
        2.3025850929940472,
    ),
)  # fmt: skip
_BASES: Final = {
    ("e", "float"): _E32, ("e", "double"): _E64, ("two", "float"): _TWO32, ("two", "double"): _TWO64,
    ("ten", "float"): _TEN32, ("ten", "double"): _TEN64,
}  # fmt: skip
#: 2 ** (j / 16)
_POWERS: Final = tuple([2.0 ** (j / 16) for j in range(16)])


def _clamped(x: Value, base: Base) -> Value:
    """Return x where the result is neither 0 nor infinite, an end of that range elsewhere (nan stays)."""
    x = (x > base.largest).choose(base.largest, x)
    return (x < base.smallest).choose(base.smallest, x)


def _reduced(lanes: Lanes, x: Value, base: Base) -> tuple[Value, Value]:
    """r, and n as an integer."""
    x = _clamped(x, base)
    if base.high == 1.0:
        n, integer = lanes.nearest(x)
        return x - n, integer
    n, integer = lanes.nearest(x * base.inverse)
    return lanes.fma(n, -base.low, lanes.fma(n, -base.high, x)), integer


def _minus_one(lanes: Lanes, r: Value, base: Base) -> Value:
    """base ** r - 1 for a reduced r."""
    poly = lanes.horner(r, base.polynomial)
    return lanes.fma(r * r, poly, r) if base.quadratic else r * poly


def _power(lanes: Lanes, x: Value, name: str, shift: int = 0) -> Value:
    """base ** x * 2 ** shift."""
    base = _BASES[name, x.type]
    if lanes.has_scaling:
        return _power_by_table(lanes, _clamped(x, base), base, shift)
    r, n = _reduced(lanes, x, base)
    return lanes.scale(_minus_one(lanes, r, base) + 1.0, n + shift if shift else n)


def _power_by_table(lanes: Lanes, x: Value, base: Base, shift: int, correction: Value | None = None) -> Value:
    """base ** (x + correction) * 2 ** shift."""
    # the lowest four bits of the sum are the place in the table
    anchor = x.of(1.5 * 2.0 ** (48 if x.type == "double" else 19))
    shifted = lanes.fma(x, base.inverse, anchor)
    n = shifted - anchor
    r = lanes.fma(n, -base.high, x)
    if base.low:
        r = lanes.fma(n, -base.low, r)
    if correction is not None:
        r = r + correction
    power = lanes.lookup_lane(x.type, _POWERS, shifted.bits())
    value = lanes.fma(power, r * lanes.horner(r, base.short), power)
    scaled = lanes.scale_by_floor(value, n + shift if shift else n)
    if scaled is not None:
        return scaled
    integer = (shifted.bits() - anchor.bits()).sar(4)  # defined for nan, too
    return lanes.scale(value, integer + shift if shift else integer)


@expansion()
def exp(lanes: Lanes, x: Value) -> Value:
    return _power(lanes, x, "e")


@expansion()
def exp2(lanes: Lanes, x: Value) -> Value:
    return _power(lanes, x, "two")


@expansion()
def exp10(lanes: Lanes, x: Value) -> Value:
    return _power(lanes, x, "ten")


def power_corrected(lanes: Lanes, name: str, x: Value, correction: Value) -> Value:
    """base ** (x + correction) for a correction far below x's last place."""
    base = _BASES[name, x.type]
    if lanes.has_scaling:
        return _power_by_table(lanes, _clamped(x, base), base, 0, correction)
    r, n = _reduced(lanes, x, base)
    return lanes.scale(_minus_one(lanes, r + correction, base) + 1.0, n)


def expm1(lanes: Lanes, x: Value) -> Value:
    """exp(x) - 1, for |x| where exp(x) is a normal number."""
    base = _BASES["e", x.type]
    n, integer = lanes.nearest(x * base.inverse)
    # the part of r that rounding loses counts here, because n = 0 leaves r alone as the result
    first = lanes.fma(n, -base.high, x)
    r = lanes.fma(n, -base.low, first)
    rest = lanes.fma(n, -base.low, first - r)
    part = _minus_one(lanes, r, base) + rest
    scale = lanes.power_of_two(x.type, integer)
    return lanes.fma(scale, part, scale - 1.0)


@expansion()
def sigmoid(lanes: Lanes, x: Value) -> Value:
    """1 / (1 + exp(-x)) without overflow: with t = exp(-|x|), it is 1 / (1 + t) or t / (1 + t)."""
    t = exp(lanes, -x.abs())
    return (x < 0.0).choose(t, 1.0) / (t + 1.0)


_TANH_PIECES: Final = Pieces(19 / 32, 8, tanh_series)
#: (tanh(x) / x - 1) / x ** 2 in x ** 2, for |x| below 0.63 and 0.36
_TANH32 = (-0.005679631605744362, 0.020618455484509468, -0.05373411998152733, 0.133313849568367, -0.3333328068256378)
_TANH64 = (
    -0.00018518157940240675, 0.0005760193862244839, -0.0014537738660795156, 0.0035919435911533396,
    -0.00886322530959728, 0.021869488193225678, -0.05396825396173495, 0.13333333333327252, -0.33333333333333315,
)  # fmt: skip
#: (sinh(x) / x - 1) / x ** 2 in x ** 2, |x| <= 1
_SINH: Final = {
    "float": (2.8170131079927494e-06, 0.0001983614947152656, 0.008333350108767972, 0.16666666496877383),
    "double": (
        2.8487637712679897e-15, 7.646462770883219e-13, 1.6059050909507936e-10, 2.5052108344069187e-08,
        2.755731922412687e-06, 0.00019841269841269576, 0.008333333333333333, 0.16666666666666666,
    ),
}  # fmt: skip


@expansion()
def tanh(lanes: Lanes, x: Value) -> Value:
    """A series for small |x|; 1 - 2 / (exp(2 |x|) + 1), in double t / (t + 2) with t = expm1(2 |x|)."""
    size = x.abs()
    limit = 9.125 if x.type == "float" else 22.0
    size = (size > limit).choose(limit, size)
    if x.type == "float":
        value = by_pieces(lanes, size, _TANH_PIECES)
        if value is not None:
            return value.with_sign_of(x)
        large = 1.0 - 2.0 / (exp(lanes, size * 2.0) + 1.0)
        value = (size < 0.625).choose(lanes.odd_series(size, _TANH32), large)
    else:
        grown = expm1(lanes, size * 2.0)
        value = (size < 0.355).choose(lanes.odd_series(size, _TANH64), grown / (grown + 2.0))
    return value.with_sign_of(x)


@expansion()
def sinh(lanes: Lanes, x: Value) -> Value:
    """A series for |x| below 1; e / 2 - 1 / (2 e) with e = exp(|x|)."""
    size = x.abs()
    half = _power(lanes, size, "e", -1)
    value = (size < 1.0).choose(lanes.odd_series(size, _SINH[x.type]), half - 0.25 / half)
    return value.with_sign_of(x)


@expansion()
def cosh(lanes: Lanes, x: Value) -> Value:
    half = _power(lanes, x.abs(), "e", -1)
    return half + 0.25 / half
