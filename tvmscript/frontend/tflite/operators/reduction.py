"""Reductions, places of the largest elements, sorted elements, sums from the front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.values import Node
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

_REDUCTIONS: Final[dict[str, Callable[..., RelaxExpr]]] = {
    "MEAN": R.mean, "SUM": R.sum, "REDUCE_PROD": R.prod, "REDUCE_MAX": R.max, "REDUCE_MIN": R.min,
}  # fmt: skip
_OF_BOOLS: Final[dict[str, Callable[..., RelaxExpr]]] = {"REDUCE_ANY": R.max, "REDUCE_ALL": R.min}


def _register(name: str, function: Callable[..., RelaxExpr]) -> None:
    @operator(name)
    def convert(node: Node) -> RelaxExpr:
        x = node.tensor(0)
        rank = len(shape_of(x))
        axes = sorted({axis % rank for axis in node.integers(1)})
        if not axes:
            return x
        keeps = bool(node.option("keepDims"))
        if name in _OF_BOOLS:
            return R.astype(function(R.astype(x, "int8"), axis=axes, keepdims=keeps), "bool")
        return function(x, axis=axes, keepdims=keeps)


for _name, _function in {**_REDUCTIONS, **_OF_BOOLS}.items():
    _register(_name, _function)


@operator("ARG_MAX", "ARG_MIN")
def arg_max(node: Node) -> RelaxExpr:
    """Return the places of the largest or smallest elements of an axis."""
    function = R.argmax if node.name == "ARG_MAX" else R.argmin
    return R.astype(function(node.tensor(0), int(node.constant(1).item())), node.outputs[0].dtype)


@operator("TOPK_V2")
def top_k(node: Node) -> list[RelaxExpr]:
    """Return the largest elements of the last axis and their places."""
    pair = R.topk(node.tensor(0), int(node.constant(1).item()), dtype=node.outputs[1].dtype)
    return [pair[0], pair[1]]


@operator("CUMSUM")
def cumsum(node: Node) -> RelaxExpr:
    """Return the sums of the elements up to each one."""
    x, axis = node.tensor(0), int(node.constant(1).item()) % len(shape_of(node.tensor(0)))
    is_reversed = bool(node.option("reverse"))
    if is_reversed:
        x = R.flip(x, axis)
    x = R.cumsum(x, axis, exclusive=int(node.option("exclusive")))
    return R.flip(x, axis) if is_reversed else x
