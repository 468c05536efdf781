"""Lines that several rows of a result are computed from, as of images that are enlarged: computed once for each line.

The rest of the computation reads whole lines in order, where it would collect elements for each result anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core import Node, Visitor, nodes, on, structural_equal
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.default.cpu.injective import parallelize, size_of
from tvmscript.ir.schedule.default.cpu.inlining import is_cheap, is_conditional, is_injective, is_permutation
from tvmscript.ir.schedule.default.cpu.steps import is_plain
from tvmscript.ir.schedule.default.cpu.windows import constant_extents
from tvmscript.ir.schedule.default.split_nests import put_in_nest, split_nests
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.rewrite.cache_blocks import wrap_in_loops
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    IntImm,
    PrimFunc,
    Stmt,
    Var,
    make_buffer,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import IterKind, IterVar, Range
from tvmscript.ir.tir.functor import ir_transform
from tvmscript.ir.tir.stmt import infer_regions

#: how many times as often as there are lines they are computed at least
_LEAST_REPEATED: Final = 2


def share_lines(func: PrimFunc) -> PrimFunc:
    """Return an unscheduled function that keeps the lines which its blocks compute several times.

    rewrite:
        B[vi, vj] = A[f(vi), g(vj)] + A[f(vi), h(vj)]    -->    B_lines[v, vj] = A[v, g(vj)] + A[v, h(vj)]
                                                                B[vi, vj] = B_lines[f(vi), vj]
    """
    if not isinstance(func.body, BlockRealize):
        return func
    root = func.body.block
    buffers = {buffer.data: buffer for buffer in (*func.buffer_map.values(), *root.alloc_buffers)}
    return split_nests(func, lambda nest, inner: _split_lines(nest, inner, buffers))


def _split_lines(nest: Stmt, inner: BlockRealize, buffers: dict[Var, Buffer]) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the nest that computes the lines of a nest and what is left of that, and the buffer of the lines."""
    block, store, extents = inner.block, inner.block.body, constant_extents(inner.block)
    if extents is None or not isinstance(store, BufferStore) or not is_injective(block) or not store.indices:
        return None
    values = [part for part in nodes(store.value) if isinstance(part, Expr)]
    if not any(isinstance(part, BufferLoad) and not is_permutation(part.indices) for part in values):
        return None
    if any(map(is_conditional, values)):
        return None  # indices may be out of bounds where the other value is chosen
    last = store.indices[-1]
    for axis, extent in extents.items():
        parts = _find_parts(store.value, axis)
        lines = _Lines.of(block, axis, parts) if parts and axis is not last else None
        if lines is None or last not in lines.axes or is_cheap(lines.expr):
            continue
        if len(parts) * extent < _LEAST_REPEATED * lines.size.value:
            continue
        loads: dict[Node, Node] = {part.expr: lines.load(part.row) for part in parts}
        value = ir_transform(store.value, loads.get, None)
        visible = {**buffers, lines.buffer.data: lines.buffer}
        rest = block.replace(body=store.replace(value=value))
        reads, writes = infer_regions(rest, visible)
        rest = rest.replace(reads=reads, writes=writes)
        return [lines.nest(visible), put_in_nest(nest, inner.replace(block=rest))], [lines.buffer]
    return None


@dataclass(frozen=True)
class _Part:
    """A part of a value that reads a row of a buffer: the index of the row, and how many there are."""

    expr: Expr
    row: Expr
    size: IntImm

    def of_line(self, line: Var) -> Expr:
        """Return the part with a variable in place of the row."""
        return ir_transform(self.expr, lambda node: line if structural_equal(node, self.row) else None, None)


