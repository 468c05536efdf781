"""Stage annotated copies to shared memory through registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import INT32, PointerType, PrimType, on
from tvmscript.ir.tir import Buffer, PrimFunc, Stmt, TirRewriter, Var, rename_definitions
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Range
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind, seq
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NoLocalStage
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import perfect_nest

#: the annotation of blocks to stage
STAGED = "tir.manifest_shared_memory_local_stage"


class _LocalStageRewriter(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: the enclosing block, and the loops between it and the current statement
        self.owner: Block | None = None
        self.path: list[For] = []
        #: buffers to allocate in the enclosing block
        self.allocated: list[Buffer] = []

    @on(Block)
    def block(self, node: Block) -> Block:
        outer = self.owner, self.path, self.allocated
        self.owner, self.path, self.allocated = node, [], []
        new_block = self.descend(node)
        if self.allocated:
            new_block = new_block.replace(alloc_buffers=(*new_block.alloc_buffers, *self.allocated))
        self.owner, self.path, self.allocated = outer
        return new_block

    @on(For)
    def loop(self, node: For) -> Stmt:
        if not self.path:
            loops, inside = perfect_nest(node)
            if isinstance(inside, BlockRealize) and STAGED in inside.block.annotations:
                return self.stage(inside, loops)
        self.path.append(node)
        new_loop = self.descend(node)
        self.path.pop()
        return new_loop

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        if STAGED not in node.block.annotations:
            return self.descend(node)
        if self.path:
            raise _error(node.block, f"the enclosing loop {self.path[-1].loop_var.name} contains other statements")
        return self.stage(node, [])

    def stage(self, node: BlockRealize, loops: Sequence[For]) -> Stmt:
        """Return the loops over the block twice: copies into registers, then copies to shared memory."""
        block, store = node.block, node.block.body
        if not isinstance(store, BufferStore) or not store.buffer.storage_scope.startswith("shared"):
            raise _error(block, "it does not store one element of shared memory")
        for loop in loops:
            if loop.kind not in (ForKind.SERIAL, ForKind.VECTORIZED):
                raise _error(block, f"the enclosing loop {loop.loop_var.name} is neither serial nor vectorized")
        if self.owner is None or store.buffer not in self.owner.alloc_buffers:
            raise _error(block, f"{store.buffer.name} is not allocated in the enclosing block")
        name = f"{store.buffer.name}_local"
        data = Var(name, PointerType(PrimType(store.buffer.dtype), "local"))
        shape = tuple([loop.extent for loop in loops])
        local = Buffer(data, store.buffer.dtype, shape, (), IntImm(INT32, 0), name)
        self.allocated.append(local)
        indices = tuple([loop.loop_var if is_const(loop.min, 0) else loop.loop_var - loop.min for loop in loops])
        region = BufferRegion(local, tuple([Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in indices]))
        load = Block((), block.reads, (region,), "", BufferStore(local, store.value, indices), span=block.span)
        first: Stmt = BlockRealize((), node.predicate, load, span=node.span)
        annotations = {key: value for key, value in block.annotations.items() if key != STAGED}
        store_block = block.replace(body=store.replace(value=BufferLoad(local, indices)), annotations=annotations)
        second: Stmt = node.replace(block=store_block)
        for loop in reversed(loops):
            first, second = loop.replace(body=first), loop.replace(body=second)
        return seq(rename_definitions(first), second)


def _error(block: Block, why: str) -> NoLocalStage:
    return NoLocalStage(block=block.name_hint, why=why, span=block.span)


@dataclass(frozen=True)
class ManifestSharedMemoryLocalStage(PrimFuncPass):
    """Split blocks with the annotation `tir.manifest_shared_memory_local_stage` into loads to registers and stores.

    Such a block must store one element of shared memory that the enclosing block allocates. All loops between the two
    must be serial or vectorized and contain nothing else. Raises `NoLocalStage`.

    rewrite:
        for i in range(4):                              for i in range(4):
            with T.block("S"):                              with T.block(""):
                S[i, tx] = A[i, tx]             -->             S_local[i] = A[i, tx]
                                                        for i in range(4):
                                                            with T.block("S"):
                                                                S[i, tx] = S_local[i]
    """

    name = "tir.ManifestSharedMemoryLocalStage"
    is_idempotent = True
    looks_for = frozenset({STAGED})
    takes = Form.OPAQUE_BLOCKS

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_LocalStageRewriter().rewrite(func.body))
