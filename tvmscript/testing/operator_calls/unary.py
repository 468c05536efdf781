"""Operators of one tensor, element by element."""

from __future__ import annotations

from typing import Final

from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, INTEGERS, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe

#: operator -> dtypes that it takes
DTYPES: Final = {
    **dict.fromkeys(("abs", "ceil", "floor", "logical_not", "negative", "round", "sign", "square", "trunc"), ANY),
    **dict.fromkeys(("isfinite", "isinf", "isnan"), ANY),
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "sin", "sinh"), FLOATS),
    **dict.fromkeys(("erf", "exp", "log", "rsqrt", "sigmoid", "sqrt", "tan", "tanh"), FLOATS),
    "bitwise_not": INTEGERS,
}


@recipe(*DTYPES)
def _unary(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(DTYPES[name]),))
