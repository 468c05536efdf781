"""Copies for the sake of alignment, left out where the original is aligned.

Tile registers load rows of memory that cross a cache line slowly, so rows are copied. Whether they begin at a cache
line is known at run time, when the addresses of arguments are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import BOOL, INT64, nodes, on, structural_equal
from tvmscript.ir.tir import BufferLoad, Call, IntImm, PrimFunc, Stmt, StringImm, Var, substitute, uses
from tvmscript.ir.tir.expr import EQ, FloorMod, Not, Ramp
from tvmscript.ir.tir.intrin.bits import reinterpret
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.rewrite import StatementRewriter, flatten_seq
from tvmscript.ir.tir.stmt import Allocate, BufferStore, For, IfThenElse, LetStmt, SeqStmt, While
from tvmscript.ir.transform.function_attributes import COPY_UNLESS_ALIGNED, is_noalias

#: instructions that only read the memory whose address they take
_READERS = frozenset({"llvm.x86.tileloadd64"})


class _Copy(NamedTuple):
    """A loop that copies neighbouring elements: the copy, and the original of its first element."""

    data: Var
    first: BufferLoad


def leave_out_aligned_copies(func: PrimFunc) -> Stmt:
    """Return the body of a function without annotated copies where the original is aligned.

    rewrite:
        for i in T.serial(8, annotations={"tir.copy_unless_aligned": 64}):
            P[i] = A[k * 8 + i]
        T.evaluate(f(T.address_of(P[0])))
    -->
        is_aligned = T.reinterpret("int64", T.address_of(A[k * 8])) % 64 == 0
        if not is_aligned:
            for i in range(8):
                P[i] = A[k * 8 + i]
        P_1 = T.if_then_else(is_aligned, T.address_of(A[k * 8]), P)
        T.evaluate(f(T.address_of(P_1[0])))

    The original must be complete, no other argument may overlap it, and what reads the copy stands behind it.
    """
    loops = [
        stmt for stmt in statements(func.body) if isinstance(stmt, For) and COPY_UNLESS_ALIGNED in stmt.annotations
    ]
    if not loops or not is_noalias(func):
        return func.body
    return _LeaveOutCopies(func.body).rewrite(func.body)


def _accesses(body: Stmt) -> Counter[Var]:
    """Return how many loads and stores of each buffer there are."""
    return Counter(node.buffer.data for node in nodes(body) if isinstance(node, (BufferLoad, BufferStore)))


def _writes(body: Stmt) -> Counter[Var]:
    """Return how many statements store to each buffer, or do with its address what is not known."""
    writes: Counter[Var] = Counter()
    for node in nodes(body):
        if isinstance(node, BufferStore):
            writes[node.buffer.data] += 1
        elif isinstance(node, Allocate):
            writes[node.buffer_var] -= 1  # its definition is the next node
        elif isinstance(node, Var) and node.dtype.is_handle:
            writes[node] += 1
        elif isinstance(node, Call):
            writes.update(_addressed((node,)))
            if any(isinstance(arg, StringImm) and arg.value in _READERS for arg in node.args):
                writes.subtract(_addressed(node.args))
    return writes


def _addressed(values: Iterable[object]) -> list[Var]:
    """Return the data variables of those buffers whose elements these are addresses of."""
    calls = [value for value in values if isinstance(value, Call) and value.op is address_of]
    return [element.buffer.data for call in calls if isinstance(element := call.args[0], BufferLoad)]


class _LeaveOutCopies(StatementRewriter):
    def __init__(self, body: Stmt) -> None:
        super().__init__()
        #: those of the statement that is rewritten, and of what runs beside and behind it
        self.writes = _writes(body)
        self.accesses = _accesses(body)
        self.allocated: set[Var] = set()
        self.is_in_loop = False

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        self.allocated.add(node.buffer_var)
        stmt: Stmt = self.descend(node)
        return stmt

    @on(For, While)
    def loop(self, node: For | While) -> Stmt:
        was_in_loop, self.is_in_loop = self.is_in_loop, True
        stmt: Stmt = self.descend(node)
        self.is_in_loop = was_in_loop
        return stmt

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        writes, stmts = self.writes, list[Stmt]()
        for stmt in node.seq:
            stmts.append(self.rewrite(stmt))
            if not self.is_in_loop:
                self.writes = self.writes.copy()
                self.writes.subtract(_writes(stmt))
        self.writes = writes
        for place in reversed(range(len(stmts))):
            loop = stmts[place]
            if isinstance(loop, For) and COPY_UNLESS_ALIGNED in loop.annotations:
                copy, rest = self.match(loop), flatten_seq(tuple(stmts[place + 1 :]), node)
                # nothing else reads the copy: not an iteration of a loop around both, or what is behind it
                if copy is not None and self.accesses[copy.data] == 1 + _accesses(rest)[copy.data]:
                    stmts[place:] = [self.choose(loop, copy, rest)]
        return flatten_seq(tuple(stmts), node)

    def match(self, loop: For) -> _Copy | None:
        """Return the copy of a nest of loops, None where its elements are not neighbours, or others write them."""
        inner: list[Var] = []
        store: Stmt = loop
        while isinstance(store, (For, LetStmt)):
            inner.append(store.loop_var if isinstance(store, For) else store.var)
            store = substitute(store.body, {store.var: store.value}) if isinstance(store, LetStmt) else store.body
        if not isinstance(store, BufferStore) or store.predicate is not None or len(store.indices) != 1:
            return None
        value, (target,) = store.value, store.indices
        if not isinstance(value, BufferLoad) or len(value.indices) != 1 or value.predicate is not None:
            return None
        source = value.indices[0]
        if isinstance(target, Ramp) and isinstance(source, Ramp) and structural_equal(target.stride, source.stride):
            target, source = target.base, source.base
        data, original = store.buffer.data, value.buffer
        is_alone = data in self.allocated and self.writes[data] == 1 and self.writes[original.data] == 0
        first = Analyzer().simplify(source - target)
        if not is_alone or first.dtype.lanes > 1 or not uses(first).isdisjoint(inner):
            return None
        return _Copy(data, BufferLoad(original, (first,)))

    def choose(self, loop: For, copy: _Copy, rest: Stmt) -> Stmt:
        """Run what is behind a copy with the original, or with the copy."""
        address, alignment = address_of(copy.first), IntImm(INT64, loop.annotations[COPY_UNLESS_ALIGNED].value)
        is_aligned, memory = Var("is_aligned", BOOL), copy.data.replace()
        condition = EQ(FloorMod(reinterpret(INT64, address), alignment), IntImm(INT64, 0))
        chosen = if_then_else_(is_aligned, address, copy.data)
        behind = LetStmt(memory, chosen, substitute(rest, {copy.data: memory}))
        copied = IfThenElse(Not(is_aligned), loop.replace(annotations={}), None)
        return LetStmt(is_aligned, condition, flatten_seq((copied, behind), loop))
