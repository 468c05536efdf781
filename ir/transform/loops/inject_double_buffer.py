"""Double buffer: fill one half for the next iteration while the other half is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.arith.fold import add, cast, is_const, make, mul, sub
from tvmscript.ir.core import Node, Visitor, nodes, on
from tvmscript.ir.tir import AccessRewriter, Buffer, Expr, PrimFunc, Stmt, TirRewriter, Var, const, match_types, uses
from tvmscript.ir.tir.expr import LT, Add, Broadcast, BufferLoad, Div, FloorMod, IntImm
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, For, IfThenElse, seq
from tvmscript.ir.tir.substitute import copied, substitute
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import CannotDoubleBuffer, UnevenSplit

SCOPE, WRITE = "double_buffer_scope", "double_buffer_write"


class _RequestCollector(Visitor):
    """Collect the data of requested double buffers, and of those that cannot have two halves.

    These are variables whose address escapes, and buffers that are stored to outside of the attribute too.
    """

    def __init__(self, body: Stmt) -> None:
        self.requested: set[Var] = set()
        self.excluded: set[Var] = set()
        #: data whose attribute is around the visited statement
        self.filled: list[Var] = []
        self.visit(body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        self.visit(node.value)
        if node.attr_key != SCOPE:
            self.visit(node.body)
            return
        self.requested.add(node.node)
        self.filled.append(node.node)
        self.visit(node.body)
        self.filled.pop()

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer.data not in self.filled:
            self.excluded.add(node.buffer.data)
        self.walk(node)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.visit(node.body)

    @on(Var)
    def var(self, node: Var) -> None:
        self.excluded.add(node)


def _loaded(stmt: Stmt) -> set[Var]:
    return {node.buffer.data for node in nodes(stmt) if isinstance(node, BufferLoad)}


class _StoreCollector(Visitor):
    """Collect the data of stores outside of double buffers, which are filled in the order in which they are read."""

    def __init__(self, body: Stmt) -> None:
        self.stored: set[Var] = set()
        self.visit(body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key != SCOPE:
            self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.stored.add(node.buffer.data)


@dataclass(slots=True)
class _DoubleBuffer:
    """A buffer with two halves."""

    #: elements of a half
    stride: Expr | None = None
    #: the loop that fills the buffer
    loop: For | None = None
    #: number of the half that is written, and of the half that is read
    write: Var | None = None
    read: Expr | None = None
    declared: list[DeclBuffer] = field(default_factory=list)


class _DoubleBufferRewriter(AccessRewriter):
    def __init__(self, requested: set[Var], split: int, is_lenient: bool) -> None:
        super().__init__()
        self.split = split
        self.is_lenient = is_lenient
        self.memories = {var: _DoubleBuffer() for var in requested}
        self.loops: list[For] = []
        #: loop -> statements that fill buffers for the first iteration
        self.first: dict[For, list[Stmt]] = {}
        #: loop -> allocations around it
        self.around: dict[For, list[tuple[Allocate, list[DeclBuffer]]]] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        memory = self.memories.get(node.node) if isinstance(node.node, Var) else None
        if node.attr_key != SCOPE or memory is None:
            return self.descend(node) if node.attr_key != SCOPE else self.rewrite(node.body)
        reason = ""
        if not self.loops:
            reason = "is filled outside of any loop"
        elif memory.stride is not None and self.loops[-1].loop_var in uses(memory.stride):
            reason = f"has another size in each iteration of {self.loops[-1].loop_var.name}, which fills it"
        elif computed := _loaded(node.body) & _StoreCollector(self.loops[-1].body).stored:
            names = ", ".join(sorted(var.name for var in computed))
            reason = f"is filled from {names}, which the same iteration computes"
        if reason and self.is_lenient:
            del self.memories[node.node]
            return self.rewrite(node.body)
        if reason:
            raise CannotDoubleBuffer(memory=node.node.name, reason=reason, span=node.span)
        return self.fill_ahead(node, memory, self.loops[-1])

    def fill_ahead(self, node: AttrStmt, memory: _DoubleBuffer, loop: For) -> Stmt:
        """Return the statement that fills the buffer one iteration ahead."""
        var = loop.loop_var
        one, two = IntImm(var.dtype, 1), IntImm(var.dtype, 2)
        shifted = add(var, one)
        memory.loop = loop
        memory.write = Var(f"{var.name}.db", var.dtype)
        memory.read = make(FloorMod, var, two)
        body: Stmt = self.rewrite(node.body)
        values: dict[Any, Node] = {memory.write: make(FloorMod, loop.min, two), var: loop.min}
        self.first.setdefault(loop, []).append(copied(body, values, is_fresh=True))
        body = substitute(body, {memory.write: make(FloorMod, shifted, two), var: shifted})
        body = AttrStmt(node.node, WRITE, IntImm("int32", 1), body, span=node.span)
        return IfThenElse(make(LT, shifted, add(loop.min, loop.extent)), body, None, span=node.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.loops.append(node)
        stmt: Stmt = self.descend(node)
        self.loops.pop()
        first = self.first.get(node)
        if first is not None:
            assert isinstance(stmt, For)
            has_iterations = make(LT, IntImm(stmt.extent.dtype, 0), stmt.extent)
            stmt = seq(*first, *(self.split_loop(stmt) if self.split else [stmt]))
            if not is_const(has_iterations, 1):
                # without the first iteration nothing may be filled
                stmt = IfThenElse(has_iterations, stmt, span=node.span)
        for allocation, declared in reversed(self.around.get(node, ())):
            stmt = _wrap_allocation(allocation, declared, stmt)
        return stmt

    def split_loop(self, loop: For) -> list[Stmt]:
        """Split off the last iterations, and run several of the others in one step."""
        var, dtype = loop.loop_var, loop.loop_var.dtype
        factor = IntImm(dtype, self.split)
        outer = make(Div, sub(loop.extent, IntImm(dtype, 1)), factor)
        start = add(loop.min, mul(outer, factor))
        end = add(loop.min, loop.extent)
        outer_var = Var(f"{var.name}.outer", dtype)
        bodies = [
            copied(loop.body, {var: add(add(loop.min, mul(outer_var, factor)), IntImm(dtype, step))}, is_fresh=step > 0)
            for step in range(self.split)
        ]
        main = For(outer_var, IntImm(dtype, 0), outer, loop.kind, seq(*bodies), span=loop.span)
        last: Stmt = _WriteRemover().rewrite(loop.body)
        rest: list[Stmt] = []
        for step in range(self.split):
            index = add(start, IntImm(dtype, step))
            rest.append(
                IfThenElse(make(LT, index, end), copied(last, {var: index}, is_fresh=True), None, span=loop.span)
            )
        return [main, *rest]

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        memory = self.memories.get(node.buffer_var)
        if memory is None or len(node.extents) != 1:
            return self.descend(node)
        extent = node.extents[0]
        memory.stride = extent
        body: Stmt = self.rewrite(node.body)
        if node.buffer_var not in self.memories:
            return _wrap_allocation(node, memory.declared, body)
        both = node.replace(extents=(mul(extent, const(2, extent.dtype)),))
        if memory.loop in self.loops:
            self.around.setdefault(memory.loop, []).append((both, memory.declared))
            return body
        return _wrap_allocation(both, memory.declared, body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        memory = self.memories.get(node.buffer.data)
        if memory is None:
            return self.descend(node)
        body: Stmt = self.rewrite(node.body)
        memory.declared.append(node.replace(buffer=self.buffer(node.buffer)))
        return body

    def map_buffer(self, buffer: Buffer) -> Buffer:
        if buffer.data not in self.memories:
            return buffer
        return buffer.replace(shape=(mul(buffer.shape[0], const(2, buffer.shape[0].dtype)),))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        memory = self.memories.get(node.buffer.data)
        if memory is None:
            return indices
        half = memory.read if isinstance(node, BufferLoad) else memory.write
        if half is None or memory.stride is None:
            return indices
        index, start = indices[0], mul(*match_types(half, memory.stride))
        if index.dtype.lanes != 1:
            start = cast(index.dtype.element, start)
            return (Add(Broadcast(start, index.dtype.lanes), index, span=index.span),)
        return (add(*match_types(start, index)),)


def _wrap_allocation(allocation: Allocate, declared: list[DeclBuffer], body: Stmt) -> Stmt:
    for declaration in declared:
        body = declaration.replace(body=body)
    return allocation.replace(body=body)


class _WriteRemover(TirRewriter):
    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        return self.rewrite(node.body) if node.attr_key == WRITE else self.descend(node)


@dataclass(frozen=True)
class InjectDoubleBuffer(PrimFuncPass):
    """Give buffers named by an attribute `double_buffer_scope` two halves.

    The statement under the attribute fills one half for the next iteration of the innermost loop; all other statements
    access the other half. The last iterations are split off the loop, and each of its steps runs `split_loop`
    iterations; with 0 the loop is kept, and the fill is guarded by a condition. All is guarded where the loop may have
    no iterations, unlike in TVM.

    Buffers whose address escapes are not changed, nor those that other statements store to, nor with `is_lenient` those
    that are filled outside of any loop.
    Raises `CannotDoubleBuffer`, and `UnevenSplit` for an odd `split_loop` other than 1.

    rewrite:
        for i in range(n):                                fill(B[0])
            with T.attr(B, "double_buffer_scope", 1):     for i in range(n - 1):
                fill(B, i)                          -->       if i + 1 < n: fill(B[(i + 1) % 2], i + 1)
            use(B)                                            use(B[i % 2])
                                                          use(B[(n - 1) % 2])
    """

    name = "tir.InjectDoubleBuffer"
    is_idempotent = True
    takes = Form.FLAT
    looks_for = frozenset({SCOPE})

    split_loop: int = 1
    #: whether to leave a buffer that is filled outside of any loop, such as a unit loop that was simplified
    is_lenient: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        collector = _RequestCollector(func.body)
        requested = collector.requested - collector.excluded
        if not requested:
            return func
        if self.split_loop % 2 and self.split_loop != 1:
            raise UnevenSplit(split=self.split_loop)
        return func.with_body(_DoubleBufferRewriter(requested, self.split_loop, self.is_lenient).rewrite(func.body))
