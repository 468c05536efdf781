"""The loops of a software pipeline: one that fills it, one in which all stages run, one that empties it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from tvmscript.ir.analysis.block_access import read_write_regions
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LE, LT, Add, IntImm, Max, Range, Sub
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, ForKind, seq
from tvmscript.ir.tir.substitute import copied, substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.loops.inject_software_pipeline.async_waits import AsyncStage, Placed, Waits, commit
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import (
    Component,
    Versions,
    of,
    versioned,
    versions_needed,
)
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment

#: Annotations that say what a pipeline is; its loops keep the others.
STAGE: Final = "software_pipeline_stage"
ORDER: Final = "software_pipeline_order"
ASYNC_STAGES: Final = "software_pipeline_async_stages"


def made_block(body: Stmt, visible: dict[Var, Buffer]) -> Block:
    """The body as a block that states what it reads and writes; a body that is a block is that one."""
    if isinstance(body, BlockRealize) and not body.iter_values and fold.is_const(body.predicate, 1):
        return body.block
    reads, writes = read_write_regions(Block((), (), (), "", body), visible)
    return Block((), reads, writes, "", body, span=body.span)


class Pipeline:
    """A loop whose components run for different iterations at a time."""

    def __init__(
        self,
        loop: For,
        components: list[Component],
        buffers: list[Buffer],
        doubled: set[Buffer],
        fragments: Mapping[Var, Fragment],
        visible: dict[Var, Buffer],
    ) -> None:
        self.loop = loop
        self.components = sorted(components, key=lambda each: each.order)
        self.buffers = buffers
        #: data -> buffer: what blocks state accesses of
        self.visible = visible
        self.last_stage = max([each.stage for each in components])
        counts = {buffer: versions_needed(buffer, components, doubled) for buffer in buffers}
        self.versions = {buffer: versioned(buffer, count) for buffer, count in counts.items() if count > 1}
        self.rewriter = Versions(self.versions, loop, fragments, shows_all=self.last_stage != 1)
        before_first = of(Sub, loop.min, 1)
        self.stages = {each.stage: AsyncStage(before_first) for each in self.components if each.is_async}
        self.analyzer = Analyzer()
        #: components that stand in the program already, with versions: copies get definitions of their own
        self.used: dict[Component, Block] = {}
        self.annotations = {
            key: value for key, value in loop.annotations.items() if key not in (STAGE, ORDER, ASYNC_STAGES)
        }

    def built(self) -> Stmt:
        """The pipeline as one block, which allocates its buffers: they are not visible any more."""
        first, extent, stages = self.loop.min, self.loop.extent, self.last_stage
        full, end = of(Add, first, stages), of(Add, first, extent)
        drained = of(Add, end, stages)
        before = self.loop_over(first, full, is_unrolled=True)
        body = self.loop_over(full, end, is_unrolled=False)
        start, bound = end, None
        if stages > 1 and not self.analyzer.can_prove(GE(extent, IntImm(extent.dtype, stages))):
            # a short loop: what the first part has done already is not done again
            if isinstance(end, IntImm):
                start = of(Max, end, full)
            else:
                bound = full
        after = self.loop_over(start, drained, is_unrolled=True, bound=bound)
        for buffer in self.buffers:
            self.visible.pop(buffer.data, None)
        block = made_block(seq(before, body, after), self.visible)
        allocated = tuple([self.versions.get(buffer, buffer) for buffer in self.buffers])
        return BlockRealize((), TRUE, block.replace(alloc_buffers=allocated), span=self.loop.span)

    def loop_over(self, start: Expr, end: Expr, *, is_unrolled: bool, bound: Expr | None = None) -> Stmt:
        """The components for the iterations from start to end of stage 0; those before `bound` are left out."""
        extent = of(Sub, end, start)
        if self.analyzer.can_prove(LE(extent, IntImm(extent.dtype, 0))):
            return self.realized(TRUE, made_block(NOOP, {}))
        is_single = self.analyzer.can_prove_equal(extent, 1)
        var: Expr = start if is_single else self.loop.loop_var.replace()
        shift = of(Sub, start, self.loop.min)
        normalized = Analyzer()
        if isinstance(var, Var) and not is_single:
            self.analyzer.bind(var, Range.from_min_extent(start, extent), allow_override=True)
            normalized.bind(var, Range.from_min_extent(self.loop.min, extent))
        waits = Waits(self.stages, self.analyzer, normalized)
        for each in self.components:
            predicate = self.predicate(each, var, bound)
            if self.analyzer.can_prove(fold.logical_not(predicate)):
                continue
            iteration = of(Sub, var, each.stage)
            if isinstance(var, Var) and not is_single:
                iteration = of(Add, iteration, shift)
                predicate = substitute(predicate, {var: of(Add, var, shift)})
            block = self.placed(each, iteration)
            waits.add(Placed(block, each.stage, predicate, iteration, each.is_async))
        stmts = self.grouped(waits.finish(extent))
        if not stmts:
            return self.realized(TRUE, made_block(NOOP, {}))
        body = seq(*stmts)
        if isinstance(var, Var) and not is_single:
            kind = ForKind.UNROLLED if is_unrolled else self.loop.kind
            body = For(var, self.loop.min, extent, kind, body, None, self.annotations, span=self.loop.span)
        return self.realized(TRUE, made_block(body, self.visible))

    def predicate(self, component: Component, var: Expr, bound: Expr | None) -> Expr:
        """Whether the component's iteration is one of the loop's."""
        iteration, first = of(Sub, var, component.stage), self.loop.min
        is_begun = self.analyzer.simplify(fold.make(LE, first, iteration))
        made = fold.logical_and(is_begun, fold.make(LT, iteration, of(Add, first, self.loop.extent)))
        if bound is not None:
            made = self.analyzer.simplify(fold.logical_and(made, fold.make(GE, var, bound)))
        return made

    def placed(self, component: Component, iteration: Expr) -> Block:
        """The component's block for an iteration."""
        is_copy = component in self.used
        if not is_copy:
            self.used[component] = self.rewriter.rewrite(component.block)
        return copied(self.used[component], {self.loop.loop_var: iteration}, is_fresh=is_copy)

    def grouped(self, items: list[Placed]) -> list[Stmt]:
        """The components as statements: the copies of an asynchronous stage that follow each other are one group."""
        made: list[Stmt] = []
        for stage, group in groupby(items, key=lambda item: item.stage if item.is_async else None):
            if stage is None:
                made += [self.realized(item.predicate, item.block) for item in group]
                continue
            copies = list(group)
            block = made_block(commit(stage, seq(*[item.block.body for item in copies])), self.visible)
            buffers = tuple([buffer for item in copies for buffer in item.block.alloc_buffers])
            made.append(self.realized(copies[0].predicate, block.replace(alloc_buffers=buffers) if buffers else block))
        return made

    def realized(self, predicate: Expr, block: Block) -> BlockRealize:
        """The block where the predicate holds."""
        return BlockRealize((), predicate, block, span=block.span)
