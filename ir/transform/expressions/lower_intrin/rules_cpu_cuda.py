"""Intrinsics that LLVM, CUDA and all targets compute from other functions: tables of operator -> rule.

A rule returns the expression for a call, which is then lowered in turn, or None to leave the call to the next table.
Functions that a target has by name are in the intrinsics' own entries (`Intrinsic.functions`), other devices in
`rules_gpu`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import FLOAT32, INT32, INT64, DType, Op
from tvmscript.ir.tir import GE, NE, Add, Call, Cast, Div, IntImm, Mul, Select, StringImm, Sub, cast, const
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.intrin.math import isfinite, isinf

Rule = Callable[[Call], Expr | None]
Rules = dict[str, Rule]

# -- calls by name


def named(kind: str, dtype: DType, name: str, args: tuple[Expr, ...]) -> Call:
    return Call(dtype, Op.get(f"tir.{kind}"), (StringImm(name), *args))


def _cuda_operator(name: str, count: int) -> Rule:
    """Return the rule for an operator of CUDA's own, with the first `count` of the arguments."""

    def rule(call: Call) -> Expr:
        return Call(call.dtype, Op.get(f"tir.cuda.{name}"), call.args[:count])

    return rule


def llvm_call(kind: str, dtype: DType, name: str, *args: Expr) -> Call:
    """Return a call of an LLVM intrinsic; the number of arguments precedes them."""
    return named(kind, dtype, name, (IntImm("uint32", len(args)), *args))


# -- calls computed from others


def _apply(op: str, x: Expr) -> Expr:
    """Return a call of a float function; bfloat16 is computed in float32."""
    if x.dtype.element == "bfloat16":
        wide = FLOAT32.with_lanes(x.dtype.lanes)
        return Cast(x.dtype, Call(wide, Op.get(f"tir.{op}"), (Cast(wide, x),)))
    return Call(x.dtype, Op.get(f"tir.{op}"), (x,))


def number(value: float, like: Expr) -> Expr:
    return const(value, like.dtype)


def _sigmoid(call: Call) -> Expr:
    x = call.args[0]
    one = number(1.0, x)
    return Div(one, Add(one, _apply("exp", Sub(number(0.0, x), x))))


def _rsqrt(call: Call) -> Expr:
    x = call.args[0]
    return Div(number(1.0, x), _apply("sqrt", x))


def _is_infinite(call: Call) -> Expr:
    return isinf(call.args[0])


def _is_finite(call: Call) -> Expr:
    return isfinite(call.args[0])


#: ln(10) with the digits that TVM prints
_LN_10: Final = 2.302585093


def _exp10(call: Call) -> Expr:
    x = call.args[0]
    return _apply("exp", Mul(x, number(_LN_10, x)))


def tan(call: Call) -> Expr:
    x = call.args[0]
    return Div(_apply("sin", x), _apply("cos", x))


def _exponentials(call: Call) -> tuple[Expr, Expr, Expr]:
    """Return exp(x), exp(-x) and 2."""
    x = call.args[0]
    return _apply("exp", x), _apply("exp", Mul(number(-1.0, x), x)), number(2.0, x)


def _sinh(call: Call) -> Expr:
    rising, falling, two = _exponentials(call)
    return Div(Sub(rising, falling), two)


def _cosh(call: Call) -> Expr:
    rising, falling, two = _exponentials(call)
    return Div(Add(rising, falling), two)


def tanh(call: Call) -> Expr:
    """Compute tanh from exp of a non-positive argument, which does not overflow."""
    x = call.args[0]
    zero, one = number(0.0, x), number(1.0, x)
    falling, rising = (_apply("exp", Mul(number(factor, x), x)) for factor in (-2.0, 2.0))
    positive = Div(Sub(one, falling), Add(one, falling))
    negative = Div(Sub(rising, one), Add(rising, one))
    return Select(GE(x, zero), positive, negative)


def _clz(call: Call) -> Expr:
    x = call.args[0]
    zeros = llvm_call("call_llvm_intrin", x.dtype, "llvm.ctlz", x, IntImm("int1", 1))
    return cast(call.dtype, zeros)


def _shift_left(x: Expr, count: int) -> Expr:
    return x if count == 0 else operation("shift_left", x, const(count, x.dtype))


def _multiply_shift(call: Call) -> Expr | None:
    """Lower `round(x * y * 2 ** (s - q))`: shifts for a power of two, otherwise 64-bit arithmetic."""
    x, y, q, s = call.args
    if not isinstance(q, IntImm) or not isinstance(s, IntImm):
        return None
    if isinstance(y, IntImm) and y.value > 0 and y.value & (y.value - 1) == 0:
        exponent = y.value.bit_length() - 1 + s.value - q.value
        if exponent >= 0:
            return _shift_left(x, exponent)
        half = const(1 << (-exponent - 1), x.dtype)
        return operation("shift_right", Add(x, half), const(-exponent, x.dtype))
    left, right = IntImm(INT32, max(s.value, 0)), IntImm(INT32, max(-s.value, 0))
    wide = Cast(INT64.with_lanes(x.dtype.lanes), x)
    steps = Cast(INT64, left) if x.dtype.lanes == 1 else cast(wide.dtype, left)
    shifted = Select(NE(left, IntImm(INT32, 0)), operation("shift_left", wide, steps), wide)
    return _scale(shifted, y, Add(right, q), call.dtype)


def _multiply_shift_per_axis(call: Call) -> Expr | None:
    x, y, left, right, q, has_left, has_right = call.args
    if not isinstance(has_left, IntImm) or not isinstance(has_right, IntImm):
        return None
    wide: Expr = Cast(INT64.with_lanes(x.dtype.lanes), x)
    if has_left.value:
        wide = operation("shift_left", wide, cast(wide.dtype, left))
    return _scale(wide, y, make(Add, right, q), call.dtype)


def _scale(x: Expr, y: Expr, shift: Expr, dtype: DType) -> Expr:
    """Return `x * y * 2 ** -shift`, rounded half up; x has 64 bits."""
    less = make(Sub, shift, const(1, shift.dtype))
    half = operation("shift_left", const(1, x.dtype), cast(x.dtype, less))
    product = Add(Mul(x, cast(x.dtype, y)), half)
    return Cast(dtype, operation("shift_right", product, cast(x.dtype, shift)))


def operation(name: str, a: Expr, b: Expr) -> Expr:
    if name == "shift_left" and isinstance(a, IntImm) and isinstance(b, IntImm):
        return const(a.value << b.value, a.dtype)
    return OPERATORS[name](a, b)


DEFAULT: Final[Rules] = {
    "tir.isfinite": _is_finite,
    "tir.isinf": _is_infinite,
    "tir.q_multiply_shift": _multiply_shift,
    "tir.q_multiply_shift_per_axis": _multiply_shift_per_axis,
    "tir.rsqrt": _rsqrt,
    "tir.sigmoid": _sigmoid,
}

LLVM: Final[Rules] = {
    "tir.clz": _clz,
    "tir.cosh": _cosh,
    "tir.exp10": _exp10,
    "tir.sinh": _sinh,
    "tir.tan": tan,
    "tir.tanh": tanh,
}

CUDA: Final[Rules] = {
    "tir.tvm_warp_activemask": _cuda_operator("__activemask", 0),
    "tir.tvm_warp_shuffle": _cuda_operator("__shfl_sync", 4),
    "tir.tvm_warp_shuffle_down": _cuda_operator("__shfl_down_sync", 4),
    "tir.tvm_warp_shuffle_up": _cuda_operator("__shfl_up_sync", 4),
}
