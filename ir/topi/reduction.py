"""Reductions over axes: `axis` is one, several, or None for all; `keepdims` leaves them with extent 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvmscript.ir.core import DType
from tvmscript.ir.te import reduction as reducers
from tvmscript.ir.te.construct import reduce_axis
from tvmscript.ir.te.reduction import Reducer, comm_reducer
from tvmscript.ir.te.tensor import Index, Shape, Tensor, as_shape
from tvmscript.ir.tir import EQ, Expr, IntImm, IterVar, Select, const
from tvmscript.ir.tir.intrin.derived import max_value, min_value
from tvmscript.ir.topi.common import (
    COMM_REDUCE,
    COMM_REDUCE_INDEX,
    ELEMWISE,
    Extents,
    Operator,
    define,
    define_several,
    function,
    known_int,
    named,
    normalize_axes,
)


def axes_over(data: Tensor, axes: list[int]) -> dict[int, IterVar]:
    """Return an axis of a reduction for each axis of a tensor."""
    return {axis: reduce_axis((0, data.shape[axis]), f"k{axis}") for axis in axes}


def _target(data: Tensor, axes: list[int], keepdims: bool) -> list[Expr]:
    if keepdims:
        return [IntImm(extent.dtype, 1) if i in axes else extent for i, extent in enumerate(data.shape)]
    return [extent for i, extent in enumerate(data.shape) if i not in axes]


def indices_over(rank: int, over: dict[int, IterVar], i: tuple[Expr, ...], keepdims: bool = False) -> list[Index]:
    """Return the indices of an element: those of the result, and the axes of the reduction."""
    if keepdims:
        return [over[axis] if axis in over else i[axis] for axis in range(rank)]
    rest = iter(i)
    return [over[axis] if axis in over else next(rest) for axis in range(rank)]


def _reduction(name: str, definition: str, reducer: Reducer) -> Operator:
    @named(name, f"Return {definition}.")
    def operator(data: Tensor, axis: Extents | None = None, keepdims: bool = False) -> Tensor:
        return reduce_over(data, normalize_axes(axis, data.ndim, name), reducer, keepdims)

    return operator


def reduce_over(data: Tensor, axes: list[int], reducer: Reducer, keepdims: bool = False) -> Tensor:
    """Return the reduction of a tensor over axes by a reducer of `te`."""
    over = axes_over(data, axes)

    def value(*i: Expr) -> Expr:
        return reducer(data(*indices_over(data.ndim, over, i, keepdims)), axis=list(over.values()))

    return define(_target(data, axes, keepdims), value, f"{data.op.name}_red", COMM_REDUCE)


sum: Final = _reduction("sum", "numpy.sum, in the dtype of the elements", reducers.sum)
prod: Final = _reduction("prod", "numpy.prod, in the dtype of the elements", reducers.prod)
max: Final = _reduction("max", "numpy.max", reducers.max)
min: Final = _reduction("min", "numpy.min", reducers.min)
all: Final = _reduction(
    "all", "numpy.all", comm_reducer(lambda x, y: function("all")(x, y), lambda dtype: const(True, dtype), "all")
)
any: Final = _reduction(
    "any", "numpy.any", comm_reducer(lambda x, y: function("any")(x, y), lambda dtype: const(False, dtype), "any")
)


def index_reducer(
    name: str, wins: Callable[[Expr, Expr], Expr], identity: Callable[[str], Expr], is_last: bool = False
) -> Reducer:
    """Return the reducer of pairs of an index and a value to the first, or the last, pair of an extreme value."""

    def combine(lhs: Sequence[Expr], rhs: Sequence[Expr]) -> tuple[Expr, Expr]:
        is_better = wins(lhs[1], rhs[1])
        is_before = lhs[0] > rhs[0] if is_last else lhs[0] < rhs[0]
        is_chosen = function("any")(is_better, function("all")(EQ(lhs[1], rhs[1]), is_before))
        return Select(is_chosen, lhs[0], rhs[0]), Select(is_better, lhs[1], rhs[1])

    def begin(index: str, value: str) -> tuple[Expr, Expr]:
        # an integer may be the extreme value: it comes before what the reduction begins with
        is_behind = not (is_last or DType(value).is_floating)
        return max_value(index) if is_behind else const(-1, index), identity(value)

    return comm_reducer(combine, begin, name)


def _search(
    name: str, definition: str, wins: Callable[[Expr, Expr], Expr], identity: Callable[[str], Expr]
) -> Operator:
    """Return the operator of the index of an extreme element: the first, or the last, of equal ones."""
    reducers_of = {is_last: index_reducer(name, wins, identity, is_last) for is_last in (False, True)}

    @named(name, f"Return {definition}, as int32; with `select_last_index` the last of equal ones.")
    def operator(
        data: Tensor, axis: Extents | None = None, keepdims: bool = False, select_last_index: bool = False
    ) -> Tensor:
        axes = normalize_axes(axis, data.ndim, name)
        over = axes_over(data, axes)

        def value(*i: Expr) -> tuple[Expr, ...]:
            position: Expr = IntImm("int32", 0)
            for number, k in over.items():
                position = function("add")(function("multiply")(position, data.shape[number]), k.var)
            element = data(*indices_over(data.ndim, over, i, keepdims))
            return reducers_of[select_last_index]((position, element), axis=list(over.values()))

        target = _target(data, axes, keepdims)
        pairs = define_several(target, value, f"{data.op.name}_red_temp", COMM_REDUCE_INDEX)
        return define(target, lambda *i: pairs[0](*i), f"{data.op.name}_red", COMM_REDUCE_INDEX)

    return operator


argmax: Final = _search("argmax", "numpy.argmax", lambda a, b: a > b, min_value)
argmin: Final = _search("argmin", "numpy.argmin", lambda a, b: a < b, max_value)


def collapse_sum(data: Tensor, target_shape: Shape) -> Tensor:
    """Return the sum over the axes that broadcasting from a shape to that of the tensor adds."""
    target = as_shape(target_shape, "topi.collapse_sum")
    pad = data.ndim - len(target)
    is_broadcast = [i < pad or (known_int(target[i - pad]) == 1 != known_int(data.shape[i])) for i in range(data.ndim)]
    axes = [i for i, is_one in enumerate(is_broadcast) if is_one]
    if not axes:
        return define(data.shape, lambda *i: data(*i), "tensor", ELEMWISE)
    over = axes_over(data, axes)

    def value(*i: Expr) -> Expr:
        indices = [over[axis] if axis in over else i[axis - pad] for axis in range(data.ndim)]
        return reducers.sum(data(*indices), axis=list(over.values()))

    return define(target, value, f"{data.op.name}_red", COMM_REDUCE)
