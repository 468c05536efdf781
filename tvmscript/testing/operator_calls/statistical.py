"""Reductions and scans."""

from __future__ import annotations

from typing import Final

from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe

_REDUCTIONS: Final = ["max", "mean", "median", "min", "prod", "std", "sum", "variance"]


@recipe(*_REDUCTIONS)
def _reduction(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1, 4)
    dtype = r.choice(FLOATS if name in ("mean", "std", "variance", "median") else ANY)
    return OperatorCall(name, (Data(shape, dtype),), r.given(axis=r.axes(len(shape)), keepdims=r.flag()))


@recipe("cumsum", "cumprod")
def _scan(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    more = r.given(axis=r.axis(len(shape)), dtype=r.choice(ANY), exclusive=r.choice((0, 1)))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), more)
