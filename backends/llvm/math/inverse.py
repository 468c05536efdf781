"""asin, acos, atan, atan2.

atan: |t| > tan(3 pi / 8) becomes -1 / t, |t| > tan(pi / 8) becomes (t - 1) / (t + 1) (Cephes, Moshier 1989); asin and
acos: beyond 1 / 2 by the half angle, as in fdlibm's e_asin.c. float32 is computed in double.
"""

from __future__ import annotations

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: (atan(t) / t - 1) / z in z = t ** 2, |t| <= tan(pi / 8)
_ATAN = (
    -0.017920170788590015, 0.038076493625080726, -0.050397777395323154, 0.05847994881168447, -0.06663118608900667,
    0.07692061496383179, -0.0909089782954741, 0.11111110785939395, -0.14285714280245518, 0.19999999999954063,
    -0.333333333333332,
)  # fmt: skip
#: (asin(t) / t - 1) / z in z = t ** 2, |t| <= 1 / 2
_ASIN = (
    0.03270476272539211, -0.021120878873325886, 0.0217935736530788, 0.0036709951681748857, 0.010789629975504252,
    0.01139723974865181, 0.013981024710814546, 0.01735159502738853, 0.02237221592872524, 0.030381942674653006,
    0.04464285717529337, 0.074999999999701, 0.16666666666666763,
)  # fmt: skip
_TAN_PI_8 = 0.41421356237309503
_TAN_3PI_8 = 2.414213562373095
_PI = (3.141592653589793, 1.2246467991473532e-16)
_PI_2 = (1.5707963267948966, 6.123233995736766e-17)
_PI_4 = (0.7853981633974483, 3.061616997868383e-17)
_3PI_4 = (2.356194490192345, 9.184850993605148e-17)


def _angle(lanes: Lanes, a: Value, b: Value) -> tuple[Value, Value, Value]:
    """atan(a / b) of a, b >= 0: an angle whose tangent is small, and whether 1/8 and 3/8 of pi are exceeded."""
    steep = a > b * _TAN_3PI_8
    middle = (a > b * _TAN_PI_8) & ~steep
    above = steep.choose(-b, middle.choose(a - b, a))
    below = steep.choose(a, middle.choose(a + b, b))
    t = above / below
    t = (above.eq(0.0)).choose(0.0, t)
    z = t * t
    return lanes.fma(t * z, lanes.horner(z, _ATAN), t), middle, steep


@expansion(in_double=True)
def atan(lanes: Lanes, x: Value) -> Value:
    size = x.abs()
    infinite = size.eq(float("inf"))
    small, middle, steep = _angle(lanes, infinite.choose(1.0, size), infinite.choose(0.0, size.of(1.0)))
    low = steep.choose(_PI_2[1], middle.choose(x.of(_PI_4[1]), 0.0))
    high = steep.choose(_PI_2[0], middle.choose(x.of(_PI_4[0]), 0.0))
    value = (high + (low + small)).with_sign_of(x)
    return size.is_nan().choose(x, value)


@expansion(in_double=True)
def atan2(lanes: Lanes, y: Value, x: Value) -> Value:
    a, b = y.abs(), x.abs()
    both = a.eq(float("inf")) & b.eq(float("inf"))
    large = (a > 2.0**1000) | (b > 2.0**1000)
    scale = large.choose(2.0**-100, a.of(1.0))
    a, b = both.choose(1.0, a * scale), both.choose(1.0, b * scale)
    small, middle, steep = _angle(lanes, a, b)
    left = x.bits() < 0
    small = left.choose(-small, small)

    def base(part: int) -> Value:
        """Return the angle to which the small angle is added, in two parts."""
        flat = left.choose(_PI[part], y.of(0.0))
        diagonal = left.choose(_3PI_4[part], y.of(_PI_4[part]))
        return steep.choose(_PI_2[part], middle.choose(diagonal, flat))

    value = (base(0) + (base(1) + small)).with_sign_of(y)
    return (x.is_nan() | y.is_nan()).choose(x + y, value)


def _half_angle(lanes: Lanes, size: Value) -> tuple[Value, Value, Value]:
    """With z = (1 - |x|) / 2: its root as a number and a correction, and the series' part of asin(root)."""
    z = (1.0 - size) * 0.5
    root = z.sqrt()
    product, error = lanes.two_product(root, root)
    rest = ((z - product) - error) / (root * 2.0)
    rest = root.eq(0.0).choose(0.0, rest)
    return root, rest, root * z * lanes.horner(z, _ASIN)


@expansion(in_double=True)
def asin(lanes: Lanes, x: Value) -> Value:
    size = x.abs()
    z = x * x
    small = lanes.fma(x * z, lanes.horner(z, _ASIN), x)
    root, rest, series = _half_angle(lanes, size)
    large = _PI_4[0] - (((rest + series) * 2.0 - _PI_2[1]) - (_PI_4[0] - root * 2.0))
    return (size < 0.5).choose(small, large.with_sign_of(x))


@expansion(in_double=True)
def acos(lanes: Lanes, x: Value) -> Value:
    size = x.abs()
    z = x * x
    small = _PI_2[0] - (x - (_PI_2[1] - x * z * lanes.horner(z, _ASIN)))
    root, rest, series = _half_angle(lanes, size)
    angle = (root + (rest + series)) * 2.0
    large = (x < 0.0).choose(_PI[0] - ((rest + series) * 2.0 - _PI[1] + root * 2.0), angle)
    return (size < 0.5).choose(small, large)
