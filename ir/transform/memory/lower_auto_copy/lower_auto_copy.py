"""Copies that ask for it are spread over threads, vectors and tiles; rows of shared memory avoid bank conflicts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, For, ForKind
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.memory.lower_auto_copy.coalescing import coalesced, in_order_of_target, through_registers
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import Copy, is_global, is_mma, is_shared, is_wmma
from tvmscript.ir.transform.memory.lower_auto_copy.fragments import (
    fragments_to_global,
    load_fragments,
    results_to_global,
    store_fragments,
)
from tvmscript.ir.transform.memory.lower_auto_copy.padding import Accesses

#: The annotation of blocks that are copies.
AUTO_COPY: Final = "auto_copy"

Rule = tuple[Callable[[Copy], bool], Callable[[Stmt, Copy], Stmt]]

#: What is done to a copy from one kind of memory to another, in this order.
RULES: Final[tuple[Rule, ...]] = (
    (lambda copy: copy.goes(is_shared, is_global), in_order_of_target),
    (lambda copy: copy.goes(is_global, is_shared) or copy.goes(is_shared, is_global), coalesced),
    (lambda copy: copy.goes(is_global, is_shared) and copy.through_registers, through_registers),
    (lambda copy: copy.goes(is_shared, is_wmma), load_fragments),
    (lambda copy: copy.goes(is_wmma, is_shared), store_fragments),
    (lambda copy: copy.goes(is_wmma, is_global), fragments_to_global),
    (lambda copy: copy.goes(is_mma, is_global), results_to_global),
)


class _Lowering(TirRewriter):
    def __init__(self, threads: dict[str, int]) -> None:
        super().__init__()
        self.threads = threads
        self.accesses = Accesses()
        #: thread loops around
        self.loops: list[For] = []

    @on(For)
    def loop(self, node: For) -> For:
        binding = node.thread_binding
        is_thread = binding is not None and binding.thread_tag.startswith("threadIdx")
        if is_thread:
            self.loops.append(node)
        made = self.descend(node)
        if is_thread:
            self.loops.pop()
        return made

    @on(Block)
    def block(self, node: Block) -> Block:
        if not _number(node.annotations.get(AUTO_COPY)) or len(node.writes) != 1 or not isinstance(node.body, For):
            return self.descend(node)
        copy = Copy(
            _source(node),
            node.writes[0],
            self.threads,
            list(self.loops),
            _number(node.annotations.get("vector_bytes")) or 1,
            bool(_number(node.annotations.get("local_stage"))),
        )
        body: Stmt = node.body
        for applies, rewritten in RULES:
            if applies(copy):
                body = rewritten(body, copy)
        for buffer, rows in copy.alignment.items():
            self.accesses.align(buffer, rows)
        self.accesses.look(body, self.threads)
        if body is node.body:
            return node
        return node.replace(body=body, alloc_buffers=(*node.alloc_buffers, *copy.allocated))


def _source(block: Block) -> BufferRegion | None:
    """Where a copy comes from: fragments, if it reads some, otherwise what is in one kind of memory."""
    target = block.writes[0].buffer
    found = [region for region in block.reads if region.buffer is not target]
    special = [
        region for region in found if is_wmma(region.buffer.storage_scope) or is_mma(region.buffer.storage_scope)
    ]
    kinds = {region.buffer.storage_scope for region in found}
    return next(iter(special or found), None) if len(special) == 1 or len(kinds) == 1 else None


class _Padding(TirRewriter):
    def __init__(self, accesses: Accesses) -> None:
        super().__init__()
        self.accesses = accesses

    def define(self, name: Any) -> Any:
        if isinstance(name, Buffer) and name in self.accesses.points:
            made = self.accesses.padded(name)
            if made is not name:
                self.renamed[name] = made
            return made
        return super().define(name)


def _number(value: Any) -> int:
    """The value of an annotation."""
    if isinstance(value, IntImm):
        return value.value
    return int(value) if isinstance(value, int | bool) else 0


def _threads(func: PrimFunc) -> dict[str, int]:
    """How many threads there are of each axis; a block that warps run has 32 of them along x."""
    found: dict[str, int] = {}
    for node in nodes(func.body):
        if isinstance(node, For) and node.kind is ForKind.THREAD_BINDING and node.thread_binding is not None:
            if isinstance(node.extent, IntImm):
                found[node.thread_binding.thread_tag] = node.extent.value
        elif isinstance(node, Block) and _number(node.annotations.get("warp_execution")):
            found["threadIdx.x"] = 32
    return found


@dataclass(frozen=True)
class LowerAutoCopy(PrimFuncPass):
    """Blocks with the annotation `auto_copy` are copies, whose loops are made fit for the memory they go between.

    Between global and shared memory, threads access neighbouring elements, `vector_bytes` at once; with `local_stage`
    all loads come first. To and from fragments of tensor cores go tiles; from fragments to global memory, through
    shared memory. Rows of shared memory that copies access are made longer where threads would meet in one bank.
    Other blocks, and copies that none of this fits, stay as they are.

    rewrite:
        for i, j in T.grid(64, 64):             for ij_0 in range(4):
            S[i, j] = A[i, j]           -->         for ij_1 in T.thread_binding(8, thread="threadIdx.y"):
                                                        for ij_2 in T.thread_binding(32, thread="threadIdx.x"):
                                                            for ij_3 in T.vectorized(4):
                                                                S[..., ...] = A[..., ...]
    """

    name: ClassVar[str] = "tir.LowerAutoCopy"
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({AUTO_COPY})
    takes: ClassVar[Form] = Form.OPAQUE_BLOCKS
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        lowering = _Lowering(_threads(func))
        body: Stmt = lowering.rewrite(func.body)
        if lowering.accesses.points:
            body = _Padding(lowering.accesses).rewrite(body)
        return func.with_body(body)
