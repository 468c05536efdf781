"""Vectorized loops become operations on vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.fold import is_const, make
from tvmscript.ir.arith.layout import broadcast, index_add, index_mul
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    Add,
    BinaryOp,
    Broadcast,
    BufferLoad,
    Call,
    Cast,
    IntImm,
    Let,
    LogicalOp,
    Mul,
    Not,
    Ramp,
    Select,
    Shuffle,
    Sub,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    Block,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    While,
)
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import BlockInLoops

#: Functions of one lane that backends compute for whole vectors although TVM's table does not say so.
_ELEMENTWISE: Final = frozenset({"tir.erf", "tir.rsqrt"})


class _NeedsScalars(Exception):
    """The statement at hand has no vector form."""


class _Vectorizer(TirRewriter):
    """One loop's body, all iterations at once. A statement that has no vector form keeps a serial loop of its own."""

    def __init__(self, loop: For, lanes: int) -> None:
        super().__init__()
        self.var = loop.loop_var
        self.start = loop.min
        self.lanes = lanes
        self.renamed[self.var] = Ramp(loop.min, IntImm(self.var.dtype, 1), lanes)
        #: variables of `let` whose value is a vector now
        self.vectors: set[Var] = set()

    # -- statements

    def rewrite(self, node: Any) -> Any:
        if not isinstance(node, Stmt):
            return super().rewrite(node)
        try:
            return super().rewrite(node)
        except _NeedsScalars:
            return self.serial(node)

    def value(self, value: Any) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)

    def serial(self, stmt: Stmt) -> Stmt:
        """A serial loop over the lanes. What uses a vector from outside cannot have one."""
        if not self.vectors.isdisjoint(uses(stmt)):
            raise _NeedsScalars
        lane = Var(f"{self.var.name}_s", self.var.dtype)
        extent = IntImm(self.var.dtype, self.lanes)
        return For(lane, self.start, extent, ForKind.SERIAL, substitute(stmt, {self.var: lane}))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.predicate is not None or node.buffer.dtype.lanes != 1:
            raise _NeedsScalars
        indices = self.indices(node.indices)
        value: Expr = self.rewrite(node.value)
        if not indices or indices[-1].dtype.lanes == 1:
            # each iteration writes the same element: once is enough if the value is always the same
            if value is not node.value or indices is not node.indices or _reads(node.value, node.buffer):
                raise _NeedsScalars
            return node
        if any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise _NeedsScalars
        return BufferStore(node.buffer, broadcast(value, self.lanes), indices, span=node.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        return node.replace(min=self.scalar(node.min), extent=self.scalar(node.extent), body=self.rewrite(node.body))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition = self.scalar(node.condition)
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        return IfThenElse(condition, self.rewrite(node.then_case), else_case, span=node.span)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        # lanes may leave the loop at different times
        raise _NeedsScalars

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        return AssertStmt(self.scalar(node.condition), node.message, self.rewrite(node.body), span=node.span)

    @on(LetStmt)
    def let_statement(self, node: LetStmt) -> Stmt:
        var, value = self.bound(node.var, node.value)
        try:
            return LetStmt(var, value, self.rewrite(node.body), span=node.span)
        finally:
            self.vectors.discard(node.var)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        if not isinstance(node.value, IntImm):
            raise _NeedsScalars
        return node

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if len(node.extents) != 1 or node.dtype.lanes != 1:
            raise _NeedsScalars
        extent = self.scalar(node.extents[0])
        body = _OneForEachLane(node.buffer_var, self.var, self.start, self.lanes).rewrite(node.body)
        extents = (index_mul(extent, IntImm(extent.dtype, self.lanes)),)
        return node.replace(extents=extents, condition=self.scalar(node.condition), body=self.rewrite(body))

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        for part in (*node.buffer.shape, *node.buffer.strides, node.buffer.elem_offset):
            self.scalar(part)
        return DeclBuffer(node.buffer, self.rewrite(node.body), span=node.span)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        raise BlockInLoops(name=VectorizeLoop.name, block=node.name_hint, span=node.span)

    # -- expressions

    def scalar(self, expr: Expr) -> Expr:
        """An expression that must be the same in every lane."""
        made: Expr = self.rewrite(expr)
        if made.dtype.lanes != expr.dtype.lanes:
            raise _NeedsScalars
        return made

    def widened(self, *exprs: Expr) -> tuple[Expr, ...]:
        """Rewritten expressions, all of them vectors if one is."""
        made: list[Expr] = [self.rewrite(expr) for expr in exprs]
        if all(expr.dtype.lanes == 1 for expr in made):
            return tuple(made)
        return tuple([broadcast(expr, self.lanes) for expr in made])

    def bound(self, var: Var, value: Expr) -> tuple[Var, Expr]:
        """A definition: its variable is a vector where its value is."""
        made: Expr = self.rewrite(value)
        if made.dtype is not var.dtype:
            vector = Var(var.name, made.dtype, span=var.span)
            self.renamed[var] = vector
            self.vectors.add(var)
            return vector, made
        return var, made

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        if a is node.a and b is node.b:
            return node
        rule = _ON_RAMPS.get(type(node))
        if rule is not None and (isinstance(a, Ramp) or isinstance(b, Ramp)) and a.dtype.lanes != b.dtype.lanes:
            made = rule(a, b)
            if made is not None:
                return made
        if isinstance(node, LogicalOp) and not _is_harmless(node.b):
            # the second operand is not evaluated in lanes that the first decides
            raise _NeedsScalars
        return type(node)(broadcast(a, self.lanes), broadcast(b, self.lanes), span=node.span)

    @on(Not)
    def negation(self, node: Not) -> Expr:
        return self.descend(node)

    @on(Select)
    def select(self, node: Select) -> Expr:
        condition, true_value, false_value = self.widened(node.condition, node.true_value, node.false_value)
        return Select(condition, true_value, false_value, span=node.span)

    @on(Cast)
    def cast(self, node: Cast) -> Expr:
        value: Expr = self.rewrite(node.value)
        return node if value is node.value else Cast(node.dtype.with_lanes(value.dtype.lanes), value, span=node.span)

    @on(Let)
    def let(self, node: Let) -> Expr:
        var, value = self.bound(node.var, node.value)
        made = Let(var, value, self.rewrite(node.body), span=node.span)
        self.vectors.discard(node.var)
        return made

    @on(Ramp, Broadcast, Shuffle)
    def vector(self, node: Expr) -> Expr:
        # a vector of vectors has no dtype
        raise _NeedsScalars

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        indices = self.indices(node.indices)
        if indices is node.indices:
            return node
        is_vector = any(index.dtype.lanes != 1 for index in indices)
        if node.predicate is not None or any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise _NeedsScalars
        if is_vector and node.buffer.dtype.lanes != 1:
            raise _NeedsScalars
        return BufferLoad(node.buffer, indices, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        op = node.op
        if not isinstance(op, Op) or op.effect > CallEffect.READ_STATE:
            raise _NeedsScalars
        if op.name == "tir.if_then_else":
            condition = self.scalar(node.args[0])
            args: tuple[Expr, ...] = (condition, *self.widened(*node.args[1:]))
            return Call(args[1].dtype, op, args, node.span)
        args = self.indices(node.args)
        if args is node.args or all(arg.dtype.lanes == 1 for arg in args):
            return node if args is node.args else Call(node.dtype, op, args, node.span)
        if not getattr(op, "vectorizable", False) and op.name not in _ELEMENTWISE:
            raise _NeedsScalars
        return Call(node.dtype.with_lanes(self.lanes), op, tuple([broadcast(a, self.lanes) for a in args]), node.span)


def _reads(value: Expr, buffer: Buffer) -> bool:
    """Whether an expression may read the memory of a buffer."""
    return any(isinstance(node, BufferLoad) and node.buffer.data is buffer.data for node in nodes(value))


def _is_harmless(expr: Expr) -> bool:
    """Whether an expression can be evaluated where its value is not needed: it neither divides nor loads nor calls."""
    return not any(isinstance(node, BufferLoad | Call) or type(node).__name__ in _PARTIAL for node in nodes(expr))


_PARTIAL: Final = frozenset({"Div", "Mod", "FloorDiv", "FloorMod"})


def _add(a: Expr, b: Expr) -> Expr | None:
    return index_add(a, b)


def _sub(a: Expr, b: Expr) -> Expr | None:
    if isinstance(a, Ramp):
        return Ramp(make(Sub, a.base, b), a.stride, a.lanes)
    if isinstance(b, Ramp):
        return Ramp(make(Sub, a, b.base), make(Sub, IntImm(b.stride.dtype, 0), b.stride), b.lanes)
    return None


def _mul(a: Expr, b: Expr) -> Expr | None:
    return index_mul(a, b) if isinstance(a, Ramp) else index_mul(b, a)


#: Operations on a ramp and a scalar that give a ramp.
_ON_RAMPS: Final[dict[type[BinaryOp], Callable[[Expr, Expr], Expr | None]]] = {Add: _add, Sub: _sub, Mul: _mul}


class _OneForEachLane(TirRewriter):
    """Accesses to an allocation that becomes one element for each lane: lanes lie next to each other."""

    def __init__(self, data: Var, var: Var, start: Expr, lanes: int) -> None:
        super().__init__()
        self.data = data
        self.lane = make(Sub, var, start)
        self.lanes = lanes

    def index(self, index: Expr) -> Expr:
        if index.dtype.lanes != 1:
            raise _NeedsScalars
        return index_add(index_mul(index, IntImm(index.dtype, self.lanes)), self.lane)

    def owns(self, buffer: Any) -> bool:
        return isinstance(buffer, Buffer) and buffer.data is self.data

    @on(Buffer)
    def name(self, node: Any) -> Any:
        if not self.owns(node):
            if node is self.data:
                raise _NeedsScalars
            return node
        made = self.renamed.get(node)
        if made is None:
            if len(node.shape) != 1 or node.strides or not is_const(node.elem_offset, 0):
                raise _NeedsScalars
            extent = node.shape[0]
            made = node.replace(shape=(index_mul(extent, IntImm(extent.dtype, self.lanes)),))
            self.renamed[node] = made
        return made

    @on(Var)
    def variable(self, node: Var) -> Var:
        if node is self.data:
            raise _NeedsScalars
        return node

    def define(self, name: Any) -> Any:
        return self.name(name) if isinstance(name, Buffer) else name

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if not self.owns(node.buffer):
            return super().load(node)
        return BufferLoad(self.name(node.buffer), (self.index(self.rewrite(node.indices[0])),), span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if not self.owns(node.buffer):
            return super().store(node)
        index = self.index(self.rewrite(node.indices[0]))
        return BufferStore(self.name(node.buffer), self.rewrite(node.value), (index,), span=node.span)


class _Loops(TirRewriter):
    def __init__(self, is_enabled: bool, max_lanes: int) -> None:
        super().__init__()
        self.is_enabled = is_enabled
        self.max_lanes = max_lanes

    @on(For)
    def loop(self, node: For) -> Stmt:
        made = self.descend(node)
        if made.kind is not ForKind.VECTORIZED:
            return made
        extent = made.extent
        if not self.is_enabled or not isinstance(extent, IntImm):
            return made.replace(kind=ForKind.SERIAL)
        if extent.value <= 1:
            return substitute(made.body, {made.loop_var: made.min}) if extent.value == 1 else NOOP
        lanes = self.lanes(extent.value)
        if lanes == extent.value:
            return vectorized(made, lanes)
        if lanes == 1:
            return made.replace(kind=ForKind.SERIAL)
        return self.nest(made, extent.value // lanes, lanes)

    def lanes(self, extent: int) -> int:
        """The largest vector that a loop is made of."""
        if not self.max_lanes or extent <= self.max_lanes:
            return extent
        return next(lanes for lanes in range(self.max_lanes, 0, -1) if extent % lanes == 0)

    def nest(self, node: For, steps: int, lanes: int) -> Stmt:
        """A serial loop over vectors."""
        dtype = node.loop_var.dtype
        outer, inner = Var(f"{node.loop_var.name}_o", dtype), Var(f"{node.loop_var.name}_i", dtype)
        value = index_add(index_add(index_mul(outer, IntImm(dtype, lanes)), inner), node.min)
        body = substitute(node.body, {node.loop_var: value})
        zero = IntImm(dtype, 0)
        vector = vectorized(For(inner, zero, IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes)
        return For(outer, zero, IntImm(dtype, steps), ForKind.SERIAL, vector, None, node.annotations, span=node.span)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        raise BlockInLoops(name=VectorizeLoop.name, block=node.name_hint, span=node.span)


def vectorized(loop: For, lanes: int) -> Stmt:
    """The body of a loop of so many iterations, all of them at once."""
    made: Stmt = _Vectorizer(loop, lanes).rewrite(loop.body)
    return made


@dataclass(frozen=True)
class VectorizeLoop(PrimFuncPass):
    """No loop is of the vectorized kind: accesses and arithmetic work on vectors of as many lanes as the loop had.

    A statement without a vector form (a condition that differs between lanes, a call that is no vector function,
    a sum into one element) keeps a serial loop over the lanes, as does a loop whose extent is not constant.
    Loops of more than `max_lanes` iterations (0: no limit) become serial loops over vectors.
    With `enable_vectorize=False` vectorized loops become serial ones.

    rewrite:
        for i in T.vectorized(4):   -->     A[0:4] = B[0:4] + T.Broadcast(T.float32(1), 4)
            A[i] = B[i] + 1.0
    """

    name: ClassVar[str] = "tir.VectorizeLoop"
    enable_vectorize: bool = True
    max_lanes: int = 0

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Loops(self.enable_vectorize, self.max_lanes).rewrite(func.body))
