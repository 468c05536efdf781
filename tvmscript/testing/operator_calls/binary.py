"""Binary operators with broadcasting."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.relax.op import binary
from tvmscript.ir.relax.operator import Operator
from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, INTEGERS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe

#: operator -> dtypes that it takes
DTYPES: Final = {
    **{
        operator.name.removeprefix("relax."): ANY
        for operator in vars(binary).values()
        if isinstance(operator, Operator)
    },
    **dict.fromkeys(("left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor"), INTEGERS),
    **dict.fromkeys(("atan2", "log_add_exp"), FLOATS),
}


@recipe(*DTYPES)
def _binary(name: str, r: Draws) -> OperatorCall:
    if DTYPES[name] is ANY and r.random() < 0.15:
        return OperatorCall(name, (Data(r.shape(1)), 1.5))
    data = r.data(DTYPES[name])
    both = [data, Data(r.broadcastable(data.shape), data.dtype)]
    r.shuffle(both)
    return OperatorCall(name, tuple(both))
