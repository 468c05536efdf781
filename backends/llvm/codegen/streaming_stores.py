"""Streaming stores of elementwise loops over more memory than caches hold: past the caches, without reading first.
Rows of some length that are not streamed are stored at aligned addresses as well.

A vector that is stored past the caches must be aligned, so the first iterations of each row run on their own, up to an
aligned address. A fence after the loop orders its stores before later ones, for other threads.
"""

from __future__ import annotations

from math import prod
from typing import Final

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.vectorizable_loops import (
    LIGHT_CALLS,
    ROLLED,
    VectorizationCheck,
    vectorize_at,
    vectorize_masked,
)
from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import INT64, DType, Op, nodes, on
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.tir import BufferLoad, Call, Expr, IntImm, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import GE, And, Cast, FloorDiv, FloorMod, Min, Mul, Sub
from tvmscript.ir.tir.intrin.bits import reinterpret
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For, ForKind, IfThenElse, LetStmt

#: attribute of statements whose vector stores go past the caches
STREAMING: Final = "tir.streaming_store"
#: Vector registers that an iteration stores.
_REGISTERS: Final = 2
#: Least bytes of a row of stores in a loop over rows: each one begins with single elements, and ends with a fence.
_ROW: Final = 4096
#: Least bytes of a row from which aligned stores pay: others cross cache lines.
_ALIGNED: Final = 8192
#: How many times the bytes of a core's second cache its part of the last one is taken to have.
_PART_OF_LAST: Final = 16


def _is_expensive(store: BufferStore) -> bool:
    calls = [part for part in nodes(store.value) if isinstance(part, Call)]
    return any(not isinstance(call.op, Op) or call.op.name not in LIGHT_CALLS for call in calls)


