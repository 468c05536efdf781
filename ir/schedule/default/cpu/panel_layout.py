"""Weights in the layout that schedules read: panels of as many columns or channels as a tile has, terms in groups.

A kernel takes packed weights, and unpacks them in a block in front of the others, so that it means the same by itself.
Rules recognize the block; the copy into panels that they make is then the packed weights as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Expr,
    For,
    ForKind,
    IntImm,
    IterKind,
    IterVar,
    PrimFunc,
    Range,
    Stmt,
    Var,
    const,
)
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.stmt import SeqStmt, seq

#: the attribute of functions that take packed weights: their places among the parameters
PACKED: Final = "tir.packed_weights"


@dataclass(frozen=True)
class PanelLayout:
    """A layout of weights by panels: `leading` dimensions, the number of the panel, those of `terms`, its column."""

    leading: tuple[int, ...]
    #: the dimension that is split into panels of `width` columns
    column: int
    terms: tuple[int, ...]
    width: int

    def shape(self, shape: Sequence[int]) -> list[int]:
        """Return the shape of packed weights; the last panel is filled up."""
        panels = -(-shape[self.column] // self.width)
        return [*(shape[place] for place in self.leading), panels, *(shape[place] for place in self.terms), self.width]

    def indices(self, axes: Sequence[Any]) -> list[Any]:
        """Return the indices of an element of packed weights."""
        column, terms = axes[self.column], [axes[place] for place in self.terms]
        return [*(axes[place] for place in self.leading), column // self.width, *terms, column % self.width]

    def pack(self, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return weights in this layout, with zeros behind the last column."""
        packed = np.zeros(self.shape(weights.shape), weights.dtype)
        panels = np.moveaxis(packed, len(self.leading), 0)
        columns = weights.transpose([self.column, *self.leading, *self.terms])
        for panel, begin in zip(panels, range(0, len(columns), self.width), strict=True):
            panel_columns = columns[begin : begin + self.width]
            panel[..., : len(panel_columns)] = np.moveaxis(panel_columns, 0, -1)
        return packed


@dataclass(frozen=True)
class GroupLayout:
    """A layout of weights for dot products: panels of `lanes` columns, steps of `depth` terms, groups of `group` terms.

    Columns and terms are the elements of some dimensions in order, the number of which are `sizes`. A group lies side
    by side.
    """

    sizes: tuple[int, ...]
    leading: tuple[int, ...]
    columns: tuple[int, ...]
    terms: tuple[int, ...]
    lanes: int
    depth: int
    group: int

    def shape(self, shape: Sequence[int]) -> list[int]:
        """Return the shape of packed weights; the last panel and step are filled up."""
        columns, terms = (prod(shape[place] for place in places) for places in (self.columns, self.terms))
        groups = [] if self.depth == self.group else [self.depth // self.group]
        panels, steps = -(-columns // self.lanes), -(-terms // self.depth)
        return [*(shape[place] for place in self.leading), panels, steps, *groups, self.lanes, self.group]

    def indices(self, axes: Sequence[Any]) -> list[Any]:
        """Return the indices of an element of packed weights."""
        column, term = (self._flat(axes, places) for places in (self.columns, self.terms))
        groups = [] if self.depth == self.group else [term % self.depth // self.group]
        leading = [axes[place] for place in self.leading]
        return [*leading, column // self.lanes, term // self.depth, *groups, column % self.lanes, term % self.group]

    def _flat(self, axes: Sequence[Any], places: Sequence[int]) -> Any:
        index = axes[places[0]]
        for place in places[1:]:
            index = index * self.sizes[place] + axes[place]
        return index

    def pack(self, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return weights in this layout, with zeros behind the last column and term."""
        count = len(self.leading)
        leading, shape = [self.sizes[place] for place in self.leading], self.shape(weights.shape)
        columns, terms = (prod(self.sizes[place] for place in places) for places in (self.columns, self.terms))
        panels, steps = shape[count : count + 2]
        padded = np.zeros((*leading, panels * self.lanes, steps * self.depth), weights.dtype)
        ordered = weights.transpose([*self.leading, *self.columns, *self.terms])
        padded[..., :columns, :terms] = ordered.reshape(*leading, columns, terms)
        parts = padded.reshape(*leading, panels, self.lanes, steps, self.depth // self.group, self.group)
        order = [count + place for place in (0, 2, 3, 1, 4)]
        return np.ascontiguousarray(parts.transpose([*range(count), *order])).reshape(shape)


#: a layout of packed weights
WeightLayout = PanelLayout | GroupLayout


def take_packed(func: PrimFunc, place: int, layout: WeightLayout) -> PrimFunc:
    """Return a function whose parameter at a place holds packed weights, which a block in front of others unpacks."""
    param, body = func.params[place], func.body
    assert isinstance(body, BlockRealize)
    weights = func.buffer_map[param]
    shape = [size.value for size in weights.shape if isinstance(size, IntImm)]
    sizes = [const(size, weights.shape[0].dtype) for size in layout.shape(shape)]
    packed = make_buffer(sizes, weights.dtype, f"{weights.name}_packed")
    root = body.block
    rest = root.body.seq if isinstance(root.body, SeqStmt) else (root.body,)
    new_root = root.replace(
        body=seq(_unpack(packed, weights, layout), *rest), alloc_buffers=(weights, *root.alloc_buffers)
    )
    buffers = {param: packed if buffer is weights else buffer for param, buffer in func.buffer_map.items()}
    new = func.replace(buffer_map=buffers, body=body.replace(block=new_root))
    return new.with_attr(PACKED, [*_packed_places(func), place])


def _unpack(packed: Buffer, weights: Buffer, layout: WeightLayout) -> Stmt:
    """Return loops around a block that copies packed weights to their plain layout."""
    axes = [Var(f"v{place}", size.dtype) for place, size in enumerate(weights.shape)]
    loops = [Var(f"i{place}", size.dtype) for place, size in enumerate(weights.shape)]
    source = tuple(layout.indices(axes))
    iter_vars = [
        IterVar(Range.from_min_extent(const(0, size.dtype), size), axis, IterKind.DATA_PAR)
        for axis, size in zip(axes, weights.shape, strict=True)
    ]
    block = Block(
        tuple(iter_vars),
        (_element(packed, source),),
        (_element(weights, axes),),
        f"{weights.name}_unpack",
        BufferStore(weights, BufferLoad(packed, source), tuple(axes)),
    )
    stmt: Stmt = BlockRealize(tuple(loops), TRUE, block)
    for loop, size in reversed([*zip(loops, weights.shape, strict=True)]):
        stmt = For(loop, const(0, size.dtype), size, ForKind.SERIAL, stmt)
    return stmt


def _element(buffer: Buffer, indices: Sequence[Expr]) -> BufferRegion:
    return BufferRegion(buffer, tuple([Range.from_min_extent(index, const(1, index.dtype)) for index in indices]))


def packed_buffers(sch: Schedule) -> list[Buffer]:
    """Return the arguments that hold packed weights."""
    functions = [func for func in sch.mod.values() if isinstance(func, PrimFunc)]
    return [func.buffer_map[func.params[place]] for func in functions for place in _packed_places(func)]


def _packed_places(func: PrimFunc) -> list[int]:
    """Return the places of parameters that hold packed weights."""
    return [int(place) for place in func.attrs.get(PACKED, ())]
