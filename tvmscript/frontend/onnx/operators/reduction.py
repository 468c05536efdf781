"""Reductions over axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import DType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.te.reduction import comm_reducer
from tvmscript.ir.tir import const
from tvmscript.ir.topi.common import normalize_axes
from tvmscript.ir.topi.reduction import reduce_over
from tvmscript.language import R

#: a reduction: the data, axes or None for all, whether reduced axes are kept
Reduction = Callable[[RelaxExpr, list[int] | None, bool], Any]


def _log_sum_exp(x: RelaxExpr, axes: list[int] | None, keepdims: bool) -> RelaxExpr:
    largest = R.max(x, axis=axes, keepdims=True)
    total = R.log(R.sum(R.exp(R.subtract(x, largest)), axis=axes, keepdims=True))
    result: RelaxExpr = R.add(total, largest)
    if keepdims:
        return result
    return R.squeeze(result, axes if axes is not None else list(range(rank_of(x))))


def _extremum(function: Reduction, of_bools: Reduction) -> Reduction:
    def reduce(x: RelaxExpr, axes: list[int] | None, keepdims: bool) -> RelaxExpr:
        if dtype_of(x) != "bool":
            plain: RelaxExpr = function(x, axes, keepdims)
            return plain
        result: RelaxExpr = R.astype(of_bools(R.astype(x, "int8"), axes, keepdims), "bool")
        return result

    return reduce


_FUNCTIONS: Final[dict[str, Reduction]] = {
    "ReduceMax": _extremum(R.max, R.max),
    "ReduceMin": _extremum(R.min, R.min),
    "ReduceSum": R.sum,
    "ReduceMean": R.mean,
    "ReduceProd": R.prod,
    "ReduceL1": lambda x, axes, keepdims: R.sum(R.abs(x), axes, keepdims),
    "ReduceL2": lambda x, axes, keepdims: R.sqrt(R.sum(R.multiply(x, x), axes, keepdims)),
    "ReduceLogSum": lambda x, axes, keepdims: R.log(R.sum(x, axes, keepdims)),
    "ReduceLogSumExp": _log_sum_exp,
    "ReduceSumSquare": lambda x, axes, keepdims: R.sum(R.multiply(x, x), axes, keepdims),
}


def _from_infinity(name: str, infinity: float) -> Callable[..., Any]:
    """Return the reduction of tensors of `te` to extreme elements, which begins with an infinity, not with the last
    finite number: functions of ONNX compare the result with it.
    """
    reducer = comm_reducer(lambda a, b: FUNCTIONS[name](a, b), lambda dtype: const(infinity, dtype), name)

    def extremum(x: Any, axes: list[int] | None, keepdims: bool) -> Any:
        return reduce_over(x, normalize_axes(axes or None, x.ndim, name), reducer, keepdims)

    return extremum


_INFINITE: Final = {"ReduceMax": _from_infinity("max", -math.inf), "ReduceMin": _from_infinity("min", math.inf)}


def _of_nothing(node: Node, x: RelaxExpr, axes: list[int] | None, keepdims: bool) -> RelaxExpr:
    """Return the reduction over an axis without elements."""
    sizes, dtype = sizes_of(x), dtype_of(x)
    reduced = [node.axis(axis, len(sizes)) for axis in axes or range(len(sizes))]
    shape = [1 if axis in reduced else size for axis, size in enumerate(sizes) if keepdims or axis not in reduced]
    value = _VALUES_OF_NOTHING.get(node.op_type, 0.0)
    kind = DType(dtype)
    if kind.is_floating:
        return R.full(shape_expr(shape), scalar(value, dtype), dtype)
    bounded = min(max(value, 0 if dtype == "bool" else kind.min_value), 1 if dtype == "bool" else kind.max_value)
    return R.full(shape_expr(shape), scalar(int(bounded), dtype), dtype)


#: operator -> the reduction of no elements, where it is not 0
_VALUES_OF_NOTHING: Final = {
    "ReduceMax": -math.inf, "ReduceMin": math.inf, "ReduceProd": 1.0, "ReduceLogSum": -math.inf,
    "ReduceLogSumExp": -math.inf, "ReduceMean": math.nan,
}  # fmt: skip


def _reduction(function: Reduction) -> Callable[[Context, Node], RelaxExpr]:
    def convert(context: Context, node: Node) -> RelaxExpr:
        x = context.emit(node.tensor(0))
        if node.has(1) and node.array(1) is None and sizes_of(node.tensor(1)) != [0]:
            raise UnknownInput(place=node.place, name="axes")
        has_axes = "axes" in node.attrs or (node.has(1) and sizes_of(node.tensor(1)) != [0])
        axes = node.ints_or(1, "axes") if has_axes else None
        keepdims = bool(node.integer("keepdims", 1))
        if not axes and node.integer("noop_with_empty_axes", 0):
            # no axis is reduced: a reduction over the axes of a size 1 does the rest, such as the square
            return R.squeeze(function(R.expand_dims(x, [0]), [0], True), [0])
        if 0 in [sizes_of(x)[axis] for axis in axes or range(rank_of(x))]:
            return _of_nothing(node, x, axes, keepdims)
        if node.op_type in _INFINITE and DType(dtype_of(x)).is_floating:
            return context.emit_te(_INFINITE[node.op_type], x, axes, keepdims)
        result: RelaxExpr = function(x, axes or None, keepdims)
        return result

    return convert


for _name, _function in _FUNCTIONS.items():
    operator(_name)(_reduction(_function))


@operator("ArgMax")
@operator("ArgMin")
def arg_extremum(context: Context, node: Node) -> RelaxExpr:
    """Return the place of the largest or smallest element, the first or the last."""
    x = node.tensor(0)
    axis, keepdims = node.axis(node.integer("axis", 0), rank_of(x)), bool(node.integer("keepdims", 1))
    find = R.argmax if node.op_type == "ArgMax" else R.argmin
    if not node.integer("select_last_index", 0):
        return find(x, axis, keepdims)
    backwards = find(R.flip(x, axis), axis, keepdims)
    extent = sizes_of(x)[axis]
    return R.subtract(R.shape_to_tensor(R.shape([extent - 1])) if not isinstance(extent, int)
                      else R.const(extent - 1, "int64"), backwards)  # fmt: skip


@operator("CumSum")
def cumulative_sum(context: Context, node: Node) -> RelaxExpr:
    """Return running sums along an axis."""
    return _scan(node, R.cumsum)


@operator("CumProd")
def cumulative_product(context: Context, node: Node) -> RelaxExpr:
    """Return running products along an axis."""
    return _scan(node, R.cumprod)


def _scan(node: Node, function: Callable[..., Any]) -> RelaxExpr:
    x = node.tensor(0)
    axis = node.axis(int(node.constant(1, "axis").reshape(())), rank_of(x))
    exclusive, reverse = bool(node.integer("exclusive", 0)), bool(node.integer("reverse", 0))
    if reverse:
        x = R.flip(x, axis)
    result = function(x, axis, dtype=dtype_of(x), exclusive=exclusive)
    return R.flip(result, axis) if reverse else result
