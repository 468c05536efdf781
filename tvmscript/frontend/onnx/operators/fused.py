"""Operators of ONNX Runtime that apply an activation to what another operator returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.activation import hard_sigmoid_of
from tvmscript.frontend.onnx.operators.convolution import convolve, with_bias
from tvmscript.frontend.onnx.operators.linear import gemm_of
from tvmscript.frontend.onnx.operators.table import MICROSOFT, operator
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: name -> a function of the tensor and its parameters
_ACTIVATIONS: Final[Mapping[str, Callable[[RelaxExpr, Sequence[float]], RelaxExpr]]] = {
    "": lambda x, factors: x,
    "Relu": lambda x, factors: R.nn.relu(x),
    "Tanh": lambda x, factors: R.tanh(x),
    "Sigmoid": lambda x, factors: R.sigmoid(x),
    "LeakyRelu": lambda x, factors: R.nn.leakyrelu(x, factors[0] if factors else 0.01),
    "Clip": lambda x, factors: R.clip(x, *factors),
    "HardSigmoid": lambda x, factors: hard_sigmoid_of(x, *(factors or (0.2, 0.5))),
}


def _activated(node: Node, x: RelaxExpr, factors: Sequence[float]) -> RelaxExpr:
    name = node.text("activation", "")
    if name not in _ACTIVATIONS:
        raise node.invalid(f"the activation {name} is not supported")
    return _ACTIVATIONS[name](x, factors)


@operator("FusedConv", domain=MICROSOFT)
def fused_convolution(context: Context, node: Node) -> RelaxExpr:
    """Return a convolution, plus a tensor, after an activation."""
    result = with_bias(convolve(node, node.tensor(0), node.tensor(1)), node.optional(2))
    if node.has(3):
        result = R.add(result, node.tensor(3))
    return _activated(node, result, node.reals("activation_params", []))


@operator("FusedGemm", domain=MICROSOFT)
def fused_gemm(context: Context, node: Node) -> RelaxExpr:
    """Return alpha * a * b + beta * c after an activation."""
    factors = [node.number(f"activation_{name}") for name in ("alpha", "beta") if f"activation_{name}" in node.attrs]
    return _activated(node, gemm_of(context, node), factors)
