"""Run the stages of consecutive iterations of annotated loops in an overlapped fashion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import CallEffect, IRError, on
from tvmscript.ir.tir import Buffer, Expr, IntImm, PrimFunc, StatementRewriter, Stmt, Var, effect_of, seq
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, SeqStmt
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, MatchNotLowered
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import Component
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import (
    BULK_COPY,
    TensorMaps,
    find_bulk_copy,
    marked_store,
    refuse,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_stores import store_tile, wait_for_stores
from tvmscript.ir.transform.loops.inject_software_pipeline.persistent_blocks import PERSISTENT, share_loops
from tvmscript.ir.transform.loops.inject_software_pipeline.prologue_epilogue import (
    ASYNC_STAGES,
    ORDER,
    STAGE,
    Pipeline,
    make_block,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.warp_specialization import Producer
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment, fragments_of

DOUBLE_BUFFER = "double_buffer_scope"


class WrongPipelineAnnotation(IRError, code="TS4050"):
    """An annotation of a software pipeline is missing or invalid. `software_pipeline_stage` and
    `software_pipeline_order` hold one integer for each statement of the loop body. The orders are a permutation of 0,
    1, 2, ...; stages are not negative. `software_pipeline_async_stages` is a list of stages.
    """

    message = "the software pipeline over {loop}: {problem}"


class NotPipelineBody(IRError, code="TS4051"):
    """The body of a software pipeline is not a sequence of statements, or a block with such a body. The predicate of
    that block is evaluated for each statement, in different iterations, so it must not read memory.
    """

    message = "the body of the software pipeline over {loop} must be a sequence of statements, got {got}"


class PipelineOrder(IRError, code="TS4052"):
    """A statement of a software pipeline runs before a statement whose result it reads. The reader must be in a later
    stage, or in the same stage with a higher order.
    """

    message = (
        "in the software pipeline over {loop}, statement {reader} (stage {reader_stage}, order {reader_order}) reads "
        "{buffer}, which statement {writer} (stage {writer_stage}, order {writer_order}) writes: {problem}"
    )


class WrongDoubleBuffer(IRError, code="TS4053"):
    """The annotation `double_buffer_scope` of a block is not the index of one of its written regions."""

    message = "block {block} has {count} written regions, but double_buffer_scope is {given}"


class _Injector(StatementRewriter):
    def __init__(self, func: PrimFunc, fragments: dict[Var, Fragment]) -> None:
        super().__init__()
        #: data variable -> visible buffer
        self.visible = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self.fragments = fragments
        self.doubled: set[Buffer] = set()
        #: loops around, the outermost one first
        self.around: list[For] = []
        self.maps = TensorMaps()
        self.producer: Producer | None = None
        #: the innermost axis of the launch, whose threads wait for bulk copies from shared memory in the end
        self.stores_in: For | None = None

    @on(Block)
    def block(self, node: Block) -> Stmt:
        if BULK_COPY in node.annotations and not any(map(_is_pipeline, self.around)):
            raise refuse(node, "it is in no software pipeline")
        index = node.annotations.get(DOUBLE_BUFFER)
        if index is not None:
            index_value = index.value if isinstance(index, IntImm) else -1
            if not 0 <= index_value < len(node.writes):
                raise WrongDoubleBuffer(block=node.name_hint, count=len(node.writes), given=index, span=node.span)
            self.doubled.add(node.writes[index_value].buffer)
        self.visible.update({buffer.data: buffer for buffer in node.alloc_buffers})
        new_block = self.descend(node)
        for buffer in node.alloc_buffers:
            self.visible.pop(buffer.data, None)
        return new_block

    @on(For)
    def loop(self, node: For) -> Stmt:
        stored = marked_store(node)
        if stored is not None:
            threads = [each for each in self.around if each.thread_binding is not None]
            self.stores_in = threads[-1] if threads else None
            return store_tile(node, stored, self.around, self.maps)
        is_launch = node.thread_binding is not None and all(each.thread_binding is None for each in self.around)
        self.around.append(node)
        inner: For = self.descend(node)
        self.around.pop()
        if node is self.stores_in:
            inner = inner.replace(body=seq(inner.body, wait_for_stores()))
        if _is_pipeline(node):
            return self.pipeline(node, inner)
        if self.producer is not None and self.producer.release is not None and node in self.producer.loops[-1:]:
            inner = inner.replace(body=seq(inner.body, self.producer.release))
        if self.producer is not None and node is self.producer.innermost:
            inner = inner.replace(body=self.producer.split(inner.body, [*self.around, node], self.visible))
        if self.producer is not None and node is self.producer.groups:
            inner = self.producer.extend(inner)
        if not is_launch:
            return inner
        self.producer = None
        return self.maps.define_around(inner)

    def pipeline(self, node: For, inner: For) -> Stmt:
        """Return the pipeline of a loop; `inner` has the pipelines of its body."""
        buffers: list[Buffer] = []
        body = inner.body
        predicate: Expr = TRUE
        if isinstance(body, BlockRealize):
            predicate = body.predicate
            if effect_of(predicate) is not CallEffect.PURE:
                raise NotPipelineBody(
                    loop=node.loop_var.name, got="a block whose predicate reads memory", span=body.block.span
                )
            body = self.open_block(body, buffers)
        if not isinstance(body, SeqStmt):
            raise NotPipelineBody(loop=node.loop_var.name, got=type(body).__name__, span=body.span or node.span)
        blocks: list[Block] = []
        for child in body.seq:
            stmts: tuple[Stmt, ...] = (child,)
            if _is_sequence(child):
                inner_body = self.open_block(child, buffers)
                stmts = inner_body.seq if isinstance(inner_body, SeqStmt) else (inner_body,)
            blocks += [self.guard(predicate, make_block(stmt, self.visible)) for stmt in stmts]
        components = _make_components(node, blocks)
        _check_order(node, components)
        for component in components:
            component.copy = find_bulk_copy(component.block, self.around, is_async=component.is_async)
        producer = Producer.find(node, components, self.around)
        shared = [each for each in components if each.copy is not None and each.copy.cluster is not None]
        if shared and producer is None:
            raise refuse(shared[0].block, "blocks of a cluster share it, and the pipeline has no producer")
        pipeline = Pipeline(
            inner, components, buffers, self.doubled, self.fragments, self.visible, self.around, self.maps, producer
        )
        stmt = pipeline.build()
        if producer is not None:
            self.producer = pipeline.add_to(producer)
        return stmt

    def guard(self, predicate: Expr, block: Block) -> Block:
        """Return a block that runs `block` under the predicate."""
        if fold.is_const(predicate, 1):
            return block
        return make_block(BlockRealize((), predicate, block, span=block.span), self.visible)

    def open_block(self, realize: BlockRealize, buffers: list[Buffer]) -> Stmt:
        """Return the body of a block; its buffers become buffers of the pipeline."""
        block = realize.block
        if block.iter_vars:
            raise BlockNotOpaque(block=block.name_hint, span=block.span)
        if block.match_buffers:
            raise MatchNotLowered(block=block.name_hint, span=block.span)
        buffers += block.alloc_buffers
        self.visible.update({buffer.data: buffer for buffer in block.alloc_buffers})
        return block.body


def _is_sequence(stmt: Stmt) -> TypeGuard[BlockRealize]:
    """Return whether a statement is a block whose statements are components of the pipeline."""
    return isinstance(stmt, BlockRealize) and fold.is_const(stmt.predicate, 1) and isinstance(stmt.block.body, SeqStmt)


def _is_pipeline(loop: For) -> bool:
    present = [key for key in (STAGE, ORDER) if key in loop.annotations]
    if len(present) == 1:
        missing = ORDER if present == [STAGE] else STAGE
        raise WrongPipelineAnnotation(loop=loop.loop_var.name, problem=f"{missing} is missing", span=loop.span)
    return bool(present)


def _annotated_integers(loop: For, key: str) -> list[int]:
    annotation = loop.annotations.get(key, ())
    values = (
        [element.value for element in annotation if isinstance(element, IntImm)]
        if isinstance(annotation, tuple)
        else None
    )
    if values is None or len(values) != len(annotation):
        raise WrongPipelineAnnotation(
            loop=loop.loop_var.name, problem=f"{key} is not a list of integers", span=loop.span
        )
    return values


def _make_components(loop: For, blocks: list[Block]) -> list[Component]:
    """Return the statements with their stages and orders. Raises `WrongPipelineAnnotation`."""
    stages, orders = _annotated_integers(loop, STAGE), _annotated_integers(loop, ORDER)
    async_stages = set(_annotated_integers(loop, ASYNC_STAGES))
    problem = ""
    for key, values in ((STAGE, stages), (ORDER, orders)):
        if len(values) != len(blocks):
            problem = f"{key} has {len(values)} elements for {len(blocks)} statements"
    if not problem and len(set(orders)) != len(orders):
        problem = "two statements have the same order"
    if not problem and sorted(orders) != list(range(len(orders))):
        problem = f"the orders are not 0 to {len(orders) - 1}"
    if not problem and min(stages) < 0:
        problem = "a stage is negative"
    if problem:
        raise WrongPipelineAnnotation(loop=loop.loop_var.name, problem=problem, span=loop.span)
    return [
        Component(block, stage, order, stage in async_stages)
        for block, stage, order in zip(blocks, stages, orders, strict=True)
    ]


def _check_order(loop: For, components: list[Component]) -> None:
    """Raise `PipelineOrder` if a statement runs before one whose result it reads."""
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
    """Split a loop annotated with stages and orders of its statements into prologue, pipelined body and epilogue.

    In the pipelined body, iteration i of a stage runs next to iteration i + 1 of the stage before. Buffers allocated in
    the loop body get as many versions as iterations use them at a time, and at least two if a block is annotated with
    `double_buffer_scope`. Copies of stages in `software_pipeline_async_stages` are marked as asynchronous and committed
    in groups, and their readers wait. Blocks of these stages with the annotation `bulk_copy` are copied by one thread,
    by a tensor map (sm_90) that the host makes; barriers in shared memory say when a version is full, and when it is
    empty. With `software_pipeline_producer`, a warp group of its own runs the bulk copies of the loop. A loop in the
    threads of a launch with `persistent_blocks` is shared by as many blocks, which may be in clusters; these share the
    copies with `bulk_copy_multicast`. Outside of pipelines, blocks with
    `bulk_copy` copy tiles in shared memory to arrays, each warp its rows; threads wait for that in the end of the
    launch. Pipelines may be nested. If a statement is a block, its statements are counted separately.

    Raises `WrongPipelineAnnotation`, `NotPipelineBody`, `PipelineOrder`, `WrongDoubleBuffer`, `SeveralAsyncStages`,
    `NotBulkCopy`, `CannotSpecialize`, `CannotShareLoop`; `BlockNotOpaque` and `MatchNotLowered` if the block of the
    loop is not lowered.

    rewrite:
        for i in range(16):     # stage: [0, 1], order: [0, 1]     B[0] = A[0] * 2
            B = A[i] * 2                                     -->   for i in range(15):
            C[i] = B + 1                                               B[(i + 1) % 2] = A[i + 1] * 2
                                                                       C[i] = B[i % 2] + 1
                                                                   C[15] = B[1] + 1
    """

    name = "tir.InjectSoftwarePipeline"
    is_idempotent = True
    takes = Form.OPAQUE_BLOCKS
    looks_for = frozenset({STAGE, ORDER, BULK_COPY, PERSISTENT})

    def transform(self, func: PrimFunc) -> PrimFunc:
        body = share_loops(func.body)
        return func.with_body(_Injector(func, fragments_of(body)).rewrite(body))
