"""Lower copies between memory scopes to vectorized, coalesced or tiled loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import nodes, on
from tvmscript.ir.tir import Block, Buffer, BufferRegion, For, ForKind, IntImm, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.memory.lower_auto_copy.coalescing import coalesce, order_by_target, through_registers
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import Copy, is_global, is_mma, is_shared, is_wmma
from tvmscript.ir.transform.memory.lower_auto_copy.fragments import (
    fragments_to_global,
    load_fragments,
    results_to_global,
    store_fragments,
)
from tvmscript.ir.transform.memory.lower_auto_copy.padding import SharedAccesses

#: the annotation of copy blocks
AUTO_COPY: Final = "auto_copy"

Rule = tuple[Callable[[Copy], bool], Callable[[Stmt, Copy], Stmt]]

#: condition on the scopes of a copy -> rewrite, applied in this order
RULES: Final[tuple[Rule, ...]] = (
    (lambda copy: copy.has_scopes(is_shared, is_global), order_by_target),
    (lambda copy: copy.has_scopes(is_global, is_shared) or copy.has_scopes(is_shared, is_global), coalesce),
    (lambda copy: copy.has_scopes(is_global, is_shared) and copy.through_registers, through_registers),
    (lambda copy: copy.has_scopes(is_shared, is_wmma), load_fragments),
    (lambda copy: copy.has_scopes(is_wmma, is_shared), store_fragments),
    (lambda copy: copy.has_scopes(is_wmma, is_global), fragments_to_global),
    (lambda copy: copy.has_scopes(is_mma, is_global), results_to_global),
)


class _CopyLowering(TirRewriter):
    def __init__(self, threads: dict[str, int]) -> None:
        super().__init__()
        self.threads = threads
        self.accesses = SharedAccesses()
        #: enclosing thread loops
        self.loops: list[For] = []

    @on(For)
    def loop(self, node: For) -> For:
        binding = node.thread_binding
        is_thread = binding is not None and binding.thread_tag.startswith("threadIdx")
        if is_thread:
            self.loops.append(node)
        new_loop = self.descend(node)
        if is_thread:
            self.loops.pop()
        return new_loop

    @on(Block)
    def block(self, node: Block) -> Block:
        if (
            not _annotation_value(node.annotations.get(AUTO_COPY))
            or len(node.writes) != 1
            or not isinstance(node.body, For)
        ):
            return self.descend(node)
        copy = Copy(
            _find_source(node),
            node.writes[0],
            self.threads,
            list(self.loops),
            _annotation_value(node.annotations.get("vector_bytes")) or 1,
            bool(_annotation_value(node.annotations.get("local_stage"))),
        )
        body: Stmt = node.body
        for applies, rewrite_copy in RULES:
            if applies(copy):
                body = rewrite_copy(body, copy)
        for buffer, rows in copy.alignment.items():
            self.accesses.align(buffer, rows)
        self.accesses.collect(body, self.threads)
        if body is node.body:
            return node
        return node.replace(body=body, alloc_buffers=(*node.alloc_buffers, *copy.allocated))


def _find_source(block: Block) -> BufferRegion | None:
    """Return the source of a copy: its fragment, or the first region if all regions have one scope."""
    target = block.writes[0].buffer
    sources = [region for region in block.reads if region.buffer is not target]
    special = [
        region for region in sources if is_wmma(region.buffer.storage_scope) or is_mma(region.buffer.storage_scope)
    ]
    kinds = {region.buffer.storage_scope for region in sources}
    return next(iter(special or sources), None) if len(special) == 1 or len(kinds) == 1 else None


class _PaddingRewriter(TirRewriter):
    def __init__(self, accesses: SharedAccesses) -> None:
        super().__init__()
        self.accesses = accesses

    def define(self, name: object) -> Any:
        if isinstance(name, Buffer) and name in self.accesses.points:
            new_buffer = self.accesses.pad(name)
            if new_buffer is not name:
                self.renamed[name] = new_buffer
            return new_buffer
        return super().define(name)


def _annotation_value(value: object) -> int:
    """Return the value of an annotation; 0 if it is not a number."""
    if isinstance(value, IntImm):
        return value.value
    return int(value) if isinstance(value, (int, bool)) else 0


def _thread_counts(func: PrimFunc) -> dict[str, int]:
    """Return the extent of each thread axis; a warp-executed block has 32 threads along x."""
    counts: dict[str, int] = {}
    for node in nodes(func.body):
        if isinstance(node, For) and node.kind is ForKind.THREAD_BINDING and node.thread_binding is not None:
            if isinstance(node.extent, IntImm):
                counts[node.thread_binding.thread_tag] = node.extent.value
        elif isinstance(node, Block) and _annotation_value(node.annotations.get("warp_execution")):
            counts["threadIdx.x"] = 32
    return counts


@dataclass(frozen=True)
class LowerAutoCopy(PrimFuncPass):
    """Lower blocks with the annotation `auto_copy`, which are copies, depending on the scopes of source and target.

    Between global and shared memory, adjacent threads access adjacent vectors of `vector_bytes`; with `local_stage` all
    loads precede the stores. Fragments of tensor cores are copied by tiles; from fragments to global memory through
    shared memory. Rows of shared memory are padded to avoid bank conflicts. Other blocks and copies are not changed.

    rewrite:
        for i, j in T.grid(64, 64):             for ij_0 in range(4):
            S[i, j] = A[i, j]           -->         for ij_1 in T.thread_binding(8, thread="threadIdx.y"):
                                                        for ij_2 in T.thread_binding(32, thread="threadIdx.x"):
                                                            for ij_3 in T.vectorized(4):
                                                                S[..., ...] = A[..., ...]
    """

    name = "tir.LowerAutoCopy"
    looks_for = frozenset({AUTO_COPY})
    takes = Form.OPAQUE_BLOCKS
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        lowering = _CopyLowering(_thread_counts(func))
        body: Stmt = lowering.rewrite(func.body)
        if lowering.accesses.points:
            body = _PaddingRewriter(lowering.accesses).rewrite(body)
        return func.with_body(body)