@dataclass(frozen=True)
class _Lines:
    """The values of an expression for all lines."""

    name: str
    #: in the order of the dimensions of the buffer; the axis of the rows stands for that of the lines
    axes: tuple[Var, ...]
    axis: Var
    size: IntImm
    expr: Expr
    buffer: Buffer

    @staticmethod
    def of(block: Block, axis: Var, parts: list[_Part]) -> _Lines | None:
        """Return the lines of parts that differ in the row alone, None where they differ otherwise."""
        first, *others = [part.of_line(axis) for part in parts]
        size = parts[0].size
        if any(part.size.value != size.value for part in parts) or not all(
            structural_equal(first, other) for other in others
        ):
            return None
        used = uses(first)
        domains = {
            iter_var.var: iter_var.dom
            for iter_var in block.iter_vars
            if iter_var.dom is not None and iter_var.var in used
        }
        shape = tuple([size if var is axis else domain.extent for var, domain in domains.items()])
        name = f"{block.name_hint}_lines"
        return _Lines(name, tuple(domains), axis, size, first, make_buffer(shape, first.dtype, name))

    def load(self, row: Expr) -> BufferLoad:
        """Return the element of a line that is read in place of the expression."""
        return BufferLoad(self.buffer, tuple([row if axis is self.axis else axis for axis in self.axes]))

    def nest(self, visible: dict[Var, Buffer]) -> Stmt:
        """Return the loops that compute all lines."""
        own = [Var(axis.name, axis.dtype) for axis in self.axes]
        loops = [
            (Var(f"ax{place}", axis.dtype), Range.from_min_extent(IntImm(axis.dtype, 0), size))
            for place, (axis, size) in enumerate(zip(self.axes, self.buffer.shape, strict=True))
        ]
        axes = [IterVar(domain, var, IterKind.DATA_PAR) for var, (_, domain) in zip(own, loops, strict=True)]
        value = substitute(self.expr, dict(zip(self.axes, own, strict=True)))
        store = BufferStore(self.buffer, value, tuple(own))
        block = Block(tuple(axes), (), (point_region(self.buffer, own),), self.name, store)
        reads, writes = infer_regions(block.replace(writes=()), visible)
        block = block.replace(reads=reads, writes=writes)
        return wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))


class _PartsFinder(Visitor):
    """Find the largest parts of a value in which an axis only chooses a row that several loads read."""

    def __init__(self, axis: Var) -> None:
        self.axis = axis
        self.parts: list[_Part] = []

    @on(Expr)
    def expression(self, node: Expr) -> None:
        part = self.part_of(node)
        if part is None:
            self.walk(node)
        else:
            self.parts.append(part)

    def part_of(self, expr: Expr) -> _Part | None:
        loads = [part for part in nodes(expr) if isinstance(part, BufferLoad)]
        rows = {
            (load.buffer, place): load.indices[place]
            for load in loads
            for place, index in enumerate(load.indices)
            if self.axis in uses(index)
        }
        if len(loads) < 2 or len(rows) != 1 or not expr.dtype.is_floating:
            return None
        (((buffer, place), row),) = rows.items()
        size = buffer.shape[place]
        indices = [load.indices[place] for load in loads if load.buffer is buffer]
        if not isinstance(size, IntImm) or size.dtype is not row.dtype or self.axis.dtype is not row.dtype:
            return None
        if not all(structural_equal(index, row) for index in indices):
            return None
        count = sum(_count(index, self.axis) for index in indices)
        return _Part(expr, row, size) if count == _count(expr, self.axis) else None


def _find_parts(value: Expr, axis: Var) -> list[_Part]:
    finder = _PartsFinder(axis)
    finder.visit(value)
    return finder.parts


def _count(expr: Expr, var: Var) -> int:
    return sum(part is var for part in nodes(expr))


def schedule_lines(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block that reads whole lines of another one: lines of the same outer axes are computed before it.

    Returns what was chosen, None if the rule is not for the block. Raises `ScheduleError`.
    """
    stmt = sch.get(block)
    producers = sch.get_producers(block)
    if not is_injective(stmt) or len(producers) != 1 or not is_plain(sch, producers[0]):
        return None
    producer = sch.get(producers[0])
    if not is_injective(producer) or len(sch.get_consumers(producers[0])) != 1:
        return None
    buffer = producer.writes[0].buffer
    axes = [axis.var for axis in stmt.iter_vars]
    loads = [part for part in nodes(stmt.body) if isinstance(part, BufferLoad) and part.buffer is buffer]
    shared = 0
    while shared < len(axes) - 1 and all(
        shared < len(load.indices) and load.indices[shared] is axes[shared] for load in loads
    ):
        shared += 1
    loops = sch.get_loops(block)
    if not shared or not all(len(load.indices) > shared + 1 and load.indices[-1] is axes[-1] for load in loads):
        return None
    sch.compute_at(producers[0], loops[shared - 1])
    steps = prod(size_of(sch, loop) for loop in loops[shared:])
    return f"with {producer.name_hint} in {shared} loops, {parallelize(sch, loops[:shared], steps)}"
