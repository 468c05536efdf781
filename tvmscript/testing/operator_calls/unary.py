"""Elementwise operators of one tensor."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.relax.op import unary
from tvmscript.ir.relax.op.shape_rules import infer_same_float
from tvmscript.ir.relax.operator import Operator
from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, INTEGERS, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe

#: operator -> dtypes that it takes
DTYPES: Final = {
    operator.name.removeprefix("relax."): FLOATS if operator.rule is infer_same_float else ANY
    for operator in vars(unary).values()
    if isinstance(operator, Operator)
} | {"bitwise_not": INTEGERS}


@recipe(*DTYPES)
def _unary(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(DTYPES[name]),))
