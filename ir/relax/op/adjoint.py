"""`Adjoint`: what the gradient of a call is computed from. `Operator.gradient` maps it to one gradient an argument.

    gradient=lambda a: (a.gradient * apply("cos", a.x),)        # of sin

Reverse mode: a gradient of an argument is that of the result times the Jacobian, summed to the shape of the argument
where the operator broadcasts it. None where there is none: integers, shapes, conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tvmscript.ir.core import DType, Op
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.expr import Call, Constant, ShapeExpr, Var
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.operator import Gradient, Operator
from tvmscript.ir.relax.struct_info import PrimStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.tir import Expr


class Emitter(Protocol):
    """The methods of a builder that gradients use."""

    def emit(self, expr: RelaxExpr, name_hint: str = "") -> Var: ...

    def normalize(self, expr: RelaxExpr) -> RelaxExpr: ...

    def emit_te(self, func: Callable[..., Any], *args: object, **kwargs: Any) -> Var: ...


@dataclass(frozen=True)
class Adjoint:
    """A call, its result, and the gradient of the target with respect to the result."""

    builder: Emitter
    call: Call
    result: RelaxExpr
    gradient: RelaxExpr

    @property
    def x(self) -> Any:
        """The first argument."""
        return self.call.args[0]

    @property
    def y(self) -> Any:
        """The second argument."""
        return self.call.args[1]

    def emit(self, value: RelaxExpr) -> Var:
        """Bind a value that is used more than once."""
        return self.builder.emit(value)

    def extents(self, position: int = 0) -> tuple[Expr, ...]:
        """Return the shape of a tensor argument. Raises `NotDifferentiable` where it is unknown."""
        info = self.call.args[position].struct_info
        assert isinstance(info, TensorStructInfo)
        if info.extents is None:
            what = self.call.op.script_name
            raise NotDifferentiable(what=what, reason=f"the shape of an argument is unknown: {info}")
        return info.extents

    def scalar(self, value: float, position: int = 0) -> Constant:
        """Return a constant of the dtype of an argument."""
        info = self.call.args[position].struct_info
        assert isinstance(info, (TensorStructInfo, PrimStructInfo))
        return scalar(value, info.dtype)

    def sum_to_argument(self, value: RelaxExpr, position: int) -> RelaxExpr | None:
        """Sum a gradient over the axes that the operator broadcasts. None for an argument that is no tensor."""
        if not isinstance(self.call.args[position].struct_info, TensorStructInfo):
            return None
        value = self.builder.normalize(value)
        info, extents = value.struct_info, self.extents(position)
        assert isinstance(info, TensorStructInfo)
        return value if shapes_provably_equal(info.extents, extents) else apply("collapse_sum_to", value, extents)


def scalar(value: float, dtype: DType) -> Constant:
    """Return a constant of rank 0."""
    return Constant(pack([value], dtype, ()), dtype)


def apply(name: str, *args: object, **attrs: object) -> Call:
    """Return the call of an operator by name, `apply("exp", x)`; a tuple of sizes is a shape."""
    operator = Op.get(f"relax.{name}")
    assert isinstance(operator, Operator)
    values = [
        ShapeExpr(arg) if isinstance(arg, tuple) and all(isinstance(e, Expr) for e in arg) else arg for arg in args
    ]
    return make_call(operator, values, attrs)


def broadcast(*partials: Callable[[Adjoint], RelaxExpr]) -> Gradient:
    """Return the gradient of an operator with NumPy's broadcasting, from one without, an argument each."""

    def gradient(adjoint: Adjoint) -> tuple[RelaxExpr | None, ...]:
        values = [partial(adjoint) for partial in partials]
        return tuple([adjoint.sum_to_argument(value, position) for position, value in enumerate(values)])

    return gradient


def _no_gradient(adjoint: Adjoint) -> tuple[None, ...]:
    return (None,) * len(adjoint.call.args)


#: of operators whose result does not change with small changes of the arguments
NO_GRADIENT: Final[Gradient] = _no_gradient
