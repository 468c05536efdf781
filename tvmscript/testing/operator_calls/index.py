"""Indexing and slicing."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("take")
def take(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    args = (Data(shape, r.choice(ANY)), Data(r.shape(0, 2), r.choice(("int64", "int32"))))
    more = r.given(mode=r.choice(("fast", "clip", "wrap", "nan"))) if name == "take" else {}
    return OperatorCall(name, args, {"axis": r.axis(len(shape)), **more})


@recipe("strided_slice")
def _strided_slice(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axes = r.axes(len(shape))
    has_steps = r.random() < 0.7
    slices: list[tuple[int, int, int]] = []
    for axis in axes:
        extent, step = shape[axis], r.choice((1, 1, 2, 3, -1, -2)) if has_steps else 1
        low, high = r.randint(-8, 8), r.randint(-8, 8)
        first, last, _ = slice(low, None if step < 0 and high < -extent else high, step).indices(extent)
        # of an end before the begin TVM has a negative extent
        slices.append((low, high, step) if (last - first) * step >= 0 else (0, extent, abs(step)))
    begins, ends, steps = (list(each) for each in zip(*slices, strict=True))
    return OperatorCall(name, (Data(shape, r.choice(ANY)), axes, begins, ends, *([steps] if has_steps else [])))


@recipe("dynamic_strided_slice")
def _dynamic_slice(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    bounds = Data((len(shape),), "int64")
    data = Data(shape, r.choice(ANY))
    return OperatorCall(name, (data, bounds, bounds, bounds), {}, Data((-1,) * len(shape), data.dtype))


@recipe("gather_elements")
def _gather_elements(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axis = r.axis(len(shape))
    # along the other axes as many places as elements, or fewer
    places = [r.choice((extent, extent, min(extent, 1))) if extent >= 0 else extent for extent in shape]
    places[axis] = r.size()
    args = (Data(shape, r.choice(ANY)), Data(tuple(places), "int64"))
    return OperatorCall(name, args, {"axis": axis})


@recipe("gather_nd")
def _gather_nd(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(2)
    batch = r.choice((0, 0, 1))
    count = r.randint(1, len(shape) - batch)
    places = (*shape[:batch], *r.shape(0, 2), count)
    return OperatorCall(name, (Data(shape, r.choice(ANY)), Data(places, "int64")), {"batch_dims": batch})


@recipe("index_tensor")
def _index_tensor(name: str, r: Draws) -> OperatorCall:
    shape, place = r.shape(1), r.shape(0, 2)
    count = r.randint(1, len(shape))
    indices = [Data(place if at == 0 else r.broadcastable(place), "int64") for at in range(count)]
    return OperatorCall(name, (Data(shape, r.choice(ANY)), indices))


@recipe("one_hot")
def _one_hot(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    axis = r.axis(len(shape) + 1)
    on, off = (1.0, 0.0) if r.random() < 0.5 else (1, 0)
    result_dtype = "float32" if isinstance(on, float) else "int64"
    place = axis % (len(shape) + 1)
    depth = r.size(2)
    result = Data((*shape[:place], depth, *shape[place:]), result_dtype)
    return OperatorCall(name, (Data(shape, "int32"), on, off, depth), {"axis": axis}, result)
