"""Long short-term memory: a recurrence over the steps of sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, placeholder, reduce_axis, scan
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.topi.broadcast import multiply
from tvmscript.ir.topi.common import function, simplify
from tvmscript.ir.topi.elementwise import sigmoid, tanh
from tvmscript.ir.topi.errors import InvalidOperand

Activation = Callable[[Tensor], Tensor]


def lstm(
    Xs: Tensor,
    Wi: Tensor,
    Wh: Tensor,
    Bi: Tensor | None = None,
    Bh: Tensor | None = None,
    h_init: Tensor | None = None,
    c_init: Tensor | None = None,
    proj: Tensor | None = None,
    p_i: Tensor | None = None,
    p_f: Tensor | None = None,
    p_o: Tensor | None = None,
    f_act: Activation = sigmoid,
    g_act: Activation = tanh,
    h_act: Activation = tanh,
    reverse: bool = False,
    weight_layout: str = "IFGO",
) -> tuple[Tensor, Tensor]:
    """Return the hidden states and the cells of ONNX's LSTM, step by step, as a `te.scan`.

    Sequences are (steps, batch, features), weights (4 * cells, features) and (4 * cells, cells), of input, forget, cell
    and output gates in the order of `weight_layout`. `proj` (outputs, cells) maps hidden states, `p_*` (batch, cells)
    are the weights of peepholes. Without `h_init` and `c_init` a recurrence begins with zeros.
    """
    if Xs.ndim != 3 or Wi.ndim != 2 or Wh.ndim != 2 or sorted(weight_layout) != sorted("IFGO"):
        reason = "the sequences have 3 dimensions, the weights 2, and the layout has the letters I, F, G and O"
        raise InvalidOperand(where="nn.lstm", reason=reason)
    steps, batch, features = Xs.shape
    dtype = Xs.dtype
    cells = simplify(function("indexdiv")(Wi.shape[0], 4))
    outputs = Wh.shape[1]
    divide, remainder = function("indexdiv"), function("indexmod")
    k_in, k_hidden = reduce_axis((0, features), "ki2h"), reduce_axis((0, outputs), "kh2h")

    def project(tb: Expr, ij: Expr) -> Expr:
        element = Xs(divide(tb, batch), remainder(tb, batch), k_in)
        return reduction.sum(element * Wi(ij, k_in), axis=k_in)

    inputs = compute((simplify(steps * batch), Wi.shape[0]), project, name="Xi2h")
    if Bi is not None:
        inputs = _add_bias(inputs, Bi, lambda tb, ij: (ij,), "Xi2h_bias")
    count = simplify(steps + 1)
    hidden = placeholder((count, batch, outputs), dtype, "hidden_state")
    cell = placeholder((count, batch, cells), dtype, "cell_state")
    begin_hidden = _begin(h_init, (1, batch, outputs), dtype, "hidden_init")
    begin_cell = _begin(c_init, (1, batch, cells), dtype, "cell_init")

    def recur(t: Expr, b: Expr, i: Expr, j: Expr) -> Expr:
        state = hidden(t - 1, b, k_hidden)
        return reduction.sum(state * Wh(i * cells + j, k_hidden), axis=k_hidden)

    shape = (count, batch, 4, cells)
    sums = compute(shape, recur, name="s_h2h")
    if Bh is not None:
        sums = _add_bias(sums, Bh, lambda t, b, i, j: (i * cells + j,), "s_h2h_bias")

    def add_input(t: Expr, b: Expr, i: Expr, j: Expr) -> Expr:
        step = steps - t if reverse else t - 1
        return inputs(step * batch + b, i * cells + j) + sums(t, b, i, j)

    gates = compute(shape, add_input, name="gates")

    def gate(
        letter: str, act: Activation, peephole: Tensor | None = None, state: Tensor = cell, delay: int = 1
    ) -> Tensor:
        """Return a gate, with a peephole on the cells of the step before, or of this one."""
        number = weight_layout.index(letter)

        def value(t: Expr, b: Expr, j: Expr) -> Expr:
            element = gates(t, b, number, j)
            if peephole is None:
                return element
            return element + peephole(b, j) * state(t - delay if delay else t, b, j)

        return act(compute((count, batch, cells), value, name=f"{letter.lower()}_gate"))

    input_gate, forget_gate = gate("I", f_act, p_i), gate("F", f_act, p_f)
    memory = gate("G", g_act)

    def keep(t: Expr, b: Expr, j: Expr) -> Expr:
        return forget_gate(t, b, j) * cell(t - 1, b, j) + input_gate(t, b, j) * memory(t, b, j)

    next_cell = compute((count, batch, cells), keep, name="next_c")
    next_hidden = multiply(gate("O", f_act, p_o, next_cell, 0), h_act(next_cell))
    if proj is not None:
        matrix, narrow = proj, next_hidden
        k = reduce_axis((0, cells), "kh2p")
        next_hidden = compute(
            (count, batch, outputs),
            lambda t, b, j: reduction.sum(narrow(t, b, k) * matrix(j, k), axis=k),
            name="next_h",
        )
    states = scan([begin_hidden, begin_cell], [next_hidden, next_cell], [hidden, cell], name="lstm_scan")
    first, second = (
        compute((steps, batch, size), _behind(state), name=name)
        for size, state, name in ((outputs, states[0], "hidden_states"), (cells, states[1], "cell_states"))
    )
    return first, second


def _add_bias(data: Tensor, bias: Tensor, index: Callable[..., tuple[Expr, ...]], name: str) -> Tensor:
    return compute(data.shape, lambda *i: data(*i) + bias(*index(*i)), name=name)


def _begin(start: Tensor | None, shape: Sequence[Extent], dtype: str, name: str) -> Tensor:
    """Return the first state."""
    if start is None:
        return compute(shape, lambda _, b, i: const(0, dtype), name=name)
    return compute(shape, lambda _, b, i: start(b, i), name=name)


def _behind(state: Tensor) -> Callable[[Expr, Expr, Expr], Expr]:
    """Return the states behind the first one."""
    return lambda t, b, j: state(t + 1, b, j)
