"""Base classes of expressions and statements. Python's operators on expressions are hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import ExprAsBool
from tvmscript.ir.core.hooks import Hook, hook
from tvmscript.ir.core.node import Node, derived, node

#: binary operators of Python on expressions, by name; `operators` and `intrin.bits` fill them
OPERATORS: Final[dict[str, Hook[[Any, Any], Expr]]] = {
    name: Hook(f"{__name__}.{name}")
    for name in (
        "add", "sub", "mul", "div", "floordiv", "floormod", "shift_left", "shift_right",
        "bitwise_and", "bitwise_or", "bitwise_xor", "lt", "le", "gt", "ge", "eq",
    )
}  # fmt: skip


def _operator(name: str) -> Callable[[Expr, Any], Expr]:
    """Return the method of a binary operator."""
    operation = OPERATORS[name]

    def method(self: Expr, other: object) -> Expr:
        return operation.call(self, other)

    return method


def _reflected_operator(name: str) -> Callable[[Expr, Any], Expr]:
    """Return the method of a binary operator whose right operand is the expression."""
    operation = OPERATORS[name]

    def method(self: Expr, other: object) -> Expr:
        return operation.call(other, self)

    return method


@hook
def negate(value: Expr, /) -> Expr:
    """Return `-value`."""
    raise NotImplementedError


@hook
def invert_bits(value: Expr, /) -> Expr:
    """Return `~value`."""
    raise NotImplementedError


@hook
def cast_to(dtype: str, value: object) -> Expr:
    """Return the value converted to `dtype`."""
    raise NotImplementedError


@hook
def to_expr(value: object, dtype: DType | None = None) -> Expr:
    """Return the expression of a Python value. Raises `WrongType`."""
    raise NotImplementedError


@node
class Expr(Node):
    """A scalar or vector value of type `dtype`."""

    dtype: DType = derived()

    # `n + 1` as a size of a parameter defines n where nothing else does
    defines_inside: ClassVar[bool] = True
    takes_values: ClassVar[bool] = True
    looks_at_parts: ClassVar[bool] = True

    __hash__: ClassVar[Any] = object.__hash__

    __add__ = _operator("add")
    __radd__ = _reflected_operator("add")
    __sub__ = _operator("sub")
    __rsub__ = _reflected_operator("sub")
    __mul__ = _operator("mul")
    __rmul__ = _reflected_operator("mul")
    __truediv__ = _operator("div")
    __rtruediv__ = _reflected_operator("div")
    __floordiv__ = _operator("floordiv")
    __rfloordiv__ = _reflected_operator("floordiv")
    __mod__ = _operator("floormod")
    __rmod__ = _reflected_operator("floormod")
    __lshift__ = _operator("shift_left")
    __rlshift__ = _reflected_operator("shift_left")
    __rshift__ = _operator("shift_right")
    __rrshift__ = _reflected_operator("shift_right")
    __and__ = _operator("bitwise_and")
    __rand__ = _reflected_operator("bitwise_and")
    __or__ = _operator("bitwise_or")
    __ror__ = _reflected_operator("bitwise_or")
    __xor__ = _operator("bitwise_xor")
    __rxor__ = _reflected_operator("bitwise_xor")
    __lt__ = _operator("lt")
    __le__ = _operator("le")
    __gt__ = _operator("gt")
    __ge__ = _operator("ge")

    def __neg__(self) -> Expr:
        return negate(self)

    def __invert__(self) -> Expr:
        return invert_bits(self)

    def equal(self, other: object) -> Expr:
        """Return the comparison `self == other` as an expression (`==` itself compares identity)."""
        return OPERATORS["eq"](self, other)

    def astype(self, dtype: str) -> Expr:
        """Return the value converted to another dtype."""
        return cast_to(dtype, self)

    def __bool__(self) -> bool:
        raise ExprAsBool(span=self.span, hint="use T.And, T.Or, T.Not, T.if_then_else or T.Select on expressions")


@node
class Stmt(Node):
    """Something that is done."""

    takes_values: ClassVar[bool] = True
