"""Schedules of convolutions in tiles of pixels by vectors of channels, whose terms are added in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Final, NamedTuple

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.packed_weights import inline_if_packed
from tvmscript.ir.schedule.default.cpu.panel_layout import PanelLayout
from tvmscript.ir.schedule.default.cpu.pointwise import flat_index, fused_pixels
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
    vectorize_copy,
    vectorize_innermost,
)
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import realize_of
from tvmscript.ir.tir import Buffer, BufferLoad, IntImm, Var, uses
from tvmscript.ir.tir.stmt import BufferStore

#: pixels of a row and rows of a tile, vectors of a pixel: at most
_MOST_PIXELS, _MOST_ROWS, _MOST_VECTORS = 28, 4, 4
#: multiply-adds in the time from one product to the next that adds to it
_LATENCY: Final = 9
#: how much a load of a vector or a broadcast delays multiply-adds beside it
_LOAD_COST: Final = 0.15
#: what the loop over terms costs in each step
_STEP_COST: Final = 0.8
#: cycles to start and store a vector of a tile, to transpose it too, and to store parts of vectors by masks
_STORE_COST, _TRANSPOSE_COST, _MASK_COST = 4, 8, 30
#: the more that a vector takes of a tile whose rows of pixels are stored by vectors of several lengths
_PARTS_COST: Final = 8
#: pixels that are stored together, where a tile is transposed in full vectors
_FULL_PIXELS: Final = 4
#: cycles to copy an element of the data into its padded form
_COPY_COST: Final = 0.25
#: padded pixels of an axis, as a share, up to which they are computed
_MOST_PADDED: Final = 0.08
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


class _Nest(NamedTuple):
    """The loops of a convolution in tiles."""

    #: over tiles: all of them, those of pixels, that of panels of channels
    around: Sequence[LoopRV]
    pixels: Sequence[LoopRV]
    panel: LoopRV
    terms: Sequence[LoopRV]
    #: in a tile: over pixels, vectors of channels, and their lanes
    inner: Sequence[LoopRV]
    vector: LoopRV
    lane: LoopRV


class DirectSchedule:
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
        is_product = conv.size(*conv.kernel) == 1 < conv.size(*conv.inputs) and not conv.divisors
        fused = fused_pixels(conv) if self.is_transposed and is_product else ()
        #: axes of pixels that become one, as all of them are neighbours, and the terms of a tile in a copy of the data
        self.fused: tuple[Var, ...] = fused if len(fused) > 1 and conv.size(*fused) > 1 else ()
        #: the two innermost axes of pixels
        self.pixel = self.fused[0] if self.fused else wide[-1] if wide else None
        self.row = wide[-2] if len(wide) > 1 and not self.fused else None
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
        return self.conv.size(*self.fused) if self.fused else pixels, rows

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
        is_padded = bool(self.fused) or pixels % tile.pixels > 0 or rows % tile.rows > 0
        copied = self._num_data * is_padded + (self._num_weights if self.panel is None else 0)
        return tiles * cycles + copied * _COPY_COST

    def _tile_cycles(self, tile: ConvolutionTile) -> float:
        vectors = tile.rows * tile.pixels * tile.vectors
        loads = tile.rows * tile.pixels + tile.vectors
        step = max(vectors, loads, _LATENCY) + loads * _LOAD_COST + _STEP_COST
        stored: float = vectors * _STORE_COST
        if self.is_transposed:
            stored = vectors * _TRANSPOSE_COST * max(_FULL_PIXELS / tile.pixels, 1)
        if self.is_transposed and tile.pixels & (tile.pixels - 1):
            stored += vectors * _PARTS_COST
        if self.is_transposed and not self.fused and self._pixels[0] % tile.pixels:
            stored += vectors * _MASK_COST
        return self._num_terms * step + stored + 20

    def apply(self) -> None:
        """Schedule the block."""
        sch, block = self.sch, self.block
        epilogue = find_epilogue(sch, block)
        if self.fused:
            epilogue = self._fuse_pixels(epilogue)
        conv = self.conv
        weights, padding, outputs = self._copy_operands(epilogue)
        blocked = None if self.fused else self._block_channels(padding)
        self._lay_out_weights(weights, blocked)
        for producer in padding if self.fused else ():
            self._lay_out_pixels(producer)
        batch = self._batch() if self._repeats_weights() else None
        # stores of rows of pixels that lie far apart suffer from more channels between them
        has_few_weights = not self.is_transposed and _bytes(conv.weights.buffer) <= self.model.l1_bytes
        nest = self._tile_loops(batch, blocked, has_few_weights)
        sch.reverse_compute_at(outputs[0], nest.around[-1])
        for output in outputs[1:]:
            self._place_epilogue(output, nest.around, nest.pixels)
        for producer in padding:
            self._place_data(producer, nest, batch, blocked)
        is_packed = self.panel is not None and inline_if_packed(sch, weights)
        stores_lanes_by_masks = not self.is_transposed and not self.model.has_mask_registers
        if conv.extents[self.channel] % self.width and (is_packed or stores_lanes_by_masks):
            sch.annotate(nest.panel, PARTITION, 1)
        for axis, loop in zip([axis for axis in conv.pixels if axis is not batch], nest.pixels, strict=True):
            if self._has_own_edge(axis):
                sch.annotate(loop, PARTITION, 1)
        if not is_packed and batch is None and not has_few_weights:
            sch.compute_at(weights, nest.panel)
        elif not is_packed:
            sch.parallel(sch.get_loops(weights)[0])
        for loop in (*nest.inner, nest.vector):
            sch.unroll(loop)
        sch.vectorize(nest.lane)
        self._schedule_output(outputs[0])
        for output in outputs[1:]:
            self._schedule_epilogue(output)
        if not is_packed:
            self._schedule_weights(weights)
        sch.parallel(next((loop for loop in nest.around if extent_of(sch, loop) > 1), nest.around[0]))
        init = sch.decompose_reduction(block, nest.terms[0])
        *init_inner, init_lane = sch.get_loops(init)[len(nest.around) :]
        for loop in init_inner:
            sch.unroll(loop)
        sch.vectorize(init_lane)

    def _has_own_edge(self, axis: Var) -> bool:
        """Whether the last tile along an axis of pixels gets code of its own, where many pixels of it are padded."""
        count = {self.row: self.tile.rows, self.pixel: self.tile.pixels}.get(axis, 1)
        padded = -self.conv.extents[axis] % count
        return padded > 0 if self.fused else padded > _MOST_PADDED * self.conv.extents[axis]

    def _copy_operands(self, epilogue: BlockRV | None) -> tuple[BlockRV, list[BlockRV], Sequence[BlockRV]]:
        """Pad data and weights to whole tiles; return copies of weights and data, and blocks that store the output."""
        sch, block, conv, tile = self.sch, self.block, self.conv, self.tile
        sizes = {self.channel: self.width, self.pixel: tile.pixels, self.row: tile.rows}
        copies, copy = pad_block(sch, block, {axis: size for axis, size in sizes.items() if axis is not None})
        data, weights = copies.get(conv.data.buffer), copies.get(conv.weights.buffer)
        if weights is None:
            weights = sch.cache_read(block, read_index(sch, block, conv.weights.buffer), "global")
        if data is None and not self.fused and self._copies_data:
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
        return weights, padding, outputs

    def _tile_loops(self, batch: Var | None, blocked: Var | None, has_few_weights: bool) -> _Nest:
        """Split the loops into those over tiles, over terms, and in a tile, and reorder them."""
        sch, conv, tile = self.sch, self.conv, self.tile
        loops = axis_loops(sch, self.block, conv.extents)
        panel, vector, lane = sch.split(loops[self.channel], [None, tile.vectors, self.lanes])
        outer, inner = dict(loops), list[LoopRV]()
        for axis, size in ((self.row, tile.rows), (self.pixel, tile.pixels)):
            if axis is not None:
                outer[axis], within = sch.split(loops[axis], [None, size])
                inner.append(within)
        others = [axis for axis in conv.channels if axis is not self.channel]
        around = [outer[axis] for axis in (batch, *conv.groups, *others) if axis is not None]
        pixels = [outer[axis] for axis in conv.pixels if axis is not batch]
        around += [*pixels, panel] if has_few_weights else [panel, *pixels]
        terms = list[LoopRV]()
        for axis in self._terms():
            if axis is not blocked:
                terms.append(outer[axis])
            elif self.panel is None:
                block, channel = sch.split(outer[axis], [None, self._block_size])
                terms = [block, *terms, channel]
            else:
                terms += sch.split(outer[axis], [None, self._block_size])
        sch.reorder(*around, *terms, *inner, vector, lane)
        return _Nest(around, pixels, panel, terms, inner, vector, lane)

    def _place_data(self, copy: BlockRV, nest: _Nest, batch: Var | None, blocked: Var | None) -> None:
        """Copy data before all tiles, or that of an image before the tiles of it."""
        sch = self.sch
        is_within = batch is not None and len(sch.get_consumers(copy)) == 1
        if is_within:
            sch.compute_at(copy, nest.around[0])
        if self.fused:
            self._schedule_pixels(copy, is_parallel=not is_within)
        elif blocked is not None:
            self._transpose_blocks(copy, self.conv.data.indices.index(blocked), is_parallel=not is_within)
        elif is_within:
            vectorize_copy(sch, copy, self.lanes)
        else:
            schedule_copy(sch, copy, self.lanes)

    def _fuse_pixels(self, epilogue: BlockRV | None) -> BlockRV:
        """Make one axis of the fused pixels; return the block that stores them in the order of the program."""
        sch, block, conv, count = self.sch, self.block, self.conv, len(self.fused)
        sizes = [conv.extents[axis] for axis in self.fused]

        def fuse(*axes: Any) -> list[Any]:
            return [*axes[:-count], flat_index(axes[-count:], sizes)]

        output = epilogue or sch.cache_write(block, 0, "global")
        copy = sch.cache_read(block, read_index(sch, block, conv.data.buffer), "global")
        for each in (block, copy):
            sch.transform_layout(each, ("write", 0), fuse)
        for each in (output, copy):
            sch.transform_block_layout(each, fuse)
        axes, results = [*conv.extents], {*conv.pixels, *conv.channels, *conv.groups}
        kept = [axis for axis in axes if axis not in self.fused[1:] and (conv.extents[axis] > 1 or axis in results)]

        def fuse_block(*values: Any) -> list[Any]:
            value = dict(zip(axes, values, strict=True))
            fused = flat_index([value[axis] for axis in self.fused], sizes)
            return [fused if axis is self.fused[0] else value[axis] for axis in kept]

        sch.transform_block_layout(block, fuse_block)
        flat = match_convolution(sch.get(block), takes_products=True)
        assert flat is not None
        renamed = dict(zip(kept, flat.extents, strict=True))
        self.conv, self.channel, self.pixel = flat, renamed[self.channel], renamed[self.fused[0]]
        return output

    def _lay_out_pixels(self, copy: BlockRV) -> None:
        """Lay out a copy of fused pixels by tiles, with the pixels of a term together."""
        size = self.tile.pixels
        (place,) = [place for place, axis in enumerate(self.conv.data.indices) if axis is self.pixel]

        def divide(*axes: Any) -> list[Any]:
            return [*axes[: place - 1], axes[place] // size, *axes[place - 1 : place], axes[place] % size]

        self.sch.transform_layout(copy, ("write", 0), divide)

    def _schedule_pixels(self, copy: BlockRV, *, is_parallel: bool) -> None:
        """Copy some terms of all tiles, the pixels of a tile together: tiles lie far apart."""
        sch = self.sch
        *outer, term, pixel = own_loops(sch, copy, self.block)
        terms, term = sch.split(term, [None, self._block_size])
        tile, lane = sch.split(pixel, [None, self.tile.pixels])
        sch.reorder(terms, tile, term, lane)
        sch.vectorize(lane)
        if is_parallel:
            sch.parallel(sch.fuse(*outer, terms))

    def _place_epilogue(self, epilogue: BlockRV, around: Sequence[LoopRV], pixels: Sequence[LoopRV]) -> None:
        """Compute an epilogue where all pixels of some rows are stored: parts of rows fill no vectors."""
        conv, tile, place = self.conv, self.tile, len(around) - 1
        if self.is_transposed:
            axes = [axis for axis in conv.pixels if conv.extents[axis] > 1]
            steps = {self.row: tile.rows, self.pixel: tile.pixels}
            size = self.width * prod(steps.get(axis, 1) for axis in conv.pixels) * conv.output.buffer.dtype.itemsize
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
        """Copy vectors of the channels of `place`, where nothing is padded by squares with the innermost dimension."""
        sch = self.sch
        realize = realize_of(sch.block(copy))
        bound = uses(realize.iter_values[place])
        loops = own_loops(sch, copy, self.block)
        (channel,) = [loop for loop in loops if sch.get(loop).loop_var in bound]
        outer, lane = sch.split(channel, [None, self.lanes])
        before, after = loops[: loops.index(channel)], loops[loops.index(channel) + 1 :]
        is_plain = isinstance(realize.block.body, BufferStore) and isinstance(realize.block.body.value, BufferLoad)
        if is_plain and extent_of(sch, loops[-1]) % self.lanes == 0:
            after[-1:] = sch.split(loops[-1], [None, self.lanes])
            sch.unroll(after[-1])
        sch.reorder(*before, outer, *after, lane)
        sch.vectorize(lane)
        if is_parallel:
            sch.parallel(sch.fuse(*before, outer))

    def _lay_out_weights(self, copy: BlockRV, blocked: Var | None) -> None:
        """Lay out the copy of the weights by panels of channels, in the order of the terms.

        What is copied here is read in blocks of input channels, which are next to each other in both layouts.
        """
        panels, size = self.panels, self._block_size
        self.sch.transform_layout(copy, ("write", 0), lambda *axes: panels.indices(axes))
        if blocked is None or self.panel is not None:
            return
        first = len(panels.leading) + 1
        place = first + panels.terms.index(self.conv.weight_axes.index(blocked))

        def divide(*axes: Any) -> list[Any]:
            return [*axes[:first], axes[place] // size, *axes[first:place], axes[place] % size, *axes[place + 1 :]]

        self.sch.transform_layout(copy, ("write", 0), divide)

    @property
    def panels(self) -> PanelLayout:
        """The layout of the weights."""
        indices = [*self.conv.weight_axes]
        terms = tuple([indices.index(axis) for axis in self._terms() if self.conv.extents[axis] > 1])
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
        # the loops of a condition outermost: it is tested once for all iterations of the others
        limited = uses(realize_of(sch.block(copy)).predicate)
        tested = [loop for loop in loops[:-1] if sch.get(loop).loop_var in limited]
        ordered = [*tested, *[loop for loop in loops if loop not in tested]]
        if ordered != loops:
            sch.reorder(*ordered)
            loops = ordered
        for loop in loops[:-1]:
            sch.unroll(loop)
        sch.vectorize(loops[-1])


def _elements(buffer: Buffer) -> int:
    return prod(size.value for size in buffer.shape if isinstance(size, IntImm))


def _bytes(buffer: Buffer) -> int:
    return _elements(buffer) * buffer.dtype.itemsize
