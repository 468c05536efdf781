"""Memory that threads allocate: their own where it is small, else parts of global memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import DType, PointerType, PrimType, nodes, on
from tvmscript.ir.tir import (
    AccessRewriter,
    Block,
    Buffer,
    BufferLoad,
    BufferStore,
    Call,
    Expr,
    For,
    IntImm,
    Stmt,
    Var,
    match_types,
    uses,
)
from tvmscript.ir.tir.stmt import Allocate, LetStmt

#: bytes up to which an array is a thread's own: a device has such memory for all threads that it can run at once
_PRIVATE_BYTES: Final = 4 << 10


class ThreadMemory(AccessRewriter):
    """Give what a thread allocates the scope of its own memory; large arrays are parts of global memory.

    rewrite:
        for i in T.parallel(m): A = T.allocate([n]): ... A[j] ...  -->  A = T.allocate([m * n]): ... A[j + i * n] ...
    """

    def __init__(self, number: Expr, count: Expr, *outer: Var) -> None:
        """Take the number of an iteration, how many there are, and the variables of loops around that a thread runs."""
        super().__init__()
        self.number, self.count = number, count
        #: global memory -> its allocation in an iteration
        self.shared: dict[Var, Allocate] = {}
        #: what is defined in an iteration
        self.inner = {*uses(number), *outer}

    def allocate(self, launch: Stmt) -> Stmt:
        """Return a launch inside of the allocations of its global memory."""
        for data, node in self.shared.items():
            launch = Allocate(data, node.dtype, (self.count * node.extents[0],), TRUE, launch)
        return launch

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.inner |= {node.loop_var}
        return self.descend(node)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        self.inner |= {node.var}
        return self.descend(node)

    def _is_known_outside(self, node: Allocate) -> bool:
        """Return whether the host knows the size of an array."""
        size = fold.mul(*match_types(self.count, node.extents[0]))
        return self.inner.isdisjoint(uses(size)) and not any(isinstance(part, BufferLoad) for part in nodes(size))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        allocation = self.shared.get(node.buffer.data)
        return indices if allocation is None else (indices[0] + self.number * allocation.extents[0],)

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        data = node.buffer_var
        if data.storage_scope not in ("", "global"):
            return self.descend(node)
        if not _is_small(node.extents, node.dtype) and _is_flat(node) and self._is_known_outside(node):
            self.shared[data] = node
            return self.rewrite(node.body)
        self.renamed[data] = Var(data.name, PointerType(PrimType(node.dtype), "local"), span=data.span)
        return node.replace(buffer_var=self.renamed[data], body=self.rewrite(node.body))

    def map_buffer(self, buffer: Buffer) -> Buffer:
        if (node := self.shared.get(buffer.data)) is not None:
            return buffer.replace(shape=(self.count * node.extents[0],))
        return buffer.replace(data=self.renamed[buffer.data]) if buffer.data in self.renamed else buffer


class OwnBuffers(AccessRewriter):
    """Give small arrays that blocks allocate the scope of a thread's own memory."""

    @on(Block)
    def block(self, node: Block) -> Block:
        for buffer in node.alloc_buffers:
            if buffer.storage_scope in ("", "global") and _is_small(buffer.shape, buffer.dtype):
                kind = PointerType(PrimType(buffer.dtype), "local")
                self.renamed[buffer.data] = Var(buffer.data.name, kind, span=buffer.data.span)
        block = self.descend(node)
        assert isinstance(block, Block)
        return block

    def map_buffer(self, buffer: Buffer) -> Buffer:
        return buffer.replace(data=self.renamed[buffer.data]) if buffer.data in self.renamed else buffer


def _is_small(shape: Sequence[Expr], dtype: DType) -> bool:
    """Return whether a thread may have an array of its own: its size is a constant, and small."""
    sizes = [extent.value for extent in shape if isinstance(extent, IntImm)]
    return len(sizes) == len(shape) and prod(sizes) * dtype.itemsize <= _PRIVATE_BYTES


def _is_flat(node: Allocate) -> bool:
    """Return whether all accesses to an array are those of one dimension and its dtype."""
    data = node.buffer_var
    buffers = {part.buffer for part in nodes(node.body) if isinstance(part, (BufferLoad, BufferStore))}
    is_passed = any(arg is data for part in nodes(node.body) if isinstance(part, Call) for arg in part.args)
    return (
        len(node.extents) == 1
        and not is_passed
        and all(
            len(buffer.shape) == 1 and not buffer.strides and buffer.dtype is node.dtype
            for buffer in buffers
            if buffer.data is data
        )
    )
