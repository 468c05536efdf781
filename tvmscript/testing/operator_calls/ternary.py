"""Elementwise operators of three arguments."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("clip")
def _clip(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (Data(r.shape()), 0.5, 1.5))


@recipe("ewise_fma")
def _fma(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),) * 3)
