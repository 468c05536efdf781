"""Operators of two operands, element by element. Those of numbers and sizes are computed during the import."""

from __future__ import annotations

import operator as python
from collections.abc import Callable

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Operand, is_floating
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, unary
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.tir import Expr, Max, Min

#: names -> the operator of tensors, that of numbers
_ARITHMETIC: dict[tuple[str, ...], tuple[Operator, Callable[..., object]]] = {
    ("mul", "multiply"): (binary.multiply, python.mul),
    ("remainder", "mod"): (binary.floor_mod, python.mod),
    ("floor_divide", "floordiv"): (binary.floor_divide, python.floordiv),
    ("maximum", "fmax", "sym_max"): (binary.maximum, lambda a, b: _extremum(Max, max, a, b)),
    ("minimum", "fmin", "sym_min"): (binary.minimum, lambda a, b: _extremum(Min, min, a, b)),
    ("logaddexp",): (binary.log_add_exp, python.add),
}
_COMPARISONS: dict[tuple[str, ...], tuple[Operator, Callable[..., object]]] = {
    ("eq",): (binary.equal, python.eq),
    ("ne", "not_equal"): (binary.not_equal, python.ne),
    ("lt", "less"): (binary.less, python.lt),
    ("le", "less_equal"): (binary.less_equal, python.le),
    ("gt", "greater"): (binary.greater, python.gt),
    ("ge", "greater_equal"): (binary.greater_equal, python.ge),
}
_LOGICAL: dict[str, Operator] = {
    "logical_and": binary.logical_and,
    "logical_or": binary.logical_or,
    "logical_xor": binary.logical_xor,
}
#: names -> operators of integers, of truth values, of numbers
_BITWISE: dict[tuple[str, ...], tuple[Operator, Operator, Callable[..., object]]] = {
    ("bitwise_and", "and_", "__and__"): (binary.bitwise_and, binary.logical_and, python.and_),
    ("bitwise_or", "or_", "__or__"): (binary.bitwise_or, binary.logical_or, python.or_),
    ("bitwise_xor", "xor", "__xor__"): (binary.bitwise_xor, binary.logical_xor, python.xor),
}
_SHIFTS: dict[tuple[str, ...], tuple[Operator, Callable[..., object]]] = {
    ("lshift", "__lshift__", "bitwise_left_shift"): (binary.left_shift, python.lshift),
    ("rshift", "__rshift__", "bitwise_right_shift"): (binary.right_shift, python.rshift),
}


def _extremum(node: Callable[..., Expr], function: Callable[..., object], a: object, b: object) -> object:
    return node(a, b) if isinstance(a, Expr) or isinstance(b, Expr) else function(a, b)


def _are_numbers(a: object, b: object) -> bool:
    return not isinstance(a, RelaxExpr) and not isinstance(b, RelaxExpr)


def _register_arithmetic(names: tuple[str, ...], operator: Operator, of_numbers: Callable[..., object]) -> None:
    def convert(ctx: Context, x: Operand, other: Operand) -> object:
        return of_numbers(x, other) if _are_numbers(x, other) else ctx.binary(operator, x, other)

    register(convert, *names)


def _register_logical(name: str, operator: Operator) -> None:
    register(lambda ctx, x, other: ctx.call(operator, ctx.truth(x), ctx.truth(other)), name)


def _register_bitwise(
    names: tuple[str, ...], integers: Operator, truths: Operator, of_numbers: Callable[..., object]
) -> None:
    def convert(ctx: Context, x: Operand, other: Operand) -> object:
        if _are_numbers(x, other):
            return of_numbers(x, other)
        return ctx.binary(truths if ctx.common_dtype(x, other) == "bool" else integers, x, other)

    register(convert, *names)


for _names, (_operator, _of_numbers) in [*_ARITHMETIC.items(), *_COMPARISONS.items(), *_SHIFTS.items()]:
    _register_arithmetic(_names, _operator, _of_numbers)
for _name, _operator in _LOGICAL.items():
    _register_logical(_name, _operator)
for _names, (_integers, _truths, _of_numbers) in _BITWISE.items():
    _register_bitwise(_names, _integers, _truths, _of_numbers)


@converts("add")
def _add(ctx: Context, x: Operand, other: Operand, alpha: Operand = 1) -> object:
    return _sum(ctx, binary.add, python.add, x, other, alpha)


@converts("sub", "subtract")
def _sub(ctx: Context, x: Operand, other: Operand, alpha: Operand = 1) -> object:
    return _sum(ctx, binary.subtract, python.sub, x, other, alpha)


@converts("rsub")
def _rsub(ctx: Context, x: Operand, other: Operand, alpha: Operand = 1) -> object:
    return _sum(ctx, binary.subtract, python.sub, other, ctx.scaled(x, alpha) if isinstance(x, RelaxExpr) else x, 1)


