"""Recurrent layers, unrolled over the steps of their sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, scalar, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: longest sequence, whose steps are operators of the graph
_MOST_STEPS: Final = 4096
Activation = Callable[[RelaxExpr], RelaxExpr]
#: activation -> defaults of alpha and beta, and the function of x, alpha, beta
_ACTIVATIONS: Final[dict[str, tuple[float, float, Callable[[Any, float, float], Any]]]] = {
    "relu": (0, 0, lambda x, a, b: R.nn.relu(x)),
    "tanh": (0, 0, lambda x, a, b: R.tanh(x)),
    "sigmoid": (0, 0, lambda x, a, b: R.sigmoid(x)),
    "affine": (1, 0, lambda x, a, b: R.add(R.multiply(scalar(a, x), x), scalar(b, x))),
    "leakyrelu": (0.01, 0, lambda x, a, b: R.nn.leakyrelu(x, a)),
    "thresholdedrelu": (1, 0, lambda x, a, b: R.where(R.greater(x, scalar(a, x)), x, scalar(0.0, x))),
    "scaledtanh": (1, 1, lambda x, a, b: R.multiply(scalar(a, x), R.tanh(R.multiply(scalar(b, x), x)))),
    "hardsigmoid": (0.2, 0.5, lambda x, a, b: R.clip(R.add(R.multiply(scalar(a, x), x), scalar(b, x)), 0, 1)),
    "softsign": (0, 0, lambda x, a, b: R.divide(x, R.add(scalar(1.0, x), R.abs(x)))),
    "softplus": (0, 0, lambda x, a, b: R.log(R.add(R.exp(x), scalar(1.0, x)))),
    "elu": (1, 0, lambda x, a, b: R.where(R.less(x, scalar(0.0, x)),
                                          R.multiply(scalar(a, x), R.subtract(R.exp(x), scalar(1.0, x))), x)),
}  # fmt: skip


def _activated(function: Callable[[Any, float, float], Any], alpha: float, beta: float, x: RelaxExpr) -> Any:
    return function(x, alpha, beta)


@dataclass(frozen=True)
class Direction:
    """The weights of one direction of a layer, and how it goes."""

    node: Node
    backward: bool
    #: (inputs, gates * hidden) and (hidden, gates * hidden)
    weight: RelaxExpr
    recurrence: RelaxExpr
    #: of inputs and of the recurrence, each a row of all gates
    bias: tuple[RelaxExpr, RelaxExpr] | None
    #: weights of the cell in the gates of an LSTM
    peepholes: list[RelaxExpr] | None
    activations: list[Activation]
    hidden: int


State = tuple[RelaxExpr, ...]
#: direction, input of a step, state -> new state; its first value is the output
Step = Callable[[Context, Direction, RelaxExpr, State], State]


def _bounded(direction: Direction, x: RelaxExpr) -> RelaxExpr:
    """Return the input of activations within the clip of the node."""
    if "clip" not in direction.node.attrs:
        return x
    limit = direction.node.number("clip")
    return R.clip(x, -limit, limit)


def _gates(context: Context, x: RelaxExpr, count: int) -> list[RelaxExpr]:
    if count == 1:
        return [x]
    parts = context.builder.emit(R.split(x, count, 1))
    return [context.emit(parts[index]) for index in range(count)]


def _sums(direction: Direction, x: RelaxExpr, h: RelaxExpr) -> tuple[RelaxExpr, RelaxExpr]:
    """Return the products of the input and of the hidden state, with their biases."""
    inner, outer = R.matmul(x, direction.weight), R.matmul(h, direction.recurrence)
    if direction.bias is None:
        return inner, outer
    return R.add(inner, direction.bias[0]), R.add(outer, direction.bias[1])


def _rnn(context: Context, direction: Direction, x: RelaxExpr, state: State) -> State:
    inner, outer = _sums(direction, x, state[0])
    return (context.emit(direction.activations[0](_bounded(direction, R.add(inner, outer)))),)


def _gru(context: Context, direction: Direction, x: RelaxExpr, state: State) -> State:
    h = state[0]
    f, g = direction.activations
    inner, outer = _sums(direction, x, h)
    xz, xr, xh = _gates(context, inner, 3)
    hz, hr, hh = _gates(context, outer, 3)
    update = context.emit(f(_bounded(direction, R.add(xz, hz))))
    reset = context.emit(f(_bounded(direction, R.add(xr, hr))))
    inside = R.multiply(reset, hh) if direction.node.integer("linear_before_reset", 0) else _after(direction, reset, h)
    new = g(_bounded(direction, R.add(xh, inside)))
    return (context.emit(R.add(R.multiply(R.subtract(scalar(1.0, h), update), new), R.multiply(update, h))),)


def _after(direction: Direction, reset: RelaxExpr, h: RelaxExpr) -> RelaxExpr:
    """Return the product of the last gate, of a state that is reset before."""
    bounds = [1], [2 * direction.hidden], [3 * direction.hidden]
    product = R.matmul(R.multiply(reset, h), R.strided_slice(direction.recurrence, *bounds))
    return product if direction.bias is None else R.add(product, R.strided_slice(direction.bias[1], *bounds))


def _lstm(context: Context, direction: Direction, x: RelaxExpr, state: State) -> State:
    h, c = state
    f, g, last = direction.activations
    inner, outer = _sums(direction, x, h)
    parts: list[RelaxExpr] = _gates(context, R.add(inner, outer), 4)
    i, o, forget, candidate = parts
    peepholes = direction.peepholes
    if peepholes is not None:
        i, forget = R.add(i, R.multiply(peepholes[0], c)), R.add(forget, R.multiply(peepholes[2], c))
    i = context.emit(f(_bounded(direction, i)))
    if direction.node.integer("input_forget", 0):
        kept: RelaxExpr = R.subtract(scalar(1.0, i), i)
    else:
        kept = f(_bounded(direction, forget))
    cell = context.emit(R.add(R.multiply(kept, c), R.multiply(i, g(_bounded(direction, candidate)))))
    if peepholes is not None:
        o = R.add(o, R.multiply(peepholes[1], cell))
    return context.emit(R.multiply(f(_bounded(direction, o)), last(cell))), cell


def _activations(node: Node, index: int, default: Sequence[str]) -> list[Activation]:
    """Return the activations of one direction."""
    count = len(default)
    names = [name.decode() for name in node.attrs.get("activations", [])] or [*default] * 2
    alphas, betas = (list(node.reals(name, [])) for name in ("activation_alpha", "activation_beta"))
    functions: list[Activation] = []
    for place, name in enumerate(names):
        if name.lower() not in _ACTIVATIONS:
            raise node.invalid(f"there is no activation {name!r}")
        alpha, beta, function = _ACTIVATIONS[name.lower()]
        # the lists have values for the activations that take one, in their order
        if alphas and alpha:
            alpha = alphas.pop(0)
        if betas and (beta or name.lower() == "affine"):
            beta = betas.pop(0)
        if index * count <= place < (index + 1) * count:
            functions.append(partial(_activated, function, alpha, beta))
    return functions


def _direction(
    context: Context, node: Node, index: int, backward: bool, gates: int, default: Sequence[str]
) -> Direction:
    def part(place: int) -> RelaxExpr:
        return R.squeeze(R.strided_slice(node.tensor(place), [0], [index], [index + 1]), [0])

    weight, recurrence = (context.emit(R.permute_dims(part(place), [1, 0])) for place in (1, 2))
    (hidden,) = node.static(sizes_of(recurrence)[:1], "its hidden size")
    bias = None
    if node.has(3):
        rows = context.emit(R.reshape(part(3), shape_expr([2, gates * hidden])))
        bias = tuple(context.emit(R.strided_slice(rows, [0], [row], [row + 1])) for row in (0, 1))
    peepholes = None
    if node.op_type == "LSTM" and node.has(7):
        rows = context.emit(R.reshape(part(7), shape_expr([3, hidden])))
        peepholes = [context.emit(R.strided_slice(rows, [0], [row], [row + 1])) for row in range(3)]
    activations = _activations(node, index, default)
    return Direction(node, backward, weight, recurrence, bias, peepholes, activations, hidden)  # type: ignore[arg-type]  # two rows


def _recurrent(step: Step, gates: int, states: int, default: Sequence[str]) -> Callable[[Context, Node], Any]:
    """Return the converter of a layer."""

    def convert(context: Context, node: Node) -> list[RelaxExpr]:
        x = node.tensor(0)
        is_batch_first = bool(node.integer("layout", 0))
        if is_batch_first:
            x = context.emit(R.permute_dims(x, [1, 0, 2]))
        length, batch, _ = sizes_of(x)
        if not isinstance(length, int):
            raise node.invalid("its sequences have a symbolic length")
        if length > _MOST_STEPS:
            raise node.invalid(f"sequences of more than {_MOST_STEPS:,} steps are not supported")
        kind = node.text("direction", "forward")
        columns: list[list[RelaxExpr]] = []
        finals: list[State] = []
        for index in range(2 if kind == "bidirectional" else 1):
            direction = _direction(context, node, index, kind == "reverse" or index == 1, gates, default)
            state = _initial(context, node, direction, index, batch, states, is_batch_first)
            outputs, final = _run(context, node, direction, x, state, length, step)
            columns.append(outputs)
            finals.append(final)
        return _outputs(columns, finals, states, is_batch_first)

    return convert


def _initial(
    context: Context, node: Node, direction: Direction, index: int, batch: Any, states: int, is_batch_first: bool
) -> State:
    """Return the states before the first step: the hidden one, and an LSTM's cell."""
    values: list[RelaxExpr] = []
    for place in (5, 6)[:states]:
        if node.has(place):
            axis = 1 if is_batch_first else 0
            values.append(
                context.emit(R.squeeze(R.strided_slice(node.tensor(place), [axis], [index], [index + 1]), [axis]))
            )
        else:
            values.append(context.emit(R.zeros(shape_expr([batch, direction.hidden]), dtype_of(node.value(0)))))
    return tuple(values)


