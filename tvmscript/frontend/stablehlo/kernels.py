"""Kernels of operations that the graph has no operator for: bits of numbers, complex numbers of any size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from tvmscript.frontend.stablehlo.text import Operation
from tvmscript.ir.core import DType
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, Var, const
from tvmscript.language import T

#: (operation, tensors) -> the result
Kernel = Callable[..., Tensor]


def _is_zero(x: Expr) -> Expr:
    return x.equal(const(0, x.dtype))


def _is_nan(x: Expr) -> Expr:
    return T.NE(x, x)


def _bits(x: Expr) -> Expr:
    """Return the bits of a number as an integer."""
    return T.reinterpret(f"uint{x.dtype.bits}", x)


def _elementwise(value: Callable[..., Expr]) -> Kernel:
    """Return the kernel that computes each element from those of its operands."""

    def kernel(operation: Operation, *tensors: Tensor) -> Tensor:
        return compute(tensors[0].shape, lambda *i: value(*(tensor(*i) for tensor in tensors)))

    return kernel


def _count_leading_zeros(x: Expr) -> Expr:
    return T.Cast(x.dtype, T.clz(x))


def _next_after(x: Expr, y: Expr) -> Expr:
    """Return the next number in the direction of another one: bits of positive numbers have their order."""
    bits, zero = _bits(x), const(0, x.dtype)
    one = const(1, bits.dtype)
    sign = T.bitwise_and(_bits(y), T.shift_left(one, const(x.dtype.bits - 1, bits.dtype)))
    is_outward = T.EQ(T.LT(x, y), T.GT(x, zero))
    next_bits = T.Select(_is_zero(x), T.bitwise_or(sign, one), T.Select(is_outward, bits + one, bits - one))
    moved = T.Select(T.EQ(x, y), y, T.reinterpret(x.dtype, next_bits))
    return T.Select(T.Or(_is_nan(x), _is_nan(y)), x + y, moved)


def _bitcast(operation: Operation, x: Tensor) -> Tensor:
    """Return the bits of numbers as other numbers: the last axis has the parts of a wider one, the lowest first."""
    (kind,) = operation.types
    target = DType(kind.dtype)
    if any(dtype.bits % 8 for dtype in (x.dtype, target)):
        operation.fail("numbers of less than a byte are not supported")
    narrow, wide = sorted((x.dtype.bits, target.bits))
    shifts = [const(narrow * place, f"uint{wide}") for place in range(wide // narrow)]

    def value(*i: Var) -> Expr:
        if x.dtype.bits == target.bits:
            return T.reinterpret(target, x(*i))
        if x.dtype.bits == wide:
            shift = T.Cast(f"uint{wide}", i[-1]) * const(narrow, f"uint{wide}")
            return T.reinterpret(target, T.Cast(f"uint{narrow}", T.shift_right(_bits(x(*i[:-1])), shift)))
        parts = [T.shift_left(T.Cast(f"uint{wide}", _bits(x(*i, place))), shift) for place, shift in enumerate(shifts)]
        return T.reinterpret(target, reduce(T.bitwise_or, parts))

    return compute(kind.shape, value)


#: coefficients of x where log(1 - x**2) is above -5, and of its tails (M. Giles, 2010)
_ERF_INV: Final = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
     0.246640727, 1.50140941),
    (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
     1.00167406, 2.83297682),
)  # fmt: skip


def _erf_inv(operation: Operation, x: Tensor) -> Tensor:
    """Compute the inverse of the error function in float32; in float64 two of Newton's steps follow."""
    dtype = "float64" if x.dtype.bits == 64 else "float32"

    def number(value: float) -> Expr:
        return const(value, dtype)

    def log_of(*i: Var) -> Expr:
        value = T.Cast(dtype, x(*i))
        return -T.log((number(1) - value) * (number(1) + value))

    w = compute(x.shape, log_of)

    def estimate(*i: Var) -> Expr:
        is_central = T.LT(w(*i), number(5))
        place = T.Select(is_central, w(*i) - number(2.5), T.sqrt(w(*i)) - number(3))
        factors = [T.Select(is_central, *map(number, pair)) for pair in zip(*_ERF_INV, strict=True)]
        value = T.Cast(dtype, x(*i))
        product = value * reduce(lambda total, factor: total * place + factor, factors)
        return T.Select(T.EQ(T.fabs(value), number(1)), value * number(float("inf")), product)

    result = compute(x.shape, estimate)
    if dtype == "float32":
        return result if x.dtype.bits == 32 else compute(x.shape, lambda *i: T.Cast(x.dtype, result(*i)))
    return _newton_step(x, _newton_step(x, result))


