"""Asynchronous stages of a software pipeline: which copies are committed together, and how long each use waits.

A group of copies is committed in each iteration. A component that uses what they bring waits until no more groups
are on their way than may be: those of the iterations between its own and the last one that was started.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LT, Add, IntImm, Max, Sub
from tvmscript.ir.tir.intrin.bits import bitwise_and
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.stmt import AttrStmt, Block
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import of

_ZERO: Final = IntImm(INT32, 0)


class SeveralAsyncStages(IRError):
    """A statement of a software pipeline reads what two asynchronous stages write. It would have to wait for both;
    put the copies into one stage.
    """

    code = "TS4055"
    message = "block {block} of the software pipeline waits for the asynchronous stages {first} and {second}"


@dataclass
class Placed:
    """A component where a loop of the pipeline runs it."""

    block: Block
    stage: int
    predicate: Expr
    #: the iteration that it works on
    iteration: Expr
    is_async: bool


@dataclass
class AsyncStage:
    """What is known of an asynchronous stage over all loops of the pipeline."""

    #: the last iteration whose copies were committed; None where that is not known
    head: Expr | None
    #: what its copies write
    targets: set[Buffer] = field(default_factory=set[Buffer])
    #: the group of its copies that writes a buffer, in each loop of its own
    group_of: dict[Buffer, int] = field(default_factory=dict[Buffer, int])


@dataclass
class _InLoop:
    """What is known of an asynchronous stage in the loop at hand."""

    head: Expr | None = None
    predicate: Expr | None = None
    #: how many groups there are so far
    groups: int = 0
    #: whether somebody has read what its last group brings: what is copied after that makes another group
    is_read: bool = False
    #: buffers that were written so far
    seen: set[Buffer] = field(default_factory=set[Buffer])
    #: position of the last component that started copies
    last_start: int = -1
    #: positions of the components that wait, and how many groups may be on their way then
    waits: list[tuple[int, Expr]] = field(default_factory=list[tuple[int, Expr]])


class Waits:
    """Collects the components of one loop of a pipeline, in order, then puts groups and waits into them."""

    def __init__(self, stages: dict[int, AsyncStage], analyzer: Analyzer, normalized: Analyzer) -> None:
        self.stages = stages
        #: knows the loop's variable as the bounds of the loop give it
        self.analyzer = analyzer
        #: knows it as the bounds of the pipeline give it
        self.normalized = normalized
        self.local: dict[int, _InLoop] = {}
        self.placed: list[Placed] = []

    def add(self, item: Placed) -> None:
        """The next component."""
        if item.is_async:
            self._start(item)
        self.placed.append(item)
        for number in self._awaited(item):
            self.local.setdefault(number, _InLoop()).is_read = True

    def _start(self, item: Placed) -> None:
        stage, local = self.stages[item.stage], self.local.setdefault(item.stage, _InLoop())
        if not local.groups or local.is_read:
            local.groups += 1
            local.is_read = False
        for region in item.block.writes:
            stage.targets.add(region.buffer)
            stage.group_of[region.buffer] = local.groups
        local.head = item.iteration
        if local.predicate is None or self.normalized.can_prove(local.predicate):
            local.predicate = item.predicate
        else:
            local.predicate = self.normalized.simplify(bitwise_and(local.predicate, item.predicate))
        item.block = item.block.replace(body=_attribute("async_scope", IntImm(INT32, 1), item.block.body))

    def _awaited(self, item: Placed) -> Iterator[int]:
        """Asynchronous stages that write what a component reads."""
        for number, stage in self.stages.items():
            if number <= item.stage and any(region.buffer in stage.targets for region in item.block.reads):
                yield number

    # -- waits

    def finish(self, extent: Expr) -> list[Placed]:
        """The components, those that wait with their waits. The loop is over: it has `extent` iterations."""
        for position, item in enumerate(self.placed):
            self._find_wait(position, item)
        for number, local in self.local.items():
            for position, count in local.waits:
                self._wait(number, local, position, count)
            self._advance(self.stages[number], local, extent)
        return self.placed

    def _find_wait(self, position: int, item: Placed) -> None:
        if item.is_async:
            own = self.local[item.stage]
            own.seen.update(region.buffer for region in item.block.writes)
            own.last_start = position
        awaited = list(self._awaited(item))
        if not awaited:
            return
        if len(awaited) > 1:
            raise SeveralAsyncStages(
                block=item.block.name_hint or "(without name)",
                first=awaited[0],
                second=awaited[1],
                span=item.block.span,
            )
        stage, local = self.stages[awaited[0]], self.local.setdefault(awaited[0], _InLoop())
        count = self._allowed(item, self._heads(item, stage, local))
        if not local.waits or not self._covers(local.waits[-1][0], item, stage, local):
            local.waits.append((position, count))
            return
        first, allowed = local.waits[-1]
        if self.analyzer.can_prove(LT(*match_types(count, allowed))):
            # one wait does for both: the first, for as many as the stricter one needs
            local.waits[-1] = first, count

    def _covers(self, position: int, later: Placed, stage: AsyncStage, local: _InLoop) -> bool:
        """Whether the wait of the component there does for a later one too: no copies were started in between, and it
        runs wherever the later one does, or has waited for the same copies in the same iteration of the pipeline.
        """
        earlier = self.placed[position]
        if local.last_start > position:
            return False
        if earlier.stage == later.stage or self.normalized.can_prove(earlier.predicate):
            return True
        first, second = [
            {region.buffer for region in each.block.reads if region.buffer in stage.targets}
            for each in (earlier, later)
        ]
        return earlier.stage < later.stage and second <= first

    def _heads(self, item: Placed, stage: AsyncStage, local: _InLoop) -> list[Expr | None]:
        """For each group that brings what a component reads: the iteration whose copies were committed last."""
        if local.head is None:
            return [stage.head]
        heads: list[Expr | None] = []
        groups: set[int] = set()
        for region in item.block.reads:
            if region.buffer in stage.targets and stage.group_of[region.buffer] not in groups:
                groups.add(stage.group_of[region.buffer])
                # where the copy comes later in the loop, the last one was that of the iteration before
                heads.append(local.head if region.buffer in local.seen else of(Sub, local.head, 1))
        return heads

    def _allowed(self, item: Placed, heads: list[Expr | None]) -> Expr:
        """How many groups may be on their way when a component begins; 0 where that is not known."""
        count: Expr = _ZERO
        for head in heads:
            if head is None or not self.normalized.can_prove(GE(*match_types(head, 0))):
                return _ZERO
            count = of(Add, count, self.analyzer.simplify(of(Sub, head, item.iteration)))
        return count

    def _wait(self, number: int, local: _InLoop, position: int, count: Expr) -> None:
        if not self.normalized.can_prove(GE(*match_types(count, 0))):
            # the wait is one for a component too that has ended before
            count = self.normalized.simplify(of(Max, count, 0))
        if local.predicate is not None and not self.normalized.can_prove(local.predicate):
            # the count is right where the copies were started
            count = if_then_else(local.predicate, count, IntImm(count.dtype, 0))
        item = self.placed[position]
        body = _attribute("async_wait_inflight_count", count, item.block.body)
        item.block = item.block.replace(body=_attribute("async_wait_queue_scope", IntImm(INT32, number), body))

    def _advance(self, stage: AsyncStage, local: _InLoop, extent: Expr) -> None:
        """After the loop: as many groups more were committed as it has iterations, where each has one for sure."""
        is_sure = local.predicate is not None and self.normalized.can_prove(local.predicate)
        stage.head = of(Add, stage.head, extent) if is_sure and stage.head is not None else None


def _attribute(key: str, value: Expr, body: Stmt) -> Stmt:
    return AttrStmt(_ZERO, key, value, body)


def commit(stage: int, body: Stmt) -> Stmt:
    """The copies of the body, as one group."""
    return _attribute("async_commit_queue_scope", IntImm(INT32, stage), body)
