"""Collective communication."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("ccl.allreduce", "ccl.broadcast_from_worker0")
def _same(name: str, r: Draws) -> OperatorCall:
    data = r.data()
    return OperatorCall(name, (data,), {"op_type": "avg"} if name == "ccl.allreduce" else {}, data)


@recipe("ccl.allgather")
def _allgather(name: str, r: Draws) -> OperatorCall:
    shape, workers, dtype = r.shape(1), r.randint(1, 4), r.choice(ANY)
    return OperatorCall(name, (Data(shape, dtype), workers), {}, Data((shape[0] * workers, *shape[1:]), dtype))


@recipe("ccl.scatter_from_worker0")
def scattered(name: str, r: Draws) -> OperatorCall:
    workers, dtype = r.randint(1, 3), r.choice(ANY)
    shape = tuple(r.size() * workers for _ in range(r.randint(1, 3)))
    axis = r.randrange(len(shape))
    result = Data((*shape[:axis], shape[axis] // workers, *shape[axis + 1 :]), dtype)
    return OperatorCall(name, (Data(shape, dtype), workers, axis), {}, result)
