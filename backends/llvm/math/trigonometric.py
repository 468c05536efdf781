"""sin, cos, tan for arguments of any size.

Reduction multiplies by 2 / pi, of which only the digits between "whole turns" and "far below the result" count (Payne
and Hanek, "Radian Reduction for Trigonometric Functions", 1983): a table holds 2 ** s * 2 / pi modulo 4 for shifts s as
sums of floats; the argument divided by 2 ** s is still an integer, so that multiples of 4 do not count. The kernels on
[-pi/4, pi/4] are those of fdlibm (Sun Microsystems, 1993) with polynomials of our own.
"""

from __future__ import annotations

from functools import cache

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

_PI_2 = (1.5707963267948966, 6.123233995736766e-17)

#: (sin(r) / r - 1) / z and (cos(r) - 1 + z / 2) / z ** 2 in z = r ** 2, to float32's accuracy and to double's
_SIN32 = (-0.00019516964740482121, 0.008332175967040056, -0.16666654919789425)
_COS32 = (2.443811630139828e-05, -0.0013887364727950288, 0.041666646812330274)
_SIN64 = (
    1.5896656612039908e-10, -2.505075583735373e-08, 2.7557313678356265e-06, -0.000198412698297727,
    0.008333333333322378, -0.16666666666666632,
)  # fmt: skip
_COS64 = (
    -1.1359583368966113e-11, 2.0875722109224096e-09, -2.7557314344363085e-07, 2.480158728945663e-05,
    -0.0013888888888874086, 0.0416666666666666,
)  # fmt: skip

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


def _group(exponent: Value, last: int) -> Value:
    """A shift of 2 / pi by this many times 8 keeps the argument divided by it an integer."""
    group = (exponent < 0).choose(0, exponent).sar(3)
    return (group > last).choose(last, group)


def _quarter_turns32(lanes: Lanes, x: Value) -> tuple[Value, Value]:
    """Of a float32: r in [-pi/4, pi/4] as a double, and the number of quarter turns."""
    group = _group((x.bits() >> 23) - (127 + 23), 13)
    y = x.widen("double") * lanes.power_of_two("double", -(group << 3))
    # 24 bits of x times 25 of the table are exact
    first, second, third = (lanes.lookup("double", part, group) for part in _table(14, (25, 25, 53)))
    product = y * first
    n, turns = lanes.nearest(product)
    total = lanes.fma(y, second, product - n)
    m, more_turns = lanes.nearest(total)
    return lanes.fma(y, third, total - m) * _PI_2[0], turns + more_turns


def _quarter_turns64(lanes: Lanes, x: Value) -> tuple[Value, Value, Value]:
    """Of a float64: r as a double and a correction, and the number of quarter turns.

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


def _sin_cos(lanes: Lanes, x: Value) -> tuple[Value, Value, Value]:
    """sin(r), cos(r) in double precision and the number of quarter turns, for |x|."""
    size = x.abs()
    if x.type == "float":
        r, turns = _quarter_turns32(lanes, size)
        z = r * r
        sine = lanes.fma(r * z, lanes.horner(z, _SIN32), r)
        cosine = lanes.fma(z * z, lanes.horner(z, _COS32), lanes.fma(z, -0.5, 1.0))
        return sine, cosine, turns
    r, low, turns = _quarter_turns64(lanes, size)
    z = r * r
    half = z * 0.5
    sine = r + lanes.fma(r * z, lanes.horner(z, _SIN64), lanes.fma(low, -half, low))
    one = 1.0 - half
    tail = lanes.fma(z * z, lanes.horner(z, _COS64), -(r * low))
    return sine, one + (((1.0 - one) - half) + tail), turns


def _turned(value: Value, turns: Value) -> Value:
    """The value, negated in the second half of a turn."""
    return (value.bits() ^ ((turns & 2) << 62)).as_float()


def _rounded(x: Value, value: Value) -> Value:
    return value.narrow("float") if x.type == "float" else value


def _is_small(x: Value) -> Value:
    """Return the mask where 1 + x ** 2 rounds to 1."""
    return x.abs() < (2.0**-13 if x.type == "float" else 2.0**-27)


@expansion()
def sin(lanes: Lanes, x: Value) -> Value:
    sine, cosine, turns = _sin_cos(lanes, x)
    value = _rounded(x, _turned((turns & 1).eq(0).choose(sine, cosine), turns))
    signed = (value.bits() ^ (x.bits() & _sign(x))).as_float()
    return _is_small(x).choose(x, signed)


@expansion()
def cos(lanes: Lanes, x: Value) -> Value:
    sine, cosine, turns = _sin_cos(lanes, x)
    return _rounded(x, _turned((turns & 1).eq(0).choose(cosine, sine), turns + (turns & 1)))


@expansion()
def tan(lanes: Lanes, x: Value) -> Value:
    sine, cosine, turns = _sin_cos(lanes, x)
    even = (turns & 1).eq(0)
    value = _rounded(x, even.choose(sine, -cosine) / even.choose(cosine, sine))
    signed = (value.bits() ^ (x.bits() & _sign(x))).as_float()
    return _is_small(x).choose(x, signed)


def _sign(x: Value) -> int:
    return -(1 << 31) if x.type == "float" else -(1 << 63)
