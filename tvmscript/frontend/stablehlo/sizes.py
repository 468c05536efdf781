"""Sizes of programs with symbolic shapes, as JAX exports them: integers that are computed at import."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.stablehlo.text import Operation, dense
from tvmscript.frontend.stablehlo.values import Complex, constant
from tvmscript.frontend.tensor_info import Size, shape_of
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.symbolic_shape import simplify_extent
from tvmscript.ir.tir import Expr, IntImm, cast
from tvmscript.language import R

#: most integers of a constant that are sizes
_MOST_SIZES: Final = 16


@dataclass(frozen=True)
class Sizes:
    """A tensor of integers that are sizes: numbers, or expressions of symbolic sizes."""

    #: of dtype object
    array: npt.NDArray[Any]
    dtype: str

    def tensor(self) -> RelaxExpr:
        """Return the tensor, which the graph computes where sizes are symbolic."""
        values = [_as_size(value) for value in self.array.reshape(-1)]
        if all(isinstance(value, int) for value in values):
            return constant(np.array(values, self.dtype).reshape(self.array.shape), self.dtype)
        vector = R.astype(R.shape_to_tensor(R.shape(values)), self.dtype)
        return R.reshape(vector, R.shape(list(self.array.shape)))

    def sizes(self) -> list[Size]:
        """Return the integers."""
        return [_as_size(value) for value in self.array.reshape(-1)]


#: a value of a program
Value = RelaxExpr | Sizes | Complex


def as_tensor(value: Value) -> RelaxExpr:
    """Return a value as a tensor: complex numbers with an axis for both parts, the last one."""
    if isinstance(value, Complex):
        return R.stack((value.real, value.imag), len(shape_of(value.real)))
    return value.tensor() if isinstance(value, Sizes) else value


def _as_size(value: Any) -> Size:
    if isinstance(value, Expr):
        value = simplify_extent(cast(INT64, value))
        return value.value if isinstance(value, IntImm) else value
    return int(value)


def _objects(values: Sequence[Size], shape: Sequence[int]) -> npt.NDArray[Any]:
    array = np.empty(len(values), object)
    array[:] = list(values)
    return array.reshape(shape)


def _dimension(operation: Operation, operands: Sequence[Value]) -> Sizes:
    size = shape_of(as_tensor(operands[0]))[operation.integer("dim")]
    return Sizes(_objects([size], ()), operation.types[0].dtype)


def _constant(operation: Operation, operands: Sequence[Value]) -> Sizes | None:
    (kind,) = operation.types
    text = re.search(r"dense<(.*)>", operation.text)
    if text is None or not kind.dtype.startswith("int") or len(kind.shape) > 1 or np.prod(kind.shape) > _MOST_SIZES:
        return None
    values = dense(operation, text[1], kind)
    return Sizes(_objects([int(value) for value in values.reshape(-1)], values.shape), kind.dtype)


def _of_sizes(
    function: Callable[..., npt.NDArray[Any]], count: int | None = None
) -> Callable[[Operation, Sequence[Value]], Sizes | None]:
    """Compute integers of sizes; None where an operand is a tensor, or the result is none of integers.

    `count` is the number of operands, where it is fixed.
    """

    def convert(operation: Operation, operands: Sequence[Value]) -> Sizes | None:
        (kind,) = operation.types
        if count is not None and len(operands) != count:
            operation.fail(f"it takes {count} operands, but is given {len(operands)}")
        arrays = [operand.array for operand in operands if isinstance(operand, Sizes)]
        if len(arrays) < len(operands) or not kind.dtype.startswith("int"):
            return None
        return Sizes(np.asarray(function(operation, *arrays), object), kind.dtype)

    return convert


def _elementwise(function: Callable[[Any, Any], Any]) -> Callable[[Operation, Sequence[Value]], Sizes | None]:
    compute = np.frompyfunc(lambda a, b: _as_size(function(a, b)), 2, 1)
    return _of_sizes(lambda operation, a, b: compute(a, b), 2)


#: operation that may compute sizes -> function that returns them, None where it computes a tensor
SIZES: Final[dict[str, Callable[[Operation, Sequence[Value]], Sizes | None]]] = {
    "get_dimension_size": _dimension,
    "constant": _constant,
    "convert": _of_sizes(lambda operation, a: a, 1),
    "reshape": _of_sizes(lambda operation, a: a.reshape([int(size) for size in operation.types[0].shape]), 1),
    "concatenate": _of_sizes(lambda operation, *arrays: np.concatenate(arrays)),
    "add": _elementwise(operator.add),
    "subtract": _elementwise(operator.sub),
    "multiply": _elementwise(operator.mul),
    "maximum": _elementwise(FUNCTIONS["max"]),
    "minimum": _elementwise(FUNCTIONS["min"]),
}


def _broadcast(operation: Operation, x: RelaxExpr, sizes: list[Size]) -> RelaxExpr:
    axes = operation.integers("dims", [])
    shape: list[Size] = [1] * len(sizes)
    for axis, size in zip(axes, shape_of(x), strict=True):
        shape[axis] = size
    return R.broadcast_to(R.reshape(x, R.shape(shape)), R.shape(sizes))


def _iota(operation: Operation, sizes: list[Size]) -> RelaxExpr:
    axis, dtype = operation.integer("dim"), operation.types[0].dtype
    shape = [size if place == axis else 1 for place, size in enumerate(sizes)]
    places = R.astype(R.arange(0, sizes[axis], 1, "int64"), dtype)
    return R.broadcast_to(R.reshape(places, R.shape(shape)), R.shape(sizes))


#: operations whose shape is their last operand
WITH_SIZES: Final = frozenset({"dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_iota"})


def with_sizes(name: str, operation: Operation, operands: Sequence[Value]) -> RelaxExpr:
    """Convert an operation whose shape is its last operand. Raises `InvalidModel`."""
    *inputs, shape = operands
    if not isinstance(shape, Sizes):
        operation.fail("its shape is known at run time only")
    if name == "dynamic_iota":
        return _iota(operation, shape.sizes())
    x = as_tensor(inputs[0])
    if name == "dynamic_reshape":
        return R.reshape(x, R.shape(shape.sizes()))
    return _broadcast(operation, x, shape.sizes())
