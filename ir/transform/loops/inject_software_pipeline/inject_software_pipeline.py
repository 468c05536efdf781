"""Loops annotated as software pipelines work on several iterations at a time, each stage on its own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar, TypeGuard

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.op import CallEffect
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.side_effect import effect_of
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, SeqStmt
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, MatchNotLowered
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import Component
from tvmscript.ir.transform.loops.inject_software_pipeline.prologue_epilogue import (
    ASYNC_STAGES,
    ORDER,
    STAGE,
    Pipeline,
    made_block,
)
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment, fragments_of

DOUBLE_BUFFER = "double_buffer_scope"


class WrongPipelineAnnotation(IRError):
    """A loop is a software pipeline where it has both annotations, `software_pipeline_stage` and
    `software_pipeline_order`: an integer for each statement of its body. The orders are 0, 1, 2, ... in any order,
    stages are not negative. `software_pipeline_async_stages` is a list of stages.
    """

    code = "TS4050"
    message = "the software pipeline over {loop}: {problem}"


class NotPipelineBody(IRError):
    """The body of a software pipeline is several statements, or a block whose body is several statements: one
    statement alone cannot run ahead of itself. The predicate of that block is evaluated for each statement, which
    may run in different iterations: it reads no memory.
    """

    code = "TS4051"
    message = "the body of the software pipeline over {loop} is {got}, not several statements"


class PipelineOrder(IRError):
    """In a software pipeline, a statement that reads what another one writes runs after it: in a later stage, or in
    the same stage with a higher order.
    """

    code = "TS4052"
    message = (
        "in the software pipeline over {loop}, statement {reader} (stage {reader_stage}, order {reader_order}) reads "
        "{buffer}, which statement {writer} (stage {writer_stage}, order {writer_order}) writes: {problem}"
    )


class WrongDoubleBuffer(IRError):
    """The annotation `double_buffer_scope` of a block is the number of one of the regions that it writes, from 0."""

    code = "TS4053"
    message = "block {block} has {count} regions that it writes; double_buffer_scope is {given}"


class _Injector(TirRewriter):
    def __init__(self, func: PrimFunc, fragments: dict[Var, Fragment]) -> None:
        super().__init__()
        #: data -> buffer, of the buffers that are known at the statement at hand
        self.visible = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self.fragments = fragments
        self.doubled: set[Buffer] = set()

    @on(Block)
    def block(self, node: Block) -> Stmt:
        given = node.annotations.get(DOUBLE_BUFFER)
        if given is not None:
            number = given.value if isinstance(given, IntImm) else -1
            if not 0 <= number < len(node.writes):
                raise WrongDoubleBuffer(block=node.name_hint, count=len(node.writes), given=given, span=node.span)
            self.doubled.add(node.writes[number].buffer)
        self.visible.update({buffer.data: buffer for buffer in node.alloc_buffers})
        made = self.descend(node)
        for buffer in node.alloc_buffers:
            self.visible.pop(buffer.data, None)
        return made

    @on(For)
    def loop(self, node: For) -> Stmt:
        inner: For = self.descend(node)
        if not _is_pipeline(node):
            return inner
        buffers: list[Buffer] = []
        body = inner.body
        predicate: Expr = TRUE
        if isinstance(body, BlockRealize):
            predicate = body.predicate
            if effect_of(predicate) is not CallEffect.PURE:
                raise NotPipelineBody(
                    loop=node.loop_var.name, got="a block whose predicate reads memory", span=body.block.span
                )
            body = self.opened(body, buffers)
        if not isinstance(body, SeqStmt):
            raise NotPipelineBody(loop=node.loop_var.name, got=type(body).__name__, span=body.span or node.span)
        blocks: list[Block] = []
        for part in body.seq:
            stmts: tuple[Stmt, ...] = (part,)
            if _is_sequence(part):
                opened = self.opened(part, buffers)
                stmts = opened.seq if isinstance(opened, SeqStmt) else (opened,)
            blocks += [self.guarded(predicate, made_block(stmt, self.visible)) for stmt in stmts]
        components = _components(node, blocks)
        _check_order(node, components)
        return Pipeline(inner, components, buffers, self.doubled, self.fragments, self.visible).built()

    def guarded(self, predicate: Expr, block: Block) -> Block:
        """A block that runs the block where the predicate holds."""
        if fold.is_const(predicate, 1):
            return block
        return made_block(BlockRealize((), predicate, block, span=block.span), self.visible)

    def opened(self, realize: BlockRealize, buffers: list[Buffer]) -> Stmt:
        """The body of a block whose buffers become those of the pipeline."""
        block = realize.block
        if block.iter_vars:
            raise BlockNotOpaque(block=block.name_hint, span=block.span)
        if block.match_buffers:
            raise MatchNotLowered(block=block.name_hint, span=block.span)
        buffers += block.alloc_buffers
        self.visible.update({buffer.data: buffer for buffer in block.alloc_buffers})
        return block.body


def _is_sequence(stmt: Stmt) -> TypeGuard[BlockRealize]:
    """Whether the statement is a block whose statements are statements of the pipeline."""
    return isinstance(stmt, BlockRealize) and fold.is_const(stmt.predicate, 1) and isinstance(stmt.block.body, SeqStmt)


def _is_pipeline(loop: For) -> bool:
    present = [key for key in (STAGE, ORDER) if key in loop.annotations]
    if len(present) == 1:
        missing = ORDER if present == [STAGE] else STAGE
        raise WrongPipelineAnnotation(loop=loop.loop_var.name, problem=f"{missing} is missing", span=loop.span)
    return bool(present)


def _integers(loop: For, key: str) -> list[int]:
    given = loop.annotations.get(key, ())
    values = [item.value for item in given if isinstance(item, IntImm)] if isinstance(given, tuple) else None
    if values is None or len(values) != len(given):
        raise WrongPipelineAnnotation(loop=loop.loop_var.name, problem=f"{key} is no list of integers", span=loop.span)
    return values


def _components(loop: For, blocks: list[Block]) -> list[Component]:
    """The statements with their stages and orders. Raises `WrongPipelineAnnotation`."""
    stages, orders = _integers(loop, STAGE), _integers(loop, ORDER)
    waiting = set(_integers(loop, ASYNC_STAGES))
    problem = ""
    for key, given in ((STAGE, stages), (ORDER, orders)):
        if len(given) != len(blocks):
            problem = f"{key} has {len(given)} elements for {len(blocks)} statements"
    if not problem and len(set(orders)) != len(orders):
        problem = "two statements have the same order"
    if not problem and sorted(orders) != list(range(len(orders))):
        problem = f"the orders are not 0 to {len(orders) - 1}"
    if not problem and min(stages) < 0:
        problem = "a stage is negative"
    if problem:
        raise WrongPipelineAnnotation(loop=loop.loop_var.name, problem=problem, span=loop.span)
    return [
        Component(block, stage, order, stage in waiting)
        for block, stage, order in zip(blocks, stages, orders, strict=True)
    ]


def _check_order(loop: For, components: list[Component]) -> None:
    """Raise `PipelineOrder` where a statement would run before one whose results it reads."""
    writers: dict[Var, list[tuple[int, Component]]] = {}
    for number, reader in enumerate(components):
        for region in reader.block.reads:
            for place, writer in writers.get(region.buffer.data, ()):
                if writer.stage > reader.stage:
                    problem = "it runs in a later stage"
                elif writer.stage == reader.stage and writer.order > reader.order:
                    problem = "it runs later in the same stage"
                else:
                    continue
                raise PipelineOrder(
                    loop=loop.loop_var.name, buffer=region.buffer.name, problem=problem,
                    reader=number, reader_stage=reader.stage, reader_order=reader.order,
                    writer=place, writer_stage=writer.stage, writer_order=writer.order,
                    span=reader.block.span or loop.span,
                )  # fmt: skip
        for region in reader.block.writes:
            writers.setdefault(region.buffer.data, []).append((number, reader))


@dataclass(frozen=True)
class InjectSoftwarePipeline(PrimFuncPass):
    """A loop annotated with the stages and the order of its statements becomes three: one that fills the pipeline,
    one in which iteration i of a stage runs beside iteration i + 1 of the stage before, and one that empties it.

    Buffers allocated in the loop's block get as many versions as iterations use them at a time; a block annotated
    with `double_buffer_scope` has two of what it writes at least. The copies of stages in
    `software_pipeline_async_stages` are marked as asynchronous and committed in groups; what uses them waits.
    Pipelines may be nested. Statements of a block among the statements count one by one.

    Raises `WrongPipelineAnnotation`, `NotPipelineBody`, `PipelineOrder`, `WrongDoubleBuffer`, `SeveralAsyncStages`;
    `BlockNotOpaque`, `MatchNotLowered` where the loop's block is not lowered.

    rewrite:
        for i in range(16):     # stage: [0, 1], order: [0, 1]     B[0] = A[0] * 2
            B = A[i] * 2                                     -->   for i in range(15):
            C[i] = B + 1                                               B[(i + 1) % 2] = A[i + 1] * 2
                                                                       C[i] = B[i % 2] + 1
                                                                   C[15] = B[1] + 1
    """

    name: ClassVar[str] = "tir.InjectSoftwarePipeline"
    takes: ClassVar[Form] = Form.OPAQUE_BLOCKS
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({STAGE, ORDER})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Injector(func, fragments_of(func.body)).rewrite(func.body))
