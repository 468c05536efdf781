"""Activations, softmax and dropout."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.relu")
def _relu(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("nn.selu", "nn.gelu", "nn.gelu_tanh", "nn.silu", "nn.leakyrelu", "nn.softplus")
def _of_floats(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(FLOATS),))


@recipe("nn.softmax", "nn.log_softmax")
def _softmax(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    return OperatorCall(name, (Data(shape, r.choice(FLOATS)),), {"axis": r.axis(len(shape))})


@recipe("nn.prelu")
def _prelu(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axis = r.axis(len(shape))
    return OperatorCall(name, (Data(shape), Data((shape[axis],))), {"axis": axis})


@recipe("nn.dropout")
def _dropout(name: str, r: Draws) -> OperatorCall:
    data = r.data(FLOATS)
    return OperatorCall(name, (data,), {"rate": 0.25}, (data, data))
