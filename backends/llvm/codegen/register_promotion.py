"""Register promotion: loops accumulate in memory of their own, which LLVM keeps in registers.

LLVM promotes accumulators too where it knows that no other pointer reaches them, with passes that short pipelines lack.
"""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import CallEffect, Op, nodes, on, structural_equal
from tvmscript.ir.tir import Buffer, Expr, IntImm, Stmt, Var, uses
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, Ramp
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, BufferStore, For, ForKind, SeqStmt

#: bytes of an accumulator, from which on registers do not hold it
_MOST_BYTES = 512


class PromoteAccumulators(MemoryRewriter):
    """Replace elements of arguments by a local buffer in loops that read and write them at one address.

    rewrite:
        for k in range(1000):                     -->     C_local[0:8] = C[j:j + 8]
            C[j:j + 8] = T.max(C[j:j + 8],                for k in range(1000):
                               A[k * 64 + j:...])             C_local[0:8] = T.max(C_local[0:8], A[k * 64 + j:...])
                                                          C[j:j + 8] = C_local[0:8]
    """

    def __init__(self, memory: dict[Var, bool]) -> None:
        super().__init__(memory)
        self.arguments = frozenset(memory)

    @on(For)
    def loop(self, node: For) -> Stmt:
        return self.promote(node)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        has_stores_only = all(isinstance(part, BufferStore) for part in node.seq)
        return self.promote(node) if has_stores_only else super().sequence(node)

    def promote(self, node: Stmt) -> Stmt:
        """Return a statement with accumulators in local memory."""
        stores = self.accumulators(node)
        if not stores:
            return self.descend(node)
        stmt = node
        for store in stores:
            lanes, index = store.value.dtype.lanes, store.indices[0].dtype.with_lanes(1)
            zero = IntImm(index, 0)
            place = zero if lanes == 1 else Ramp(zero, IntImm(index, 1), lanes)
            shape = (IntImm(index, lanes),)
            local = make_buffer(shape, store.buffer.dtype, f"{store.buffer.name}_local", scope="local")
            body = _Replacement(store.buffer.data, local, (place,)).rewrite(stmt)
            before = BufferStore(local, BufferLoad(store.buffer, store.indices), (place,), span=node.span)
            behind = BufferStore(store.buffer, BufferLoad(local, (place,)), store.indices, span=node.span)
            stmt = SeqStmt((before, body, behind), span=node.span)
            stmt = Allocate(local.data, local.dtype, local.shape, TRUE, stmt, span=node.span)
        return stmt

    def accumulators(self, stmt: Stmt) -> list[BufferStore]:
        """Return a store to each buffer that a statement stores to, none if not all are loaded and stored repeatedly.

        All accesses to such a buffer are to one address, and none depends on a condition: it is an element.
        """
        stores: dict[Var, BufferStore] = {}
        loaded, bound = set[Var](), set[Expr]()
        count = 0
        for part in statements(stmt):
            if isinstance(part, For) and _runs(part):
                bound.add(part.loop_var)
            elif isinstance(part, BufferStore):
                count += 1
                if not _is_same(stores.setdefault(part.buffer.data, part), part):
                    return []
            elif not isinstance(part, SeqStmt):
                return []
        if not all(self.is_promotable(store, bound) for store in stores.values()):
            return []
        for node in nodes(stmt):
            if isinstance(node, Call) and not (isinstance(node.op, Op) and node.op.effect is CallEffect.PURE):
                return []
            if isinstance(node, BufferLoad):
                loaded.add(node.buffer.data)
                if not _is_same(stores.get(node.buffer.data, node), node):
                    return []
        is_repeated = bool(bound) or count > len(stores)
        return list(stores.values()) if is_repeated and stores.keys() <= loaded else []

    def is_promotable(self, store: BufferStore, bound: set[Expr]) -> bool:
        """Return whether a store is to one address of an argument whatever the values of these variables."""
        data, dtype = store.buffer.data, store.value.dtype
        return (
            data in self.arguments
            and self.memory[data]
            and store.predicate is None
            and bool(store.indices)
            and store.buffer.dtype.lanes == 1
            and dtype.bits * dtype.lanes <= 8 * _MOST_BYTES
            and not bound & uses((store.indices, store.buffer.elem_offset))
            and not any(isinstance(part, (BufferLoad, Call)) for index in store.indices for part in nodes(index))
        )


class _Replacement(TirRewriter):
    """Replace the accesses to a buffer by accesses to one place of another buffer."""

    def __init__(self, data: Var, buffer: Buffer, place: tuple[Expr, ...]) -> None:
        super().__init__()
        self.data, self.buffer, self.place = data, buffer, place

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer.data is not self.data:
            return self.descend(node)
        return BufferLoad(self.buffer, self.place, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer.data is not self.data:
            return self.descend(node)
        return BufferStore(self.buffer, self.rewrite(node.value), self.place, span=node.span)


def _runs(loop: For) -> bool:
    """Return whether a serial loop has an iteration, whatever the arguments are."""
    is_serial = loop.kind is ForKind.SERIAL and is_const(loop.min, 0)
    return is_serial and isinstance(loop.extent, IntImm) and loop.extent.value > 0


def _is_same(a: BufferStore | BufferLoad, b: BufferStore | BufferLoad) -> bool:
    """Return whether two accesses are to the same buffer at the same indices."""
    return a is b or (a.buffer is b.buffer and structural_equal(a.indices, b.indices))
