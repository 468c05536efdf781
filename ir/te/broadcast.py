"""Operators of Python on whole tensors: elementwise, with the smaller operand broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.te import tensor
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.errors import InvalidOperation
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, IntImm, Max, as_expr, cast
from tvmscript.ir.tir.base import OPERATORS, fold


def broadcast_shape(a: tuple[Expr, ...], b: tuple[Expr, ...], where: str) -> tuple[Expr, ...]:
    """Return the shape of two tensors together, as NumPy has it. Raises `InvalidOperation` for shapes that differ."""
    rank = max(len(a), len(b))
    left, right = ((None,) * (rank - len(shape)) + shape for shape in (a, b))
    return tuple([_extent(x, y, where) for x, y in zip(left, right, strict=True)])


def _extent(x: Expr | None, y: Expr | None, where: str) -> Expr:
    if x is None or y is None:
        known = y if x is None else x
        assert known is not None
        return known
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


def broadcast_binary(name: str, function: Callable[[Any, Any], Expr], a: Any, b: Any, tag: str = "broadcast") -> Any:
    """Return the tensor of a function of the elements of two tensors, or of a tensor and a number."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        whole, other = (a, b) if isinstance(a, Tensor) else (b, a)
        scalar = as_expr(other, whole.dtype if isinstance(other, (int, float)) else None)
        if whole is a:
            return _define(whole.shape, lambda *i: function(whole(*i), scalar), name, "elemwise")
        return _define(whole.shape, lambda *i: function(scalar, whole(*i)), name, "elemwise")
    shape = broadcast_shape(a.shape, b.shape, name)

    def value(*i: Expr) -> Expr:
        return function(a(*broadcast_indices(a.shape, i, shape)), b(*broadcast_indices(b.shape, i, shape)))

    return _define(shape, value, name, tag)


def _define(shape: tuple[Expr, ...], value: Callable[..., Expr], name: str, tag: str) -> Any:
    return compute(shape, value, name, tag, varargs_names=[f"ax{i}" for i in range(len(shape))])


def _operator(name: str, operator: str) -> Callable[[Any, Any], Any]:
    operation = OPERATORS[operator]
    return lambda a, b: broadcast_binary(f"T_{name}", lambda x, y: fold(operation(x, y)), a, b)


def _cast(values: Any, dtype: str) -> Any:
    return compute(values.shape, lambda *i: cast(dtype, values(*i)), tag="elemwise")


for _name, _of_elements in {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div"}.items():
    tensor.OPERATORS[_name].fill(_operator(_name, _of_elements))
tensor.OPERATORS["cast"].fill(_cast)
