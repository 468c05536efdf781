"""A loop that fills a buffer and uses it fills one half for the next iteration while it uses the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tvmscript.ir.arith.fold import add, cast, make, mul, sub
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import LT, Add, Broadcast, BufferLoad, Div, FloorMod, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, For, IfThenElse, seq
from tvmscript.ir.tir.substitute import copied, substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import DoubleBufferOutsideLoop, UnevenSplit
from tvmscript.ir.transform.function_features import Features

SCOPE, WRITE = "double_buffer_scope", "double_buffer_write"


class _Addresses(Visitor):
    """Memory that is asked for two halves, and whose address goes nowhere."""

    def __init__(self, body: Stmt) -> None:
        self.asked: set[Var] = set()
        self.passed_on: set[Var] = set()
        self.visit(body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key == SCOPE:
            self.asked.add(node.node)
        self.visit(node.value)
        self.visit(node.body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.visit(node.body)

    @on(Var)
    def var(self, node: Var) -> None:
        self.passed_on.add(node)


@dataclass(slots=True)
class _Memory:
    """Memory with two halves."""

    #: elements in each of them
    stride: Expr | None = None
    #: the loop that fills it
    loop: For | None = None
    #: which half is filled, and which is read
    write: Var | None = None
    read: Expr | None = None
    declared: list[DeclBuffer] = field(default_factory=list)


class _Halves(TirRewriter):
    def __init__(self, asked: set[Var], split: int) -> None:
        super().__init__()
        self.split = split
        self.memories = {var: _Memory() for var in asked}
        self.loops: list[For] = []
        #: what fills buffers for the first iteration
        self.first: dict[For, list[Stmt]] = {}
        #: memory that is allocated around a loop
        self.around: dict[For, list[tuple[Allocate, list[DeclBuffer]]]] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        memory = self.memories.get(node.node) if isinstance(node.node, Var) else None
        if node.attr_key != SCOPE or memory is None:
            made: Stmt = self.descend(node) if node.attr_key != SCOPE else self.rewrite(node.body)
            return made
        if not self.loops:
            raise DoubleBufferOutsideLoop(memory=node.node.name, span=node.span)
        return self.filled(node, memory, self.loops[-1])

    def filled(self, node: AttrStmt, memory: _Memory, loop: For) -> Stmt:
        """What fills the buffer, one iteration ahead."""
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
        made: Stmt = self.descend(node)
        self.loops.pop()
        first = self.first.get(node)
        if first is not None:
            assert isinstance(made, For)
            made = seq(*first, *(self.split_up(made) if self.split else [made]))
        for allocation, declared in reversed(self.around.get(node, ())):
            made = _allocated(allocation, declared, made)
        return made

    def split_up(self, loop: For) -> list[Stmt]:
        """The loop without its last iterations, several at once, and these."""
        var, dtype = loop.loop_var, loop.loop_var.dtype
        factor = IntImm(dtype, self.split)
        outer = make(Div, sub(loop.extent, IntImm(dtype, 1)), factor)
        start = add(loop.min, mul(outer, factor))
        end = add(loop.min, loop.extent)
        outer_var = Var(f"{var.name}.outer", dtype)
        steps = [
            copied(loop.body, {var: add(add(loop.min, mul(outer_var, factor)), IntImm(dtype, each))}, is_fresh=each > 0)
            for each in range(self.split)
        ]
        main = For(outer_var, IntImm(dtype, 0), outer, loop.kind, seq(*steps), span=loop.span)
        last: Stmt = _WithoutWrites().rewrite(loop.body)
        rest: list[Stmt] = []
        for each in range(self.split):
            index = add(start, IntImm(dtype, each))
            rest.append(
                IfThenElse(make(LT, index, end), copied(last, {var: index}, is_fresh=True), None, span=loop.span)
            )
        return [main, *rest]

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        memory = self.memories.get(node.buffer_var)
        if memory is None or len(node.extents) != 1:
            made: Stmt = self.descend(node)
            return made
        extent = node.extents[0]
        memory.stride = extent
        body: Stmt = self.rewrite(node.body)
        both = node.replace(extents=(mul(extent, const(2, extent.dtype)),))
        if memory.loop in self.loops:
            self.around.setdefault(memory.loop, []).append((both, memory.declared))
            return body
        return _allocated(both, memory.declared, body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        memory = self.memories.get(node.buffer.data)
        if memory is None:
            made: Stmt = self.descend(node)
            return made
        body: Stmt = self.rewrite(node.body)
        memory.declared.append(node.replace(buffer=self.buffer(node.buffer)))
        return body

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        if node.data not in self.memories:
            return node
        made: Any = self.renamed.get(node)
        if made is None:
            shape = (mul(node.shape[0], const(2, node.shape[0].dtype)),)
            made = self.renamed[node] = node.replace(shape=shape)
        return made  # type: ignore[no-any-return]  # buffers are renamed to buffers

    def accessed(self, indices: tuple[Expr, ...], memory: _Memory, half: Expr | None) -> tuple[Expr, ...]:
        if half is None or memory.stride is None:
            return indices
        index, start = indices[0], mul(*match_types(half, memory.stride))
        if index.dtype.lanes != 1:
            start = cast(index.dtype.element, start)
            return (Add(Broadcast(start, index.dtype.lanes), index, span=index.span),)
        return (add(*match_types(start, index)),)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        memory = self.memories.get(node.buffer.data)
        if memory is None:
            return super().load(node)
        indices = self.accessed(self.indices(node.indices), memory, memory.read)
        return node.replace(buffer=self.buffer(node.buffer), indices=indices)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        memory = self.memories.get(node.buffer.data)
        if memory is None:
            return super().store(node)
        indices = self.accessed(self.indices(node.indices), memory, memory.write)
        return node.replace(buffer=self.buffer(node.buffer), indices=indices, value=self.rewrite(node.value))


def _allocated(allocation: Allocate, declared: list[DeclBuffer], body: Stmt) -> Stmt:
    for each in declared:
        body = each.replace(body=body)
    return allocation.replace(body=body)


class _WithoutWrites(TirRewriter):
    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made: Stmt = self.rewrite(node.body) if node.attr_key == WRITE else self.descend(node)
        return made


@dataclass(frozen=True)
class InjectDoubleBuffer(PrimFuncPass):
    """Memory that an attribute `double_buffer_scope` names has two halves: what the attribute stands around fills one
    for the next iteration of the innermost loop, and everything else reads the other. The loop is without its last
    iterations, of which `split_loop` are in one; 0 leaves the loop as it is, with a condition.

    Memory whose address goes elsewhere has one half. Raises `DoubleBufferOutsideLoop`, and `UnevenSplit` for an odd
    `split_loop` other than 1.

    rewrite:
        for i in range(n):                                fill(B[0])
            with T.attr(B, "double_buffer_scope", 1):     for i in range(n - 1):
                fill(B, i)                          -->       if i + 1 < n: fill(B[(i + 1) % 2], i + 1)
            use(B)                                            use(B[i % 2])
                                                          use(B[(n - 1) % 2])
    """

    name: ClassVar[str] = "tir.InjectDoubleBuffer"
    takes: ClassVar[Form] = Form.FLAT
    looks_for: ClassVar[Features | None] = frozenset({SCOPE})

    split_loop: int = 1

    def transform(self, func: PrimFunc) -> PrimFunc:
        addresses = _Addresses(func.body)
        asked = addresses.asked - addresses.passed_on
        if not asked:
            return func
        if self.split_loop % 2 and self.split_loop != 1:
            raise UnevenSplit(split=self.split_loop)
        return func.with_body(_Halves(asked, self.split_loop).rewrite(func.body))
