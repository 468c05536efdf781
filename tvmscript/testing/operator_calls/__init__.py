"""Valid calls of every Relax operator: arguments, and results that NumPy does not compute.

    call = operator_call("nn.conv2d", random.Random(0))
    call.args          # Data(shape=(2, 4, 7, 5), dtype="float32"), ...

`RECIPES` maps each operator to a function that draws its arguments. Sizes are small and mostly distinct, so that a
wrong axis changes the result. The files mirror `tvmscript.ir.relax.op`.
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
