"""Default schedules of convolutions: tiles of pixels by output channels stay in registers while products are added.

The channels of a tile are the lanes of its vectors. Weights are copied into panels of as many channels, in the order in
which they are read; data is read an element at a time, from the padded copy where there is one: its innermost dimension
is a block of input channels, so that terms that follow each other are neighbours. Where the kernel has one element and
pixels are neighbours, they are one axis, and copied by tiles. Products are added by positions in the kernel, then by
input channels. Where channels are not the innermost dimension of the output, tiles are transposed
as they are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.conv_tiles import DirectSchedule
from tvmscript.ir.schedule.default.cpu.packed_weights import panel_width
from tvmscript.ir.schedule.default.cpu.panel_layout import PanelLayout
from tvmscript.ir.schedule.default.cpu.pointwise import choose_pixel_tile, schedule_pixel_tiles
from tvmscript.ir.schedule.default.cpu.steps import read_index
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer, Var

#: how many times as long vectors take whose lanes are no power of two
_ODD_COST: Final = 2.75
#: how many times as long vectors take that are filled up, and stored in part
_PADDED_COST: Final = 1.8


def schedule_convolution(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    conv = match_convolution(sch.get(block))
    if conv is None or conv.terms == 1 or conv.output.buffer.dtype.bits < 8:
        return None
    lanes = model.lanes(conv.output.buffer.dtype.itemsize)
    if lanes == 1:
        return None
    panel = panel_width(sch, block, conv.weights.buffer)
    padded = _padded_lanes(conv, lanes)
    if padded and not panel:
        _separate_groups(sch, block, conv)
        conv, lanes = match_convolution(sch.get(block)), padded
        if conv is None:
            return None
    direct = _direct_schedule(sch, block, conv, lanes, model, panel)
    by_pixels = choose_pixel_tile(conv, lanes, model)
    if by_pixels is not None and not panel and (direct is None or by_pixels.cycles < direct.cycles(direct.tile)):
        schedule_pixel_tiles(sch, block, conv, by_pixels, lanes)
        tiles = f"{by_pixels.channels} channels and {by_pixels.vectors} vectors of pixels"
    elif direct is not None:
        direct.apply()
        tiles = f"{direct.tile.rows}x{direct.tile.pixels} pixels and {direct.tile.vectors} vectors of channels"
    else:
        return None
    channels, pixels = conv.size(*conv.channels, *conv.groups), conv.size(*conv.pixels)
    return f"convolution of {channels} channels at {pixels} pixels, {conv.terms} terms: tiles of {tiles}"


def choose_panels(sch: Schedule, block: BlockRV, model: MachineModel) -> tuple[Buffer, PanelLayout] | None:
    """Return the weights of a convolution and the layout that its schedule reads fastest, None if that is theirs."""
    conv = match_convolution(sch.get(block))
    if conv is None or conv.output.buffer.dtype.bits < 32 or None in conv.weight_axes:
        return None
    lanes = model.lanes(conv.output.buffer.dtype.itemsize)
    direct = _direct_schedule(sch, block, conv, lanes, model, 0) if lanes > 1 else None
    if direct is None or not all(index in conv.weight_axes for index in conv.weights.indices):
        return None
    if _padded_lanes(conv, lanes):
        return None
    by_pixels = choose_pixel_tile(conv, lanes, model)
    if by_pixels is not None and by_pixels.cycles < direct.cycles(direct.tile):
        return None
    return conv.weights.buffer, direct.panels


def _direct_schedule(
    sch: Schedule, block: BlockRV, conv: Convolution, lanes: int, model: MachineModel, panel: int | None
) -> DirectSchedule | None:
    """Return the schedule of a convolution by vectors of channels, None where they are too few."""
    channel = _lane_axis(conv, lanes)
    width = 1 if channel is None else _lanes_of_group(conv, channel, lanes)
    if channel is None or width == 1:
        return None
    return DirectSchedule(sch, block, conv, channel, width, model, panel)


def _lane_axis(conv: Convolution, lanes: int) -> Var | None:
    """Return the channels that fill vectors, None if they are too few."""
    last = [axis for axis in conv.channels if axis is conv.output.indices[-1]]
    for axis in (*last, *sorted(conv.channels, key=lambda axis: -conv.extents[axis])):
        count = min(conv.extents[axis], conv.divisors.get(axis, conv.extents[axis]))
        is_divided = axis in last and axis in conv.divisors and count > 1
        if 2 * count >= lanes or is_divided:
            return axis
    return None


def _padded_lanes(conv: Convolution, lanes: int) -> int:
    """Return the lanes of vectors that are filled up where the channels of a group fill none, 0 if others cost less."""
    channel = _lane_axis(conv, lanes)
    group = None if channel is None else conv.divisors.get(channel)
    if channel is None or group is None or channel not in conv.weight_axes or len(conv.divisors) > 1:
        return 0
    padded = min(1 << (group - 1).bit_length(), lanes)
    whole = _lanes_of_group(conv, channel, lanes)
    return padded if -(-group // padded) * _PADDED_COST < _vector_cost(group, whole) else 0


def _separate_groups(sch: Schedule, block: BlockRV, conv: Convolution) -> None:
    """Make two axes of channels that are divided into groups: the group, and the channel in it."""
    ((channel, size),) = conv.divisors.items()

    def divide(axes: Sequence[Var | None]) -> Callable[..., list[Any]]:
        place = axes.index(channel)
        return lambda *each: [*each[:place], each[place] // size, each[place] % size, *each[place + 1 :]]

    weights = sch.cache_read(block, read_index(sch, block, conv.weights.buffer), "global")
    sch.transform_layout(weights, ("write", 0), divide(conv.weight_axes))
    sch.cache_write(block, 0, "global")
    output = [index if isinstance(index, Var) else None for index in conv.output.indices]
    sch.transform_layout(block, ("write", 0), divide(output))
    # sums of one term would become axes of the output
    kept = [place for place, axis in enumerate(conv.extents) if conv.extents[axis] > 1 or axis in output]
    divided = divide([[*conv.extents][place] for place in kept])
    sch.transform_block_layout(block, lambda *axes: divided(*[axes[place] for place in kept]))


def _lanes_of_group(conv: Convolution, channel: Var, lanes: int) -> int:
    """Return the lanes of vectors whose channels are all of one group: they multiply the same data."""
    group = conv.divisors.get(channel)
    if group is None:
        return lanes
    fitting = [count for count in range(lanes, 0, -1) if group % count == 0]
    return min(fitting, key=lambda count: _vector_cost(group, count))


def _vector_cost(group: int, lanes: int) -> float:
    """Return how many vectors of a power of two of lanes take as long as those of a group."""
    return group // lanes * (_ODD_COST if lanes & (lanes - 1) else 1)
