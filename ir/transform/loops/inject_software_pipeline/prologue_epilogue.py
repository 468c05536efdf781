"""Prologue, pipelined body and epilogue of a software pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from tvmscript.ir.analysis.blocks.block_access import read_write_regions
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.tir import NOOP, Block, BlockRealize, Buffer, Expr, For, ForKind, Stmt, Var, copied, seq, substitute
from tvmscript.ir.tir.expr import GE, LE, LT, Add, IntImm, Max, Range, Sub
from tvmscript.ir.transform.loops.inject_software_pipeline.async_waits import (
    AsyncStage,
    PlacedComponent,
    WaitInserter,
    commit,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import (
    Component,
    VersionRewriter,
    add_version_dimension,
    count_versions,
    make_op,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_barriers import BulkBarriers
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import TensorMaps
from tvmscript.ir.transform.loops.inject_software_pipeline.warp_specialization import PRODUCER, Producer
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment

#: annotations of a pipeline; its loops keep all others
STAGE: Final = "software_pipeline_stage"
ORDER: Final = "software_pipeline_order"
ASYNC_STAGES: Final = "software_pipeline_async_stages"


def make_block(body: Stmt, visible: dict[Var, Buffer]) -> Block:
    """Wrap a statement in a block with read and write regions, unless it is a block."""
    if isinstance(body, BlockRealize) and not body.iter_values and fold.is_const(body.predicate, 1):
        return body.block
    reads, writes = read_write_regions(Block((), (), (), "", body), visible)
    return Block((), reads, writes, "", body, span=body.span)


def _from_first_stage(components: list[Component]) -> list[Component]:
    """Return components whose stages begin at 0."""
    first = min([component.stage for component in components])
    return [replace(component, stage=component.stage - first) for component in components]


class Pipeline:
    """A loop whose components run for different iterations at the same time."""

    def __init__(
        self,
        loop: For,
        components: list[Component],
        buffers: list[Buffer],
        doubled: set[Buffer],
        fragments: Mapping[Var, Fragment],
        visible: dict[Var, Buffer],
        around: Sequence[For],
        maps: TensorMaps,
        producer: Producer | None,
    ) -> None:
        self.loop = loop
        self.buffers = buffers
        #: data variable -> buffer visible to blocks
        self.visible = visible
        counts = {buffer: count_versions(buffer, components, doubled) for buffer in buffers}
        self.iteration = make_op(Sub, loop.loop_var, loop.min)
        #: whether readers say that they have ended; of the last iteration, the loop around says it
        is_early: Expr = TRUE
        if producer is not None and producer.loops:
            self.iteration = producer.count_iterations(loop)
            is_early = fold.make(LT, loop.loop_var, self._last_iteration())
        self.barriers: BulkBarriers | None = None
        #: what a warp group of its own runs, and what it shares with the others
        self.copies: list[Component] = []
        self.shared: list[Buffer] = []
        targets = [component.copy.tile for component in components if component.copy is not None]
        if targets:
            count = max([counts.get(target, 1) for target in targets])
            self.barriers = BulkBarriers(self.iteration, components, count, around)
            components = self.barriers.synchronize(maps, is_early, by_all=producer is None)
            self.buffers = [*buffers, *self.barriers.buffers]
            self.visible.update({buffer.data: buffer for buffer in self.barriers.buffers})
            counts |= dict.fromkeys([*targets, *self.barriers.buffers], count)
            if producer is not None:
                self.shared = [*targets, *self.barriers.buffers]
                self.copies = [component for component in components if component.copy is not None]
                components = _from_first_stage([component for component in components if component.copy is None])
        self.last_stage = max([component.stage for component in components])
        self.components = sorted(components, key=lambda component: component.order)
        self.versions = {buffer: add_version_dimension(buffer, count) for buffer, count in counts.items() if count > 1}
        self.rewriter = VersionRewriter(self.versions, self.iteration, fragments, shows_all=self.last_stage != 1)
        before_first = make_op(Sub, loop.min, 1)
        self.stages = {component.stage: AsyncStage(before_first) for component in self.components if component.is_async}
        self.analyzer = Analyzer()
        #: component -> its multi-versioned block, if it was emitted; further copies get fresh definitions
        self.emitted: dict[Component, Block] = {}
        self.annotations = {
            key: value for key, value in loop.annotations.items() if key not in (STAGE, ORDER, ASYNC_STAGES, PRODUCER)
        }

    def build(self) -> Stmt:
        """Return the pipeline as one block that allocates its buffers."""
        first, extent, stages = self.loop.min, self.loop.extent, self.last_stage
        full, end = make_op(Add, first, stages), make_op(Add, first, extent)
        drained = make_op(Add, end, stages)
        start, bound = end, None
        if self.shared:  # products of warp groups are in the text, and compiled, once
            stmts = [self.loop_over(first, end, is_unrolled=False)]
        else:
            stmts = [
                self.loop_over(first, full, is_unrolled=True),
                self.loop_over(full, end, is_unrolled=False),
            ]
            if stages > 1 and not self.analyzer.can_prove(GE(extent, IntImm(extent.dtype, stages))):
                # a short loop: the epilogue must not repeat iterations of the prologue
                if isinstance(end, IntImm):
                    start = make_op(Max, end, full)
                else:
                    bound = full
        stmts.append(self.loop_over(start, drained, is_unrolled=True, bound=bound))
        if self.barriers is not None and not self.shared:
            full_barrier, empty_barrier = [self.versions.get(each, each) for each in self.barriers.buffers]
            stmts.insert(0, self.barriers.begin(full_barrier, empty_barrier))
            stmts += self.barriers.end(full_barrier, empty_barrier)
        for buffer in self.buffers:
            self.visible.pop(buffer.data, None)
        block = make_block(seq(*stmts), self.visible)
        own = [buffer for buffer in self.buffers if buffer not in self.shared]
        allocated = tuple([self.versions.get(buffer, buffer) for buffer in own])
        return BlockRealize((), TRUE, block.replace(alloc_buffers=allocated), span=self.loop.span)

    def add_to(self, producer: Producer) -> Producer:
        """Return a warp group with the copies of the pipeline."""
        assert self.barriers is not None
        buffers = tuple([self.versions.get(buffer, buffer) for buffer in self.shared])
        var = self.loop.loop_var.replace()
        copies = seq(*[self.realize(TRUE, self.emit(component, var)) for component in self.copies])
        nest: Stmt = For(var, self.loop.min, self.loop.extent, ForKind.SERIAL, copies, span=self.loop.span)
        for loop in reversed(producer.loops):
            var = loop.loop_var.replace()
            nest = For(
                var,
                loop.min,
                loop.extent,
                ForKind.SERIAL,
                copied(nest, {loop.loop_var: var}, is_fresh=False),
                span=loop.span,
            )
        release = copied(
            self.rewriter.rewrite(self.barriers.release()), {self.loop.loop_var: self._last_iteration()}, is_fresh=False
        )
        begin = self.barriers.begin(*buffers[-2:])
        return replace(producer, buffers=buffers, begin=begin, copies=nest, release=release, end=self.barriers.leave())

    def _last_iteration(self) -> Expr:
        return make_op(Sub, make_op(Add, self.loop.min, self.loop.extent), 1)

    def loop_over(self, start: Expr, end: Expr, *, is_unrolled: bool, bound: Expr | None = None) -> Stmt:
        """Return the components for iterations start to end of stage 0, without iterations before `bound`."""
        extent = make_op(Sub, end, start)
        if self.analyzer.can_prove(LE(extent, IntImm(extent.dtype, 0))):
            return self.realize(TRUE, make_block(NOOP, {}))
        is_single = self.analyzer.can_prove_equal(extent, 1)
        var: Expr = start if is_single else self.loop.loop_var.replace()
        shift = make_op(Sub, start, self.loop.min)
        normalized = Analyzer()
        if isinstance(var, Var) and not is_single:
            self.analyzer.bind(var, Range.from_min_extent(start, extent), allow_override=True)
            normalized.bind(var, Range.from_min_extent(self.loop.min, extent))
        waits = WaitInserter(self.stages, self.analyzer, normalized)
        for component in self.components:
            predicate = self.predicate(component, var, bound)
            if self.analyzer.can_prove(fold.logical_not(predicate)):
                continue
            iteration = make_op(Sub, var, component.stage)
            if isinstance(var, Var) and not is_single:
                iteration = make_op(Add, iteration, shift)
                predicate = substitute(predicate, {var: make_op(Add, var, shift)})
            block = self.emit(component, iteration)
            waits.add(PlacedComponent(block, component.stage, predicate, iteration, component.is_async))
        stmts = self.group(waits.finish(extent))
        if not stmts:
            return self.realize(TRUE, make_block(NOOP, {}))
        body = seq(*stmts)
        if isinstance(var, Var) and not is_single:
            kind = ForKind.UNROLLED if is_unrolled else self.loop.kind
            body = For(var, self.loop.min, extent, kind, body, None, self.annotations, span=self.loop.span)
        return self.realize(TRUE, make_block(body, self.visible))

    def predicate(self, component: Component, var: Expr, bound: Expr | None) -> Expr:
        """Return the condition that the iteration of the component is one of the loop."""
        iteration, first = make_op(Sub, var, component.stage), self.loop.min
        is_begun = self.analyzer.simplify(fold.make(LE, first, iteration))
        condition = fold.logical_and(is_begun, fold.make(LT, iteration, make_op(Add, first, self.loop.extent)))
        if bound is not None:
            condition = self.analyzer.simplify(fold.logical_and(condition, fold.make(GE, var, bound)))
        return condition

    def emit(self, component: Component, iteration: Expr) -> Block:
        """Return the block of a component for an iteration."""
        is_copy = component in self.emitted
        if not is_copy:
            self.emitted[component] = self.rewriter.rewrite(component.block)
        return copied(self.emitted[component], {self.loop.loop_var: iteration}, is_fresh=is_copy)

    def group(self, components: list[PlacedComponent]) -> list[Stmt]:
        """Return the components as statements; consecutive copies of an asynchronous stage form one commit group."""
        stmts: list[Stmt] = []
        for stage, run in groupby(components, key=lambda component: component.stage if component.is_async else None):
            if stage is None:
                stmts += [self.realize(component.predicate, component.block) for component in run]
                continue
            copies = list(run)
            block = make_block(commit(stage, seq(*[component.block.body for component in copies])), self.visible)
            buffers = tuple([buffer for component in copies for buffer in component.block.alloc_buffers])
            stmts.append(self.realize(copies[0].predicate, block.replace(alloc_buffers=buffers) if buffers else block))
        return stmts

    def realize(self, predicate: Expr, block: Block) -> BlockRealize:
        """Return a realize of the block under the predicate."""
        return BlockRealize((), predicate, block, span=block.span)