class StreamStores(MemoryRewriter):
    """Store what large elementwise loops, or nests of them, compute past the caches.

    rewrite, for a size that is only known at run time:
        for i in range(n):         -->     if n * 4 >= 33554432:
            B[i] = A[i]                        (iterations up to an aligned address of B)
                                               with T.attr(0, "tir.streaming_store", 1):
                                                   for i in range(...): B[...] = A[...]
                                               (the last iterations)
                                           else:
                                               for i in range(n): B[i] = A[i]
    """

    def __init__(self, memory: dict[Var, bool], model: MachineModel) -> None:
        super().__init__(memory)
        self.model = model
        #: enclosing loops
        self.loops: list[For] = []
        #: bytes that are streamed: more than would be in a cache when a later loop reads them
        self.least = min(_PART_OF_LAST * model.l2_bytes, model.l3_bytes)

    @on(For)
    def loop(self, node: For) -> Stmt:
        store = node.body
        if not isinstance(store, BufferStore) or node.kind is not ForKind.SERIAL or node.annotations:
            self.loops.append(node)
            result = self.descend(node)
            self.loops.pop()
            return result
        element_bytes = store.value.dtype.itemsize
        least = _ROW if self.loops else min(self.least, _ROW)
        if isinstance(node.extent, IntImm) and node.extent.value * element_bytes < least:
            return node
        if not is_const(node.min, 0) or not node.extent.dtype.is_signed or not self.is_streamable(node, store):
            return node
        extents = [loop.extent for loop in (node, *self.rows_of(store))]
        known_bytes = element_bytes * prod(max(extent.value, 0) for extent in extents if isinstance(extent, IntImm))
        unknown: list[Expr] = [Cast(INT64, extent) for extent in extents if not isinstance(extent, IntImm)]
        is_loaded = any(isinstance(part, BufferLoad) for extent in unknown for part in nodes(extent))
        if is_loaded or (not unknown and known_bytes < self.least):
            count = node.extent.value if isinstance(node.extent, IntImm) else 0
            is_long = count * element_bytes >= _ALIGNED and self.model.has_masks and not _is_expensive(store)
            return (self.stream(node, store, is_streaming=False) if is_long else None) or node
        streamed = self.stream(node, store)
        if streamed is None or not unknown:
            return node if streamed is None else streamed
        total: Expr = IntImm(INT64, known_bytes)
        for extent in unknown:
            total = Mul(total, extent)
        is_large: Expr = GE(total, IntImm(INT64, self.least))
        if not isinstance(node.extent, IntImm) and self.loops:
            is_large = And(GE(unknown[0], IntImm(INT64, _ROW // element_bytes)), is_large)
        return IfThenElse(is_large, streamed, node, span=node.span)

    def rows_of(self, store: BufferStore) -> list[For]:
        """Return the enclosing loops each of whose iterations stores other elements, which no part of them loads."""
        rows: list[For] = []
        used = uses(store.indices)
        for loop in reversed(self.loops):
            if loop.loop_var not in used or not is_const(loop.min, 0):
                break
            rows.append(loop)
        while rows and any(
            isinstance(part, BufferLoad) and part.buffer.data is store.buffer.data for part in nodes(rows[-1].body)
        ):
            rows.pop()
        return rows

    def is_streamable(self, loop: For, store: BufferStore) -> bool:
        """Return whether a loop stores consecutive elements that it does not read."""
        check = VectorizationCheck(loop.loop_var, self.memory, takes_halves=True, takes_integers=True)
        return (
            check.lanes(store, self.model.lanes(1)) > 0
            and all(load.buffer.data is not store.buffer.data for load in check.loads)
            and not any(isinstance(part, BufferLoad) for part in nodes(loop.extent))
        )

    def stream(self, loop: For, store: BufferStore, *, is_streaming: bool = True) -> Stmt | None:
        """Return a loop with aligned stores, which are streaming ones or not; None if it has no vector form."""
        dtype, element_bytes = loop.loop_var.dtype, store.value.dtype.itemsize
        lanes = self.model.lanes(element_bytes) * _REGISTERS
        first, step = Var(f"{loop.loop_var.name}_first", dtype), Var(loop.loop_var.name, dtype)
        width = IntImm(dtype, lanes)
        vector = vectorize_at(loop, index_add(first, index_mul(step, width)), lanes)
        if vector is None:
            return None
        beginning = substitute(BufferLoad(store.buffer, store.indices), {loop.loop_var: IntImm(dtype, 0)})
        count = FloorDiv(Sub(loop.extent, first), width)
        done = index_add(first, index_mul(count, width))
        vectors = loop.replace(loop_var=step, extent=count, body=vector)
        main = AttrStmt(IntImm(dtype, 0), STREAMING, IntImm(dtype, 1), vectors) if is_streaming else vectors
        parts = (self.part(loop, IntImm(dtype, 0), first, lanes), main, self.part(loop, done, loop.extent, lanes))
        aligned = Min(self.elements_before(beginning, element_bytes, dtype), loop.extent)
        return LetStmt(first, aligned, flatten_seq(parts, loop), span=loop.span)

    def part(self, loop: For, start: Expr, end: Expr, lanes: int) -> Stmt:
        """Return some iterations of a loop, less than a vector of them: masked, where the machine can."""
        masked = vectorize_masked(loop, start, end, lanes) if self.model.has_masks else None
        if masked is not None:
            return masked
        body = substitute(loop.body, {loop.loop_var: index_add(start, loop.loop_var)})
        return loop.replace(extent=Sub(end, start), body=body, annotations={ROLLED: TRUE})

    def elements_before(self, element: Expr, element_bytes: int, dtype: DType) -> Expr:
        """Return how many elements there are from an element to the next aligned address."""
        address = reinterpret(INT64, address_of(element))
        alignment = IntImm(INT64, self.model.vector_bytes)
        distance = FloorMod(Sub(IntImm(INT64, 0), address), alignment)
        return Cast(dtype, FloorDiv(distance, IntImm(INT64, element_bytes)))
