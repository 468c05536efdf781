"""asin, acos, atan, atan2.

atan: |t| > tan(3 pi / 8) becomes -1 / t, |t| > tan(pi / 8) becomes (t - 1) / (t + 1) (Cephes, Moshier 1989); asin and
acos: beyond 1 / 2 by the half angle, as in fdlibm's e_asin.c. atan2 of float32 is computed in double.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.math.roots import sqrt
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: (atan(t) / t - 1) / z in z = t ** 2, |t| <= tan(pi / 8)
_ATAN: Final = {
    "float": (
        -0.060781011642524335, 0.10593765805462686, -0.1424352666279143, 0.19998471138121282, -0.33333315181622525,
    ),
    "double": (
        -0.017920170788590015, 0.038076493625080726, -0.050397777395323154, 0.05847994881168447, -0.06663118608900667,
        0.07692061496383179, -0.0909089782954741, 0.11111110785939395, -0.14285714280245518, 0.19999999999954063,
        -0.333333333333332,
    ),
}  # fmt: skip
#: (asin(t) / t - 1) / z in z = t ** 2, |t| <= 1 / 2
_ASIN: Final = {
    "float": (
        0.042178259706923564, 0.024172938607043015, 0.04547160850631952, 0.07495288683094724, 0.16666752679280575,
    ),
    "double": (
        0.03270476272539211, -0.021120878873325886, 0.0217935736530788, 0.0036709951681748857, 0.010789629975504252,
        0.01139723974865181, 0.013981024710814546, 0.01735159502738853, 0.02237221592872524, 0.030381942674653006,
        0.04464285717529337, 0.074999999999701, 0.16666666666666763,
    ),
}  # fmt: skip
_TAN_PI_8 = 0.41421356237309503
_TAN_3PI_8 = 2.414213562373095
_PI = (3.141592653589793, 1.2246467991473532e-16)
_PI_2 = (1.5707963267948966, 6.123233995736766e-17)
_PI_4 = (0.7853981633974483, 3.061616997868383e-17)
_3PI_4 = (2.356194490192345, 9.184850993605148e-17)


def _parts(number: tuple[float, float], kind: str) -> tuple[float, float]:
    """A number in two floats of a type."""
    high = float(np.float32(number[0]))
    return number if kind == "double" else (high, number[0] - high)


def _angle(lanes: Lanes, a: Value, b: Value) -> tuple[Value, Value, Value]:
    """atan(a / b) of a, b >= 0: an angle whose tangent is small, and whether 1/8 and 3/8 of pi are exceeded."""
    steep = a > b * _TAN_3PI_8
    middle = (a > b * _TAN_PI_8) & ~steep
    above = steep.choose(-b, middle.choose(a - b, a))
    below = steep.choose(a, middle.choose(a + b, b))
    return above / below, middle, steep


@expansion()
def atan(lanes: Lanes, x: Value) -> Value:
    t, middle, steep = _angle(lanes, x.abs(), x.of(1.0))
    (high_2, low_2), (high_4, low_4) = _parts(_PI_2, x.type), _parts(_PI_4, x.type)
    low = steep.choose(low_2, middle.choose(x.of(low_4), 0.0))
    high = steep.choose(high_2, middle.choose(x.of(high_4), 0.0))
    return (high + (low + lanes.odd_series(t, _ATAN[x.type]))).with_sign_of(x)


@expansion(in_double=True)
def atan2(lanes: Lanes, y: Value, x: Value) -> Value:
    a, b = y.abs(), x.abs()
    both = a.eq(float("inf")) & b.eq(float("inf"))
    large = (a > 2.0**1000) | (b > 2.0**1000)
    scale = large.choose(2.0**-100, a.of(1.0))
    a, b = both.choose(1.0, a * scale), both.choose(1.0, b * scale)
    t, middle, steep = _angle(lanes, a, b)
    small = lanes.odd_series(t.is_nan().choose(0.0, t), _ATAN["double"])  # of 0 / 0
    left = x.bits() < 0
    small = left.choose(-small, small)

    def base(part: int) -> Value:
        """Return the angle to which the small angle is added, in two parts."""
        flat = left.choose(_PI[part], y.of(0.0))
        diagonal = left.choose(_3PI_4[part], y.of(_PI_4[part]))
        return steep.choose(_PI_2[part], middle.choose(diagonal, flat))

    value = (base(0) + (base(1) + small)).with_sign_of(y)
    return (x.is_nan() | y.is_nan()).choose(x + y, value)


def _arcsine(lanes: Lanes, x: Value) -> tuple[Value, Value, Value]:
    """Whether |x| is below 1 / 2; t = |x|, and t = sqrt((1 - |x|) / 2) elsewhere; and asin(t) - t."""
    size = x.abs()
    is_small = size < 0.5
    z = is_small.choose(x * x, (1.0 - size) * 0.5)
    root = sqrt(lanes, z) if x.type == "double" else z.sqrt()
    t = is_small.choose(size, root)
    rest = t * z * lanes.horner(z, _ASIN[x.type])
    if x.type == "double":  # the error of the root
        product, error = lanes.two_product(root, root)
        lost, estimate = (z - product) - error, lanes.estimate_rsqrt(z)
        lost = lost / (root * 2.0) if estimate is None else lost * (estimate * 0.5)
        rest = rest + (is_small | root.eq(0.0)).choose(0.0, lost)
    return is_small, t, rest


@expansion()
def asin(lanes: Lanes, x: Value) -> Value:
    is_small, t, rest = _arcsine(lanes, x)
    (_, low), (quarter, _) = _parts(_PI_2, x.type), _parts(_PI_4, x.type)
    large = quarter - ((rest * 2.0 - low) - (quarter - t * 2.0))
    return is_small.choose(t + rest, large).with_sign_of(x)


@expansion()
def acos(lanes: Lanes, x: Value) -> Value:
    is_small, t, rest = _arcsine(lanes, x)
    (whole, whole_low), (half, half_low) = _parts(_PI, x.type), _parts(_PI_2, x.type)
    small = half - (x - (half_low - rest.with_sign_of(x)))
    large = (x < 0.0).choose(whole - (rest * 2.0 - whole_low + t * 2.0), (t + rest) * 2.0)
    return is_small.choose(small, large)
