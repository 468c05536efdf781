"""Barriers of bulk copies: of each version one that its copies have arrived, one that its readers have ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import INT32
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    Cast,
    Evaluate,
    Expr,
    For,
    IfThenElse,
    IntImm,
    Stmt,
    make_buffer,
    seq,
)
from tvmscript.ir.tir.expr import EQ, LT, Add, FloorDiv, FloorMod, Mul, StringImm
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import Component, make_op
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import (
    BulkCopy,
    TensorMaps,
    constant_extent,
    refuse,
)

_WARP: Final = 32
_MBARRIER_SPACE: Final = "shared::cta"


def _barrier(name: str) -> Buffer:
    return make_buffer((1,), "uint64", name, scope="shared")


def _if(condition: Expr, *stmts: Stmt) -> Stmt:
    return IfThenElse(condition, seq(*stmts))


def _call(path: str, *args: object) -> Stmt:
    return Evaluate(INSTRUCTIONS[path](*args))


def _mbarrier(words: Sequence[str], *operands: object) -> Stmt:
    return Evaluate(ptx_call("mbarrier", (*words, _MBARRIER_SPACE, "b64"), PtxOperands(operands)))


def _address(barrier: Buffer, *index: int) -> Expr:
    return address_of(BufferLoad(barrier, tuple([IntImm(INT32, number) for number in index])))


def _sync_block() -> Stmt:
    return Evaluate(tvm_storage_sync(StringImm("shared")))


class BulkBarriers:
    """The barriers of the bulk copies of a pipeline.

    One thread, the first one of the block where no warp group copies, waits until a version is empty, expects the bytes
    of a tile, and starts its copy. The first reader of a tile waits until the version is full; each warp says that it
    is empty after the last one. Where blocks of a cluster share copies, it says so to all of them.
    """

    def __init__(self, iteration: Expr, components: Sequence[Component], versions: int, around: Sequence[For]) -> None:
        self.full, self.empty = _barrier("full_barrier"), _barrier("empty_barrier")
        self._components, self._versions = components, versions
        self._copies = [component for component in components if component.copy is not None]
        threads = sorted(
            [each for each in around if each.thread_binding and each.thread_binding.thread_tag.startswith("threadIdx")],
            key=lambda each: each.thread_binding.thread_tag if each.thread_binding else "",
        )
        count = prod([constant_extent(thread) for thread in threads])
        if not threads or count == 0 or count % _WARP:
            raise refuse(self._copies[0].block, "the threads around it are no whole warps")
        self._warps = count // _WARP
        number: Expr = IntImm(INT32, 0)
        size = 1
        for thread in threads:
            number = make_op(Add, number, make_op(Mul, thread.loop_var, size))
            size *= constant_extent(thread)
        self._is_first = fold.make(EQ, number, IntImm(number.dtype, 0))
        self._round = make_op(FloorDiv, iteration, versions)
        self._lane = make_op(FloorMod, number, _WARP)
        clusters = [component.copy.cluster for component in self._copies if component.copy and component.copy.cluster]
        #: how many blocks wait until a version is empty
        self._blocks = constant_extent(clusters[0]) if clusters else 1
        outer = next(place for place, each in enumerate(around) if each.thread_binding)
        #: whether the pipeline runs several times in a launch
        self._is_repeated = any(each.thread_binding is None for each in around[outer:])

    @property
    def buffers(self) -> tuple[Buffer, Buffer]:
        """What the pipeline allocates: one element of each for a version."""
        return self.full, self.empty

    def synchronize(self, maps: TensorMaps, is_early: Expr, *, by_all: bool) -> list[Component]:
        """Return the components with what they wait for and say; `by_all`: all threads reach the copies.

        Readers say themselves that they have ended in iterations that are early.
        """
        targets = {component.copy.tile for component in self._copies if component.copy is not None}
        readers = [
            component for component in self._components
            if component.copy is None and any(region.buffer in targets for region in component.block.reads)
        ]  # fmt: skip
        if not readers:
            raise refuse(self._copies[0].block, "no statement of the pipeline reads the tile")
        first = min(readers, key=lambda reader: (reader.stage, reader.order))
        last = max(readers, key=lambda reader: (reader.stage, reader.order))
        components: list[Component] = []
        for component in self._components:
            stmts = [component.block.body]
            if component.copy is not None:
                stmts = self._issue(component.copy, maps)
                if by_all:
                    stmts = [_if(self._is_first, *stmts), _call("cuda.warp_sync")]
            if component is first:
                stmts.insert(0, self._wait(self.full, 0))
            if component is last:
                stmts.append(self.release(is_early))
            block = component.block if len(stmts) == 1 else component.block.replace(body=seq(*stmts))
            components.append(replace(component, block=block, is_async=component.is_async and component.copy is None))
        return components

    def release(self, condition: Expr = TRUE) -> Stmt:
        """Return what says that the readers of an iteration have ended: a thread of each warp, to a block of each."""
        empty = _address(self.empty, 0)
        arrival = _mbarrier(("arrive",), empty) if self._blocks == 1 else self._arrive_at_block(empty)
        kind, number = (EQ, 0) if self._blocks == 1 else (LT, self._blocks)
        arrives = fold.make(kind, self._lane, IntImm(self._lane.dtype, number))
        return seq(_call("cuda.warp_sync"), _if(fold.logical_and(condition, arrives), arrival))

    def _arrive_at_block(self, barrier: Expr) -> Stmt:
        """Arrive at the barrier of a block of the cluster, whose number is that of the thread in the warp."""
        place = make_buffer((1,), "uint32", "barrier", scope="local")
        own = INSTRUCTIONS["cuda.cvta_generic_to_shared"](barrier)
        number = BufferLoad(place, (IntImm(INT32, 0),))
        lane = Cast("uint32", self._lane)
        stmts = (
            Evaluate(ptx_call("mapa", ("shared::cluster", "u32"), PtxOperands((number, own, lane)))),
            Evaluate(
                ptx_call("mbarrier", ("arrive", "release", "cluster", "shared::cluster", "b64"), PtxOperands((number,)))
            ),
        )
        return BlockRealize((), TRUE, Block((), (), (), "", seq(*stmts), alloc_buffers=(place,)))

    def _issue(self, copy: BulkCopy, maps: TensorMaps) -> list[Stmt]:
        full = _address(self.full, 0)
        expect = _mbarrier(("arrive", "expect_tx"), full, copy.byte_count)
        wait = self._wait(self.empty, 1)
        part = copy.part_of_block()
        assert part is not None
        return [wait, expect, part.issue(maps.map_of(part), full)]

    def _wait(self, barrier: Buffer, begun: int) -> Stmt:
        """Wait for the phase of the iteration; `begun` phases are thought to be over before the first one."""
        phase = make_op(FloorMod, make_op(Add, self._round, begun), 2)
        is_of_cluster = barrier is self.empty and self._blocks > 1
        path = "cuda.mbarrier_wait_acquire_cluster" if is_of_cluster else "cuda.mbarrier_wait"
        return _call(path, _address(barrier, 0), phase)

    def begin(self, full: Buffer, empty: Buffer) -> Stmt:
        """Return what initializes the barriers, given as they are allocated."""
        counts = ((full, len(self._copies)), (empty, self._warps * self._blocks))
        stmts = [
            _mbarrier(("init",), self._slot(barrier, slot), count)
            for barrier, count in counts
            for slot in range(self._versions)
        ]
        fence = Evaluate(ptx_call("fence", ("mbarrier_init", "release", "cluster"), PtxOperands(())))
        return seq(_if(self._is_first, *stmts, fence), self.leave() or _sync_block())

    def leave(self) -> Stmt | None:
        """Return what waits for the other blocks of a cluster, if they access the memory of the block."""
        return seq(_call("cuda.warp_sync"), _call("cuda.cluster_sync")) if self._blocks > 1 else None

    def end(self, full: Buffer, empty: Buffer) -> list[Stmt]:
        """Return what ends the life of the barriers, where the pipeline may begin again."""
        if not self._is_repeated:
            return []
        slots = [self._slot(barrier, slot) for barrier in (full, empty) for slot in range(self._versions)]
        return [_sync_block(), _if(self._is_first, *[_mbarrier(("inval",), slot) for slot in slots]), _sync_block()]

    def _slot(self, barrier: Buffer, slot: int) -> Expr:
        return _address(barrier, slot, 0) if len(barrier.shape) > 1 else _address(barrier, 0)
