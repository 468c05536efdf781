"""Counts, and operators whose result shape depends on the data."""

from __future__ import annotations

from typing import Any

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("size")
def _size(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),))


@recipe("nonzero")
def _nonzero(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),), {}, Data((-1, -1), "int64"))


@recipe("unique")
def _unique(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1), r.choice(ANY)
    flags = [r.flag() for _ in range(4)]
    places = [Data((-1,), "int64")] * sum(flags[1:])
    if r.random() < 0.5:
        result = Data((-1,) * len(shape), dtype)
        args: tuple[Any, ...] = (Data(shape, dtype), *flags, r.randrange(len(shape)))
    else:
        result, args = Data((-1,), dtype), (Data(shape, dtype), *flags)
    return OperatorCall(name, args, {}, (result, *places) if places else result)
