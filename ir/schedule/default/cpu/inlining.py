"""Inline producers into their consumers where that saves memory and repeats no expensive work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from tvmscript.ir.core import Op, Visitor, nodes, on
from tvmscript.ir.schedule.default.cpu.panel_layout import packed_buffers
from tvmscript.ir.schedule.default.schedule_rule import log
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import (
    Block,
    Buffer,
    BufferLoad,
    BufferStore,
    Call,
    Expr,
    IntImm,
    IterKind,
    LetStmt,
    SeqStmt,
    Stmt,
    Var,
)
from tvmscript.ir.tir.expr import BinaryOp, Cast, CompareOp, Div, FloorDiv, FloorMod, Select

#: costs of an operation; all others cost 1
_COSTS: Final[dict[type[Expr], int]] = {Div: 8, FloorDiv: 8, FloorMod: 8, Call: 16}
#: cost up to which computing a value again is cheaper than storing it
_CHEAP: Final = 6
#: nodes of a value up to which producers are inlined into it
_MOST_NODES: Final = 400


def inline_producers(sch: Schedule, root: BlockRV) -> list[str]:
    """Inline the injective producers that `is_inlinable` allows, in program order; return the names of their blocks.

    Blocks that unpack weights stay: rules look for them.
    """
    inlined: list[str] = []
    packed = packed_buffers(sch)
    for block in sch.get_child_blocks(root):
        stmt = sch.get(block)
        if not is_injective(stmt) or stmt.writes[0].buffer not in sch.get(root).alloc_buffers:
            continue
        if any(region.buffer in packed for region in stmt.reads):
            continue
        consumers = [sch.get(consumer) for consumer in sch.get_consumers(block)]
        if not is_inlinable(stmt, consumers):
            continue
        try:
            sch.compute_inline(block)
        except ScheduleError as error:
            log.debug("%s stays: %s", stmt.name_hint, error.text)
            continue
        inlined.append(stmt.name_hint)
    return inlined


def is_injective(block: Block) -> bool:
    """Whether a block computes one element of one buffer in each iteration, and each element once."""
    store = block.body
    if block.init is not None or not isinstance(store, BufferStore) or store.predicate is not None:
        return False
    is_spatial = all(axis.iter_type is IterKind.DATA_PAR for axis in block.iter_vars)
    reads_itself = any(load.buffer is store.buffer for load in _loads(store.value))
    return is_spatial and not reads_itself and len(block.writes) == 1


def is_inlinable(producer: Block, consumers: Sequence[Block]) -> bool:
    """Whether a producer costs no more inside of its consumers.

    Copies with exchanged dimensions cost nothing anywhere. Cheap values are computed again by blocks without
    reductions; expensive values, and those that a reduction reads, are inlined if each element is used once. What
    depends on a condition, such as padding, stays in front of reductions.
    """
    store = producer.body
    assert isinstance(store, BufferStore)
    uses = [(consumer, load) for consumer in consumers for load in _loads_of(consumer, store.buffer)]
    if not uses or not all(_is_straight(consumer.body) for consumer in consumers):
        return False
    size = sum(1 for _ in nodes(store.value))
    if any(size * len(uses) + sum(1 for _ in nodes(consumer.body)) > _MOST_NODES for consumer in consumers):
        return False
    if isinstance(store.value, BufferLoad) and is_permutation(store.value.indices):
        return True
    is_reduced = any(not is_injective(consumer) for consumer in consumers)
    is_constant = next(_loads(store.value), None) is None
    if is_reduced and (is_constant or any(map(is_conditional, _expressions(store.value)))):
        return False
    cheap = is_cheap(store.value)
    is_once = not any(_is_repeated(producer, *use) for use in uses if not cheap or not is_injective(use[0]))
    return is_once and (cheap or len(uses) == 1)


def is_permutation(indices: Sequence[Expr]) -> bool:
    """Whether indices are different variables, beside constants."""
    axes = [index for index in indices if not isinstance(index, IntImm)]
    return all(isinstance(index, Var) for index in axes) and len({*axes}) == len(axes)


def is_cheap(value: Expr) -> bool:
    """Whether computing a value again costs less than storing it."""
    return cost_of(value) <= _CHEAP


def cost_of(value: Expr) -> int:
    """Return an estimate of the cycles of computing a value for a vector, without its loads and indices."""
    costs = _Costs()
    costs.visit(value)
    return costs.total


class _Costs(Visitor):
    def __init__(self) -> None:
        self.total = 0

    @on(BinaryOp, CompareOp, Cast, Select, Call)
    def operation(self, node: Expr) -> None:
        if not any(isinstance(part, (BufferLoad, Var)) for part in nodes(node)):
            return  # a constant
        self.total += 1 if is_conditional(node) else _COSTS.get(type(node), 1)
        self.walk(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        """Leave out the indices."""


def is_conditional(value: Expr) -> bool:
    """Whether an expression is a choice between values, of which one is evaluated."""
    return isinstance(value, Call) and isinstance(value.op, Op) and value.op.name == "tir.if_then_else"


def _expressions(value: Expr) -> Iterator[Expr]:
    return (part for part in nodes(value) if isinstance(part, Expr))


def _loads(value: Expr) -> Iterator[BufferLoad]:
    return (part for part in nodes(value) if isinstance(part, BufferLoad))


def _loads_of(block: Block, buffer: Buffer) -> list[BufferLoad]:
    return [part for part in nodes(block.body) if isinstance(part, BufferLoad) and part.buffer is buffer]


def _is_straight(body: Stmt) -> bool:
    """Whether all of a body runs once in each iteration, as of reductions of one value or several."""
    return all(isinstance(part, (BufferStore, LetStmt, SeqStmt)) for part in nodes(body) if isinstance(part, Stmt))


def _is_repeated(producer: Block, consumer: Block, load: BufferLoad) -> bool:
    """Whether a consumer may read an element in several iterations."""
    extents = [[axis.dom.extent for axis in block.iter_vars if axis.dom is not None] for block in (producer, consumer)]
    elements, iterations = (
        prod(extent.value for extent in each if isinstance(extent, IntImm))
        if all(isinstance(extent, IntImm) for extent in each)
        else None
        for each in extents
    )
    if elements is not None and iterations is not None:
        return iterations > elements
    axes = {axis.var for axis in consumer.iter_vars if not _is_unit(axis.dom)}
    return not is_permutation(load.indices) or not axes <= {*load.indices}


def _is_unit(domain: object) -> bool:
    extent = getattr(domain, "extent", None)
    return isinstance(extent, IntImm) and extent.value == 1
