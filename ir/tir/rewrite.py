"""Rewriter of TIR: flat sequences, and fast paths for frequent nodes."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, overload

from tvmscript.ir.core import Node
from tvmscript.ir.core.visit import Rewriter, leaves, on, on_every
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BinaryOp, BufferLoad, BufferRegion, FloatImm, IntImm, IterVar, Range, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, BufferStore, Evaluate, For, SeqStmt
from tvmscript.ir.tir.var import Var


def is_noop(stmt: Stmt) -> bool:
    """Return whether the statement is a no-op: the evaluation of a constant."""
    return isinstance(stmt, Evaluate) and isinstance(stmt.value, IntImm)


#: What stands where a statement must be and nothing is to be done.
NOOP: Stmt = Evaluate(IntImm("int32", 0))


class TirRewriter(Rewriter):
    """Base of passes over statements and expressions."""

    if TYPE_CHECKING:  # an expression may become any other one, a statement too; a block stands where no other node can

        @overload
        def rewrite(self, node: Expr) -> Expr: ...
        @overload
        def rewrite(self, node: Block) -> Block: ...
        @overload
        def rewrite(self, node: Stmt) -> Stmt: ...
        @overload
        def rewrite(self, node: Buffer) -> Buffer: ...
        @overload
        def rewrite(self, node: Range) -> Range: ...
        @overload
        def rewrite(self, node: BufferRegion) -> BufferRegion: ...
        @overload
        def rewrite(self, node: PrimFunc) -> PrimFunc: ...
        @overload
        def rewrite(self, node: Node) -> Any: ...
        def rewrite(self, node: Node) -> Any: ...

    @on(IntImm, FloatImm, StringImm)
    @leaves
    def constant(self, node: Any) -> Any:
        return node

    @on(Var, Buffer)
    def name(self, node: Any) -> Any:
        return self.renamed.get(node, node)

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        table = self.table
        a, b = node.a, node.b
        new_a = table[type(a)](self, a)
        new_b = table[type(b)](self, b)
        return node if new_a is a and new_b is b else type(node)(new_a, new_b, span=node.span)

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Indices of an access, rewritten."""
        entered = self._entered
        if len(indices) == 1:  # as in flat memory
            (index,) = indices
            new = entered[index.__class__](self, index)
            return indices if new is index else (new,)
        rewritten = tuple([entered[index.__class__](self, index) for index in indices])
        return indices if all(map(is_, rewritten, indices)) else rewritten

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        old = node.buffer
        buffer = self._entered[old.__class__](self, old)
        indices = self.indices(node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if buffer is node.buffer and indices is node.indices and predicate is node.predicate:
            return node
        return BufferLoad(buffer, indices, predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        entered, old, stored = self._entered, node.buffer, node.value
        buffer = entered[old.__class__](self, old)
        value = entered[stored.__class__](self, stored)
        indices = self.indices(node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if buffer is node.buffer and value is node.value and indices is node.indices and predicate is node.predicate:
            return node
        return BufferStore(buffer, value, indices, predicate, span=node.span)

    @on(Range)
    def domain(self, node: Range) -> Range:
        held, low, size = self._held, node.min, node.extent
        new_low, new_size = held[low.__class__](self, low), held[size.__class__](self, size)
        return node if new_low is low and new_size is size else Range.from_min_extent(new_low, new_size, span=node.span)

    @on(BufferRegion)
    def box(self, node: BufferRegion) -> BufferRegion:
        held, buffer = self._held, node.buffer
        new_buffer, region = held[buffer.__class__](self, buffer), held[tuple](self, node.region)
        return (
            node if new_buffer is buffer and region is node.region else BufferRegion(new_buffer, region, span=node.span)
        )

    @on(For)
    def for_loop(self, node: For) -> Stmt:
        held, low, size, marks = self._held, node.min, node.extent, node.annotations
        var = self.define(node.loop_var)
        new_low, new_size = held[low.__class__](self, low), held[size.__class__](self, size)
        body = held[node.body.__class__](self, node.body)
        binding = None if node.thread_binding is None else held[IterVar](self, node.thread_binding)
        new_marks = held[dict](self, marks) if marks else marks
        if (
            body is node.body and var is node.loop_var and new_low is low and new_size is size
            and binding is node.thread_binding and new_marks is marks
        ):  # fmt: skip
            return node
        return For(var, new_low, new_size, node.kind, body, binding, new_marks, span=node.span)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        entered = self._entered
        parts = tuple([entered[part.__class__](self, part) for part in node.seq])
        return node if all(map(is_, parts, node.seq)) else flatten_seq(parts, node)

    def define(self, name: Any) -> Any:
        # a variable has no parts that a pass over statements changes
        return name if isinstance(name, Var) else super().define(name)


class AccessRewriter(TirRewriter):
    """Base of passes that move the elements of buffers: to `map_buffer`, at `map_indices`."""

    def map_buffer(self, buffer: Buffer) -> Buffer:
        """Return the buffer that replaces another one."""
        return buffer

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return the indices of an access in the new buffer, given its rewritten indices."""
        return indices

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        new_buffer = self.renamed.get(node)
        if new_buffer is None:
            new_buffer = self.map_buffer(node)
            if new_buffer is not node:
                self.renamed[node] = new_buffer
        assert isinstance(new_buffer, Buffer)
        return new_buffer

    def define(self, name: object) -> Any:
        new_buffer = self.buffer(name) if isinstance(name, Buffer) else name
        return super().define(name) if new_buffer is name else new_buffer

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        return node.rebuild(**self.access(node))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        return node.rebuild(**self.access(node), value=self.rewrite(node.value))

    def access(self, node: BufferLoad | BufferStore) -> dict[str, Any]:
        """Return the new buffer, indices and predicate of an access, by field."""
        indices = self.map_indices(node, self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return {"buffer": self.buffer(node.buffer), "indices": indices, "predicate": predicate}


class StatementRewriter(TirRewriter):
    """Base of passes over statements that do not enter expressions."""

    @on(BufferStore, Evaluate)
    @leaves
    def leaf(self, node: Stmt) -> Stmt:
        return node

    @on_every(Expr)
    @leaves
    def expression(self, node: Expr) -> Expr:
        return node


def flatten_seq(parts: tuple[Stmt, ...], origin: Stmt) -> Stmt:
    """Join statements into one, flattening sequences and dropping no-ops."""
    flat: list[Stmt] = []
    for part in parts:
        if isinstance(part, SeqStmt):
            flat += part.seq
        elif part is not NOOP:
            flat.append(part)
    if not flat:
        return NOOP
    return flat[0] if len(flat) == 1 else SeqStmt(tuple(flat), span=origin.span)
