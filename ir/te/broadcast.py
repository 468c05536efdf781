"""Operators of Python on whole tensors: elementwise, with the smaller operand broadcast."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te import tensor
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.errors import InvalidOperation
from tvmscript.ir.te.tensor import Elements, Tensor
from tvmscript.ir.tir import Expr, IntImm, Max, as_expr, cast
from tvmscript.ir.tir.base import OPERATORS, fold
from tvmscript.ir.tir.buffer import Operand


def broadcast_shape(a: tuple[Expr, ...], b: tuple[Expr, ...], where: str) -> tuple[Expr, ...]:
    """Return the shape of two tensors together, as NumPy has it. Raises `InvalidOperation` for shapes that differ."""
    rank = max(len(a), len(b))
    left, right = ((None,) * (rank - len(shape)) + shape for shape in (a, b))
    return tuple([_extent(x, y, where) for x, y in zip(left, right, strict=True)])


def _extent(x: Expr | None, y: Expr | None, where: str) -> Expr:
    if x is None or y is None:
        extent = y if x is None else x
        assert extent is not None
        return extent
    if _is_one(x) or x is y or (isinstance(y, IntImm) and not isinstance(x, IntImm) and not _is_one(y)):
        return y
    if _is_one(y) or Analyzer().can_prove_equal(x, y):
        return x
    if isinstance(x, IntImm) and isinstance(y, IntImm):
        raise InvalidOperation(where=where, reason=f"the extents {x} and {y} are not broadcast to each other")
    return x if isinstance(x, IntImm) else Max(x, y)


def _is_one(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value == 1


def broadcast_indices(shape: tuple[Expr, ...], axes: tuple[Expr, ...], target: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return indices into a tensor of a shape, of an element of the shape `target` that it is broadcast to."""
    offset = len(axes) - len(shape)
    places = zip(shape, axes[offset:], target[offset:], strict=True)
    return tuple(
        [IntImm(axis.dtype, 0) if _is_one(extent) and not _is_one(whole) else axis for extent, axis, whole in places]
    )


def broadcast_binary(
    name: str, function: Callable[[Expr, Expr], Expr], a: Elements, b: Elements, tag: str = "broadcast"
) -> Tensor:
    """Return the tensor of a function of the elements of two tensors, or of a tensor and a number."""
    if not isinstance(a, Tensor):
        if not isinstance(b, Tensor):
            raise WrongType(where=name, expected="a tensor", got=repr(b))
        return _with_scalar(name, lambda x, y: function(y, x), b, a)
    if not isinstance(b, Tensor):
        return _with_scalar(name, function, a, b)
    shape = broadcast_shape(a.shape, b.shape, name)

    def value(*i: Expr) -> Expr:
        return function(a(*broadcast_indices(a.shape, i, shape)), b(*broadcast_indices(b.shape, i, shape)))

    return _define(shape, value, name, tag)


def _with_scalar(name: str, function: Callable[[Expr, Expr], Expr], tensor: Tensor, operand: Operand) -> Tensor:
    scalar = as_expr(operand, tensor.dtype if isinstance(operand, (int, float)) else None)
    return _define(tensor.shape, lambda *i: function(tensor(*i), scalar), name, "elemwise")


def _define(shape: tuple[Expr, ...], value: Callable[..., Expr], name: str, tag: str) -> Tensor:
    return compute(shape, value, name, tag, varargs_names=[f"ax{i}" for i in range(len(shape))])


def _operator(name: str, operator: str) -> Callable[[Elements, Elements], Tensor]:
    operation = OPERATORS[operator]
    return lambda a, b: broadcast_binary(f"T_{name}", lambda x, y: fold(operation(x, y)), a, b)


def _cast(tensor: Tensor, dtype: str) -> Tensor:
    return compute(tensor.shape, lambda *i: cast(dtype, tensor(*i)), tag="elemwise")


for _name, _of_elements in {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div"}.items():
    tensor.OPERATORS[_name].fill(_operator(_name, _of_elements))
tensor.OPERATORS["cast"].fill(_cast)
