"""Warp specialization: a warp group of its own starts the bulk copies of a pipeline, the others compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tvmscript.ir.analysis.blocks.block_access import read_write_regions
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import IRError, Node, nodes
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferStore,
    Evaluate,
    Expr,
    For,
    ForKind,
    IfThenElse,
    IntImm,
    LetStmt,
    Range,
    Stmt,
    Var,
    While,
    seq,
    substitute,
)
from tvmscript.ir.tir.expr import EQ, LT, Add, Call, Mul, Sub
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import Component, make_op
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_arrays import bound_analyzer
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import BULK_COPY, constant_extent

#: annotation of a pipeline: registers of a thread that copies, and of one that computes
PRODUCER: Final = "software_pipeline_producer"
_GROUP: Final = 128
#: registers that a thread may ask for
_FEWEST, _MOST, _UNIT = 24, 256, 8
#: calls at which all threads of a block meet
_MEETINGS: Final = frozenset({"tir.tvm_storage_sync", "tir.cuda.cta_sync", "tir.tvm_thread_allreduce"})


class CannotSpecialize(IRError, code="TS4049"):
    """A pipeline with the annotation `software_pipeline_producer` cannot leave its copies to a warp group of their own.
    The annotation holds the registers of a thread of this group and of the others, multiples of 8 from 24 to 256. All
    asynchronous statements are bulk copies. The innermost axes of the launch are groups of 128 threads, and one axis
    counts the groups. In a thread, only serial loops are around the pipeline; where its number of steps is no constant,
    only one of at most two iterations. Nothing else in the launch writes shared memory or waits for all threads.
    """

    message = "the pipeline over {loop} cannot have a producer: {problem}"


@dataclass(frozen=True)
class Producer:
    """A warp group that is added to a launch: what it copies, and what the launch has for it."""

    #: the axis that counts the groups, and the innermost one
    groups: For
    innermost: For
    registers: tuple[int, int]
    #: loops around the pipeline in each thread
    loops: tuple[For, ...] = ()
    #: what all threads share
    buffers: tuple[Buffer, ...] = ()
    #: what all threads run first
    begin: Stmt | None = None
    #: what the first thread of the group runs
    copies: Stmt | None = None
    #: what the others run at the end of the loop around the pipeline, if there is one
    release: Stmt | None = None
    #: what all threads run last
    end: Stmt | None = None

    @staticmethod
    def find(loop: For, components: Sequence[Component], around: Sequence[For]) -> Producer | None:
        """Return the group that a pipeline asks for, if it does. Raises `CannotSpecialize`."""
        given = loop.annotations.get(PRODUCER)
        if given is None:
            return None
        numbers = [each.value for each in given if isinstance(each, IntImm)] if isinstance(given, tuple) else []
        if len(numbers) != 2 or any(not _FEWEST <= each <= _MOST or each % _UNIT for each in numbers):
            raise _refuse(loop, "the annotation does not hold two numbers of registers")
        copies = [component for component in components if component.is_async]
        if not copies or any(component.copy is None for component in copies):
            raise _refuse(loop, "its asynchronous statements are no bulk copies")
        threads = [each for each in around if _thread_tag(each).startswith("threadIdx")]
        ordered = sorted(threads, key=_thread_tag)
        sizes = [constant_extent(each) for each in ordered]
        place = next((number for number in range(1, len(sizes)) if prod(sizes[:number]) == _GROUP), None)
        if place is None or prod(sizes[place + 1 :]) != 1 or not sizes[place]:
            raise _refuse(loop, "no axis of the launch counts groups of 128 threads")
        loops = tuple(around[around.index(threads[-1]) + 1 :])
        if any(each.kind is not ForKind.SERIAL for each in loops):
            raise _refuse(loop, "it is inside of a loop that is not serial")
        if constant_extent(loop) < 1 and any(len(loops) > 1 or not _has_two_turns(each, around) for each in loops):
            raise _refuse(loop, "it has an unknown number of steps inside of a loop of more than two iterations")
        _check_launch(loop, threads[-1])
        return Producer(ordered[place], threads[-1], (numbers[0], numbers[1]), loops)

    def count_iterations(self, loop: For) -> Expr:
        """Return how many iterations of a pipeline were begun before the current one, in all loops around."""
        count: Expr = IntImm(loop.loop_var.dtype, 0)
        if self.loops and constant_extent(loop) < 1:  # there are two turns at most
            (turn,) = self.loops
            of_first = substitute(loop.extent, {turn.loop_var: turn.min})
            before = make_op(Mul, of_first, make_op(Sub, turn.loop_var, turn.min))
            return make_op(Add, before, make_op(Sub, loop.loop_var, loop.min))
        for each in (*self.loops, loop):
            count = make_op(Add, make_op(Mul, count, each.extent), make_op(Sub, each.loop_var, each.min))
        return count

    def extend(self, loop: For) -> For:
        """Return an axis of the launch with the group."""
        return loop.replace(extent=make_op(Add, loop.extent, 1))

    def split(self, body: Stmt, threads: Sequence[For], visible: dict[Var, Buffer]) -> Stmt:
        """Return what the threads run: one of the group copies, those of other groups run the body."""
        assert self.begin is not None
        assert self.copies is not None
        is_consumer = fold.make(LT, self.groups.loop_var, self.groups.extent)
        inner = [each for each in threads if "threadIdx" < _thread_tag(each) < _thread_tag(self.groups)]
        is_first: Expr = TRUE
        for thread in inner:
            is_first = fold.logical_and(is_first, fold.make(EQ, thread.loop_var, IntImm(thread.loop_var.dtype, 0)))
        fewer, more = self.registers
        copying = seq(_set_registers("dec", fewer), IfThenElse(is_first, self.copies))
        branch = IfThenElse(is_consumer, seq(_set_registers("inc", more), body), copying)
        last = () if self.end is None else (self.end,)
        block = Block((), (), (), "", seq(self.begin, branch, *last), alloc_buffers=self.buffers)
        reads, writes = read_write_regions(block, visible)
        return BlockRealize((), TRUE, block.replace(reads=reads, writes=writes))


def _has_two_turns(loop: For, around: Sequence[For]) -> bool:
    """Return whether a loop has two iterations at most."""
    analyzer = bound_analyzer((each.loop_var, Range.from_min_extent(each.min, each.extent)) for each in around)
    most = analyzer.const_bounds(loop.extent).high
    return most is not None and most <= 2


def _refuse(loop: For, problem: str) -> CannotSpecialize:
    return CannotSpecialize(loop=loop.loop_var.name, problem=problem, span=loop.span)


def _thread_tag(loop: For) -> str:
    return loop.thread_binding.thread_tag if loop.thread_binding is not None else ""


def _set_registers(direction: str, count: int) -> Stmt:
    return Evaluate(ptx_call("setmaxnreg", (direction, "sync", "aligned", "u32"), PtxOperands((count,))))


def _check_launch(loop: For, launch: For) -> None:
    """Raise `CannotSpecialize` where threads of a launch share memory, or wait, beside the copies of the pipeline."""
    copied: set[Node] = set()
    for node in nodes(launch):
        if isinstance(node, Block) and BULK_COPY in node.annotations:
            copied.update(nodes(node))
    for node in nodes(launch):
        if isinstance(node, BufferStore) and node.buffer.storage_scope.startswith("shared") and node not in copied:
            raise _refuse(loop, f"threads share {node.buffer.name}")
        if isinstance(node, Call) and getattr(node.op, "name", "") in _MEETINGS:
            raise _refuse(loop, "threads of the launch wait for each other")
        if isinstance(node, For) and node is not loop and PRODUCER in node.annotations:
            raise _refuse(loop, "another pipeline of the launch has one")
        is_conditional = isinstance(node, BlockRealize) and not fold.is_const(node.predicate, 1)
        if (is_conditional or isinstance(node, (IfThenElse, LetStmt, While))) and loop in set(nodes(node)):
            raise _refuse(loop, "it is inside of a condition")
