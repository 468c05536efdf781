"""pow, hypot, rsqrt, ldexp.

pow(x, y) is exp(y * log(x)) with the logarithm and the product in two doubles: log(m) = 2 s + 2/3 s ** 3 + ..., the
first two terms in double-double arithmetic (Dekker 1971; the plan is that of SLEEF, Shibata and Petrogalli 2020).
float32 is computed in double. Special cases follow C's Annex F.
"""

from __future__ import annotations

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.math.exponential import exp, exp_corrected
from tvmscript.backends.llvm.math.logarithm import log, split
from tvmscript.backends.llvm.vector_builder import Lanes, Value

_LN2 = (0.6931471805598903, 5.497923018708371e-14)
#: (2 * atanh(s) / s - 2 - 2/3 * z) / z ** 2 in z = s ** 2
_SERIES = (
    0.13191581136614078, 0.1325740758425947, 0.1538672795050879, 0.1818178511369429, 0.22222222509798287,
    0.2857142857016829, 0.4000000000000208,
)  # fmt: skip
_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)


@expansion()
def pow(lanes: Lanes, x: Value, y: Value) -> Value:
    size = x.abs()
    if x.type == "float":
        wide = size.widen("double")
        value = exp(lanes, log(lanes, wide) * y.widen("double")).narrow("float")
    else:
        high, low = _log_in_two(lanes, size)
        # beyond 2 ** 80 the result is 0, 1 or infinite; a product of more digits could overflow on the way
        bounded = (y > 2.0**80).choose(2.0**80, y)
        bounded = (bounded < -(2.0**80)).choose(-(2.0**80), bounded)
        product, error = lanes.two_product(high, bounded)
        rest = lanes.fma(low, bounded, error)
        finite = product.abs() < 1024.0
        value = exp_corrected(lanes, product, finite.choose(rest, 0.0))
    return _annex_f(x, y, size, value)


def _log_in_two(lanes: Lanes, x: Value) -> tuple[Value, Value]:
    """log(x) as a sum of two doubles, with about 68 bits; infinite at 0 and infinity."""
    k, m = split(x)
    n = k.to_float("double")
    f = m - 1.0
    divisor, lost = lanes.two_sum(m, m.of(1.0))
    s = f / divisor
    product, error = lanes.two_product(s, divisor)
    s_low = (((f - product) - error) - s * lost) / divisor
    z, z_low = lanes.two_product(s, s)
    z_low = lanes.fma(s * 2.0, s_low, z_low)
    # s * z * 2/3
    cube, cube_low = lanes.two_product(s, z)
    cube_low = cube_low + lanes.fma(s, z_low, s_low * z)
    third, third_low = lanes.two_product(cube, _TWO_THIRDS[0])
    third_low = third_low + lanes.fma(cube, _TWO_THIRDS[1], cube_low * _TWO_THIRDS[0])
    tail = cube * z * lanes.horner(z, _SERIES)
    total, rest = lanes.fast_two_sum(s * 2.0, third)
    rest = rest + (lanes.fma(s_low, 2.0, third_low) + tail)
    whole, whole_low = n * _LN2[0], n * _LN2[1]
    high, carry = lanes.two_sum(whole, total)
    low = carry + (rest + whole_low)
    high, low = lanes.fast_two_sum(high, low)
    special = x.eq(0.0) | x.eq(float("inf")) | x.is_nan()
    extreme = x.eq(0.0).choose(float("-inf"), x)
    return special.choose(extreme, high), special.choose(0.0, low)


def _annex_f(x: Value, y: Value, size: Value, value: Value) -> Value:
    """The value of |x| ** y with the sign and the exceptions of x ** y."""
    whole = y.eq(y.floor())
    half = y * 0.5
    odd = whole & half.ne(half.floor())
    value = ((x.bits() < 0) & odd).choose(-value, value)
    value = ((x < 0.0) & ~whole & size.ne(float("inf"))).choose(float("nan"), value)
    value = (size.eq(1.0) & y.abs().eq(float("inf"))).choose(1.0, value)
    return (x.eq(1.0) | y.eq(0.0)).choose(1.0, value)


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


@expansion()
def rsqrt(lanes: Lanes, x: Value) -> Value:
    return 1.0 / x.sqrt()


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
