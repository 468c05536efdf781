"""Calls of the operators of the graph level that are right: what each takes, and what comes out where NumPy has no word
for it.

    call = operator_call("nn.conv2d", random.Random(0))
    made(call)         # the call of the program: `graph_laws.operators`

`RECIPES` says for each operator what it may be given. Sizes are small, and often differ, so that a wrong axis shows.
"""

from __future__ import annotations

from tvmscript.testing.operator_calls.calls import (
    RECIPES,
    Data,
    Number,
    OperatorCall,
    Sizes,
    call_of,
    operator,
    operator_call,
)

__all__ = ["RECIPES", "Data", "Number", "OperatorCall", "Sizes", "call_of", "operator", "operator_call"]