def _run(
    context: Context, node: Node, direction: Direction, x: RelaxExpr, state: State, length: int, step: Step
) -> tuple[list[RelaxExpr], State]:
    """Return the outputs of all steps in their places, and the last state; beyond their ends sequences rest."""
    ends = context.emit(R.expand_dims(node.tensor(4), [1])) if node.has(4) else None
    outputs: list[RelaxExpr] = [state[0]] * length
    for place in reversed(range(length)) if direction.backward else range(length):
        row = context.emit(R.squeeze(R.strided_slice(x, [0], [place], [place + 1]), [0]))
        new = step(context, direction, row, state)
        outputs[place] = new[0]
        if ends is not None:
            is_inside = context.emit(R.greater(ends, scalar(place, ends)))
            outputs[place] = context.emit(R.where(is_inside, new[0], scalar(0.0, new[0])))
            new = tuple(context.emit(R.where(is_inside, a, b)) for a, b in zip(new, state, strict=True))
        state = new
    return outputs, state


def _outputs(columns: list[list[RelaxExpr]], finals: list[State], states: int, is_batch_first: bool) -> list[RelaxExpr]:
    """Return the outputs (steps, directions, batch, hidden) and the last states (directions, batch, hidden)."""
    sequences = [R.stack(tuple(outputs), axis=0) for outputs in columns]
    whole = R.stack(tuple(sequences), axis=1)
    last = [R.stack(tuple(final[place] for final in finals), axis=0) for place in range(states)]
    if is_batch_first:
        return [R.permute_dims(whole, [2, 0, 1, 3]), *(R.permute_dims(state, [1, 0, 2]) for state in last)]
    return [whole, *last]


operator("RNN")(_recurrent(_rnn, 1, 1, ["Tanh"]))
operator("GRU")(_recurrent(_gru, 3, 1, ["Sigmoid", "Tanh"]))
operator("LSTM")(_recurrent(_lstm, 4, 2, ["Sigmoid", "Tanh", "Tanh"]))
