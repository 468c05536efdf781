"""pow, hypot, ldexp.

pow(x, y) is exp(y * log(x)) with the logarithm and the product in two parts: x = 2 ** k * z, and z times a short number
c near 1 / z is 1 + r for a small r without rounding; log(x) is k * log(2), -log(c) and a polynomial in r (the plan is
that of "Optimized Routines", ARM 2018). Of c there are 128 for float64, and 16 for float32 where processors look up
lanes of registers; elsewhere float32 has the logarithm and the product in double. Special cases follow C's Annex F.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.math.exponential import power_corrected
from tvmscript.backends.llvm.math.logarithm import LN2, columns, reduced, short, split
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: -2 (log(1 + r) - r + r ** 2 / 2) / r ** 3, |r| < 0.0068
_LOG1P: Final = (
    0.2500138726013755, -0.2857296997036647, 0.33333333309277946, -0.3999999997327182, 0.5000000000000007,
    -0.6666666666666674,
)  # fmt: skip
#: log2(1 + f) / f for f from sqrt(1/2) - 1 to sqrt(2) - 1
_LOG2: Final = (
    -0.06973908049669407, 0.13251205781087724, -0.1346293878626771, 0.13027562310783564, -0.14249861638455166,
    0.1602166642378428, -0.1804367526358917, 0.20610712334851236, -0.24044643349728656, 0.2885387957185146,
    -0.36067379313864595, 0.4808983488029598, -0.7213475203275441, 1.4426950408865742,
)  # fmt: skip
#: -2 (log(1 + r) - r + r ** 2 / 2) / r ** 3 of float32, r from -1/31 to 1/16
_LOG1P32: Final = (0.3109170985793949, -0.39996991213479666, 0.5000227415051423, -0.6666668260546592)

#: from this size on, an exponent is even, and its powers of other numbers than 0 and 1 are 0 or infinite
_LARGE: Final = 2.0**80

#: bits of the index of the table of logarithms
_INDEX: Final = 7
#: the least z, in bits; 1 is two thirds into the 76th of the intervals
_LEAST: Final = 0x3FF0000000000000 - ((227 << (52 - _INDEX)) // 3)


@cache
def _logarithms() -> tuple[tuple[float, ...], ...]:
    """For each interval of z: 1 / z as a number of 8 bits, -log of it as a multiple of 2 ** -42, and the rest."""
    inverses: list[float] = []
    for index in range(1 << _INDEX):
        first, last = (_of_bits(_LEAST + (place << (52 - _INDEX))) for place in (index, index + 1))
        center = (first + last) / 2
        unit = 2.0**_INDEX if center < 1.0 else 2.0 ** (_INDEX + 1)
        inverses.append(round(unit / center) / unit)
    return columns("e", 42, inverses)


def _of_bits(bits: int) -> float:
    """Return the double from 1/2 to 2 of a bit pattern."""
    return (1 + (bits & ((1 << 52) - 1)) * 2.0**-52) * 2.0 ** ((bits >> 52) - 1023)


@expansion()
def pow(lanes: Lanes, x: Value, y: Value) -> Value:
    size = x.abs()
    value = _pow(lanes, size, y)
    is_regular = (x > 0.0) & (x < float("inf")) & (y.abs() < _LARGE)
    return lanes.unless(~is_regular, (value,), lambda: (_annex_f(x, y, size, value),))[0]


def _pow(lanes: Lanes, x: Value, y: Value) -> Value:
    """x ** y of a positive x and an y of moderate size."""
    logarithm = _log_by_table(lanes, x) if x.type == "float" else _log_in_two(lanes, x)
    if logarithm is None:
        return _pow_in_double(lanes, x, y)
    high, low = logarithm
    product, error = lanes.two_product(high, y)
    rest = lanes.fma(low, y, error)
    finite = product.abs() < (1024.0 if x.type == "double" else 128.0)
    return power_corrected(lanes, "e", product, finite.choose(rest, 0.0))


def _pow_in_double(lanes: Lanes, x: Value, y: Value) -> Value:
    """x ** y of a positive float32 and an y of moderate size."""
    k, m = split(x)
    f = (m - 1.0).widen("double")
    product = lanes.fma(f, lanes.horner(f, _LOG2), k.to_float("double")) * y.widen("double")
    # beyond these the result is infinite and 0
    product = (product > 160.0).choose(160.0, product)
    product = (product < -160.0).choose(-160.0, product)
    high = product.narrow("float")
    return power_corrected(lanes, "two", high, (product - high.widen("double")).narrow("float"))


def _log_by_table(lanes: Lanes, x: Value) -> tuple[Value, Value] | None:
    """log(x) of a positive float32 in two parts, None where lanes of registers are not looked up."""
    parts = reduced(lanes, x, "e")
    if parts is None:
        return None
    k, m, inverse, constant, constant_low = parts
    # products of both parts of m are exact
    m_high = short(m)
    r, r_low = lanes.fast_two_sum(lanes.fma(m_high, inverse, -1.0), (m - m_high) * inverse)
    total, carry = lanes.fast_two_sum(lanes.fma(k, LN2["float"][0], constant), r)
    square, square_low = lanes.two_product(r, r * -0.5)
    high, lost = lanes.fast_two_sum(total, square)
    rest = lanes.fma(k, LN2["float"][1], constant_low) + lanes.fma(-r, r_low, r_low + square_low)
    low = lanes.fma(r * square, lanes.horner(r, _LOG1P32), (carry + lost) + rest)
    return lanes.fast_two_sum(high, low)


def _log_in_two(lanes: Lanes, x: Value) -> tuple[Value, Value]:
    """log(x) of a positive x as a sum of two doubles, with about 66 bits."""
    k, z = split(x, _LEAST)
    n = k.to_float("double")
    index = ((z.bits() - _LEAST) >> (52 - _INDEX)).trunc("i32")
    inverse, constant, constant_low = (lanes.lookup("double", column, index) for column in _logarithms())
    if lanes.has_fma:
        r = lanes.fma(z, inverse, -1.0)
    else:
        product, error = lanes.two_product(z, inverse)
        r = (product - 1.0) + error
    total, low = lanes.fast_two_sum(lanes.fma(n, LN2["double"][0], constant), r)
    square, square_low = lanes.two_product(r, r * -0.5)
    high, carry = lanes.fast_two_sum(total, square)
    low = (low + carry) + (lanes.fma(n, LN2["double"][1], constant_low) + square_low)
    low = lanes.fma(r * square, lanes.horner(r, _LOG1P), low)
    return lanes.fast_two_sum(high, low)


def _annex_f(x: Value, y: Value, size: Value, value: Value) -> Value:
    """The value of |x| ** y with the sign and the exceptions of x ** y."""
    is_power_of_limit = size.eq(0.0) | size.eq(float("inf")) | (y.abs() >= _LARGE)
    value = is_power_of_limit.choose(((size < 1.0) ^ (y < 0.0)).choose(0.0, size.of(float("inf"))), value)
    whole = y.eq(y.floor())
    half = y * 0.5
    odd = whole & half.ne(half.floor())
    value = value.negated_where((x.bits() < 0) & odd)
    value = ((x < 0.0) & ~whole & size.ne(float("inf"))).choose(float("nan"), value)
    value = x.unordered(y).choose(float("nan"), value)
    return (x.eq(1.0) | y.eq(0.0) | (size.eq(1.0) & (y.abs() >= _LARGE))).choose(1.0, value)


@expansion(in_double=True)
def hypot(lanes: Lanes, x: Value, y: Value) -> Value:
    """sqrt(x ** 2 + y ** 2), scaled by a power of two, the root corrected by one Newton step."""
    a, b = x.abs(), y.abs()
    infinite = a.eq(float("inf")) | b.eq(float("inf"))
    swap = a < b
    a, b = swap.choose(b, a), swap.choose(a, b)
    exponent = (a.bits() >> 52) - 1023
    exponent = (exponent > 1000).choose(1000, exponent)
    exponent = (exponent < -1000).choose(-1000, exponent)
    down = lanes.power_of_two("double", -exponent)
    a, b = a * down, b * down
    square, error = lanes.two_product(a, a)
    other, other_error = lanes.two_product(b, b)
    total, lost = lanes.fast_two_sum(square, other)
    root = total.sqrt()
    back, back_error = lanes.two_product(root, root)
    rest = (((total - back) - back_error) + (lost + (error + other_error))) / (root * 2.0)
    value = (root + root.eq(0.0).choose(0.0, rest)) * lanes.power_of_two("double", exponent)
    return infinite.choose(float("inf"), value)


def ldexp(lanes: Lanes, x: Value, exponent: Value) -> Value:
    """x * 2 ** exponent, rounded once: steps that stay among normal numbers first (musl's scalbn)."""
    n = exponent
    up, down = lanes.power_of_two("double", n.of(1023)), lanes.power_of_two("double", n.of(-969))
    for _ in range(2):
        far = n > 1023
        x, n = far.choose(x * up, x), far.choose(n - 1023, n)
    n = (n > 1023).choose(1023, n)
    for _ in range(2):
        far = n < -1022
        x, n = far.choose(x * down, x), far.choose(n + 969, n)
    n = (n < -1022).choose(-1022, n)
    return x * lanes.power_of_two("double", n)
