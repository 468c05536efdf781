"""Register promotion: loops accumulate, and carry elements, in memory of their own, which LLVM keeps in registers.

LLVM promotes accumulators too where it knows that no other pointer reaches them, with passes that short pipelines lack.
"""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import CallEffect, Op, nodes, on, structural_equal
from tvmscript.ir.tir import Buffer, Expr, IntImm, Stmt, Var, substitute, uses
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, Ramp, Sub
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
            local, place = _local_buffer(store)
            body = _Replacement(store.buffer.data, local, place).rewrite(stmt)
            before = BufferStore(local, BufferLoad(store.buffer, store.indices), place, span=node.span)
            behind = BufferStore(store.buffer, BufferLoad(local, place), store.indices, span=node.span)
            stmt = _allocate(local, (before, body, behind), node)
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
            if isinstance(node, Call) and not _is_pure(node):
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


class CarryElements(MemoryRewriter):
    """Hand what an iteration stores to the next one in a local buffer, where that reads it.

    rewrite:
        for k in range(1000):                     -->     C_local[0:2] = C[0:2]
            C[k * 2 + 2:k * 2 + 4] =                      for k in range(1000):
                C[k * 2:k * 2 + 2] + A[...]                   C_local[0:2] = C_local[0:2] + A[...]
                                                              C[k * 2 + 2:k * 2 + 4] = C_local[0:2]
    """

    @on(For)
    def loop(self, node: For) -> Stmt:
        store = node.body
        if not isinstance(store, BufferStore) or not _runs(node) or not self.is_carried(store, node.loop_var):
            return self.descend(node)
        local, place = _local_buffer(store)
        first: dict[Var, Expr] = {node.loop_var: IntImm(node.loop_var.dtype, -1)}
        carried = _Replacement(store.buffer.data, local, place).rewrite(store)
        body = SeqStmt((carried, store.replace(value=BufferLoad(local, place))), span=store.span)
        start = Analyzer().simplify(substitute(store.indices[0], first))
        before = BufferStore(local, BufferLoad(store.buffer, (start,)), place, span=node.span)
        return _allocate(local, (before, node.replace(body=body)), node)

    def is_carried(self, store: BufferStore, var: Var) -> bool:
        """Return whether the value of a store reads its buffer where the iteration before stores, and nowhere else."""
        loads = [part for part in nodes(store.value) if isinstance(part, BufferLoad)]
        carried = [load for load in loads if load.buffer.data is store.buffer.data]
        if not carried or not self.memory.get(store.buffer.data, False) or not _is_plain(store):
            return False
        if not var.dtype.is_signed or var not in uses(store.indices):  # or it accumulates in one place
            return False
        if any(isinstance(part, Call) and not _is_pure(part) for part in nodes(store.value)):
            return False
        before = substitute(store.indices[0], {var: Sub(var, IntImm(var.dtype, 1))})
        return all(load.buffer is store.buffer and _is_at(load, before) for load in carried)


def _is_at(load: BufferLoad, place: Expr) -> bool:
    """Return whether a load is at a place, or from there on."""
    if len(load.indices) != 1 or load.predicate is not None or load.dtype.lanes != place.dtype.lanes:
        return False
    (index,) = load.indices
    if isinstance(index, Ramp) and isinstance(place, Ramp):
        return is_const(index.stride, 1) and Analyzer().can_prove_equal(index.base, place.base)
    return not index.dtype.is_vector and Analyzer().can_prove_equal(index, place)


def _is_plain(store: BufferStore) -> bool:
    """Return whether a store without a mask is to consecutive elements, at a place that no memory tells."""
    is_consecutive = all(not isinstance(index, Ramp) or is_const(index.stride, 1) for index in store.indices)
    reads = any(isinstance(part, (BufferLoad, Call)) for index in store.indices for part in nodes(index))
    return store.predicate is None and len(store.indices) == 1 and is_consecutive and not reads


def _is_pure(call: Call) -> bool:
    return isinstance(call.op, Op) and call.op.effect is CallEffect.PURE


def _local_buffer(store: BufferStore) -> tuple[Buffer, tuple[Expr, ...]]:
    """Return a local buffer for what a store stores, and the place of all of it."""
    lanes, index = store.value.dtype.lanes, store.indices[0].dtype.with_lanes(1)
    zero = IntImm(index, 0)
    place = zero if lanes == 1 else Ramp(zero, IntImm(index, 1), lanes)
    shape = (IntImm(index, lanes),)
    return make_buffer(shape, store.buffer.dtype, f"{store.buffer.name}_local", scope="local"), (place,)


def _allocate(local: Buffer, stmts: tuple[Stmt, ...], node: Stmt) -> Stmt:
    """Return statements with a local buffer."""
    body = SeqStmt(stmts, span=node.span)
    return Allocate(local.data, local.dtype, local.shape, TRUE, body, span=node.span)


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
