"""Asynchronous stages of a software pipeline: commit groups and wait counts.

Each iteration commits a group of copies. A component that reads their targets waits until at most so many groups are in
flight as were started after the iteration that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT32, IRError
from tvmscript.ir.tir import GE, LT, Add, AttrStmt, Block, Buffer, Expr, IntImm, Max, Stmt, Sub, match_types
from tvmscript.ir.tir.intrin.bits import bitwise_and
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import make_op

_ZERO: Final = IntImm(INT32, 0)


class SeveralAsyncStages(IRError, code="TS4055"):
    """A statement of a software pipeline reads the results of two asynchronous stages and would have to wait for both.
    Put the copies into one stage.
    """

    message = "block {block} of the software pipeline waits for the asynchronous stages {first} and {second}"


@dataclass
class PlacedComponent:
    """A component at its position in a loop of the pipeline."""

    block: Block
    stage: int
    predicate: Expr
    #: the iteration that it works on
    iteration: Expr
    is_async: bool


@dataclass
class AsyncStage:
    """The state of an asynchronous stage across the loops of the pipeline."""

    #: the last iteration whose copies were committed; None if unknown
    head: Expr | None
    #: buffers that its copies write
    targets: set[Buffer] = field(default_factory=set[Buffer])
    #: buffer -> the commit group that writes it in the current loop
    group_of: dict[Buffer, int] = field(default_factory=dict[Buffer, int])


@dataclass
class _LoopState:
    """The state of an asynchronous stage in the current loop."""

    head: Expr | None = None
    predicate: Expr | None = None
    #: number of commit groups so far
    groups: int = 0
    #: whether a component has read the last group; later copies form another group
    is_read: bool = False
    #: buffers written so far
    seen: set[Buffer] = field(default_factory=set[Buffer])
    #: position of the last component that started copies
    last_start: int = -1
    #: (position of a waiting component, number of groups that may be in flight)
    waits: list[tuple[int, Expr]] = field(default_factory=list[tuple[int, Expr]])


class WaitInserter:
    """Collect the components of one loop of a pipeline in order, then insert commit groups and waits."""

    def __init__(self, stages: dict[int, AsyncStage], analyzer: Analyzer, normalized: Analyzer) -> None:
        self.stages = stages
        #: binds the loop variable to the range of the loop
        self.analyzer = analyzer
        #: binds the loop variable to the range of the pipeline
        self.normalized = normalized
        self.local: dict[int, _LoopState] = {}
        self.placed: list[PlacedComponent] = []

    def add(self, component: PlacedComponent) -> None:
        """Add the next component."""
        if component.is_async:
            self._start(component)
        self.placed.append(component)
        for number in self._awaited(component):
            self.local.setdefault(number, _LoopState()).is_read = True

    def _start(self, component: PlacedComponent) -> None:
        stage, local = self.stages[component.stage], self.local.setdefault(component.stage, _LoopState())
        if not local.groups or local.is_read:
            local.groups += 1
            local.is_read = False
        for region in component.block.writes:
            stage.targets.add(region.buffer)
            stage.group_of[region.buffer] = local.groups
        local.head = component.iteration
        if local.predicate is None or self.normalized.can_prove(local.predicate):
            local.predicate = component.predicate
        else:
            local.predicate = self.normalized.simplify(bitwise_and(local.predicate, component.predicate))
        component.block = component.block.replace(
            body=_attribute("async_scope", IntImm(INT32, 1), component.block.body)
        )

    def _awaited(self, component: PlacedComponent) -> Iterator[int]:
        """Yield the asynchronous stages whose results a component reads."""
        for number, stage in self.stages.items():
            if number <= component.stage and any(region.buffer in stage.targets for region in component.block.reads):
                yield number

    # -- waits

    def finish(self, extent: Expr) -> list[PlacedComponent]:
        """Insert the waits and return the components; the loop has `extent` iterations."""
        for position, component in enumerate(self.placed):
            self._find_wait(position, component)
        for number, local in self.local.items():
            for position, count in local.waits:
                self._wait(number, local, position, count)
            self._advance(self.stages[number], local, extent)
        return self.placed

    def _find_wait(self, position: int, component: PlacedComponent) -> None:
        if component.is_async:
            own = self.local[component.stage]
            own.seen.update(region.buffer for region in component.block.writes)
            own.last_start = position
        awaited = list(self._awaited(component))
        if not awaited:
            return
        if len(awaited) > 1:
            raise SeveralAsyncStages(
                block=component.block.name_hint or "(without name)",
                first=awaited[0],
                second=awaited[1],
                span=component.block.span,
            )
        stage, local = self.stages[awaited[0]], self.local.setdefault(awaited[0], _LoopState())
        count = self._allowed(component, self._heads(component, stage, local))
        if not local.waits or not self._covers(local.waits[-1][0], component, stage, local):
            local.waits.append((position, count))
            return
        first, allowed = local.waits[-1]
        if self.analyzer.can_prove(LT(*match_types(count, allowed))):
            # one wait is enough for both: the first one, with the smaller count
            local.waits[-1] = first, count

    def _covers(self, position: int, later: PlacedComponent, stage: AsyncStage, local: _LoopState) -> bool:
        """Return whether the wait of the component at `position` is enough for a later one.

        No copies may be started in between. The earlier component must run wherever the later one does, or wait for the
        same copies in the same iteration of the pipeline.
        """
        earlier = self.placed[position]
        if local.last_start > position:
            return False
        if earlier.stage == later.stage or self.normalized.can_prove(earlier.predicate):
            return True
        first, second = [
            {region.buffer for region in component.block.reads if region.buffer in stage.targets}
            for component in (earlier, later)
        ]
        return earlier.stage < later.stage and second <= first

    def _heads(self, component: PlacedComponent, stage: AsyncStage, local: _LoopState) -> list[Expr | None]:
        """Return the last committed iteration of each group that a component reads."""
        if local.head is None:
            return [stage.head]
        heads: list[Expr | None] = []
        groups: set[int] = set()
        for region in component.block.reads:
            if region.buffer in stage.targets and stage.group_of[region.buffer] not in groups:
                groups.add(stage.group_of[region.buffer])
                # a copy later in the loop body was last committed by the previous iteration
                heads.append(local.head if region.buffer in local.seen else make_op(Sub, local.head, 1))
        return heads

    def _allowed(self, component: PlacedComponent, heads: list[Expr | None]) -> Expr:
        """Return how many groups may be in flight when a component begins; 0 if unknown."""
        count: Expr = _ZERO
        for head in heads:
            if head is None or not self.normalized.can_prove(GE(*match_types(head, 0))):
                return _ZERO
            count = make_op(Add, count, self.analyzer.simplify(make_op(Sub, head, component.iteration)))
        return count

    def _wait(self, number: int, local: _LoopState, position: int, count: Expr) -> None:
        if not self.normalized.can_prove(GE(*match_types(count, 0))):
            # the count is negative for a component that has ended before
            count = self.normalized.simplify(make_op(Max, count, 0))
        if local.predicate is not None and not self.normalized.can_prove(local.predicate):
            # the count is valid where the copies were started
            count = if_then_else(local.predicate, count, IntImm(count.dtype, 0))
        component = self.placed[position]
        body = _attribute("async_wait_inflight_count", count, component.block.body)
        component.block = component.block.replace(
            body=_attribute("async_wait_queue_scope", IntImm(INT32, number), body)
        )

    def _advance(self, stage: AsyncStage, local: _LoopState, extent: Expr) -> None:
        """Advance the head by the extent of the loop if every iteration commits a group."""
        is_sure = local.predicate is not None and self.normalized.can_prove(local.predicate)
        stage.head = make_op(Add, stage.head, extent) if is_sure and stage.head is not None else None


def _attribute(key: str, value: Expr, body: Stmt) -> Stmt:
    return AttrStmt(_ZERO, key, value, body)


def commit(stage: int, body: Stmt) -> Stmt:
    """Return the body as one commit group."""
    return _attribute("async_commit_queue_scope", IntImm(INT32, stage), body)
