"""Integer division, in the cheapest form for the intervals of the operands.

The result of a division by 0 is unspecified, as is the smallest number divided by -1. Neither traps: the operands are
replaced before the hardware divides. No processor but those of RISC-V divides vectors of integers: these are divided as
floats, in which the quotient of integers of up to 16 bits (float32) and 32 bits (float64) has the right whole part.
A constant divides vectors of 64 bits by its reciprocal.
"""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.types import integer_constant, value_type, vector_type
from tvmscript.ir.core import DType

#: what is known of a division: its dtype, whether the dividend is never negative, the divisor's interval
Known = tuple[DType, bool, tuple[int, int]]

#: most bits of integers that are divided as floats, and as float32
_MOST_BITS, _FLOAT32_BITS = 32, 16


def _guarded(text: FunctionText, a: str, b: str, known: Known) -> tuple[str, str]:
    """Return the operands with divisors that would trap replaced by 1."""
    dtype, positive, (low, high) = known
    kind = value_type(dtype)
    flag = vector_type(dtype.lanes, "i1")
    one = integer_constant(dtype, 1)
    if low <= 0 <= high:
        zero = text.value(f"icmp eq {kind} {b}, {integer_constant(dtype, 0)}")
        b = text.value(f"select {flag} {zero}, {kind} {one}, {kind} {b}")
    if dtype.is_signed and low <= -1 <= high and not positive:
        # x / -1 is -x, which wraps for the smallest number: negate both instead of dividing.
        minus = text.value(f"icmp eq {kind} {b}, {integer_constant(dtype, -1)}")
        negated = text.value(f"sub {kind} {integer_constant(dtype, 0)}, {a}")
        a = text.value(f"select {flag} {minus}, {kind} {negated}, {kind} {a}")
        b = text.value(f"select {flag} {minus}, {kind} {one}, {kind} {b}")
    return a, b


def truncdiv(text: FunctionText, a: str, b: str, known: Known) -> str:
    """Return the quotient rounded towards zero."""
    dtype, positive, (low, high) = known
    if low == high == 0:
        return integer_constant(dtype, 0)
    if low == high > 0 and _multiplies_by_reciprocals(dtype):
        if positive:
            return _magnitude_quotient(text, a, dtype, low)
        # |x| = (x ^ sign) - sign, with a sign of 0 or -1; the quotient has the sign of x
        kind, sign = value_type(dtype), _sign(text, a, dtype)
        magnitude = text.value(f"sub {kind} {text.value(f'xor {kind} {a}, {sign}')}, {sign}")
        quotient = _magnitude_quotient(text, magnitude, dtype, low)
        return text.value(f"sub {kind} {text.value(f'xor {kind} {quotient}, {sign}')}, {sign}")
    a, b = _guarded(text, a, b, known)
    sign = _unsigned(dtype, positive, low)
    if divides_as_floats(dtype) and low < high:
        return _quotient_of_floats(text, a, b, dtype, sign)
    return text.value(f"{sign}div {value_type(dtype)} {a}, {b}")


