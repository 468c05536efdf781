"""Random numbers. They are drawn when the model is imported: graphs have no state."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def _generator(node: Node) -> np.random.Generator:
    return np.random.default_rng(int(node.number("seed", 0.0)))


def _shape(node: Node) -> list[int]:
    if not node.op_type.endswith("Like"):
        return node.static(node.integers("shape"), "its shape")
    return node.static(sizes_of(node.tensor(0)), "its shape")


def _dtype(context: Context, node: Node) -> str:
    if "dtype" in node.attrs:
        return context.dtype(node, node.integer("dtype"))
    return dtype_of(node.value(0)) if node.op_type.endswith("Like") else "float32"


@operator("RandomNormal")
@operator("RandomNormalLike")
def random_normal(context: Context, node: Node) -> Any:
    """Return numbers of a normal distribution."""
    values = _generator(node).normal(node.number("mean", 0.0), node.number("scale", 1.0), _shape(node))
    return values.astype(_dtype(context, node))


@operator("RandomUniform")
@operator("RandomUniformLike")
def random_uniform(context: Context, node: Node) -> Any:
    """Return numbers of a uniform distribution."""
    values = _generator(node).uniform(node.number("low", 0.0), node.number("high", 1.0), _shape(node))
    return values.astype(_dtype(context, node))


@operator("Multinomial")
def multinomial(context: Context, node: Node) -> RelaxExpr:
    """Return classes drawn by logarithms of probabilities."""
    logits, count = node.tensor(0), node.integer("sample_size", 1)
    batch, classes = (int(size) for size in sizes_of(logits))
    uniform = R.const(_generator(node).uniform(0, 1, (batch, count, 1)), "float32")
    sums = R.cumsum(R.nn.softmax(logits, -1), 1)
    below = R.less(R.expand_dims(sums, [1]), uniform)
    drawn = R.sum(R.astype(below, "int32"), [2])
    bounded = R.minimum(drawn, R.const(classes - 1, "int32"))
    return R.astype(bounded, context.dtype(node, node.integer("dtype", 6)))
