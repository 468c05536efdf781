"""Lower asynchronous copies and waits to calls of a DMA engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.analysis.blocks.copy_loops import identify_memcpy
from tvmscript.ir.arith.fold import mul
from tvmscript.ir.core import INT32, on
from tvmscript.ir.tir import AttrStmt, BufferLoad, Evaluate, For, IntImm, PrimFunc, Stmt, TirRewriter, seq
from tvmscript.ir.tir.intrin.memory import address_of, dma_copy, dma_end_group, dma_start_group, dma_wait
from tvmscript.ir.transform.base import Form, PrimFuncPass, option
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter

COMMIT: Final = "async_commit_queue_scope"
WAIT: Final = "async_wait_queue_scope"
IN_FLIGHT: Final = "async_wait_inflight_count"


class _CopyLowering(AnalyzedRewriter):
    """Lower copies; `queues` are the queues with copies."""

    def __init__(self, passes_cache: bool) -> None:
        super().__init__()
        self.passes_cache = IntImm(INT32, int(passes_cache))
        self.queues: set[int] = set()
        #: the queue of the current group
        self.queue: IntImm | None = None
        #: number of copies in the current group; copies in attributes count as several
        self.copies = 0
        self.depth = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        copy = None if self.queue is None else identify_memcpy(node, self.analyzer)
        if self.queue is None or copy is None:
            return super().loop(node)
        self.queues.add(self.queue.value)
        self.copies += 1 + self.depth
        target = address_of(BufferLoad(copy.target, (copy.target_min,)))
        source = address_of(BufferLoad(copy.source, (copy.source_min,)))
        size = mul(copy.count, IntImm(copy.count.dtype, copy.source.dtype.itemsize))
        return Evaluate(dma_copy(self.queue, target, source, size, self.passes_cache, span=node.span), span=node.span)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != COMMIT or not isinstance(node.value, IntImm):
            self.depth += 1
            stmt = super().attribute(node)
            self.depth -= 1
            return stmt
        outer = self.queue, self.copies, self.depth
        self.queue, self.copies, self.depth = node.value, 0, 0
        stmt = super().attribute(node)
        if self.copies > 1:
            stmt = seq(
                Evaluate(dma_start_group(node.value, span=node.span), span=node.span),
                stmt,
                Evaluate(dma_end_group(node.value, span=node.span), span=node.span),
            )
        self.queue, self.copies, self.depth = outer
        return stmt


class _WaitLowering(TirRewriter):
    def __init__(self, queues: set[int]) -> None:
        super().__init__()
        self.queues = queues

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        queue, inner = node.value, node.body
        is_lowered = node.attr_key == WAIT and isinstance(queue, IntImm) and queue.value in self.queues
        if not is_lowered or not isinstance(inner, AttrStmt) or inner.attr_key != IN_FLIGHT:
            return self.descend(node)
        wait = Evaluate(dma_wait(queue, self.rewrite(inner.value), span=node.span), span=node.span)
        return seq(wait, self.rewrite(inner.body))


@dataclass(frozen=True)
class LowerAsyncDMA(PrimFuncPass):
    """Lower loops that copy contiguous elements under `async_commit_queue_scope` to
    `dma_copy(queue, target, source, bytes, bypass_cache)`.

    Several copies, or one marked as `async_scope`, are enclosed in `dma_start_group` and `dma_end_group`. Waits for a
    queue with lowered copies become `dma_wait`. Other loops, and waits for their queues, are not changed.
    `dma_bypass_cache` is the last argument of each copy.

    rewrite:
        with T.attr(0, "async_commit_queue_scope", 0):                T.dma_copy(0, &S[0], &A[o * 128], 128, 0)
            for i in range(128):                               -->    T.dma_wait(0, 0)
                S[i] = A[o * 128 + i]                                 B[o] = S[0]
        with T.attr(0, "async_wait_queue_scope", 0):
            with T.attr(0, "async_wait_inflight_count", 0):
                B[o] = S[0]
    """

    name = "tir.LowerAsyncDMA"
    is_idempotent = True
    takes = Form.FLAT
    looks_for = frozenset({COMMIT})
    dma_bypass_cache: bool = option("tir.experimental_dma_bypass_cache", False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        copies = _CopyLowering(self.dma_bypass_cache)
        copies.enter(func)
        body: Stmt = copies.rewrite(func.body)
        return func.with_body(_WaitLowering(copies.queues).rewrite(body) if copies.queues else body)
