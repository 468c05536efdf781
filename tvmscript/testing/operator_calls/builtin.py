"""Builtins for memory that is not yet planned."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("builtin.stop_lift_params")
def _same(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("builtin.alloc_tensor")
def _alloc(name: str, r: Draws) -> OperatorCall:
    storage = r.data()
    return OperatorCall(name, (Sizes(storage.shape), storage.dtype, 0, "global"), {}, storage)
