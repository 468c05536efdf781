"""Products of matrices, and the LSTM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tvmscript.testing.operator_references.convolution import Array


def dense(
    x: Array, y: Array, bias: Array, use_bias: bool = False, use_relu: bool = False, out_dtype: str | None = None
) -> Array:
    dtype = out_dtype or x.dtype
    out = x.astype(dtype) @ y.astype(dtype).T
    out = out + bias if use_bias else out
    return np.asarray(np.maximum(out, 0) if use_relu else out)


def batch_matmul(
    x: Array, y: Array, out_dtype: str | None = None, trans_x: bool = False, trans_y: bool = True
) -> Array:
    dtype = out_dtype or x.dtype
    x, y = (a.swapaxes(1, 2) if is_transposed else a for a, is_transposed in ((x, trans_x), (y, trans_y)))
    return np.asarray(x.astype(dtype) @ y.astype(dtype))


_ACTIVATIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}


def lstm_python(
    Xs: Array,
    Wi: Array,
    Wh: Array,
    Bi: Array | None = None,
    Bh: Array | None = None,
    h_init: Array | None = None,
    c_init: Array | None = None,
    proj: Array | None = None,
    p_i: Array | None = None,
    p_f: Array | None = None,
    p_o: Array | None = None,
    f_act: str = "sigmoid",
    g_act: str = "tanh",
    h_act: str = "tanh",
    reverse: bool = False,
    weight_layout: str = "IFGO",
) -> tuple[Array, Array]:
    """Return all hidden states and all cells of an LSTM (ONNX's LSTM, with peepholes and a projection)."""
    of_gate, of_input, of_output = (_ACTIVATIONS[name] for name in (f_act, g_act, h_act))
    bias = sum(b for b in (Bi, Bh) if b is not None)
    batch, cells = Xs.shape[1], len(Wi) // 4
    h = np.zeros((batch, Wh.shape[1]), Xs.dtype) if h_init is None else h_init
    c = np.zeros((batch, cells), Xs.dtype) if c_init is None else c_init

    def gate(values: Array, peephole: Array | None, cell: Array) -> Array:
        return of_gate(values if peephole is None else values + peephole * cell)  # type: ignore[no-any-return]

    hidden_states: list[Array] = []
    cell_states: list[Array] = []
    for step in Xs[::-1] if reverse else Xs:
        gates = dict(zip(weight_layout, np.split(step @ Wi.T + h @ Wh.T + bias, 4, axis=1), strict=True))
        c = gate(gates["F"], p_f, c) * c + gate(gates["I"], p_i, c) * of_input(gates["G"])
        h = gate(gates["O"], p_o, c) * of_output(c)
        h = h if proj is None else h @ proj.T
        hidden_states.append(h)
        cell_states.append(c)
    return np.stack(hidden_states).astype(Xs.dtype), np.stack(cell_states).astype(Xs.dtype)