def _newton_step(x: Tensor, y: Tensor) -> Tensor:
    """Improve the inverse of the error function; infinite values stay."""

    def value(*i: Var) -> Expr:
        slope = const(2 / math.sqrt(math.pi), "float64") * T.exp(-(y(*i) * y(*i)))
        return T.Select(T.isfinite(y(*i)), y(*i) - (T.erf(y(*i)) - x(*i)) / slope, y(*i))

    return compute(x.shape, value)


#: operation -> number of operands, kernel
KERNELS: Final[dict[str, tuple[int, Kernel]]] = {
    "bitcast_convert": (1, _bitcast),
    "chlo.erf_inv": (1, _erf_inv),
    "chlo.next_after": (2, _elementwise(_next_after)),
    "count_leading_zeros": (1, _elementwise(_count_leading_zeros)),
    "popcnt": (1, _elementwise(T.popcount)),
}


# ---- complex numbers


def _power_of_two(x: Expr) -> Expr:
    """Return the largest power of two that is not above a positive number, at least the smallest normal one."""
    bits, mantissa = x.dtype.bits, {16: 10, 32: 23, 64: 52}[x.dtype.bits]
    exponent = const((1 << (bits - 1)) - (1 << mantissa), f"uint{bits}")
    return T.reinterpret(x.dtype, T.max(T.bitwise_and(_bits(x), exponent), const(1 << mantissa, f"uint{bits}")))


def magnitude(real: Tensor, imag: Tensor) -> Tensor:
    """Compute absolute values, in scale: squares neither overflow nor vanish."""

    def value(*i: Var) -> Expr:
        a, b = T.fabs(real(*i)), T.fabs(imag(*i))
        largest = T.max(a, b)
        scale = _power_of_two(largest)
        a1, b1 = a / scale, b / scale
        is_infinite = T.Or(T.isinf(a), T.isinf(b))
        return T.Select(is_infinite, const(float("inf"), a.dtype), scale * T.sqrt(a1 * a1 + b1 * b1))

    return compute(real.shape, value)


def divide(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Sequence[Tensor]:
    """Compute (a + bi) / (c + di) as C99's annex G: in scale, with infinities where both parts would be no numbers."""

    def value(*i: Var) -> tuple[Expr, Expr]:
        parts = a(*i), b(*i), c(*i), d(*i)
        a0, b0, c0, d0 = parts
        zero, infinity = const(0.0, a0.dtype), const(float("inf"), a0.dtype)
        scale = _power_of_two(T.max(T.fabs(c0), T.fabs(d0)))
        c1, d1 = c0 / scale, d0 / scale
        square = c1 * c1 + d1 * d1
        real, imag = (a0 * c1 + b0 * d1) / square / scale, (b0 * c1 - a0 * d1) / square / scale
        a2, b2, c2, d2 = (T.copysign(T.Select(T.isinf(x), const(1.0, x.dtype), zero), x) for x in parts)
        is_by_zero = T.And(_is_zero(square), T.Not(T.And(_is_nan(a0), _is_nan(b0))))
        is_infinite = T.And(T.Or(T.isinf(a0), T.isinf(b0)), T.And(T.isfinite(c0), T.isfinite(d0)))
        is_by_infinite = T.And(T.Or(T.isinf(c0), T.isinf(d0)), T.And(T.isfinite(a0), T.isfinite(b0)))
        of_zero = T.copysign(infinity, c0) * a0, T.copysign(infinity, c0) * b0
        of_infinite = infinity * (a2 * c0 + b2 * d0), infinity * (b2 * c0 - a2 * d0)
        of_finite = zero * (a0 * c2 + b0 * d2), zero * (b0 * c2 - a0 * d2)
        is_lost = T.And(_is_nan(real), _is_nan(imag))
        results = [
            T.Select(is_by_zero, x, T.Select(is_infinite, y, T.Select(is_by_infinite, z, plain)))
            for x, y, z, plain in zip(of_zero, of_infinite, of_finite, (real, imag), strict=True)
        ]
        return T.Select(is_lost, results[0], real), T.Select(is_lost, results[1], imag)

    return compute(a.shape, value)
