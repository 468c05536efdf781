"""Padding."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.pad")
def _pad(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    return OperatorCall(name, (Data(shape), [r.randint(0, 3) for _ in range(2 * len(shape))]))
