"""Default schedule of convolutions without windows: tiles of channels by pixels, which are the lanes of vectors.

It is for layouts with innermost pixels, of which all are neighbours: a matrix product of the weights and the data, both
as they are. Terms are added in the order of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.steps import (
    PARTITION,
    extent_of,
    find_epilogue,
    own_loops,
    read_index,
    stage_output,
    vectorize_innermost,
)
from tvmscript.ir.schedule.default.cpu.windows import Convolution
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm, Var, uses

#: channels and vectors of pixels of a tile: at most
_MOST_CHANNELS, _MOST_VECTORS = 16, 4
#: multiply-adds in the time from one product to the next that adds to it
_LATENCY: Final = 8
#: how much a load of a vector or a broadcast delays multiply-adds beside it
_LOAD_COST: Final = 0.15
#: what the loop over terms costs in each step
_STEP_COST: Final = 0.8
#: cycles to start and store a vector of a tile
_STORE_COST: Final = 4
#: tiles of pixels side by side, and bytes of the data that they read: at most
_MOST_TILES, _DATA_BYTES = 16, 512 << 10
#: bytes from one row of the data to the next that let many rows share few sets of a cache
_SHARED_SETS: Final = 2048


@dataclass(frozen=True)
class PixelTile:
    """A tile of the output in registers: channels, vectors of pixels of each, and the cycles of all tiles."""

    channel: Var
    channels: int
    vectors: int
    cycles: float


def fused_pixels(conv: Convolution) -> tuple[Var, ...]:
    """Return the innermost axes of data and output whose elements are all neighbours; the first one may be split."""
    fused: list[Var] = []
    units = {axis for axis in conv.extents if conv.extents[axis] == 1}
    for out, index, size in zip(
        reversed(conv.output.indices), reversed(conv.data.indices), reversed(conv.data.buffer.shape), strict=False
    ):
        is_same = isinstance(out, Var) and out in conv.pixels and {out} == uses(index) - (units - {out})
        if not is_same or not isinstance(out, Var) or not isinstance(size, IntImm) or size.value != conv.extents[out]:
            break
        fused.insert(0, out)
    return tuple(fused)


def flat_index(values: Sequence[Any], sizes: Sequence[int]) -> Any:
    """Return the index of an element among all of some dimensions."""
    index = values[0]
    for size, value in zip(sizes[1:], values[1:], strict=True):
        index = index * size + value
    return index


def choose_pixel_tile(conv: Convolution, lanes: int, model: MachineModel) -> PixelTile | None:
    """Return the tile with the fewest cycles, None if the rule is not for the convolution."""
    fused = fused_pixels(conv)
    channels = [axis for axis in conv.channels if conv.extents[axis] > 1]
    if not fused or len(channels) != 1 or conv.size(*conv.kernel) > 1 or conv.divisors:
        return None
    pixels, count = conv.size(*fused), conv.extents[channels[0]]
    others = conv.size(*conv.groups, *(axis for axis in conv.pixels if axis not in fused))

    def cycles(rows: int, vectors: int) -> float:
        tiles = -(-count // rows) * -(-pixels // (vectors * lanes))
        loads = rows + vectors
        step = max(rows * vectors, loads, _LATENCY) + loads * _LOAD_COST + _STEP_COST
        return others * tiles * (conv.terms * step + rows * vectors * _STORE_COST + 20)

    return min(
        (
            PixelTile(channels[0], rows, vectors, cycles(rows, vectors))
            for rows in range(1, min(_MOST_CHANNELS, count) + 1)
            for vectors in range(1, _MOST_VECTORS + 1)
            if rows * vectors + vectors + 1 <= model.vector_registers
        ),
        key=lambda tile: (tile.cycles, -tile.channels * tile.vectors),
    )


def schedule_pixel_tiles(sch: Schedule, block: BlockRV, conv: Convolution, tile: PixelTile, lanes: int) -> None:
    """Schedule the block with such tiles."""
    fused = fused_pixels(conv)
    first, count = fused[0], len(fused)
    data = read_index(sch, block, conv.data.buffer)
    sizes = [conv.extents[axis] for axis in fused]

    def flat(values: Sequence[Any]) -> Any:
        return flat_index(values, sizes)

    axes = [*conv.extents]
    kept = [axis for axis in axes if axis not in fused[1:] and axis not in conv.kernel]
    places = [axes.index(axis) for axis in fused]
    row_bytes = conv.size(*fused) * conv.data.buffer.dtype.itemsize
    copy = sch.cache_read(block, data, "global") if row_bytes % _SHARED_SETS == 0 else None
    outputs = stage_output(sch, block, None, find_epilogue(sch, block), is_direct=True)
    if count > 1:
        sch.transform_layout(block, ("write", 0), lambda *dims: (*dims[:-count], flat(dims[-count:])))
        for output in outputs[:-1]:
            sch.transform_layout(output, ("write", 0), lambda *dims: (*dims[:-count], flat(dims[-count:])))
        for output in outputs:
            sch.transform_block_layout(output, lambda *dims: (*dims[:-count], flat(dims[-count:])))
        if copy is not None:
            sch.transform_layout(copy, ("write", 0), lambda *dims: (*dims[:-count], flat(dims[-count:])))
            sch.transform_block_layout(copy, lambda *dims: (*dims[:-count], flat(dims[-count:])))
    if count > 1 or conv.kernel:
        sch.transform_block_layout(
            block,
            lambda *values: [
                flat([values[place] for place in places]) if axis is first else values[axes.index(axis)]
                for axis in kept
            ],
        )
    loops = dict(zip(kept, sch.get_loops(block), strict=True))
    row_tile, row = sch.split(loops[tile.channel], [None, tile.channels])
    vectors = tile.vectors * lanes
    repeated = _repeated_tiles(-(-conv.size(*fused) // vectors), conv.terms * vectors * conv.data.buffer.dtype.itemsize)
    pixel_block, pixel_tile, vector, lane = sch.split(loops[first], [None, repeated, tile.vectors, lanes])
    around = [loops[axis] for axis in kept if axis not in (*conv.inputs, tile.channel, first)]
    around += [pixel_block, row_tile, pixel_tile]
    terms = [loops[axis] for axis in conv.inputs]
    sch.reorder(*around, *terms, row, vector, lane)
    if copy is not None:
        sch.compute_at(copy, pixel_block)
        vectorize_innermost(sch, copy, lanes)
    for output in outputs:
        sch.reverse_compute_at(output, pixel_tile)
    sch.unroll(row)
    sch.unroll(vector)
    sch.vectorize(lane)
    for output in outputs:
        vectorize_innermost(sch, output, lanes)
    for loop in own_loops(sch, outputs[0], block)[:-1]:
        sch.unroll(loop)
    if conv.extents[tile.channel] % tile.channels:
        sch.annotate(row_tile, PARTITION, 1)
    if conv.size(*fused) % vectors:
        sch.annotate(pixel_block, PARTITION, 1)
        sch.annotate(pixel_tile, PARTITION, 1)
    sch.parallel(next((loop for loop in around if extent_of(sch, loop) > 1), around[0]))
    *inner, last = own_loops(sch, sch.decompose_reduction(block, terms[0]), block)
    for loop in inner:
        sch.unroll(loop)
    sch.vectorize(last)


def _repeated_tiles(count: int, bytes_of_data: int) -> int:
    """Return how many tiles side by side are computed for some channels before the next ones: data stays in cache."""
    most = min(_MOST_TILES, max(_DATA_BYTES // bytes_of_data, 1))
    return max(part for part in range(1, most + 1) if count % part == 0)
