"""Sorting."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("sort", "argsort")
def _sort(name: str, r: Draws) -> OperatorCall:
    data = r.data(ANY, 1)
    more = r.given(descending=r.flag())
    if name == "argsort":
        more |= r.given(dtype=r.choice(("int32", "int64", "float32")))
    return OperatorCall(name, (data,), {"axis": r.axis(len(data.shape)), **more})


@recipe("topk")
def _topk(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    more = r.given(ret_type=r.choice(("both", "values", "indices")), dtype=r.choice(("int32", "int64")))
    args = (Data(shape, r.choice(ANY)), r.randint(-1, 8))
    return OperatorCall(name, args, {"axis": r.axis(len(shape)), "largest": r.flag(), **more})
