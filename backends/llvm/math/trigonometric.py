"""sin, cos, tan for arguments of any size.

Reduction of moderate arguments subtracts a multiple of pi (of pi / 2 for tan) in three parts (Cody and Waite, "Software
Manual for the Elementary Functions", 1980), with fused multiply-adds, the first of which is exact. Vectors with larger
arguments take a branch: there, the argument is multiplied by 2 / pi, of which only the digits between "whole turns" and
"far below the result" count (Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983): a table holds
2 ** s * 2 / pi modulo 4 for shifts s as sums of floats; the argument divided by 2 ** s is still an integer, so that
multiples of 4 do not count. Errors are at most 2 units of the last place, those of tan 3.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

_PI_2 = (1.5707963267948966, 6.123233995736766e-17)

#: pi in parts, each the nearest float to what is left; the largest argument that the parts are enough for
_PARTS: Final = {
    "float": ((3.1415927410125732, -8.742277657347586e-08, -3.430249020011776e-15), 1e5),
    "double": ((3.141592653589793, 1.2246467991473532e-16, -2.9947698097183397e-33), 2.0**30),
}
_INVERSE: Final = 0.3183098861837907

#: (sin(r) / r - 1) / z in z = r ** 2, |r| <= pi / 2
_SIN: Final = {
    "float": (2.6057508566774524e-06, -0.00019809590475415624, 0.00833306609392139, -0.16666659545348333),
    "double": (
        2.7211565258672974e-15, -7.642989768030986e-13, 1.6058939640885172e-10, -2.5052106871530787e-08,
        2.7557319211123613e-06, -0.0001984126984120914, 0.008333333333333194, -0.16666666666666666,
    ),
}  # fmt: skip
#: (tan(r) / r - 1) / z in z = r ** 2, |r| <= pi / 4
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


#: r in [-pi/4, pi/4] and the number of quarter turns as an integer
Reduced = tuple[Value, Value]


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
    return angle.narrow("float"), (turns + more_turns).trunc("i32")


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
    return r + (low + lanes.fma(total, _PI_2[1], rest * _PI_2[0])), turns + more_turns


def _far_quarter_turns(lanes: Lanes, x: Value) -> Reduced:
    reduce = _far_quarter_turns32 if x.type == "float" else _far_quarter_turns64
    r, turns = reduce(lanes, x.abs())
    is_negative = x.bits() < 0
    return r.negated_where(is_negative), turns.negated_where(is_negative)


def _is_reduced_by_parts(lanes: Lanes) -> bool:
    """Return whether moderate arguments are reduced by parts of pi; scalars have no branch, as loops become vectors."""
    return lanes.count > 1 and lanes.has_fma


def _rest(lanes: Lanes, x: Value, n: Value, factor: float) -> Value:
    """x - n * factor * pi for a power of two as the factor; the first product is subtracted without an error."""
    for part in _PARTS[x.type][0]:
        x = lanes.fma(n, -part * factor, x)
    return x


def _negated(value: Value, flag: Value) -> Value:
    """The value, negated where the lowest bit of an integer is set."""
    return (value.bits() ^ (flag << (31 if value.type == "float" else 63))).as_float()


def _far_sine(lanes: Lanes, x: Value, ahead: int) -> Value:
    """sin(x + ahead * pi / 2) of any x."""
    r, turns = _far_quarter_turns(lanes, x)
    turns = turns + ahead
    # sin(pi / 2 + r) is sin(pi / 2 - |r|)
    angle = (turns & 1).eq(0).choose(r, _PI_2[0] - r.abs())
    return _negated(lanes.odd_series(angle, _SIN[x.type]), turns >> 1)


def _sine_of(lanes: Lanes, x: Value, ahead: int) -> Value:
    """sin(x + ahead * pi / 2)."""

    def far() -> tuple[Value, ...]:
        return (_far_sine(lanes, x, ahead),)

    if not _is_reduced_by_parts(lanes):
        return far()[0]
    n, integer = lanes.nearest(lanes.fma(x, _INVERSE, -0.5) if ahead else x * _INVERSE)
    # the cosine is the sine of what is left to an odd multiple of pi / 2
    r = _rest(lanes, -x, -0.5 - n, 1.0) if ahead else _rest(lanes, x, n, 1.0)
    value = lanes.odd_series(r, _SIN[x.type])
    return lanes.unless(x.abs() > _PARTS[x.type][1], (_negated(value, integer),), far)[0]


@expansion()
def sin(lanes: Lanes, x: Value) -> Value:
    return x.eq(0.0).choose(x, _sine_of(lanes, x, 0))


@expansion()
def cos(lanes: Lanes, x: Value) -> Value:
    return _sine_of(lanes, x, 1)


@expansion()
def tan(lanes: Lanes, x: Value) -> Value:
    """A polynomial; in odd quarters, its inverse with the other sign."""
    if _is_reduced_by_parts(lanes):
        n, turns = lanes.nearest(x * (2 * _INVERSE))
        near = _rest(lanes, x, n, 0.5), turns
        r, turns = lanes.unless(x.abs() > _PARTS[x.type][1], near, lambda: _far_quarter_turns(lanes, x))
    else:
        r, turns = _far_quarter_turns(lanes, x)
    value = lanes.odd_series(r, _TAN[x.type])
    value = (turns & 1).eq(0).choose(value, -1.0 / value)
    return x.eq(0.0).choose(x, value)
