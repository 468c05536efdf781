"""Sorted elements."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import rank_of, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@operator("TopK")
def topk(context: Context, node: Node) -> Any:
    """Return the largest or smallest elements of an axis and their places."""
    x = node.tensor(0)
    axis, largest = node.axis(node.integer("axis", -1), rank_of(x)), bool(node.integer("largest", 1))
    if "k" in node.attrs or node.array(1) is not None:
        count = node.integer("k") if "k" in node.attrs else int(node.constant(1, "k").reshape(()))
        return R.topk(x, count, axis, "both", largest, "int64")
    (count,) = context.sizes_or_runtime(node, 1)
    places = context.emit(R.argsort(x, axis, largest, "int64"))
    chosen = context.emit(R.strided_slice(places, [axis], [0], [count]))
    return [R.gather_elements(x, chosen, axis), chosen]


@operator("Unique")
def unique(context: Context, node: Node) -> Any:
    """Return the distinct elements or slices, where they are first, where each is among them, and how often."""
    x = node.tensor(0)
    axis = node.integer("axis") if "axis" in node.attrs else None
    if axis is not None:
        axis = node.axis(axis, rank_of(x))
    is_sorted = bool(node.integer("sorted", 1))
    outputs = context.builder.emit(
        R.unique(x, sorted=True, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    )
    values, first, inverse, counts = (outputs[index] for index in range(4))
    results = [_shaped(context, part) for part in (values, first, inverse, counts)]
    if axis is None:
        results[2] = R.reshape(results[2], shape_expr(sizes_of(results[2])))
    if not is_sorted:
        results = _in_order(context, results, 0 if axis is None else axis)
    return results


def _shaped(context: Context, part: RelaxExpr) -> RelaxExpr:
    return context.with_shape(context.emit(part))


def _in_order(context: Context, results: list[RelaxExpr], axis: int) -> list[RelaxExpr]:
    """Return the results in the order of the first places."""
    values, first, inverse, counts = results
    order = context.emit(R.argsort(first, 0, False, "int64"))
    rank = context.emit(R.argsort(order, 0, False, "int64"))
    return [R.take(values, order, axis), R.take(first, order, 0), R.take(rank, inverse, 0), R.take(counts, order, 0)]
