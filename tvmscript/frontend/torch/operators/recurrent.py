"""Recurrent layers, unrolled over the steps of the sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.linear import linear
from tvmscript.frontend.torch.registry import converts
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import manipulate, unary
from tvmscript.ir.relax.op.nn import activation
from tvmscript.ir.relax.operator import Operator

Tensors = Sequence[RelaxExpr]
#: (context, x @ W_ih + b_ih, weights, state) -> the new state; its first tensor is the output of the step
Cell = Callable[[Context, RelaxExpr, "Weights", list[RelaxExpr]], list[RelaxExpr]]


@dataclass(frozen=True)
class Weights:
    """The weights of a layer in one direction."""

    input: RelaxExpr
    hidden: RelaxExpr
    input_bias: RelaxExpr | None
    hidden_bias: RelaxExpr | None

    def of_hidden(self, ctx: Context, hidden: RelaxExpr) -> RelaxExpr:
        """Emit the product of the hidden state."""
        return linear(ctx, hidden, self.hidden, self.hidden_bias)


def _lstm_cell(ctx: Context, x: RelaxExpr, weights: Weights, state: list[RelaxExpr]) -> list[RelaxExpr]:
    hidden, cell = state
    gates = ctx.call(manipulate.split, x + weights.of_hidden(ctx, hidden), 4, -1)
    enter, forget, candidate, leave = (ctx.item(gates, place) for place in range(4))
    kept = ctx.call(unary.sigmoid, forget) * cell
    cell = ctx.emit(kept + ctx.call(unary.sigmoid, enter) * ctx.call(unary.tanh, candidate))
    return [ctx.emit(ctx.call(unary.sigmoid, leave) * ctx.call(unary.tanh, cell)), cell]


def _gru_cell(ctx: Context, x: RelaxExpr, weights: Weights, state: list[RelaxExpr]) -> list[RelaxExpr]:
    (hidden,) = state
    of_input = ctx.call(manipulate.split, x, 3, -1)
    of_hidden = ctx.call(manipulate.split, weights.of_hidden(ctx, hidden), 3, -1)
    reset, update = (
        ctx.call(unary.sigmoid, ctx.item(of_input, place) + ctx.item(of_hidden, place)) for place in range(2)
    )
    new = ctx.call(unary.tanh, ctx.item(of_input, 2) + reset * ctx.item(of_hidden, 2))
    return [ctx.emit(new + update * (hidden - new))]


def _plain_cell(nonlinearity: Operator) -> Cell:
    def step(ctx: Context, x: RelaxExpr, weights: Weights, state: list[RelaxExpr]) -> list[RelaxExpr]:
        return [ctx.call(nonlinearity, x + weights.of_hidden(ctx, state[0]))]

    return step


@dataclass(frozen=True)
class Layers:
    """A recurrent layer of torch: layers over each other, in one or two directions."""

    cell: Cell
    params: Tensors
    has_biases: bool
    num_layers: int
    bidirectional: bool

    def weights(self, number: int) -> Weights:
        """Return the weights of a layer and direction."""
        count = 4 if self.has_biases else 2
        own = self.params[number * count : (number + 1) * count]
        return Weights(own[0], own[1], *(own[2:] if self.has_biases else (None, None)))

    def run(
        self, ctx: Context, x: RelaxExpr, states: Sequence[RelaxExpr], batch_first: bool
    ) -> tuple[RelaxExpr, list[RelaxExpr]]:
        """Emit all steps of all layers, and return the outputs and the last states."""
        batched = ctx.ndim(x) == 3
        x = x if batched else ctx.call(manipulate.expand_dims, x, 1)
        states = [state if batched else ctx.call(manipulate.expand_dims, state, 1) for state in states]
        axes = [1, 0, 2]
        x = ctx.permute(x, axes) if batch_first and batched else x
        directions = 2 if self.bidirectional else 1
        first = [_rows(ctx, state) for state in states]
        last: list[list[RelaxExpr]] = [[] for _ in states]
        for layer in range(self.num_layers):
            outputs: list[RelaxExpr] = []
            for number in range(layer * directions, (layer + 1) * directions):
                state = [rows[number] for rows in first]
                output, state = self._run_layer(ctx, x, self.weights(number), state, number % directions == 1)
                outputs.append(output)
                for rows, row in zip(last, state, strict=True):
                    rows.append(row)
            x = outputs[0] if len(outputs) == 1 else ctx.call(manipulate.concat, outputs, axis=2)
        x = ctx.permute(x, axes) if batch_first and batched else x
        results: list[RelaxExpr] = [ctx.call(manipulate.stack, rows, axis=0) for rows in last]
        if batched:
            return x, results
        return ctx.call(manipulate.squeeze, x, [1]), [ctx.call(manipulate.squeeze, row, [1]) for row in results]

    def _run_layer(
        self, ctx: Context, x: RelaxExpr, weights: Weights, state: list[RelaxExpr], reverse: bool
    ) -> tuple[RelaxExpr, list[RelaxExpr]]:
        steps = _rows(ctx, linear(ctx, x, weights.input, weights.input_bias))
        outputs: list[RelaxExpr] = []
        for step in reversed(steps) if reverse else steps:
            state = self.cell(ctx, step, weights, state)
            outputs.append(state[0])
        return ctx.call(manipulate.stack, outputs[::-1] if reverse else outputs, axis=0), state


def _rows(ctx: Context, x: RelaxExpr) -> list[RelaxExpr]:
    """Emit the parts of a tensor along its first axis."""
    count = ctx.static(ctx.shape(x)[0], "the number of steps of a recurrent layer")
    if count == 1:
        return [ctx.call(manipulate.squeeze, x, [0])]
    parts = ctx.call(manipulate.split, x, count, 0)
    return [ctx.call(manipulate.squeeze, ctx.item(parts, place), [0]) for place in range(count)]


@converts("lstm")
def _lstm(
    ctx: Context,
    x: RelaxExpr,
    hx: Tensors,
    params: Tensors,
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool = False,
) -> tuple[RelaxExpr, ...]:
    layers = Layers(_lstm_cell, params, has_biases, num_layers, bidirectional)
    output, states = layers.run(ctx, x, hx, batch_first)
    return output, *states


def _register_of_one_state(name: str, cell: Cell) -> None:
    @converts(name)
    def convert(
        ctx: Context,
        x: RelaxExpr,
        hx: RelaxExpr,
        params: Tensors,
        has_biases: bool,
        num_layers: int,
        dropout: float,
        train: bool,
        bidirectional: bool,
        batch_first: bool = False,
    ) -> tuple[RelaxExpr, ...]:
        layers = Layers(cell, params, has_biases, num_layers, bidirectional)
        output, states = layers.run(ctx, x, [hx], batch_first)
        return output, *states


_register_of_one_state("gru", _gru_cell)
_register_of_one_state("rnn_tanh", _plain_cell(unary.tanh))
_register_of_one_state("rnn_relu", _plain_cell(activation.relu))
