"""Shapes as values."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("shape_of")
def _shape_of(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), {}, Sizes(shape))


@recipe("tensor_to_shape")
def _tensor_to_shape(name: str, r: Draws) -> OperatorCall:
    count = r.size()
    return OperatorCall(name, (Data((count,), "int64"),), {}, Sizes((-1,) * count))


@recipe("shape_to_tensor")
def _shape_to_tensor(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (Sizes(shape),), {}, Data((len(shape),), "int64"))
