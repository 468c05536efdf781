"""Calls of the operators of the graph level that are right: what each takes, and what comes out where NumPy has no word
for it.

    call = operator_call("nn.conv2d", random.Random(0))
    call.args          # Data(shape=(2, 4, 7, 5), dtype="float32"), ...

`RECIPES` says for each operator what it may be given. Sizes are small, and often differ, so that a wrong axis shows.
The files are those of `tvmscript.ir.relax.op`: an operator has its recipe where it is declared there.
"""

from __future__ import annotations

from tvmscript.testing.operator_calls import all as _all
from tvmscript.testing.operator_calls.arguments import Data, Number, Sizes
from tvmscript.testing.operator_calls.call import (
    RECIPES,
    OperatorCall,
    argument_names,
    call_of,
    operator,
    operator_call,
)

#: importing it fills the table
_FILLED = _all

__all__ = [
    "RECIPES",
    "Data",
    "Number",
    "OperatorCall",
    "Sizes",
    "argument_names",
    "call_of",
    "operator",
    "operator_call",
]
