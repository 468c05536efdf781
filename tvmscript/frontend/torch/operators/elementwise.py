"""Operators of one tensor, element by element."""

from __future__ import annotations

import math

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Operand, constant, is_floating, is_tensor
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, unary
from tvmscript.ir.relax.operator import Operator

#: functions of real numbers: integers become floats
_OF_FLOATS = {
    "acos": unary.acos,
    "acosh": unary.acosh,
    "asin": unary.asin,
    "asinh": unary.asinh,
    "atan": unary.atan,
    "atanh": unary.atanh,
    "cos": unary.cos,
    "cosh": unary.cosh,
    "erf": unary.erf,
    "exp": unary.exp,
    "log": unary.log,
    "rsqrt": unary.rsqrt,
    "sigmoid": unary.sigmoid,
    "sin": unary.sin,
    "sinh": unary.sinh,
    "sqrt": unary.sqrt,
    "tan": unary.tan,
    "tanh": unary.tanh,
}
_OTHER_NAMES = {
    **{f"a{name}": f"arc{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")},
    "erf": "special_erf",
    "sigmoid": "special_expit",
}
#: functions that leave integers as they are
_ROUNDING = {"ceil": unary.ceil, "floor": unary.floor, "trunc": unary.trunc, "fix": unary.trunc}
#: functions of numbers of any dtype
_OF_NUMBERS = {"abs": unary.abs, "absolute": unary.abs, "square": unary.square}
_TESTS = {"isfinite": unary.isfinite, "isinf": unary.isinf, "isnan": unary.isnan}


def _register_of_floats(name: str, operator: Operator) -> None:
    def convert(ctx: Context, x: RelaxExpr) -> RelaxExpr:
        if not is_tensor(x):  # a Python number of an fx graph
            return ctx.call(operator, ctx.tensor(x, ctx.default_dtype))
        return ctx.call(operator, ctx.as_float(x))

    names = {name, _OTHER_NAMES.get(name, name)}
    register(convert, *names)


def _register_rounding(name: str, operator: Operator) -> None:
    def convert(ctx: Context, x: RelaxExpr) -> RelaxExpr:
        return ctx.call(operator, x) if is_floating(ctx.dtype(x)) else x

    register(convert, name)


def _register_of_numbers(name: str, operator: Operator) -> None:
    register(lambda ctx, x: ctx.call(operator, x) if is_tensor(x) else abs(x), name)


def _register_test(name: str, operator: Operator) -> None:
    register(lambda ctx, x: ctx.call(operator, ctx.as_float(x)), name)


for _name, _operator in _OF_FLOATS.items():
    _register_of_floats(_name, _operator)
for _name, _operator in _ROUNDING.items():
    _register_rounding(_name, _operator)
for _name, _operator in _OF_NUMBERS.items():
    _register_of_numbers(_name, _operator)
for _name, _operator in _TESTS.items():
    _register_test(_name, _operator)


@converts("sign", "sgn")
def _sign(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return x if ctx.dtype(x) == "bool" else ctx.call(unary.sign, x)


@converts("neg", "negative")
def _neg(ctx: Context, x: Operand) -> Operand:
    return ctx.call(unary.negative, x) if isinstance(x, RelaxExpr) else -x


@converts("bitwise_not", "invert", "__not__")
def _bitwise_not(ctx: Context, x: Operand) -> object:
    if not isinstance(x, RelaxExpr):
        return not x
    if ctx.dtype(x) == "bool":
        return ctx.call(unary.logical_not, x)
    return ctx.call(unary.bitwise_not, x)


@converts("logical_not")
def _logical_not(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.call(unary.logical_not, ctx.truth(x))


@converts("round")
def _round(ctx: Context, x: RelaxExpr, decimals: int = 0) -> RelaxExpr:
    if not is_floating(ctx.dtype(x)):
        return x
    if not decimals:
        return ctx.call(unary.round, x)
    scale = constant(10.0**decimals, ctx.dtype(x))
    return ctx.emit(ctx.call(unary.round, x * scale) / scale)


@converts("log2", "special_log2")
def _log2(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return _log_of_base(ctx, x, 2)


@converts("log10")
def _log10(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return _log_of_base(ctx, x, 10)


def _log_of_base(ctx: Context, x: RelaxExpr, base: int) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.emit(ctx.call(unary.log, x) / constant(math.log(base), ctx.dtype(x)))


@converts("log1p", "special_log1p")
def _log1p(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.call(unary.log, x + constant(1, ctx.dtype(x)))


@converts("expm1", "special_expm1")
def _expm1(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.emit(ctx.call(unary.exp, x) - constant(1, ctx.dtype(x)))


@converts("exp2", "special_exp2")
def _exp2(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.call(binary.power, constant(2, ctx.dtype(x)), x)


@converts("erfc", "special_erfc")
def _erfc(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.emit(constant(1, ctx.dtype(x)) - ctx.call(unary.erf, x))


@converts("reciprocal")
def _reciprocal(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    x = ctx.as_float(x)
    return ctx.emit(constant(1, ctx.dtype(x)) / x)


@converts("logit", "special_logit")
def _logit(ctx: Context, x: RelaxExpr, eps: float | None = None) -> RelaxExpr:
    x = ctx.as_float(x)
    if eps is not None:
        x = ctx.clip(x, eps, 1 - eps)
    return ctx.call(unary.log, x / (constant(1, ctx.dtype(x)) - x))


@converts("deg2rad")
def _deg2rad(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.scaled(ctx.as_float(x), math.pi / 180)


@converts("rad2deg")
def _rad2deg(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.scaled(ctx.as_float(x), 180 / math.pi)


@converts("nan_to_num")
def _nan_to_num(
    ctx: Context, x: RelaxExpr, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> RelaxExpr:
    dtype = ctx.dtype(x)
    if not is_floating(dtype):
        return x
    high, low = ctx.limits(dtype)
    x = ctx.replace_where(ctx.call(unary.isnan, x), nan or 0.0, x)
    is_infinite, positive = ctx.call(unary.isinf, x), ctx.call(binary.greater, x, constant(0, dtype))
    infinity = ctx.replace_where(
        positive, high if posinf is None else posinf, ctx.tensor(low if neginf is None else neginf, dtype)
    )
    return ctx.select(is_infinite, infinity, x)


@converts("clamp", "clip")
def _clamp(ctx: Context, x: RelaxExpr, min: Operand | None = None, max: Operand | None = None) -> RelaxExpr:
    bounds = [bound for bound in (min, max) if bound is not None]
    x = ctx.cast(x, ctx.common_dtype(x, *bounds))
    low, high = -math.inf if min is None else min, math.inf if max is None else max
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return ctx.clip(x, low, high)
    if min is not None:
        x = ctx.binary(binary.maximum, x, min)
    return x if max is None else ctx.binary(binary.minimum, x, max)


@converts("clamp_min")
def _clamp_min(ctx: Context, x: RelaxExpr, min: Operand) -> RelaxExpr:
    return _clamp(ctx, x, min)


@converts("clamp_max")
def _clamp_max(ctx: Context, x: RelaxExpr, max: Operand) -> RelaxExpr:
    return _clamp(ctx, x, None, max)
