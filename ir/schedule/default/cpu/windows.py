"""Recognize the blocks that reduce over windows: convolutions in any layout, pooling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.sum_of_products import added_factors, different_axes, starts_at_zero
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Cast, Expr, IntImm, IterKind, Var, uses
from tvmscript.ir.tir.expr import Add, FloorDiv, Mul, Sub

#: what indices of windows consist of
_LINEAR: Final = (Add, Sub, Mul, Var, IntImm)


@dataclass(frozen=True)
class Convolution:
    """What a block computes: `Y[axes] += data[windows] * weights[axes]`.

    An index of `data` is an axis, an axis divided by a constant, or a sum of multiples of axes.
    """

    output: BufferStore
    data: BufferLoad
    weights: BufferLoad
    #: the axis of each index of the weights, which may count down, None for a constant
    weight_axes: tuple[Var | None, ...]
    #: axes of the output that index the data alone, or are 1 and index nothing: the batch, rows and columns
    pixels: tuple[Var, ...]
    #: axes of the output that index the weights, and the data at most divided by a number: output channels
    channels: tuple[Var, ...]
    #: axes of the output that index data and weights
    groups: tuple[Var, ...]
    #: reduction axes that are added to others in indices of the data
    kernel: tuple[Var, ...]
    #: other reduction axes: input channels
    inputs: tuple[Var, ...]
    #: what channels are divided by in indices of the data
    divisors: Mapping[Var, int]
    extents: Mapping[Var, int]

    def size(self, *axes: Var) -> int:
        """Return the product of extents."""
        return prod(self.extents[axis] for axis in axes)

    @property
    def terms(self) -> int:
        """The number of products of an element."""
        return self.size(*self.kernel, *self.inputs)

    @property
    def uses_most_data(self) -> bool:
        """Whether the data has no more elements than there are products: then copying all of it costs little."""
        sizes = [size.value for size in self.data.buffer.shape if isinstance(size, IntImm)]
        return len(sizes) == len(self.data.buffer.shape) and prod(sizes) <= self.size(*self.extents)


def match_convolution(block: Block, *, takes_products: bool = False) -> Convolution | None:
    """Return the convolution that a block computes, None if it computes something else.

    A product of matrices is one of a row of pixels without windows, where `takes_products`.
    """
    store = block.body
    extents = constant_extents(block)
    if not isinstance(store, BufferStore) or extents is None or not starts_at_zero(block, store.buffer):
        return None
    factors = _loaded_factors(store)
    output = different_axes(store.indices)
    kinds = {axis.var: axis.iter_type for axis in block.iter_vars}
    spatial = [axis for axis, kind in kinds.items() if kind is IterKind.DATA_PAR]
    if factors is None or output is None or {*output} != {*spatial} or factors[0].buffer is factors[1].buffer:
        return None
    for data, weights in (factors, factors[::-1]):
        of_weights = _weight_axes(weights.indices)
        if of_weights is None:
            continue
        indices = [Index.of(index, extents) for index in data.indices]
        if any(index is None for index in indices):
            continue
        parts = [index for index in indices if index is not None]
        divided = {index.divided: index.divisor for index in parts if index.divided is not None}
        direct = {axis for index in parts for axis in index.axes}
        in_windows = {axis for index in parts if len(index.axes) > 1 for axis in index.axes}
        sums = [axis for axis, kind in kinds.items() if kind is IterKind.COMM_REDUCE]
        match = Convolution(
            store,
            data,
            weights,
            of_weights,
            tuple(axis for axis in output if axis not in of_weights and (axis in direct or extents[axis] == 1)),
            tuple(axis for axis in output if axis in of_weights and axis not in direct),
            tuple(axis for axis in output if axis in of_weights and axis in direct),
            tuple(axis for axis in sums if axis in in_windows),
            tuple(axis for axis in sums if axis not in in_windows),
            divided,
            extents,
        )
        is_whole = len(match.pixels) + len(match.channels) + len(match.groups) == len(spatial)
        sums_both = all((axis in direct and axis in of_weights) or extents[axis] == 1 for axis in sums)
        is_window = bool(match.kernel) or bool(divided) or len(match.pixels) > 1 or takes_products
        if is_whole and sums_both and is_window and direct.isdisjoint(divided) and {*divided} <= {*match.channels}:
            return match
    return None


@dataclass(frozen=True)
class Index:
    """An index of the data: a sum of multiples of axes, and of an axis divided by a number."""

    axes: tuple[Var, ...] = ()
    divided: Var | None = None
    divisor: int = 1

    @staticmethod
    def of(index: Expr, extents: Mapping[Var, int]) -> Index | None:
        divisions = [part for part in nodes(index) if isinstance(part, FloorDiv)]
        is_sum = all(isinstance(part, (*_LINEAR, FloorDiv)) for part in nodes(index))
        products = [part for part in nodes(index) if isinstance(part, Mul)]
        is_linear = all(isinstance(part.a, IntImm) or isinstance(part.b, IntImm) for part in products)
        if len(divisions) > 1 or not is_sum or not is_linear:
            return None
        used = [part for part in nodes(index) if isinstance(part, Var)]
        if not divisions:
            return Index(tuple(axis for axis in extents if axis in used))
        channel, divisor = divisions[0].a, divisions[0].b
        if not isinstance(channel, Var) or not isinstance(divisor, IntImm) or used.count(channel) > 1:
            return None
        return Index(tuple(axis for axis in extents if axis in used and axis is not channel), channel, divisor.value)


@dataclass(frozen=True)
class Windows:
    """What a block computes: a reduction over windows, an element in each lane: `Y[.., lane] += data[.., windows]`."""

    output: BufferStore
    data: BufferLoad
    lane: Var
    #: other axes of the output that are added to reduction axes in indices of the data
    pixels: tuple[Var, ...]
    #: axes of the output that are not
    others: tuple[Var, ...]
    #: the reduction axes, and whether they are added to others
    sums: Mapping[Var, bool]
    extents: Mapping[Var, int]

    @property
    def is_lane_in_window(self) -> bool:
        """Whether neighbouring lanes read overlapping windows."""
        index = self.data.indices[-1]
        return any(axis in uses(index) for axis in self.sums)


def match_windows(block: Block) -> Windows | None:
    """Return the reduction over windows of a block, in lanes of the innermost dimension, None if it is none."""
    store, extents = block.body, constant_extents(block)
    output = different_axes(store.indices) if isinstance(store, BufferStore) else None
    if not isinstance(store, BufferStore) or not output or extents is None or block.init is None:
        return None
    kinds = {axis.var: axis.iter_type for axis in block.iter_vars}
    sums = [axis for axis, kind in kinds.items() if kind is IterKind.COMM_REDUCE]
    if {*output} | {*sums} != {*kinds} or len(output) + len(sums) != len(kinds):
        return None
    lane = next((axis for axis in reversed(output) if extents[axis] > 1), output[-1])
    loads = [part for part in nodes(store.value) if isinstance(part, BufferLoad) and part.buffer is not store.buffer]
    windows: list[tuple[BufferLoad, set[Var]]] = []
    for load in loads:
        indices = [Index.of(index, extents) for index in load.indices]
        parts = [index for index in indices if index is not None]
        if len(parts) < len(indices) or not _reads_lanes(load, lane):
            return None
        wide = [[axis for axis in index.axes if extents[axis] > 1] for index in parts]
        joined = {axis for axes in wide if len(axes) > 1 for axis in axes}
        if joined:
            windows.append((load, joined))
    if len(windows) != 1:
        return None
    data, joined = windows[0]
    pixels = tuple(axis for axis in output if axis in joined and axis is not lane)
    others = tuple(axis for axis in output if axis not in joined and axis is not lane)
    return Windows(store, data, lane, pixels, others, {axis: axis in joined for axis in sums}, extents)


#: up to which distance the elements of lanes are loaded without a gather
_MOST_STRIDE: Final = 4


def _reads_lanes(load: BufferLoad, lane: Var) -> bool:
    """Whether a load is the same for all lanes, or of elements at a small distance."""
    if not load.indices:
        return True
    *outer, last = load.indices
    if any(lane in uses(index) for index in outer):
        return False
    if lane not in uses(last):
        return True
    parts = detect_linear_equation(last, [lane])
    return bool(parts) and isinstance(parts[0], IntImm) and 0 < parts[0].value <= _MOST_STRIDE


def _loaded_factors(store: BufferStore) -> tuple[BufferLoad, BufferLoad] | None:
    """Return the loads of a product that is added to an element; they may be cast."""
    factors = [side.value if isinstance(side, Cast) else side for side in added_factors(store) or ()]
    loads = [factor for factor in factors if isinstance(factor, BufferLoad)]
    return (loads[0], loads[1]) if len(loads) == 2 else None


def _weight_axes(indices: Sequence[Expr]) -> tuple[Var | None, ...] | None:
    """Return the different axes of indices that are an axis, a number minus an axis, or a number."""
    axes: list[Var | None] = []
    for index in indices:
        axis = index.b if isinstance(index, Sub) and isinstance(index.a, IntImm) else index
        if not isinstance(axis, (Var, IntImm)) or axis in axes:
            return None
        axes.append(axis if isinstance(axis, Var) else None)
    return tuple(axes)


def constant_extents(block: Block) -> dict[Var, int] | None:
    """Return the extents of the axes of a block, None if some are not known."""
    extents = {
        axis.var: axis.dom.extent.value
        for axis in block.iter_vars
        if axis.dom is not None and isinstance(axis.dom.extent, IntImm)
    }
    return extents if len(extents) == len(block.iter_vars) else None
