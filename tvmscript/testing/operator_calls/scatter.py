"""Scatter operators."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("scatter_elements")
def _scatter_elements(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1), r.choice(ANY)
    axis = r.axis(len(shape))
    places = tuple(r.randint(1, extent) for extent in shape)
    how = r.choice(("update", "add", "mul", "min", "max", "mean"))
    args = (Data(shape, dtype), Data(places, "int64"), Data(places, dtype))
    return OperatorCall(name, args, {"axis": axis, "reduction": how})


@recipe("scatter_nd")
def _scatter_nd(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1), r.choice(ANY)
    count, places = r.randint(1, len(shape)), r.shape(0, 2)
    args = (Data(shape, dtype), Data((*places, count), "int64"), Data((*places, *shape[count:]), dtype))
    return OperatorCall(name, args, r.given(reduction=r.choice(("update", "add", "mul", "min", "max"))))


@recipe("index_put")
def _index_put(name: str, r: Draws) -> OperatorCall:
    shape, dtype, count = r.shape(1), r.choice(ANY), (r.size(),)
    args = (Data(shape, dtype), [Data(count, "int64") for _ in shape], Data(count, dtype))
    return OperatorCall(name, args, r.given(accumulate=r.flag()))


@recipe("slice_scatter")
def _slice_scatter(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1), r.choice(ANY)
    axis = r.randrange(len(shape))
    start = r.randrange(shape[axis])
    end, step = r.randint(start, shape[axis]), r.randint(1, 2)
    source = (*shape[:axis], len(range(start, end, step)), *shape[axis + 1 :])
    return OperatorCall(name, (Data(shape, dtype), Data(source, dtype), start, end, step), {"axis": axis})
