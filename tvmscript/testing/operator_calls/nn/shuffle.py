"""Calls of operators that move elements between channels and space."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.batch_flatten")
def _batch_flatten(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(FLOATS, 2, 4),))


@recipe("nn.pixel_shuffle")
def _pixel_shuffle(name: str, r: Draws) -> OperatorCall:
    factor = r.choice((1, 2, 3))
    shape = (*r.shape(0, 2), factor**2 * r.choice((1, 2)), r.size(), r.size())
    return OperatorCall(name, (Data(shape), factor))
