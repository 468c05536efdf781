"""Steps of optimizers, and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, scalar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: rate, step, and the values of one weight -> new weight and new states
Tensors = list[RelaxExpr]
Step = Callable[[Context, Node, RelaxExpr, RelaxExpr, Tensors], Tensors]


def _adagrad(
    context: Context, node: Node, rate: RelaxExpr, step: RelaxExpr, values: list[RelaxExpr]
) -> list[RelaxExpr]:
    x, gradient, squares = values
    decayed = R.divide(
        rate, R.add(scalar(1.0, x), R.multiply(R.astype(step, dtype_of(x)), _number(node, "decay_factor", 0.0, x)))
    )
    whole = context.emit(R.add(R.multiply(_number(node, "norm_coefficient", 0.0, x), x), gradient))
    total = context.emit(R.add(squares, R.multiply(whole, whole)))
    divisor = R.add(R.sqrt(total), _number(node, "epsilon", 0.0, x))
    return [R.subtract(x, R.divide(R.multiply(decayed, whole), divisor)), total]


def _adam(context: Context, node: Node, rate: RelaxExpr, step: RelaxExpr, values: Tensors) -> Tensors:
    x, gradient, first, second = values
    alpha, beta = node.number("alpha", 0.9), node.number("beta", 0.999)
    whole = context.emit(R.add(R.multiply(_number(node, "norm_coefficient", 0.0, x), x), gradient))
    momentum = context.emit(R.add(R.multiply(scalar(alpha, x), first), R.multiply(scalar(1 - alpha, x), whole)))
    square = R.multiply(whole, whole)
    spread = context.emit(R.add(R.multiply(scalar(beta, x), second), R.multiply(scalar(1 - beta, x), square)))
    divisor = R.add(R.sqrt(spread), _number(node, "epsilon", 0.0, x))
    count = R.astype(step, dtype_of(x))
    one = scalar(1.0, x)
    corrected = R.divide(R.sqrt(R.subtract(one, R.power(scalar(beta, x), count))),
                         R.subtract(one, R.power(scalar(alpha, x), count)))  # fmt: skip
    used = R.where(R.greater(step, scalar(0, step)), R.multiply(rate, corrected), rate)
    moved = R.subtract(x, R.divide(R.multiply(used, momentum), divisor))
    after = R.multiply(scalar(1 - node.number("norm_coefficient_post", 0.0), x), moved)
    return [after, momentum, spread]


def _momentum(
    context: Context, node: Node, rate: RelaxExpr, step: RelaxExpr, values: list[RelaxExpr]
) -> list[RelaxExpr]:
    x, gradient, velocity = values
    alpha, beta = node.number("alpha"), node.number("beta")
    whole = context.emit(R.add(R.multiply(_number(node, "norm_coefficient", 0.0, x), x), gradient))
    adjusted = R.where(R.greater(step, scalar(0, step)), scalar(beta, x), scalar(1.0, x))
    moved = context.emit(R.add(R.multiply(scalar(alpha, x), velocity), R.multiply(adjusted, whole)))
    direction: RelaxExpr = moved
    if node.text("mode") == "nesterov":
        direction = R.add(whole, R.multiply(scalar(alpha, x), moved))
    return [R.subtract(x, R.multiply(rate, direction)), moved]


def _number(node: Node, name: str, default: float, like: RelaxExpr) -> RelaxExpr:
    return scalar(node.number(name, default), like)


#: operator -> values of each weight, and its step
_STEPS: Final[dict[str, tuple[int, Step]]] = {"Adagrad": (3, _adagrad), "Adam": (4, _adam), "Momentum": (3, _momentum)}


def _optimizer(count: int, step: Step) -> Callable[[Context, Node], Any]:
    """Return the converter: inputs are rate, step, then the weights, gradients and states of all weights."""

    def convert(context: Context, node: Node) -> list[RelaxExpr]:
        rate, number, *values = node.tensors()
        weights = len(values) // count
        columns = [
            step(context, node, rate, number, [values[index + weights * place] for place in range(count)])
            for index in range(weights)
        ]
        return [column[place] for place in range(count - 1) for column in columns]

    return convert


for _name, (_count, _step) in _STEPS.items():
    operator(_name, domain="ai.onnx.preview.training")(_optimizer(_count, _step))
