"""Normalizations."""

from __future__ import annotations

from typing import Any

from tvmscript.testing.operator_calls.arguments import FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.batch_norm")
def _batch_norm(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1, 4), r.choice(FLOATS)
    axis = r.axis(len(shape))
    return OperatorCall(name, (Data(shape, dtype), *[Data((shape[axis],), dtype)] * 4), {"axis": axis})


@recipe("nn.layer_norm", "nn.rms_norm")
def _layer_norm(name: str, r: Draws) -> OperatorCall:
    shape, dtype = r.shape(1, 4), r.choice(FLOATS)
    axes = r.axes(len(shape))
    parameter = Data(tuple(shape[axis] for axis in axes), dtype)
    count = 2 if name == "nn.layer_norm" else 1
    return OperatorCall(name, (Data(shape, dtype), *[parameter] * count), {"axes": axes})


@recipe("nn.group_norm", "nn.instance_norm")
def _group_norm(name: str, r: Draws) -> OperatorCall:
    groups, dtype = r.choice((1, 2, 3)), r.choice(FLOATS)
    shape = [*r.shape(1)]
    channel = r.randint(0, len(shape))
    shape.insert(channel, groups * r.choice((1, 2)))
    others = [axis for axis in range(len(shape)) if axis != channel]
    axes = r.sample(others, r.randint(1, len(others)))
    attrs: dict[str, Any] = {"channel_axis": channel - r.choice((0, len(shape))), "axes": axes}
    if name == "nn.group_norm":
        attrs["num_groups"] = groups
    parameter = Data((shape[channel],), dtype)
    return OperatorCall(name, (Data(tuple(shape), dtype), parameter, parameter), attrs)
