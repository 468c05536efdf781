"""The two meanings of definitions: tensor expressions, and NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.te import construct, reduction
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, cast
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.intrin.derived import min_value
from tvmscript.ir.tir.operators import logical_and, logical_or
from tvmscript.testing.tensor_strategies.definitions import Value


def _tuple(value: Any) -> tuple[Value, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


class TensorExpressions:
    """Definitions as operations of `te`."""

    def shape(self, tensor: Tensor) -> tuple[Expr, ...]:
        return tensor.shape

    def read(self, tensor: Tensor, *indices: Any) -> Value:
        return tensor(*indices)

    def maximum(self, a: Value, b: Value) -> Value:
        return FUNCTIONS["max"](a, b)

    def minimum(self, a: Value, b: Value) -> Value:
        return FUNCTIONS["min"](a, b)

    def inside(self, tensor: Tensor, indices: Sequence[Any], condition: Sequence[Any], other: int) -> Value:
        return if_then_else(reduce(logical_and, condition), tensor(*indices), construct.const(other, tensor.dtype))

    def compute(self, name: str, shape: Sequence[Any], *elements: Callable[..., Value]) -> tuple[Value, ...]:
        def function(*i: Any) -> Any:
            values = [element(*i) for element in elements]
            return values[0] if len(values) == 1 else tuple(values)

        return _tuple(construct.compute(shape, function, name))

    def reduction(
        self,
        name: str,
        shape: Sequence[Any],
        reducer: str,
        extents: Sequence[Any],
        element: Callable[..., Value],
        condition: Callable[..., Value] | None = None,
    ) -> tuple[Value, ...]:
        reduce_all = getattr(reduction, reducer)
        axes = [construct.reduce_axis((0, extent), f"k{place}") for place, extent in enumerate(extents)]
        reduced = [axis.var for axis in axes]

        def over_axes(*i: Any) -> Any:
            where = None if condition is None else condition(*i, *reduced)
            return reduce_all(element(*i, *reduced), axis=axes, where=where)

        def over_generator(*i: Any) -> Any:
            if condition is None:
                return reduce_all(element(*i, k) for k in range(extents[0]))
            return reduce_all(element(*i, k) for k in range(extents[0]) if condition(*i, k))

        return _tuple(construct.compute(shape, over_generator if len(extents) == 1 else over_axes, name))

    def argmax(
        self, name: str, shape: Sequence[Any], extent: Any, element: Callable[..., Value], *, is_value_first: bool
    ) -> tuple[Value, ...]:
        axis = construct.reduce_axis((0, extent), "k")

        def function(*i: Any) -> Any:
            value = element(*i, axis.var)
            index = cast(value.dtype, axis.var)
            return _MAX_AND_INDEX((value, index), axis=axis) if is_value_first else _ARGMAX((index, value), axis=axis)

        return _tuple(construct.compute(shape, function, name))

    def running_sum(self, name: str, tensor: Tensor) -> tuple[Value, ...]:
        size, *rest = tensor.shape
        state = construct.placeholder((size, *rest), tensor.dtype, f"{name}_state")
        init = construct.compute((1, *rest), lambda _, *i: tensor(0, *i), f"{name}_init")
        update = construct.compute((size, *rest), lambda t, *i: state(t - 1, *i) + tensor(t, *i), f"{name}_update")
        return _tuple(construct.scan(init, update, state, [tensor], name))


def _greater(a: Any, b: Any) -> Any:
    """Combine pairs of an index and a value to the greater value, of equal ones to the lesser index."""
    is_first = logical_or(a[1] > b[1], logical_and(a[1].equal(b[1]), a[0] < b[0]))
    return if_then_else(is_first, a[0], b[0]), if_then_else(is_first, a[1], b[1])


_ARGMAX: Final = reduction.comm_reducer(
    _greater, lambda index, value: (construct.const(-1, index), min_value(value)), "argmax"
)
_MAX_AND_INDEX: Final = reduction.comm_reducer(
    lambda a, b: _greater(a[::-1], b[::-1])[::-1],
    lambda value, index: (min_value(value), construct.const(-1, index)),
    "max_and_index",
)


class Arrays:
    """Definitions as NumPy arrays."""

    def shape(self, tensor: Value) -> tuple[int, ...]:
        return tuple(tensor.shape)

    def read(self, tensor: Value, *indices: Any) -> Value:
        return tensor[indices]

    def maximum(self, a: Value, b: Value) -> Value:
        return np.maximum(a, b)

    def minimum(self, a: Value, b: Value) -> Value:
        return np.minimum(a, b)

    def inside(self, tensor: Value, indices: Sequence[Any], condition: Sequence[Any], other: int) -> Value:
        if not tensor.size:
            return np.asarray(other, tensor.dtype)
        near = [np.clip(index, 0, size - 1) for index, size in zip(indices, tensor.shape, strict=True)]
        return np.where(reduce(np.logical_and, condition), tensor[tuple(near)], np.asarray(other, tensor.dtype))

    def compute(self, name: str, shape: Sequence[Any], *elements: Callable[..., Value]) -> tuple[Value, ...]:
        indices = np.indices(tuple(shape))
        return tuple([np.broadcast_to(element(*indices), tuple(shape)) for element in elements])

    def reduction(
        self,
        name: str,
        shape: Sequence[Any],
        reducer: str,
        extents: Sequence[Any],
        element: Callable[..., Value],
        condition: Callable[..., Value] | None = None,
    ) -> tuple[Value, ...]:
        whole = (*shape, *extents)
        indices = np.indices(whole)
        terms = np.broadcast_to(element(*indices), whole)
        if condition is not None:
            terms = np.where(np.broadcast_to(condition(*indices), whole), terms, np.zeros_like(terms))
        axes = tuple(range(len(shape), len(whole)))
        reduced = getattr(np, reducer)(terms, axis=axes)
        return (np.asarray(reduced, terms.dtype),)

    def argmax(
        self, name: str, shape: Sequence[Any], extent: Any, element: Callable[..., Value], *, is_value_first: bool
    ) -> tuple[Value, ...]:
        values = element(*np.indices((*shape, extent)))
        index, value = np.asarray(values.argmax(-1)).astype(values.dtype), np.asarray(values.max(-1))
        return (value, index) if is_value_first else (index, value)

    def running_sum(self, name: str, tensor: Value) -> tuple[Value, ...]:
        return (np.cumsum(tensor, 0, tensor.dtype),)