def _sum(
    ctx: Context, operator: Operator, of_numbers: Callable[..., object], x: Operand, other: Operand, alpha: Operand
) -> object:
    """Return x + alpha * other, or their difference."""
    if isinstance(other, RelaxExpr):
        other = ctx.scaled(other, alpha)
    elif alpha != 1:
        other = other * alpha  # type: ignore[operator]  # both are numbers
    if _are_numbers(x, other):
        return of_numbers(x, other)
    if ctx.common_dtype(x, other) == "bool":
        return ctx.binary(binary.logical_or, x, other)
    return ctx.binary(operator, x, other)


@converts("div", "divide", "truediv", "true_divide")
def _div(ctx: Context, x: Operand, other: Operand, rounding_mode: str | None = None) -> object:
    if _are_numbers(x, other):
        return x / other if rounding_mode is None else x // other  # type: ignore[operator]  # both are numbers
    if rounding_mode == "floor":
        return ctx.binary(binary.floor_divide, x, other)
    dtype = ctx.common_dtype(x, other)
    if is_floating(dtype):
        quotient = ctx.binary(binary.divide, x, other)
        return quotient if rounding_mode is None else ctx.call(unary.trunc, quotient)
    # integers of the graph level are divided towards zero
    return ctx.binary(binary.divide, x, other, dtype if rounding_mode == "trunc" else ctx.default_dtype)


@converts("atan2", "arctan2")
def _atan2(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return ctx.binary(binary.atan2, ctx.as_float(x), ctx.as_float(other))


@converts("fmod")
def _fmod(ctx: Context, x: RelaxExpr, other: Operand) -> RelaxExpr:
    return ctx.binary(binary.mod, x, other)


@converts("pow", "float_power")
def _pow(ctx: Context, x: Operand, exponent: Operand) -> object:
    if _are_numbers(x, exponent):
        return x**exponent  # type: ignore[operator]  # both are numbers
    dtype = ctx.common_dtype(x, exponent)
    if not is_floating(dtype) and isinstance(x, RelaxExpr) and isinstance(exponent, int) and 0 < exponent <= 4:
        power = ctx.cast(x, dtype)
        for _ in range(exponent - 1):  # exact, unlike a power of floats
            power = ctx.call(binary.multiply, power, x)
        return power
    if is_floating(dtype):
        return ctx.binary(binary.power, x, exponent)
    return ctx.cast(ctx.call(unary.round, ctx.binary(binary.power, x, exponent, "float64")), dtype)


@converts("lerp")
def _lerp(ctx: Context, x: RelaxExpr, end: RelaxExpr, weight: Operand) -> RelaxExpr:
    return ctx.binary(binary.add, x, ctx.binary(binary.multiply, ctx.emit(end - x), weight))


@converts("addcmul")
def _addcmul(ctx: Context, x: RelaxExpr, tensor1: RelaxExpr, tensor2: RelaxExpr, value: Operand = 1) -> RelaxExpr:
    return ctx.binary(binary.add, x, ctx.scaled(ctx.binary(binary.multiply, tensor1, tensor2), value))


@converts("addcdiv")
def _addcdiv(ctx: Context, x: RelaxExpr, tensor1: RelaxExpr, tensor2: RelaxExpr, value: Operand = 1) -> RelaxExpr:
    return ctx.binary(binary.add, x, ctx.scaled(ctx.binary(binary.divide, tensor1, tensor2), value))


@converts("hypot")
def _hypot(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return ctx.call(unary.sqrt, x * x + other * other)


@converts("copysign")
def _copysign(ctx: Context, x: RelaxExpr, other: Operand) -> RelaxExpr:
    x = ctx.as_float(x)
    size = ctx.call(unary.abs, x)
    sign = ctx.tensor(other, ctx.dtype(x))
    return ctx.select(ctx.binary(binary.less, sign, 0), ctx.call(unary.negative, size), size)


@converts("xlogy", "special_xlogy")
def _xlogy(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    product = ctx.binary(binary.multiply, x, ctx.call(unary.log, ctx.as_float(other)))
    return ctx.replace_where(ctx.binary(binary.equal, x, 0), 0, product)


@converts("isclose")
def _isclose(
    ctx: Context, x: RelaxExpr, other: RelaxExpr, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> RelaxExpr:
    dtype = ctx.common_dtype(x, other)
    is_equal = ctx.binary(binary.equal, x, other)
    if not is_floating(dtype):
        x, other = (ctx.cast(operand, "float64") for operand in (x, other))
    distance = ctx.call(unary.abs, x - other)
    bound = ctx.binary(binary.add, ctx.scaled(ctx.call(unary.abs, other), rtol), atol)
    is_near = ctx.call(binary.less_equal, distance, bound)
    is_near = ctx.call(binary.logical_and, is_near, ctx.call(unary.isfinite, distance))
    result = ctx.call(binary.logical_or, is_equal, is_near)
    if not equal_nan or not is_floating(dtype):
        return result
    are_nan = ctx.call(binary.logical_and, ctx.call(unary.isnan, x), ctx.call(unary.isnan, other))
    return ctx.call(binary.logical_or, result, are_nan)
