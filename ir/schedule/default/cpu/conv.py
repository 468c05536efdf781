"""Default schedules of convolutions: tiles of pixels by output channels stay in registers while products are added.

The channels of a tile are the lanes of its vectors. Weights are copied into panels of as many channels, in the order in
which they are read; data is read an element at a time, from the padded copy where there is one: its innermost dimension
is a block of input channels, so that terms that follow each other are neighbours. Products are added by positions in
the kernel, then by input channels. Where channels are not the innermost dimension of the output, tiles are transposed
as they are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.packed_weights import inline_if_packed, panel_width
from tvmscript.ir.schedule.default.cpu.panel_layout import PanelLayout
from tvmscript.ir.schedule.default.cpu.pointwise import choose_pixel_tile, schedule_pixel_tiles
from tvmscript.ir.schedule.default.cpu.steps import (
    PARTITION,
    axis_loops,
    extent_of,
    find_epilogue,
    own_loops,
    pad_block,
    read_index,
    schedule_copy,
    stage_output,
    vectorize_innermost,
)
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Buffer, IntImm, Var, uses

#: pixels of a row and rows of a tile, vectors of a pixel: at most
_MOST_PIXELS, _MOST_ROWS, _MOST_VECTORS = 28, 4, 4
#: multiply-adds in the time from one product to the next that adds to it
_LATENCY: Final = 9
#: how much a load of a vector or a broadcast delays multiply-adds beside it
_LOAD_COST: Final = 0.15
#: what the loop over terms costs in each step
_STEP_COST: Final = 0.8
#: cycles to start and store a vector of a tile
_STORE_COST, _TRANSPOSE_COST = 4, 12
#: how many times as long vectors take whose lanes are no power of two
_ODD_COST: Final = 2.75
#: how many times as long vectors take that are filled up, and stored in part
_PADDED_COST: Final = 1.8
#: cycles to copy an element of the data into its padded form
_COPY_COST: Final = 0.25
#: statements of an unrolled copy
_MOST_UNROLLED: Final = 16
#: bytes of a line of caches
_LINE_BYTES: Final = 64
#: columns of a tile that is transposed
_COLUMNS: Final = 16


@dataclass(frozen=True)
class ConvolutionTile:
    """A tile of the output in registers: rows of pixels, and vectors of channels at each."""

    rows: int
    pixels: int
    vectors: int

    @property
    def registers(self) -> int:
        return self.rows * self.pixels * self.vectors + self.vectors + 1


def schedule_convolution(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    conv = match_convolution(sch.get(block))
    if conv is None or conv.output.buffer.dtype.bits < 8:
        return None
    lanes = model.lanes(conv.output.buffer.dtype.bits // 8)
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
    lanes = model.lanes(conv.output.buffer.dtype.bits // 8)
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
) -> _DirectSchedule | None:
    """Return the schedule of a convolution by vectors of channels, None where they are too few."""
    channel = _lane_axis(conv, lanes)
    width = 1 if channel is None else _lanes_of_group(conv, channel, lanes)
    if channel is None or width == 1:
        return None
    return _DirectSchedule(sch, block, conv, channel, width, model, panel)


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


class _DirectSchedule:
    """The steps of the schedule of one block.

    Weights are packed in panels of `panel` channels, or will be in any number if it is 0.
    """

    def __init__(
        self,
        sch: Schedule,
        block: BlockRV,
        conv: Convolution,
        channel: Var,
        lanes: int,
        model: MachineModel,
        panel: int | None,
    ) -> None:
        self.sch, self.block, self.conv, self.channel, self.lanes, self.model = sch, block, conv, channel, lanes, model
        self.panel = panel
        wide = [axis for axis in conv.pixels if conv.extents[axis] > 1] or [*conv.pixels]
        #: the two innermost axes of pixels
        self.pixel = wide[-1] if wide else None
        self.row = wide[-2] if len(wide) > 1 else None
        self.tile = self._choose_tile()
        self.width = self.tile.vectors * lanes

    @property
    def is_transposed(self) -> bool:
        """Whether channels are not the innermost dimension of the output."""
        return self.conv.output.indices[-1] is not self.channel

    def _choose_tile(self) -> ConvolutionTile:
        """Return the tile with the fewest cycles that fits the registers."""
        conv = self.conv
        pixels, rows = self._pixels
        group = conv.divisors.get(self.channel)
        tiles = [
            ConvolutionTile(row, pixel, vectors)
            for vectors in range(1, _MOST_VECTORS + 1)
            for pixel in range(1, min(_MOST_PIXELS, pixels) + 1)
            for row in range(1, min(_MOST_ROWS, rows) + 1)
            if group is None or group % (vectors * self.lanes) == 0
        ]
        fitting = [tile for tile in tiles if tile.registers <= self.model.vector_registers]
        # panels of another machine have no tile
        of_panels = [tile for tile in fitting if tile.vectors * self.lanes == self.panel]
        return min(of_panels or fitting, key=lambda tile: (self.cycles(tile), -tile.registers, tile.rows))

    @cached_property
    def _pixels(self) -> tuple[int, int]:
        """The extents of the two innermost axes of pixels."""
        pixels, rows = (1 if axis is None else self.conv.extents[axis] for axis in (self.pixel, self.row))
        return pixels, rows

    @cached_property
    def _repeats(self) -> int:
        """How many times the pixels of these axes and the channels are computed."""
        conv = self.conv
        return conv.size(*conv.pixels, *conv.channels, *conv.groups) // (
            prod(self._pixels) * conv.extents[self.channel]
        )

    @cached_property
    def _num_terms(self) -> int:
        return self.conv.terms

    @cached_property
    def _num_data(self) -> int:
        return _elements(self.conv.data.buffer)

    @cached_property
    def _num_weights(self) -> int:
        return _elements(self.conv.weights.buffer)

    def cycles(self, tile: ConvolutionTile) -> float:
        """Return the cycles of all tiles on a core that does one multiply-add of vectors in a cycle."""
        conv = self.conv
        pixels, rows = self._pixels
        tiles = -(-pixels // tile.pixels) * -(-rows // tile.rows) * self._repeats
        panels, edge = divmod(conv.extents[self.channel], tile.vectors * self.lanes)
        # the last panel has a tile of its own where no copy fills it up
        vectors = tile.vectors if self.panel is None else -(-edge // self.lanes)
        cycles = panels * self._tile_cycles(tile) + (self._tile_cycles(replace(tile, vectors=vectors)) if edge else 0)
        is_padded = pixels % tile.pixels > 0 or rows % tile.rows > 0
        copied = self._num_data * is_padded + (self._num_weights if self.panel is None else 0)
        return tiles * cycles + copied * _COPY_COST

    def _tile_cycles(self, tile: ConvolutionTile) -> float:
        vectors = tile.rows * tile.pixels * tile.vectors
        loads = tile.rows * tile.pixels + tile.vectors
        step = max(vectors, loads, _LATENCY) + loads * _LOAD_COST + _STEP_COST
        stored = vectors * (_TRANSPOSE_COST if self.is_transposed else _STORE_COST)
        return self._num_terms * step + stored + 20

    def apply(self) -> None:
        """Schedule the block."""
        sch, block, conv, tile = self.sch, self.block, self.conv, self.tile
        epilogue = find_epilogue(sch, block)
        sizes = {self.channel: self.width, self.pixel: tile.pixels, self.row: tile.rows}
        copies, copy = pad_block(sch, block, {axis: size for axis, size in sizes.items() if axis is not None})
        data, weights = copies.get(conv.data.buffer), copies.get(conv.weights.buffer)
        if weights is None:
            weights = sch.cache_read(block, read_index(sch, block, conv.weights.buffer), "global")
        if data is None and self._copies_data:
            data = sch.cache_read(block, read_index(sch, block, conv.data.buffer), "global")
        for padded in (data, weights):
            for producer in () if padded is None else sch.get_producers(padded):
                if is_injective(sch.get(producer)) and len(sch.get_consumers(producer)) == 1:
                    sch.compute_inline(producer)
        weights_block = sch.get(weights)
        producers = [each for each in sch.get_producers(block) if sch.get(each) is not weights_block]
        padding = [each for each in producers if is_injective(sch.get(each))]
        outputs = stage_output(sch, block, copy, epilogue, is_direct=not self.is_transposed)
        if self.is_transposed:
            place = conv.output.indices.index(self.channel)
            sch.transform_layout(block, ("write", 0), lambda *axes: (*axes[:place], *axes[place + 1 :], axes[place]))
        self._lay_out_weights(weights)
        blocked = self._block_channels(padding)
        loops = axis_loops(sch, block, conv.extents)
        panel, vector, lane = sch.split(loops[self.channel], [None, tile.vectors, self.lanes])
        outer, inner = dict(loops), list[LoopRV]()
        for axis, size in ((self.row, tile.rows), (self.pixel, tile.pixels)):
            if axis is not None:
                outer[axis], within = sch.split(loops[axis], [None, size])
                inner.append(within)
        others = [axis for axis in conv.channels if axis is not self.channel]
        batch = self._batch() if self._repeats_weights() else None
        around = [outer[axis] for axis in (batch, *conv.groups, *others) if axis is not None]
        pixels = [outer[axis] for axis in conv.pixels if axis is not batch]
        # stores of rows of pixels that lie far apart suffer from more channels between them
        has_few_weights = not self.is_transposed and _bytes(conv.weights.buffer) <= self.model.l1_bytes
        around += [*pixels, panel] if has_few_weights else [panel, *pixels]
        terms = list[LoopRV]()
        for axis in self._terms():
            terms += sch.split(outer[axis], [None, self._block_size]) if axis is blocked else [outer[axis]]
        sch.reorder(*around, *terms, *inner, vector, lane)
        sch.reverse_compute_at(outputs[0], around[-1])
        for output in outputs[1:]:
            self._place_epilogue(output, around, pixels)
        for producer in padding:
            is_within = batch is not None and len(sch.get_consumers(producer)) == 1
            if is_within:
                sch.compute_at(producer, around[0])
            if blocked is not None:
                self._transpose_blocks(producer, conv.data.indices.index(blocked), is_parallel=not is_within)
            elif is_within:
                vectorize_innermost(sch, producer, self.lanes)
            else:
                schedule_copy(sch, producer, self.lanes)
        is_packed = self.panel is not None and inline_if_packed(sch, weights)
        if is_packed and conv.extents[self.channel] % self.width:
            sch.annotate(panel, PARTITION, 1)
        if not is_packed and batch is None and not has_few_weights:
            sch.compute_at(weights, panel)
        elif not is_packed:
            sch.parallel(sch.get_loops(weights)[0])
        for loop in (*inner, vector):
            sch.unroll(loop)
        sch.vectorize(lane)
        self._schedule_output(outputs[0])
        for output in outputs[1:]:
            self._schedule_epilogue(output)
        if not is_packed:
            self._schedule_weights(weights)
        sch.parallel(next((loop for loop in around if extent_of(sch, loop) > 1), around[0]))
        init = sch.decompose_reduction(block, terms[0])
        *init_inner, init_lane = sch.get_loops(init)[len(around) :]
        for loop in init_inner:
            sch.unroll(loop)
        sch.vectorize(init_lane)

    def _place_epilogue(self, epilogue: BlockRV, around: Sequence[LoopRV], pixels: Sequence[LoopRV]) -> None:
        """Compute an epilogue where all pixels of some rows are stored: parts of rows fill no vectors."""
        conv, tile, place = self.conv, self.tile, len(around) - 1
        if self.is_transposed:
            axes = [axis for axis in conv.pixels if conv.extents[axis] > 1]
            steps = {self.row: tile.rows, self.pixel: tile.pixels}
            size = self.width * prod(steps.get(axis, 1) for axis in conv.pixels) * conv.output.buffer.dtype.bits // 8
            while axes and place > 0 and around[place] in pixels:
                axis = axes.pop()
                size = size // steps.get(axis, 1) * conv.extents[axis]
                if size > self.model.l1_bytes // 2:
                    break
                place -= 1
        self.sch.reverse_compute_at(epilogue, around[place])

    def _schedule_epilogue(self, epilogue: BlockRV) -> None:
        """Vectorize an epilogue along its pixels."""
        sch = self.sch
        if self.is_transposed:
            channel = self.conv.output.indices.index(self.channel)
            bound = uses(realize_of(sch.block(epilogue)).iter_values[channel])
            pixels = list[LoopRV]()
            for loop in reversed(own_loops(sch, epilogue, self.block)):
                if sch.get(loop).loop_var in bound:
                    break
                pixels.insert(0, loop)
            if len(pixels) > 1:
                sch.fuse(*pixels)
        vectorize_innermost(sch, epilogue, self.lanes)

    @property
    def _copies_data(self) -> bool:
        """Whether terms of a tile lie on lines of their own that do not stay in the first cache until the next tile."""
        conv = self.conv
        line = _LINE_BYTES if conv.data.indices[-1] not in conv.inputs else 0
        return conv.terms * self.tile.rows * line > self.model.l1_bytes

    def _batch(self) -> Var | None:
        """Return the outermost axis of the pixels if each of its iterations reads other data."""
        axis = self.conv.pixels[0] if len(self.conv.pixels) > 1 else None
        is_batch = axis in self.conv.data.indices and axis not in (self.row, self.pixel)
        return axis if axis is not None and is_batch and self.conv.extents[axis] > 1 else None

    def _repeats_weights(self) -> bool:
        """Whether reading all weights for each image costs less than reading all images for each panel of weights."""
        conv, batch = self.conv, self._batch()
        if batch is None:
            return False
        weights, data = (_bytes(load.buffer) for load in (conv.weights, conv.data))
        panels = -(-conv.extents[self.channel] // self.width)
        images, l2 = conv.extents[batch], self.model.l2_bytes
        by_image = weights * (images if weights + data // images > l2 else 1) + data
        by_panel = data * (panels if data + weights // panels > l2 else 1) + weights
        return by_image < by_panel

    def _terms(self) -> Sequence[Var]:
        """Return the reduction axes: neighbours in the innermost loop read different data.

        Unrolled, a loop over positions of the kernel would keep the data of all pixels in registers.
        """
        conv = self.conv
        kernel, inputs = ([axis for axis in axes if conv.extents[axis] > 1] for axes in (conv.kernel, conv.inputs))
        # whether an axis of one term is of the kernel depends on what is inlined
        units = [axis for axis in conv.extents if axis in (*conv.kernel, *conv.inputs) and conv.extents[axis] == 1]
        return (*units, *kernel, *inputs) if inputs else (*units, *kernel[::-1])

    @property
    def _block_size(self) -> int:
        """The input channels of a block of the padded copy."""
        return 2 * self.lanes

    def _block_channels(self, padding: Sequence[BlockRV]) -> Var | None:
        """Make blocks of input channels the innermost dimension of the padded copy; return their axis, None if none."""
        conv, size = self.conv, self._block_size
        outer = conv.data.indices[:-1]
        axis = next((axis for axis in conv.inputs if axis in outer and conv.extents[axis] % size == 0), None)
        if axis is None or len(padding) != 1 or len(self.sch.get_consumers(padding[0])) != 1:
            return None
        place = outer.index(axis)

        def divide(*axes: Any) -> tuple[Any, ...]:
            return (*axes[:place], axes[place] // size, *axes[place + 1 :], axes[place] % size)

        self.sch.transform_layout(padding[0], ("write", 0), divide)
        return axis

    def _transpose_blocks(self, copy: BlockRV, place: int, *, is_parallel: bool) -> None:
        """Copy squares of elements of the innermost dimension by channels, which are those of `place`."""
        sch = self.sch
        bound = uses(realize_of(sch.block(copy)).iter_values[place])
        loops = own_loops(sch, copy, self.block)
        (channel,) = [loop for loop in loops if sch.get(loop).loop_var in bound]
        outer, lane = sch.split(channel, [None, self.lanes])
        last, element = sch.split(loops[-1], [None, self.lanes])
        before, after = loops[: loops.index(channel)], loops[loops.index(channel) + 1 : -1]
        sch.reorder(*before, outer, *after, last, element, lane)
        sch.unroll(element)
        sch.vectorize(lane)
        if is_parallel:
            sch.parallel(sch.fuse(*before, outer))

    def _lay_out_weights(self, copy: BlockRV) -> None:
        """Lay out the copy of the weights by panels of channels, in the order of the terms."""
        self.sch.transform_layout(copy, ("write", 0), lambda *axes: self.panels.indices(axes))

    @property
    def panels(self) -> PanelLayout:
        """The layout of the weights."""
        indices = [*self.conv.weight_axes]
        terms = tuple([indices.index(axis) for axis in self._terms()])
        channel = indices.index(self.channel)
        others = tuple([place for place in range(len(indices)) if place != channel and place not in terms])
        return PanelLayout(others, channel, terms, self.width)

    def _schedule_weights(self, copy: BlockRV) -> None:
        """Read the weights along their rows: as vectors, or as tiles that are transposed."""
        sch = self.sch
        loops = own_loops(sch, copy, self.block)
        place = self.conv.weight_axes.index(self.channel)
        bound = uses(realize_of(sch.block(copy)).iter_values[place])
        (channel,) = [loop for loop in loops if sch.get(loop).loop_var in bound]
        channel_outer, lane = sch.split(channel, [None, self.lanes])
        after = loops[loops.index(channel) + 1 :]
        columns = list[LoopRV]()
        while after and prod(extent_of(sch, loop) for loop in (after[-1], *columns)) <= _MOST_UNROLLED:
            columns.insert(0, after.pop())
        if after and not columns and extent_of(sch, after[-1]) % _COLUMNS == 0:
            last, column = sch.split(after[-1], [None, _COLUMNS])
            after[-1], columns = last, [column]
        sch.reorder(channel_outer, *after, *columns, lane)
        for column in columns:
            sch.unroll(column)
        sch.vectorize(lane)

    def _schedule_output(self, copy: BlockRV) -> None:
        """Store the vectors of a tile, transposed where channels are not innermost."""
        sch = self.sch
        loops = own_loops(sch, copy, self.block)
        while len(loops) > 1 and extent_of(sch, loops[-1]) == 1:
            loops.pop()
        if extent_of(sch, loops[-1]) > self.lanes:
            loops[-1:] = sch.split(loops[-1], [None, self.lanes])
        for loop in loops[:-1]:
            sch.unroll(loop)
        sch.vectorize(loops[-1])


def _elements(buffer: Buffer) -> int:
    return prod(size.value for size in buffer.shape if isinstance(size, IntImm))


def _bytes(buffer: Buffer) -> int:
    return _elements(buffer) * buffer.dtype.bits // 8
