"""Recurrent layers compute what Google's interpreter computes in its first call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.tvmscript.frontend.tflite.models import Call, Graph, Scale, compare, write_graphs
from tvmscript.frontend.errors import InvalidModel
from tvmscript.relax.frontend.tflite import from_tflite

_BATCH, _STEPS, _FEATURES, _CELLS, _OUTPUTS = 2, 3, 4, 5, 3
_TANH, _RELU = 4, 1


def _floats(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).uniform(-1, 1, shape).astype("float32")


#: the step of weights of 8 bits
_STEP = 1 / 96


def _model(name: str, x: Any, weights: Sequence[Any], states: dict[int, Any], table: str, **options: Any) -> bytes:
    """Return a model of a layer: weights are inputs from 1 on, None is left out, states have places among them."""
    constants = {f"w{place}": array for place, array in enumerate(weights) if array is not None}
    inputs = ["x", *[f"w{place}" if array is not None else "" for place, array in enumerate(weights)]]
    for place in states:
        inputs[place:place] = [f"s{place}"]
    count = 2 if "BIDIRECTIONAL" in name and not options.get("mergeOutputs") else 1
    outputs = {f"y{place}": "float32" for place in range(count)}
    call = Call(name, inputs, list(outputs), table, options)
    scales = {key: Scale(_STEP) for key, array in constants.items() if array.dtype == np.int8}
    named_states = {f"s{place}": array for place, array in states.items()}
    return write_graphs(Graph([call], {"x": x}, constants, outputs, scales, named_states))


def _zeros(size: int) -> Any:
    return np.zeros((_BATCH, size), "float32")


def _lstm_weights(has_input_gate: bool = True, has_peepholes: bool = False, has_projection: bool = False) -> list[Any]:
    """Return the inputs 1 to 17 of an LSTM; each array is another one."""
    hidden = _OUTPUTS if has_projection else _CELLS
    shapes: list[tuple[int, ...]] = [(_CELLS, _FEATURES)] * 4 + [(_CELLS, hidden)] * 4 + [(_CELLS,)] * 7
    weights = [_floats(*shape) * (place + 1) / 8 for place, shape in enumerate(shapes)]
    left_out = {8, 9, 10} if not has_peepholes else set[int]()
    left_out |= {0, 4, 8, 11} if not has_input_gate else set[int]()
    projection = [_floats(_OUTPUTS, _CELLS), _floats(_OUTPUTS)] if has_projection else [None, None]
    return [*[None if place in left_out else array for place, array in enumerate(weights)], *projection]


_SEQUENCE = _floats(_BATCH, _STEPS, _FEATURES)
_STEPS_FIRST = _SEQUENCE.transpose(1, 0, 2).copy()
_NORMS = [_floats(_CELLS) + place for place in range(4)]


@pytest.mark.parametrize(
    ("weights", "norms", "options"),
    [
        (_lstm_weights(), [], {}),
        (_lstm_weights(False, True), [], {"timeMajor": True, "cellClip": 0.3}),
        (_lstm_weights(True, True, True), [], {"projClip": 0.2, "fusedActivationFunction": _RELU}),
        (_lstm_weights(), _NORMS, {}),
        (_lstm_weights(False), [None, *_NORMS[1:]], {}),
    ],
)
def test_lstm(weights: list[Any], norms: list[Any], options: dict[str, Any]) -> None:
    hidden = _CELLS if weights[15] is None else _OUTPUTS
    states = {18: _zeros(hidden), 19: _zeros(_CELLS)}
    options = {"fusedActivationFunction": _TANH, **options}
    x = _STEPS_FIRST if options.get("timeMajor") else _SEQUENCE
    table = "UnidirectionalSequenceLSTMOptions"
    compare(_model("UNIDIRECTIONAL_SEQUENCE_LSTM", x, [*weights, *norms], states, table, **options), {"x": x})


def test_weights_of_eight_bits() -> None:
    """The interpreter rounds the inputs of products to 8 bits too, so results differ by a part of their steps."""
    weights = [
        np.round(array / _STEP).astype("int8") if array is not None and array.ndim == 2 else array
        for array in _lstm_weights()
    ]
    states = {18: _zeros(_CELLS), 19: _zeros(_CELLS)}
    table, options = "UnidirectionalSequenceLSTMOptions", {"fusedActivationFunction": _TANH}
    model = _model("UNIDIRECTIONAL_SEQUENCE_LSTM", _SEQUENCE, weights, states, table, **options)
    compare(model, {"x": _SEQUENCE}, atol=2e-3)


def test_one_step_of_an_lstm() -> None:
    x, states = _SEQUENCE[:, 0].copy(), {18: _zeros(_CELLS), 19: _zeros(_CELLS)}
    # the interpreter has scratch memory as an output in the basic form alone
    compare(_model("LSTM", x, _lstm_weights(), states, "LSTMOptions", fusedActivationFunction=_TANH), {"x": x})


def test_the_basic_lstm() -> None:
    inputs = {"x": _floats(_BATCH, _FEATURES), "h": _floats(_BATCH, _CELLS), "c": _floats(_BATCH, _CELLS) / 2}
    constants = {"w": _floats(4 * _CELLS, _FEATURES + _CELLS), "b": _floats(4 * _CELLS)}
    options = {"fusedActivationFunction": _TANH, "kernelType": 1}
    call = Call("LSTM", ["x", "h", "w", "b", "c"], ["y", "state", "joined", "total"], "LSTMOptions", options)
    outputs = dict.fromkeys(call.outputs, "float32")
    compare(write_graphs(Graph([call], inputs, constants, outputs)), inputs)


@pytest.mark.parametrize("is_merged", [False, True])
def test_lstm_of_two_directions(is_merged: bool) -> None:
    """The interpreter's results change from run to run where they are merged and batches come first."""
    weights = [*_lstm_weights(), *[None if array is None else -array for array in _lstm_weights()]]
    states = dict.fromkeys(range(35, 39), _zeros(_CELLS))
    options = {"fusedActivationFunction": _TANH, "mergeOutputs": is_merged, "timeMajor": is_merged}
    x = _STEPS_FIRST if is_merged else _SEQUENCE
    table = "BidirectionalSequenceLSTMOptions"
    model = _model("BIDIRECTIONAL_SEQUENCE_LSTM", x, [*weights, *[None] * 9], states, table, **options)
    compare(model, {"x": x})


