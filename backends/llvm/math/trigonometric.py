"""sin, cos, tan for arguments of any size.

Reduction of moderate arguments subtracts a multiple of pi / 2 in three parts (Cody and Waite, "Software Manual for the
Elementary Functions", 1980), with fused multiply-adds, the first of which is exact. Vectors with larger arguments take
a branch: there, the argument is multiplied by 2 / pi, of which only the digits between "whole turns" and "far below the
result" count (Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983): a table holds 2 ** s * 2 / pi
modulo 4 for shifts s as sums of floats; the argument divided by 2 ** s is still an integer, so that multiples of 4 do
not count. The forms of the kernels on [-pi/4, pi/4] are those of fdlibm (Sun Microsystems, 1993).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

_PI_2 = (1.5707963267948966, 6.123233995736766e-17)

#: 2 / pi; pi / 2 in parts, each the nearest float to what is left; the largest argument that the parts are enough for
_PARTS: Final = {
    "float": (0.6366197723675814, (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15), 1e5),
    "double": (0.6366197723675814, (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33), 2.0**30),
}

#: in z = r ** 2: (sin(r) / r - 1) / z, (cos(r) - 1 + z / 2) / z ** 2, (tan(r) / r - 1) / z
_SIN: Final = {
    "float": (-0.00019506437820382416, 0.00833209604024887, -0.16666653752326965),
    "double": (
        1.5896656612039908e-10, -2.505075583735373e-08, 2.7557313678356265e-06, -0.000198412698297727,
        0.008333333333322378, -0.16666666666666632,
    ),
}  # fmt: skip
_COS: Final = {
    "float": (2.4423046852461994e-05, -0.0013887227978557348, 0.04166664555668831),
    "double": (
        -1.1359583368966113e-11, 2.0875722109224096e-09, -2.7557314344363085e-07, 2.480158728945663e-05,
        -0.0013888888888874086, 0.0416666666666666,
    ),
}  # fmt: skip
_TAN: Final = {
    "float": (
        0.004525580909103155, -0.00020890042651444674, 0.011067545041441917, 0.021194351837038994, 0.05407659336924553,
        0.13332518935203552, 0.3333335518836975,
    ),
    "double": (
        2.0851002180503164e-05, -4.4825642437201756e-05, 8.935804742828793e-05, -2.628350346430018e-05,
        0.00013645254303415035, 0.00022241541774594914, 0.0005950525683407702, 0.0014547608916284482,
        0.0035922885920993642, 0.008863219218747984, 0.02186948960509751, 0.05396825392683207, 0.13333333333414277,
        0.3333333333333278,
    ),
}  # fmt: skip

#: Bits of 2 / pi that are computed: the largest shift (1008) and what three doubles hold below it.
_DIGITS = 1280


@cache
def _two_over_pi() -> int:
    """2 / pi times 2 ** _DIGITS, rounded down; pi by Machin's formula."""
    one = 1 << (_DIGITS + 64)

    def arctan_inverse(x: int) -> int:
        term = total = one // x
        k, sign = 1, -1
        while term:
            term //= x * x
            k += 2
            total += sign * (term // k)
            sign = -sign
        return total

    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return (one << (_DIGITS + 1)) // pi


@cache
def _table(count: int, widths: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """For each width, the next so many bits of 2 ** (8 * i) * 2 / pi modulo 4, i < count."""
    columns: list[list[float]] = [[] for _ in widths]
    for i in range(count):
        rest = (_two_over_pi() << (8 * i)) & ((4 << _DIGITS) - 1)
        for column, width in zip(columns, widths, strict=True):
            drop = max(rest.bit_length() - width, 0)
            part = rest >> drop << drop
            column.append(part / (1 << _DIGITS))
            rest -= part
    return tuple(tuple(column) for column in columns)


#: r in [-pi/4, pi/4], a correction of it, and the number of quarter turns as an integer
Reduced = tuple[Value, Value, Value]


def _group(exponent: Value, last: int) -> Value:
    """A shift of 2 / pi by this many times 8 keeps the argument divided by it an integer."""
    group = (exponent < 0).choose(0, exponent).sar(3)
    return (group > last).choose(last, group)


def _far_quarter_turns32(lanes: Lanes, x: Value) -> Reduced:
    """Reduce a float32 that is not negative, in double."""
    group = _group((x.bits() >> 23) - (127 + 23), 13)
    y = x.widen("double") * lanes.power_of_two("double", -(group << 3))
    # 24 bits of x times 25 of the table are exact
    first, second, third = (lanes.lookup("double", part, group) for part in _table(14, (25, 25, 53)))
    product = y * first
    n, turns = lanes.nearest(product)
    total = lanes.fma(y, second, product - n)
    m, more_turns = lanes.nearest(total)
    angle = lanes.fma(y, third, total - m) * _PI_2[0]
    r = angle.narrow("float")
    return r, (angle - r.widen("double")).narrow("float"), (turns + more_turns).trunc("i32")


def _far_quarter_turns64(lanes: Lanes, x: Value) -> Reduced:
    """Reduce a float64 that is not negative.

    The absolute error of r is below 2 ** -95 from |x| = 2 ** 53 on, and below 2 ** -100 times |x| / 2 ** 53 before.
    """
    group = _group(((x.bits() >> 52) - (1023 + 52)).trunc("i32"), 121)
    y = x * lanes.power_of_two("double", -(group << 3).sext("i64"))
    first, second, third = (lanes.lookup("double", part, group) for part in _table(122, (53, 53, 53)))
    product, error = lanes.two_product(y, first)
    # drop multiples of 2 ** 12, to have a number that `nearest` takes
    anchor = 1.5 * 2.0**64
    product = product - ((product + anchor) - anchor)
    n, turns = lanes.nearest(product)
    more, more_error = lanes.two_product(y, second)
    total, lost = lanes.two_sum(product - n, error)
    total, lost2 = lanes.two_sum(total, more)
    m, more_turns = lanes.nearest(total)
    rest = (lost + lost2) + lanes.fma(y, third, more_error)
    total, rest = lanes.fast_two_sum(total - m, rest)
    r, low = lanes.two_product(total, _PI_2[0])
    return r, low + lanes.fma(total, _PI_2[1], rest * _PI_2[0]), turns + more_turns


def _far_quarter_turns(lanes: Lanes, x: Value) -> Reduced:
    reduce = _far_quarter_turns32 if x.type == "float" else _far_quarter_turns64
    r, low, turns = reduce(lanes, x.abs())
    is_negative = x.bits() < 0
    return r.negated_where(is_negative), low.negated_where(is_negative), turns.negated_where(is_negative)


def _quarter_turns(lanes: Lanes, x: Value) -> Reduced:
    """Reduce x: by parts of pi / 2 unless a lane is too large for them.

    A loop over scalars has no branch, so that LLVM can make vectors of it.
    """
    if lanes.count == 1 or not lanes.has_fma:
        return _far_quarter_turns(lanes, x)
    inverse, (first, second, third), limit = _PARTS[x.type]
    n, turns = lanes.nearest(x * inverse)
    rest = lanes.fma(n, -first, x)
    product, error = lanes.two_product(n, second)
    r = rest - product
    low = lanes.fma(n, -third, ((rest - r) - product) - error)
    r, low = lanes.fast_two_sum(r, low)
    far: tuple[Value, ...] = lanes.unless(x.abs() > limit, (r, low, turns), lambda: _far_quarter_turns(lanes, x))
    return far[0], far[1], far[2]


def _sine(lanes: Lanes, r: Value, low: Value) -> Value:
    z = r * r
    return r + lanes.fma(r * z, lanes.horner(z, _SIN[r.type]), lanes.fma(low, z * -0.5, low))


def _cosine(lanes: Lanes, r: Value, low: Value) -> Value:
    z = r * r
    half = z * 0.5
    one = 1.0 - half
    tail = lanes.fma(z * z, lanes.horner(z, _COS[r.type]), -(r * low))
    return one + (((1.0 - one) - half) + tail)


def _turned(value: Value, turns: Value) -> Value:
    """The value, negated in the second half of a turn."""
    place = 30 if value.type == "float" else 62
    return (value.bits() ^ ((turns & 2) << place)).as_float()


def _is_small(x: Value) -> Value:
    """Return the mask where 1 + x ** 2 rounds to 1."""
    return x.abs() < (2.0**-13 if x.type == "float" else 2.0**-27)


@expansion()
def sin(lanes: Lanes, x: Value) -> Value:
    r, low, turns = _quarter_turns(lanes, x)
    value = (turns & 1).eq(0).choose(_sine(lanes, r, low), _cosine(lanes, r, low))
    return _is_small(x).choose(x, _turned(value, turns))


@expansion()
def cos(lanes: Lanes, x: Value) -> Value:
    r, low, turns = _quarter_turns(lanes, x)
    value = (turns & 1).eq(0).choose(_cosine(lanes, r, low), _sine(lanes, r, low))
    return _turned(value, turns + (turns & 1))


@expansion()
def tan(lanes: Lanes, x: Value) -> Value:
    """A polynomial t + e; in odd quarters, q = -1 / t with one step of Newton's method for t + e."""
    r, low, turns = _quarter_turns(lanes, x)
    z = r * r
    tail = r * z * lanes.horner(z, _TAN[x.type])
    t = r + tail
    tail = tail + lanes.fma(low, t * t, low)
    t = r + tail
    e = (r - t) + tail
    q = -1.0 / t
    product, error = lanes.two_product(q, t)
    inverse = lanes.fma(q, lanes.fma(q, e, (product + 1.0) + error), q)
    return _is_small(x).choose(x, (turns & 1).eq(0).choose(t, inverse))
