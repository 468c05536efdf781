"""Casts."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("astype", "wrap_param")
def _cast(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(), r.choice(ANY)))