_PLAIN = [_floats(_CELLS, _FEATURES), _floats(_CELLS, _CELLS), _floats(_CELLS)]


def test_plain_layers() -> None:
    options = {"fusedActivationFunction": _TANH}
    step = _SEQUENCE[:, 0].copy()
    compare(_model("RNN", step, _PLAIN, {4: _zeros(_CELLS)}, "RNNOptions", **options), {"x": step})
    state = {4: _zeros(_CELLS)}
    model = _model("UNIDIRECTIONAL_SEQUENCE_RNN", _SEQUENCE, _PLAIN, state, "SequenceRNNOptions", **options)
    compare(model, {"x": _SEQUENCE})


@pytest.mark.parametrize("is_merged", [False, True])
def test_plain_layers_of_two_directions(is_merged: bool) -> None:
    weights = [*_PLAIN, *[-array for array in _PLAIN], None, None, None]
    options = {"fusedActivationFunction": _RELU, "mergeOutputs": is_merged, "timeMajor": is_merged}
    x = _STEPS_FIRST if is_merged else _SEQUENCE
    states, table = {4: _zeros(_CELLS), 8: _zeros(_CELLS)}, "BidirectionalSequenceRNNOptions"
    model = _model("BIDIRECTIONAL_SEQUENCE_RNN", x, weights, states, table, **options)
    compare(model, {"x": x})


def test_svdf() -> None:
    memory, rank = 3, 2
    weights = [_floats(rank * _CELLS, _FEATURES), _floats(rank * _CELLS, memory), _floats(_CELLS)]
    x, state = _SEQUENCE[:, 0].copy(), {4: _zeros(rank * _CELLS * memory)}
    compare(_model("SVDF", x, weights, state, "SVDFOptions", rank=rank, fusedActivationFunction=_RELU), {"x": x})


def test_svdf_of_no_rank() -> None:
    weights = [_floats(4, _FEATURES), _floats(4, 3), _floats(4)]
    x, state = _SEQUENCE[:, 0].copy(), {4: _zeros(12)}
    with pytest.raises(InvalidModel, match="operator 0, SVDF: it is not well formed"):
        from_tflite(_model("SVDF", x, weights, state, "SVDFOptions", rank=0))


def test_auxiliary_inputs_are_refused() -> None:
    weights = [*_PLAIN, *_PLAIN, _SEQUENCE]
    states = {4: _zeros(_CELLS), 8: _zeros(_CELLS)}
    model = _model("BIDIRECTIONAL_SEQUENCE_RNN", _SEQUENCE, weights, states, "BidirectionalSequenceRNNOptions")
    with pytest.raises(InvalidModel, match="auxiliary inputs are not supported"):
        from_tflite(model)
