"""Recurrent layers, unrolled over the steps of the sequence. State begins as what the model holds: zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.elementwise import activate, activation_of
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.values import Array, Node, scalar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: state of a layer; its first tensor is the output of the step
State = list[RelaxExpr]
#: (input, state) -> the next state
Step = Callable[[RelaxExpr, State], State]
#: longest sequence, whose steps are operators of the graph
_MOST_STEPS: Final = 10_000


def _product(x: RelaxExpr, weight: Array) -> RelaxExpr:
    """Return the product with a transposed weight."""
    return R.matmul(x, R.const(np.ascontiguousarray(weight.T)))


def _clipped(x: RelaxExpr, limit: float) -> RelaxExpr:
    return R.clip(x, -limit, limit) if limit > 0 else x


# ---- steps


def _rnn(node: Node, first: int) -> Step:
    """Return the step of a plain layer, whose weights and bias are inputs from `first` on."""
    weight, recurrent, bias = (node.constant(first + place) for place in range(3))

    def step(x: RelaxExpr, state: State) -> State:
        total = R.add(R.add(_product(x, weight), _product(state[0], recurrent)), R.const(bias))
        return [node.emit(activate(node, total))]

    return step


@dataclass(frozen=True)
class _Gate:
    """A gate of an LSTM. Inputs that are left out are None."""

    weight: Array
    recurrent: Array
    peephole: Array | None
    bias: Array | None
    #: coefficients of the layer normalization
    norm: Array | None

    def total(self, x: RelaxExpr, hidden: RelaxExpr, cell: RelaxExpr) -> RelaxExpr:
        """Return the argument of the activation."""
        total = R.add(_product(x, self.weight), _product(hidden, self.recurrent))
        if self.peephole is not None:
            total = R.add(total, R.multiply(cell, R.const(self.peephole)))
        if self.norm is not None:
            bias = np.zeros_like(self.norm) if self.bias is None else self.bias
            return R.nn.layer_norm(total, R.const(self.norm), R.const(bias), [-1], 1e-8)
        return total if self.bias is None else R.add(total, R.const(self.bias))


def _lstm(node: Node, first: int, norms: int | None) -> Step:
    """Return the step of an LSTM: weights are inputs from `first` on, coefficients of normalization from `norms` on.

    A layer without an input gate takes what the forget gate leaves.
    """

    def part(place: int) -> Array | None:
        return node.constant(place) if node.has(place) else None

    def gate(place: int) -> _Gate | None:
        weight, recurrent = part(first + place), part(first + 4 + place)
        if weight is None or recurrent is None:
            return None
        # the candidate, which is the third one, has no peephole
        peephole = {0: 8, 1: 9, 3: 10}.get(place)
        return _Gate(
            weight,
            recurrent,
            None if peephole is None else part(first + peephole),
            part(first + 11 + place),
            None if norms is None else part(norms + place),
        )

    enter, forget, candidate, leave = map(gate, range(4))
    if forget is None or candidate is None or leave is None:
        node.invalid("it has no weights of a gate")
    projection, projection_bias = part(first + 15), part(first + 16)
    activation = activation_of(node)

    def step(x: RelaxExpr, state: State) -> State:
        hidden, cell = state
        kept = node.emit(R.sigmoid(forget.total(x, hidden, cell)))
        new = activation(candidate.total(x, hidden, cell))
        opened = R.subtract(scalar(1.0, kept), kept) if enter is None else R.sigmoid(enter.total(x, hidden, cell))
        cell = R.add(R.multiply(kept, cell), R.multiply(opened, new))
        cell = node.emit(_clipped(cell, float(node.option("cellClip"))))
        output: RelaxExpr = R.multiply(R.sigmoid(leave.total(x, hidden, cell)), activation(cell))
        if projection is not None:
            output = _product(output, projection)
            output = output if projection_bias is None else R.add(output, R.const(projection_bias))
            output = _clipped(output, float(node.option("projClip")))
        return [node.emit(output), cell]

    return step


# ---- sequences


def _state(node: Node, *places: int) -> State:
    return [node.tensor(place) for place in places]


def _sequence(node: Node, step: Step, state: State, is_backward: bool = False) -> RelaxExpr:
    """Return the outputs of all steps of a sequence (batch, steps, features), or with the steps first."""
    x = node.tensor(0)
    axis = 0 if node.option("timeMajor") else 1
    count = shape_of(x)[axis]
    if count > _MOST_STEPS:
        node.invalid(f"sequences of more than {_MOST_STEPS:,} steps are not supported")
    outputs: list[RelaxExpr] = []
    for place in reversed(range(count)) if is_backward else range(count):
        row = node.emit(R.squeeze(R.strided_slice(x, [axis], [place], [place + 1]), [axis]))
        state = step(row, state)
        outputs.append(state[0])
    return R.stack(tuple(reversed(outputs) if is_backward else outputs), axis)


def _both_ways(node: Node, steps: Sequence[Step], states: Sequence[State], first_aux: int) -> list[RelaxExpr]:
    """Return the outputs of a layer of two directions, joined where the options say so."""
    if any(node.has(place) for place in range(first_aux, len(node.inputs))):
        node.invalid("auxiliary inputs are not supported")
    forward, backward = (
        _sequence(node, step, state, is_backward)
        for step, state, is_backward in zip(steps, states, (False, True), strict=True)
    )
    return [R.concat((forward, backward), 2)] if node.option("mergeOutputs") else [forward, backward]


def _require_matrices(node: Node) -> None:
    if node.option("diagonalRecurrentTensors", False):
        node.invalid("diagonal recurrent weights are not supported")


@operator("UNIDIRECTIONAL_SEQUENCE_LSTM")
def sequence_lstm(node: Node) -> RelaxExpr:
    """Return the outputs of an LSTM."""
    _require_matrices(node)
    return _sequence(node, _lstm(node, 1, 20), _state(node, 18, 19))


@operator("BIDIRECTIONAL_SEQUENCE_LSTM")
def bidirectional_lstm(node: Node) -> list[RelaxExpr]:
    """Return the outputs of an LSTM in each direction."""
    steps = [_lstm(node, first, None) for first in (1, 18)]
    return _both_ways(node, steps, [_state(node, 35, 36), _state(node, 37, 38)], 39)


@operator("LSTM")
def lstm(node: Node) -> list[RelaxExpr]:
    """Return the output of one step; of the basic form also the state and what it comes from."""
    if len(node.inputs) == 5:
        return _basic_lstm(node)
    return _lstm(node, 1, 20)(node.tensor(0), _state(node, 18, 19))[:1]


def _basic_lstm(node: Node) -> list[RelaxExpr]:
    x, hidden, cell = node.tensor(0), node.tensor(1), node.tensor(4)
    joined = node.emit(R.concat((x, hidden), 1))
    total = node.emit(R.add(_product(joined, node.constant(2)), R.const(node.constant(3))))
    enter, candidate, forget, leave = (R.split(total, 4, 1)[place] for place in range(4))
    cell = R.add(R.multiply(R.sigmoid(enter), R.tanh(candidate)), R.multiply(R.sigmoid(forget), cell))
    cell = node.emit(cell)
    return [R.multiply(R.sigmoid(leave), R.tanh(cell)), cell, joined, total]


@operator("RNN")
def rnn(node: Node) -> RelaxExpr:
    """Return the output of one step of a plain layer."""
    (output,) = _rnn(node, 1)(node.tensor(0), _state(node, 4))
    return output


@operator("UNIDIRECTIONAL_SEQUENCE_RNN")
def sequence_rnn(node: Node) -> RelaxExpr:
    """Return the outputs of a plain layer."""
    return _sequence(node, _rnn(node, 1), _state(node, 4))


@operator("BIDIRECTIONAL_SEQUENCE_RNN")
def bidirectional_rnn(node: Node) -> list[RelaxExpr]:
    """Return the outputs of a plain layer in each direction."""
    return _both_ways(node, [_rnn(node, first) for first in (1, 5)], [_state(node, 4), _state(node, 8)], 9)


@operator("SVDF")
def svdf(node: Node) -> RelaxExpr:
    """Return sums over time of filtered features, of which the state holds the last ones."""
    features, times = node.constant(1), node.constant(2)
    filters, memory = times.shape
    rank = int(node.option("rank"))
    x = node.tensor(0)
    batch = shape_of(x)[0]
    state = R.reshape(node.tensor(4), R.shape([batch, filters, memory]))
    new = R.expand_dims(_product(x, features), [2])
    state = R.concat((R.strided_slice(state, [2], [1], [memory]), new), 2)
    filtered = R.sum(R.multiply(state, R.const(times)), [2])
    total = R.sum(R.reshape(filtered, R.shape([batch, filters // rank, rank])), [2])
    return activate(node, R.add(total, node.tensor(3)) if node.has(3) else total)