def _magnitude_quotient(text: FunctionText, a: str, dtype: DType, divisor: int) -> str:
    """Return the quotient of an unsigned number of up to 2^(bits - 1) by a constant.

    LLVM divides vectors of 64 bits a lane at a time. They are multiplied by the reciprocal 2^(63 + l) / d, rounded
    up, 2^(l - 1) < d <= 2^l (Granlund and Montgomery 1994), in four products of 32 by 32 bits.
    """
    kind = value_type(dtype)
    shift = (divisor - 1).bit_length() - 1
    if shift < 0 or not _multiplies_by_reciprocals(dtype):
        return text.value(f"udiv {kind} {a}, {integer_constant(dtype, divisor)}")

    def op(name: str, x: str, y: str | int) -> str:
        return text.value(f"{name} {kind} {x}, {y if isinstance(y, str) else integer_constant(dtype, y)}")

    half, low_bits = 32, (1 << 32) - 1
    high, low = divmod((1 << (64 + shift)) // divisor + 1, 1 << half)
    a_high, a_low = op("lshr", a, half), op("and", a, low_bits)
    middle = op("add", op("mul", a_high, low), op("lshr", op("mul", a_low, low), half))
    carried = op("add", op("mul", a_low, high), op("and", middle, low_bits))
    product = op("add", op("mul", a_high, high), op("add", op("lshr", middle, half), op("lshr", carried, half)))
    return op("lshr", product, shift)


def divides_as_floats(dtype: DType) -> bool:
    """Return whether integers are divided as floats."""
    return dtype.is_integer and dtype.lanes > 1 and not dtype.is_scalable and 1 < dtype.bits <= _MOST_BITS


def divides_vectors_by(dtype: DType, divisor: int) -> bool:
    """Return whether vectors are divided by a constant as such, not a lane at a time."""
    return divides_as_floats(dtype) or (divisor > 0 and _multiplies_by_reciprocals(dtype))


def _multiplies_by_reciprocals(dtype: DType) -> bool:
    return dtype.is_signed and dtype.lanes > 1 and not dtype.is_scalable and dtype.bits == 64


def _quotient_of_floats(text: FunctionText, a: str, b: str, dtype: DType, sign: str) -> str:
    """Return the quotient rounded towards zero of integers that were made to have one."""
    kind, wide = value_type(dtype), vector_type(dtype.lanes, "float" if dtype.bits <= _FLOAT32_BITS else "double")
    dividend, divisor = (text.value(f"{sign}itofp {kind} {each} to {wide}") for each in (a, b))
    return text.value(f"fpto{sign}i {wide} {text.value(f'fdiv {wide} {dividend}, {divisor}')} to {kind}")


def truncmod(text: FunctionText, a: str, b: str, known: Known) -> str:
    """Return the remainder with the sign of the dividend."""
    dtype, positive, (low, high) = known
    if low == high == 0:
        return integer_constant(dtype, 0)
    if dtype.is_signed and low <= -1 <= high and not positive:
        # x % -1 is 0; x % 1 is too.
        kind, flag = value_type(dtype), vector_type(dtype.lanes, "i1")
        minus = text.value(f"icmp eq {kind} {b}, {integer_constant(dtype, -1)}")
        b = text.value(f"select {flag} {minus}, {kind} {integer_constant(dtype, 1)}, {kind} {b}")
        low, high = (low, high) if low < -1 else (0, high)
    if low == high > 0 and _multiplies_by_reciprocals(dtype):
        return _remainder(text, a, b, dtype, truncdiv(text, a, b, known))
    a, b = _guarded(text, a, b, (dtype, True, (low, high)))
    kind, sign = value_type(dtype), _unsigned(dtype, positive, known[2][0])
    if divides_as_floats(dtype) and low < high:
        return _remainder(text, a, b, dtype, _quotient_of_floats(text, a, b, dtype, sign))
    return text.value(f"{sign}rem {kind} {a}, {b}")


def _sign(text: FunctionText, a: str, dtype: DType) -> str:
    """Return -1 for negative numbers, 0 for others."""
    return text.value(f"ashr {value_type(dtype)} {a}, {integer_constant(dtype, dtype.bits - 1)}")


def _remainder(text: FunctionText, a: str, b: str, dtype: DType, quotient: str) -> str:
    kind = value_type(dtype)
    product = text.value(f"mul {kind} {quotient}, {b}")
    return text.value(f"sub {kind} {a}, {product}")


def _unsigned(dtype: DType, positive: bool, low: int) -> str:
    return "s" if dtype.is_signed and not (positive and low >= 0) else "u"


def floordiv(text: FunctionText, a: str, b: str, known: Known) -> str:
    """Return the quotient rounded down."""
    dtype, positive, (low, high) = known
    if not dtype.is_signed or (positive and low >= 0):
        return truncdiv(text, a, b, known)
    kind = value_type(dtype)
    if low == high > 0 and low & (low - 1) == 0:
        return text.value(f"ashr {kind} {a}, {integer_constant(dtype, low.bit_length() - 1)}")
    if low == high == 0:
        return integer_constant(dtype, 0)
    if low == high > 0:
        # ~x is not negative where x is, and floor(x / d) = ~floor(~x / d)
        sign = _sign(text, a, dtype)
        magnitude = text.value(f"xor {kind} {a}, {sign}")
        return text.value(f"xor {kind} {_magnitude_quotient(text, magnitude, dtype, low)}, {sign}")
    quotient, _, off = _floor_parts(text, a, b, known)
    one = text.value(f"sext {_flag(dtype)} {off} to {kind}") if dtype.bits > 1 else off
    return text.value(f"add {kind} {quotient}, {one}")


def floormod(text: FunctionText, a: str, b: str, known: Known) -> str:
    """Return the remainder with the sign of the divisor."""
    dtype, positive, (low, high) = known
    kind = value_type(dtype)
    if low == high > 0 and low & (low - 1) == 0:
        return text.value(f"and {kind} {a}, {integer_constant(dtype, low - 1)}")
    if not dtype.is_signed or (positive and low >= 0):
        return truncmod(text, a, b, known)
    if low == high == 0:
        return integer_constant(dtype, 0)
    if low == high > 0:
        return _remainder(text, a, b, dtype, floordiv(text, a, b, known))
    _, remainder, off = _floor_parts(text, a, b, known)
    moved = text.value(f"add {kind} {remainder}, {b}")
    return text.value(f"select {_flag(dtype)} {off}, {kind} {moved}, {kind} {remainder}")


def _flag(dtype: DType) -> str:
    return vector_type(dtype.lanes, "i1")


def _floor_parts(text: FunctionText, a: str, b: str, known: Known) -> tuple[str, str, str]:
    """Quotient and remainder towards zero, and whether the quotient is one more than its floor."""
    dtype, _, (low, _) = known
    kind = value_type(dtype)
    quotient = truncdiv(text, a, b, known)
    remainder = _remainder(text, a, b, dtype, quotient)
    zero = integer_constant(dtype, 0)
    if low >= 0:
        return quotient, remainder, text.value(f"icmp slt {kind} {remainder}, {zero}")
    signs = text.value(f"xor {kind} {remainder}, {b}")
    differ = text.value(f"icmp slt {kind} {signs}, {zero}")
    some = text.value(f"icmp ne {kind} {remainder}, {zero}")
    return quotient, remainder, text.value(f"and {_flag(dtype)} {differ}, {some}")
