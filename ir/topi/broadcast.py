"""Operators of two operands, with NumPy's broadcasting; numbers and expressions are operands of rank 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, overload

from tvmscript.ir.te.broadcast import broadcast_binary, broadcast_indices
from tvmscript.ir.te.tensor import Elements, Shape, Tensor, as_shape
from tvmscript.ir.tir import EQ, NE, Expr, as_expr, match_types
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.common import BROADCAST, define, function, named

Value = Callable[[Expr, Any], Expr]


class Binary(Protocol):
    """An operator of tensors, and of a tensor and an expression; of expressions it is the function of elements."""

    @overload
    def __call__(self, lhs: Tensor, rhs: Elements) -> Tensor: ...
    @overload
    def __call__(self, lhs: Operand, rhs: Tensor) -> Tensor: ...
    @overload
    def __call__(self, lhs: Operand, rhs: Operand) -> Expr: ...


def _binary(name: str, definition: str, value: Value) -> Binary:
    """Return the operator whose elements are a function of those of its operands."""

    @named(name, f"Return {definition}.")
    def operator(lhs: Any, rhs: Any) -> Any:
        if isinstance(lhs, Tensor) or isinstance(rhs, Tensor):
            return broadcast_binary(f"T_{name}", value, lhs, rhs)
        return value(as_expr(lhs), rhs)

    return operator


def _match(comparison: type[EQ | NE], a: Expr, b: Operand) -> Expr:
    return comparison(*match_types(a, b, "topi"))


def _quotient(a: Expr, b: Operand) -> Expr:
    return function("div")(a, b) if a.dtype.is_integer else a / b


def _floor_divide(a: Expr, b: Operand) -> Expr:
    return function("floordiv")(a, b) if a.dtype.is_integer else function("floor")(a / b)


def _floor_mod(a: Expr, b: Operand) -> Expr:
    return function("floormod")(a, b) if a.dtype.is_integer else a - function("floor")(a / b) * b


add: Final = _binary("add", "numpy.add", lambda a, b: a + b)
subtract: Final = _binary("subtract", "numpy.subtract", lambda a, b: a - b)
multiply: Final = _binary("multiply", "numpy.multiply", lambda a, b: a * b)
divide: Final = _binary("divide", "numpy.divide; of integers the quotient rounded to zero", _quotient)
floor_divide: Final = _binary("floor_divide", "numpy.floor_divide", _floor_divide)
mod: Final = _binary("mod", "numpy.fmod", function("truncmod"))
floor_mod: Final = _binary("floor_mod", "numpy.mod", _floor_mod)
maximum: Final = _binary("maximum", "numpy.maximum; the second operand where one is nan", function("max"))
minimum: Final = _binary("minimum", "numpy.minimum; the second operand where one is nan", function("min"))
power: Final = _binary("power", "numpy.power", function("power"))
equal: Final = _binary("equal", "numpy.equal", lambda a, b: _match(EQ, a, b))
not_equal: Final = _binary("not_equal", "numpy.not_equal", lambda a, b: _match(NE, a, b))
less: Final = _binary("less", "numpy.less", lambda a, b: a < b)
less_equal: Final = _binary("less_equal", "numpy.less_equal", lambda a, b: a <= b)
greater: Final = _binary("greater", "numpy.greater", lambda a, b: a > b)
greater_equal: Final = _binary("greater_equal", "numpy.greater_equal", lambda a, b: a >= b)
logical_and: Final = _binary("logical_and", "numpy.logical_and", function("all"))
logical_or: Final = _binary("logical_or", "numpy.logical_or", function("any"))
logical_xor: Final = _binary("logical_xor", "numpy.logical_xor", function("bitwise_xor"))
bitwise_and: Final = _binary("bitwise_and", "numpy.bitwise_and", function("bitwise_and"))
bitwise_or: Final = _binary("bitwise_or", "numpy.bitwise_or", function("bitwise_or"))
bitwise_xor: Final = _binary("bitwise_xor", "numpy.bitwise_xor", function("bitwise_xor"))
left_shift: Final = _binary("left_shift", "numpy.left_shift", function("shift_left"))
right_shift: Final = _binary("right_shift", "numpy.right_shift", function("shift_right"))


def broadcast_to(data: Tensor, shape: Shape) -> Tensor:
    """Return numpy.broadcast_to."""
    extents = as_shape(shape, "topi.broadcast_to")
    return define(extents, lambda *i: data(*broadcast_indices(data.shape, i, extents)), "T_broadcast_to", BROADCAST)
