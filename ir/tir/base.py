"""Bases of the tensor level. Python's operators on expressions are filled in by `operators`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import ExprAsBool
from tvmscript.ir.core.node import Node, derived, node

#: Python operator name -> function of two operands; `operators` registers them.
OPERATORS: dict[str, Callable[[Any, Any], Expr]] = {}
#: How a buffer is indexed: (buffer, indices) -> element or region.
INDEXING: list[Callable[[Any, Any], Any]] = []
#: What a range is made from: (begin, end, extent where there is no end, span) -> min and extent.
RANGES: list[Callable[[Any, Any, Any, Any], tuple[Expr, Expr]]] = []


@node
class Expr(Node):
    """A scalar or vector value of type `dtype`."""

    dtype: DType = derived()

    # `n + 1` as a size of a parameter defines n where nothing else does
    defines_inside: ClassVar[bool] = True
    takes_values: ClassVar[bool] = True
    looks_at_parts: ClassVar[bool] = True

    __hash__: ClassVar[Any] = object.__hash__

    def __add__(self, other: Any) -> Expr:
        return OPERATORS["add"](self, other)

    def __radd__(self, other: Any) -> Expr:
        return OPERATORS["add"](other, self)

    def __sub__(self, other: Any) -> Expr:
        return OPERATORS["sub"](self, other)

    def __rsub__(self, other: Any) -> Expr:
        return OPERATORS["sub"](other, self)

    def __mul__(self, other: Any) -> Expr:
        return OPERATORS["mul"](self, other)

    def __rmul__(self, other: Any) -> Expr:
        return OPERATORS["mul"](other, self)

    def __truediv__(self, other: Any) -> Expr:
        return OPERATORS["div"](self, other)

    def __rtruediv__(self, other: Any) -> Expr:
        return OPERATORS["div"](other, self)

    def __floordiv__(self, other: Any) -> Expr:
        return OPERATORS["floordiv"](self, other)

    def __rfloordiv__(self, other: Any) -> Expr:
        return OPERATORS["floordiv"](other, self)

    def __mod__(self, other: Any) -> Expr:
        return OPERATORS["floormod"](self, other)

    def __rmod__(self, other: Any) -> Expr:
        return OPERATORS["floormod"](other, self)

    def __lshift__(self, other: Any) -> Expr:
        return OPERATORS["shift_left"](self, other)

    def __rlshift__(self, other: Any) -> Expr:
        return OPERATORS["shift_left"](other, self)

    def __rshift__(self, other: Any) -> Expr:
        return OPERATORS["shift_right"](self, other)

    def __rrshift__(self, other: Any) -> Expr:
        return OPERATORS["shift_right"](other, self)

    def __and__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_and"](self, other)

    def __rand__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_and"](other, self)

    def __or__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_or"](self, other)

    def __ror__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_or"](other, self)

    def __xor__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_xor"](self, other)

    def __rxor__(self, other: Any) -> Expr:
        return OPERATORS["bitwise_xor"](other, self)

    def __lt__(self, other: Any) -> Expr:
        return OPERATORS["lt"](self, other)

    def __le__(self, other: Any) -> Expr:
        return OPERATORS["le"](self, other)

    def __gt__(self, other: Any) -> Expr:
        return OPERATORS["gt"](self, other)

    def __ge__(self, other: Any) -> Expr:
        return OPERATORS["ge"](self, other)

    def __neg__(self) -> Expr:
        return OPERATORS["neg"](self, None)

    def __invert__(self) -> Expr:
        return OPERATORS["bitwise_not"](self, None)

    def equal(self, other: Any) -> Expr:
        """The comparison `self == other` as an expression (`==` itself compares identity)."""
        return OPERATORS["eq"](self, other)

    def astype(self, dtype: str) -> Expr:
        """The value converted to another dtype."""
        return OPERATORS["cast"](dtype, self)

    def __bool__(self) -> bool:
        raise ExprAsBool(span=self.span, hint="use T.And, T.Or, T.Not, T.if_then_else or T.Select on expressions")


@node
class Stmt(Node):
    """Something that is done."""

    takes_values: ClassVar[bool] = True
