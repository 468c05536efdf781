"""Operators that move, repeat or join elements."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, Data, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("broadcast_to")
def _broadcast_to(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (Data(r.broadcastable(shape), r.choice(ANY)), Sizes(shape)))


@recipe("collapse_sum_like")
def _collapse_like(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (Data(shape), Data(r.broadcastable(shape), r.choice(ANY))))


@recipe("collapse_sum_to")
def _collapse_to(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (Data(shape, r.choice(ANY)), Sizes(r.broadcastable(shape))))


def _parts(r: Draws, shape: tuple[int, ...], axis: int | None) -> list[Data]:
    """Draw tensors that differ at most along one axis."""
    dtype, parts = r.choice(ANY), []
    for _ in range(r.choice((1, 2, 2, 3))):
        own = [*shape]
        if axis is not None:
            own[axis] = r.choice((own[axis], r.size()))
        parts.append(Data(tuple(own), dtype))
    return parts


@recipe("concat")
def _concat(name: str, r: Draws) -> OperatorCall:
    if r.random() < 0.15:
        return OperatorCall(name, (_parts(r, (r.size(),), 0),), {"axis": None})
    shape = r.shape(1)
    axis = r.axis(len(shape))
    return OperatorCall(name, (_parts(r, shape, axis),), {"axis": axis})


@recipe("stack")
def _stack(name: str, r: Draws) -> OperatorCall:
    shape = r.shape()
    return OperatorCall(name, (_parts(r, shape, None),), {"axis": r.axis(len(shape) + 1)})


@recipe("expand_dims")
def _expand_dims(name: str, r: Draws) -> OperatorCall:
    shape, count = r.shape(), r.randint(1, 2)
    places = r.sample(range(len(shape) + count), count)
    axes = [place - r.choice((0, len(shape) + count)) for place in places]
    return OperatorCall(name, (Data(shape, r.choice(ANY)), axes))


@recipe("flip")
def _flip(name: str, r: Draws) -> OperatorCall:
    data = r.data(ANY, 1)
    return OperatorCall(name, (data,), {"axis": r.axis(len(data.shape))})


@recipe("meshgrid")
def _meshgrid(name: str, r: Draws) -> OperatorCall:
    dtype = r.choice(ANY)
    return OperatorCall(name, ([Data((r.size(),), dtype) for _ in range(r.randint(1, 3))],))


@recipe("permute_dims")
def _permute_dims(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1, 4)
    axes = r.axes(len(shape), len(shape))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), r.given(axes=axes))


@recipe("repeat")
def _repeat(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    return OperatorCall(name, (Data(shape, r.choice(ANY)), r.randint(1, 3)), r.given(axis=r.axis(len(shape))))


@recipe("reverse_sequence")
def _reverse_sequence(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(2)
    along, batch = r.sample(range(len(shape)), 2)
    args = (Data(shape, r.choice(ANY)), Data((shape[batch],), r.choice(("int32", "int64"))))
    return OperatorCall(name, args, {"seq_axis": along, "batch_axis": batch})


@recipe("split")
def _split(name: str, r: Draws) -> OperatorCall:
    shape = r.shape(1)
    axis = r.axis(len(shape))
    # NumPy has no last section that is empty before others are
    counts = [count for count in range(1, shape[axis] + 1) if -(-shape[axis] // count) * (count - 1) <= shape[axis]]
    places = sorted(r.sample(range(shape[axis] + 1), r.randint(0, min(2, shape[axis]))))
    return OperatorCall(
        name, (Data(shape, r.choice(ANY)), r.choice(counts) if r.random() < 0.5 else places), {"axis": axis}
    )


@recipe("squeeze")
def _squeeze(name: str, r: Draws) -> OperatorCall:
    shape = tuple(r.choice((1, r.size())) for _ in range(r.randint(1, 4)))
    ones = [axis - r.choice((0, len(shape))) for axis, extent in enumerate(shape) if extent == 1]
    chosen = r.sample(ones, r.randint(0, len(ones)))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), r.given(axis=chosen))


@recipe("tile")
def _tile(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(), [r.randint(1, 3) for _ in range(r.randint(1, 4))]))
