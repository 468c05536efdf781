"""Copies to shared memory that ask for it go through registers: all loads first, all stores then."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind, seq
from tvmscript.ir.tir.substitute import rename_definitions
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NoLocalStage

#: The annotation of blocks that ask for it.
STAGED = "tir.manifest_shared_memory_local_stage"


class _Staging(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: the block around, and the loops in it around the statement at hand
        self.owner: Block | None = None
        self.path: list[For] = []
        #: buffers for the block around
        self.allocated: list[Buffer] = []

    @on(Block)
    def block(self, node: Block) -> Block:
        outer = self.owner, self.path, self.allocated
        self.owner, self.path, self.allocated = node, [], []
        made = self.descend(node)
        if self.allocated:
            made = made.replace(alloc_buffers=(*made.alloc_buffers, *self.allocated))
        self.owner, self.path, self.allocated = outer
        return made

    @on(For)
    def loop(self, node: For) -> Stmt:
        if not self.path:
            loops, inside = _nest(node)
            if isinstance(inside, BlockRealize) and STAGED in inside.block.annotations:
                return self.staged(inside, loops)
        self.path.append(node)
        made = self.descend(node)
        self.path.pop()
        return made

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        if STAGED not in node.block.annotations:
            return self.descend(node)
        if self.path:
            raise _refusal(node.block, f"loop {self.path[-1].loop_var.name} around it holds more than the block")
        return self.staged(node, [])

    def staged(self, node: BlockRealize, loops: Sequence[For]) -> Stmt:
        """The loops over the block twice: into registers, and from there."""
        block, store = node.block, node.block.body
        if not isinstance(store, BufferStore) or not store.buffer.storage_scope.startswith("shared"):
            raise _refusal(block, "it does not store one element of shared memory")
        for loop in loops:
            if loop.kind not in (ForKind.SERIAL, ForKind.VECTORIZED):
                raise _refusal(block, f"loop {loop.loop_var.name} around it is neither serial nor vectorized")
        if self.owner is None or store.buffer not in self.owner.alloc_buffers:
            raise _refusal(block, f"{store.buffer.name} is not allocated in the block around it")
        name = f"{store.buffer.name}_local"
        data = Var(name, PointerType(PrimType(store.buffer.dtype), "local"))
        shape = tuple([loop.extent for loop in loops])
        local = Buffer(data, store.buffer.dtype, shape, (), IntImm(INT32, 0), name)
        self.allocated.append(local)
        place = tuple([loop.loop_var - loop.min if _starts(loop) else loop.loop_var for loop in loops])
        region = BufferRegion(local, tuple([Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in place]))
        load = Block((), block.reads, (region,), "", BufferStore(local, store.value, place), span=block.span)
        first: Stmt = BlockRealize((), node.predicate, load, span=node.span)
        kept = {key: value for key, value in block.annotations.items() if key != STAGED}
        stored = block.replace(body=store.replace(value=BufferLoad(local, place)), annotations=kept)
        second: Stmt = node.replace(block=stored)
        for loop in reversed(loops):
            first, second = loop.replace(body=first), loop.replace(body=second)
        return seq(rename_definitions(first), second)


def _nest(node: Stmt) -> tuple[list[For], Stmt]:
    """Loops that hold one statement each, and what the innermost holds."""
    loops: list[For] = []
    while isinstance(node, For):
        loops.append(node)
        node = node.body
    return loops, node


def _starts(loop: For) -> bool:
    """Whether a loop does not start from 0."""
    return not (isinstance(loop.min, IntImm) and loop.min.value == 0)


def _refusal(block: Block, why: str) -> NoLocalStage:
    return NoLocalStage(block=block.name_hint, why=why, span=block.span)


@dataclass(frozen=True)
class ManifestSharedMemoryLocalStage(PrimFuncPass):
    """Blocks with the annotation `tir.manifest_shared_memory_local_stage` are two: loads into registers, and stores.

    Each stores one element of shared memory, which the block around allocates; all loops between the two, serial or
    vectorized, hold nothing else. Raises `NoLocalStage`.

    rewrite:
        for i in range(4):                              for i in range(4):
            with T.block("S"):                              with T.block(""):
                S[i, tx] = A[i, tx]             -->             S_local[i] = A[i, tx]
                                                        for i in range(4):
                                                            with T.block("S"):
                                                                S[i, tx] = S_local[i]
    """

    name: ClassVar[str] = "tir.ManifestSharedMemoryLocalStage"
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({STAGED})
    takes: ClassVar[Form] = Form.OPAQUE_BLOCKS

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Staging().rewrite(func.body))
