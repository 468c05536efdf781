"""Default schedules of reductions over windows, an element in each lane: pooling, and convolutions of single channels.

The lanes are neighbours in the innermost dimension of the output; a few rows or pixels share what they read. Where the
windows of lanes overlap, a padded copy of each channel is made before its windows; otherwise padding is a condition,
which only the code for the edges has. Terms are added in the order of the program.
"""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.steps import (
    PARTITION,
    axis_loops,
    extent_of,
    find_epilogue,
    own_loops,
    pad_block,
    schedule_copy,
    stage_output,
    vectorize_innermost,
)
from tvmscript.ir.schedule.default.cpu.windows import Windows, match_windows
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Var

#: pixels that share what they read: where lanes overlap or pixels are more than a few, and otherwise
_FEW, _MANY, _SHORT = 4, 8, 16
#: terms of a window up to which loops are unrolled
_MOST_UNROLLED: Final = 32


def schedule_pooling(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    windows = match_windows(sch.get(block))
    if windows is None or windows.output.buffer.dtype.bits < 8 or windows.extents[windows.lane] == 1:
        return None
    lanes = model.lanes(windows.output.buffer.dtype.itemsize)
    if lanes == 1:
        return None
    lanes = min(lanes, 1 << (windows.extents[windows.lane] - 1).bit_length())
    schedule = _LaneSchedule(sch, block, windows, lanes)
    schedule.apply()
    terms = prod(windows.extents[axis] for axis in windows.sums)
    return f"windows of {terms} terms: {schedule.count} of {lanes} lanes along {windows.lane.name}"


class _LaneSchedule:
    """The steps of the schedule of one block."""

    def __init__(self, sch: Schedule, block: BlockRV, windows: Windows, lanes: int) -> None:
        self.sch, self.block, self.windows, self.lanes = sch, block, windows, lanes
        #: the axis of the elements that share what they read, and how many do
        self.shared: Var | None = windows.pixels[-1] if windows.pixels else None
        extent = 1 if self.shared is None else windows.extents[self.shared]
        most = _FEW if windows.is_lane_in_window or extent > _SHORT else _MANY
        self.count = _divide(extent, most)

    def apply(self) -> None:
        """Schedule the block."""
        sch, windows = self.sch, self.windows
        epilogue = find_epilogue(sch, self.block)
        if windows.is_lane_in_window:
            padding, out = self._pad()
        else:
            padding, out = None, None
            for producer in self._padding(self.block):
                sch.compute_inline(producer)
        outputs = stage_output(sch, self.block, out, epilogue, is_direct=True)
        around, innermost, terms = self._tile()
        if padding is not None:
            sch.compute_at(padding, around[-1])
            vectorize_innermost(sch, padding, self.lanes)
            for loop in own_loops(sch, padding, self.block)[:-1]:
                sch.annotate(loop, PARTITION, 1)  # only the edges have conditions of padding
        for output in outputs:
            sch.reverse_compute_at(output, innermost)
        for block in (*outputs, sch.decompose_reduction(self.block, terms)):
            *inner, last = own_loops(sch, block, self.block)
            for loop in inner:
                sch.unroll(loop)
            sch.vectorize(last)

    def _padding(self, block: BlockRV) -> list[BlockRV]:
        """Return the producers of the data that are used here alone."""
        sch, data = self.sch, self.sch.get(block).reads
        buffers = {region.buffer for region in data}
        return [
            each
            for each in sch.get_producers(block)
            if is_injective(sch.get(each))
            and len(sch.get_consumers(each)) == 1
            and sch.get(each).writes[0].buffer in buffers
        ]

    def _pad(self) -> tuple[BlockRV | None, BlockRV | None]:
        """Make whole vectors; return the blocks that copy the data with its padding, and the output."""
        sch, block, windows = self.sch, self.block, self.windows
        padding = self._padding(block)
        sizes = {windows.lane: self.lanes} | ({} if self.shared is None else {self.shared: self.count})
        copies, out = pad_block(sch, block, sizes)
        data = copies.pop(windows.data.buffer, None)
        if data is not None:
            for producer in padding:
                sch.compute_inline(producer)
        elif len(padding) == 1:
            data = padding[0]
        for copy in copies.values():
            schedule_copy(sch, copy, self.lanes)
        return data, out

    def _tile(self) -> tuple[list[LoopRV], LoopRV, LoopRV]:
        """Tile the loops; return those around the windows, the one around the output, the first one of the terms."""
        sch, windows = self.sch, self.windows
        loops = axis_loops(sch, self.block, windows.extents)
        lane_outer, lane = sch.split(loops[windows.lane], [None, self.lanes])
        inner, pixels = list[LoopRV](), [loops[axis] for axis in windows.pixels]
        if self.shared is not None:
            pixels[-1], within = sch.split(pixels[-1], [None, self.count])
            inner.append(within)
        around, terms = [loops[axis] for axis in windows.others], [loops[axis] for axis in windows.sums]
        if not around:
            around = [sch.add_unit_loop(pixels[0] if pixels else lane_outer)]
        sch.reorder(*around, *pixels, lane_outer, *terms, *inner, lane)
        for loop in inner:
            sch.unroll(loop)
        sch.vectorize(lane)
        size = 1
        for axis in reversed([*windows.sums]):
            size *= windows.extents[axis]
            if size > _MOST_UNROLLED:
                break
            sch.unroll(loops[axis])
        if not windows.is_lane_in_window:
            # the edges get code of their own, the rest has no conditions
            sch.annotate(pixels[-1], PARTITION, 1)
        if windows.extents[windows.lane] % self.lanes:
            sch.annotate(lane_outer, PARTITION, 1)
        sch.parallel(next((loop for loop in (*around, *pixels[:-1]) if extent_of(sch, loop) > 1), around[0]))
        return around, lane_outer, terms[0]


def _divide(extent: int, most: int) -> int:
    """Return the size of the fewest equal parts of at most a size."""
    count = -(-extent // most)
    return -(-extent // count)
