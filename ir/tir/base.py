"""Base classes of expressions and statements. Python's operators on expressions are hooks."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, ClassVar, Final

from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import ExprAsBool, WrongType
from tvmscript.ir.core.hooks import Hook, hook
from tvmscript.ir.core.node import Node, derived, node

#: binary operators of Python on expressions, by name; `operators` and `intrin.bits` fill them
OPERATORS: Final[dict[str, Hook[[Any, Any], Expr]]] = {
    name: Hook(f"{__name__}.{name}")
    for name in (
        "add", "sub", "mul", "div", "floordiv", "floormod", "shift_left", "shift_right",
        "bitwise_and", "bitwise_or", "bitwise_xor", "lt", "le", "gt", "ge", "eq", "ne",
    )
}  # fmt: skip


def _operator(name: str) -> Callable[[ExprOp, Any], Expr]:
    """Return the method of a binary operator."""
    operation = OPERATORS[name]

    def method(self: ExprOp, other: object) -> Any:  # of Expr, or NotImplemented
        try:
            return fold.call(operation.call(self, other))
        except WrongType:
            if getattr(other, "has_own_operators", False):
                return NotImplemented
            raise

    return method


def _reflected_operator(name: str) -> Callable[[ExprOp, Any], Expr]:
    """Return the method of a binary operator whose right operand is the expression."""
    operation = OPERATORS[name]

    def method(self: ExprOp, other: object) -> Expr:
        return fold.call(operation.call(other, self))

    return method


#: what decides the truth of expressions while the generator of a reduction runs: see `ir.te.generator`
TRUTH: Final[ContextVar[Callable[[Expr], bool] | None]] = ContextVar("truth", default=None)


@hook
def fold(value: Expr, /) -> Expr:
    """Return what the result of an operator folds to, otherwise the result itself."""
    raise NotImplementedError


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


class ExprOp:
    """Python's operators on expressions. `a == b` is an `EqualOp`, which is true where both are one object."""

    __slots__ = ()

    __hash__: ClassVar[Any] = object.__hash__
    #: whether the operators of other classes leave operations with this operand to it
    has_own_operators: ClassVar[bool] = False

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

    def __eq__(self, other: object) -> Any:
        return EqualOp(self, other)

    def __ne__(self, other: object) -> Any:
        return NotEqualOp(self, other)

    def __invert__(self) -> Expr:
        return invert_bits(to_expr(self))

    def equal(self, other: object) -> Expr:
        """Return the comparison `self == other` as a node."""
        return fold.call(OPERATORS["eq"](self, other))


class ScalarOp(ExprOp):
    """Base of expressions and of what stands for one. Tensors have operators of their own in the place of these."""

    __slots__ = ()

    __add__ = _operator("add")
    __radd__ = _reflected_operator("add")
    __sub__ = _operator("sub")
    __rsub__ = _reflected_operator("sub")
    __mul__ = _operator("mul")
    __rmul__ = _reflected_operator("mul")
    __truediv__ = _operator("div")
    __rtruediv__ = _reflected_operator("div")

    def __neg__(self) -> Expr:
        return fold.call(negate(to_expr(self)))

    def astype(self, dtype: str) -> Expr:
        """Return the value converted to another dtype."""
        return fold.call(cast_to(dtype, self))


class Convertible(ScalarOp):
    """Base of objects that stand for an expression."""

    __slots__ = ()

    def asobject(self) -> Expr:
        """Return the expression."""
        raise NotImplementedError


class EqualOp(Convertible):
    """What `a == b` is for expressions: a node where one is needed; as a truth value, whether both are one object."""

    __slots__ = ("a", "b")

    #: the operator of the node
    _OPERATOR: ClassVar[str] = "eq"

    def __init__(self, a: object, b: object) -> None:
        self.a = a
        self.b = b

    def asobject(self) -> Expr:
        """Return the comparison as a node."""
        return OPERATORS[self._OPERATOR](self.a, self.b)

    def __bool__(self) -> bool:
        decide = TRUTH.get()
        return self.a is self.b if decide is None else decide(self.asobject())

    def __repr__(self) -> str:
        return repr(self.asobject())


class NotEqualOp(EqualOp):
    """What `a != b` is for expressions: see `EqualOp`."""

    __slots__ = ()

    _OPERATOR: ClassVar[str] = "ne"

    def __bool__(self) -> bool:
        decide = TRUTH.get()
        return self.a is not self.b if decide is None else decide(self.asobject())


@node
class Expr(Node, ScalarOp):
    """A scalar or vector value of type `dtype`."""

    dtype: DType = derived()

    # `n + 1` as a size of a parameter defines n where nothing else does
    defines_inside: ClassVar[bool] = True
    takes_values: ClassVar[bool] = True
    looks_at_parts: ClassVar[bool] = True

    def __bool__(self) -> bool:
        decide = TRUTH.get()
        if decide is not None:
            return decide(self)
        raise ExprAsBool(span=self.span, hint="use T.And, T.Or, T.Not, T.if_then_else or T.Select on expressions")


@node
class Stmt(Node):
    """Something that is done."""

    takes_values: ClassVar[bool] = True
