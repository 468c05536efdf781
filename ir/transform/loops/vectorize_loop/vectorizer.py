"""Vectorize the body of one loop: statements and expressions with one lane for each iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import broadcast, index_add, index_mul
from tvmscript.ir.arith.fold import is_const, make
from tvmscript.ir.core import CallEffect, Op, nodes, on, structural_equal
from tvmscript.ir.tir import AccessRewriter, Buffer, Expr, Stmt, TirRewriter, Var, substitute, uses
from tvmscript.ir.tir.expr import (
    GT,
    Add,
    BinaryOp,
    Broadcast,
    BufferLoad,
    Call,
    Cast,
    Div,
    FloorDiv,
    FloorMod,
    IntImm,
    Let,
    LogicalOp,
    Mod,
    Mul,
    Not,
    Ramp,
    Range,
    Select,
    Shuffle,
    Sub,
)
from tvmscript.ir.tir.scalable_vectors import lanes_value
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
from tvmscript.ir.transform.errors import BlockInLoops, WhileInVectorizedLoop
from tvmscript.ir.transform.loops.vectorize_loop.masks import apply_mask

#: scalar functions that TVM vectorizes although they are not in its table of vector functions
_LANE_BY_LANE: Final = frozenset({"tir.reinterpret"})
#: scalar functions that backends vectorize although TVM's table does not list them
_ELEMENTWISE: Final = frozenset(
    {
        "tir.acos",
        "tir.acosh",
        "tir.asin",
        "tir.asinh",
        "tir.atan",
        "tir.atan2",
        "tir.atanh",
        "tir.copysign",
        "tir.erf",
        "tir.fmod",
        "tir.hypot",
        "tir.log1p",
        "tir.nearbyint",
        "tir.rsqrt",
    }
)


class NeedsScalars(Exception):
    """The current statement has no vector form."""


class Vectorizer(TirRewriter):
    """Vectorize the body of one loop. A statement without a vector form keeps a serial loop of its own."""

    def __init__(self, loop: For, lanes: int, is_lenient: bool, has_masks: bool) -> None:
        super().__init__()
        self.is_lenient = is_lenient
        self.has_masks = has_masks
        self.var = loop.loop_var
        self.start = loop.min
        self.lanes = lanes
        self.renamed[self.var] = Ramp(loop.min, IntImm(self.var.dtype, 1), lanes)
        #: let variables whose value is a vector
        self.vectors: set[Var] = set()

    # -- statements

    def rewrite(self, node: Any) -> Any:
        rule = self.table[type(node)]
        if not isinstance(node, Stmt):
            return rule(self, node)
        try:
            return rule(self, node)
        except NeedsScalars:
            return self.serial(node)

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)

    def serial(self, stmt: Stmt) -> Stmt:
        """Return a serial loop over the lanes; not possible if the statement uses an outer vector variable."""
        if not self.vectors.isdisjoint(uses(stmt)):
            raise NeedsScalars
        lane = Var(f"{self.var.name}_s", self.var.dtype)
        extent = lanes_value(self.lanes, self.var.dtype)
        return For(lane, self.start, extent, ForKind.SERIAL, substitute(stmt, {self.var: lane}))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.predicate is not None:
            raise NeedsScalars
        indices = self.indices(node.indices)
        value: Expr = self.rewrite(node.value)
        if indices is node.indices:
            # all iterations write the same element
            if value is node.value and not _reads(value, node.buffer):
                return node
            is_scalar = bool(indices) and indices[-1].dtype.lanes == 1 and node.buffer.dtype.lanes == 1
            if not is_scalar or value is node.value or _reads(node.value, node.buffer):
                raise NeedsScalars
            # the last iteration determines the value
            indices = (*indices[:-1], broadcast(indices[-1], self.lanes))
        if any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise NeedsScalars
        lanes = self.times(node.value.dtype.lanes)
        return BufferStore(node.buffer, broadcast_to(value, lanes), indices, span=node.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        return node.replace(min=self.scalar(node.min), extent=self.scalar(node.extent), body=self.rewrite(node.body))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition: Expr = self.rewrite(node.condition)
        if condition.dtype.lanes != 1:
            # the condition differs between lanes
            stmt = (
                apply_mask(self.rewrite(node.then_case), condition) if self.has_masks and not node.else_case else None
            )
            if stmt is None:
                raise NeedsScalars
            return stmt
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        return IfThenElse(condition, self.rewrite(node.then_case), else_case, span=node.span)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        # lanes may leave the loop at different times
        if self.is_lenient:
            raise NeedsScalars
        raise WhileInVectorizedLoop(var=self.var.name, span=node.span)

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        return AssertStmt(self.scalar(node.condition), node.message, self.rewrite(node.body), span=node.span)

    @on(LetStmt)
    def let_statement(self, node: LetStmt) -> Stmt:
        var, value = self.rewrite_binding(node.var, node.value)
        try:
            return LetStmt(var, value, self.rewrite(node.body), span=node.span)
        finally:
            self.vectors.discard(node.var)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        if not isinstance(node.value, IntImm):
            raise NeedsScalars
        return node

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if len(node.extents) != 1 or node.dtype.lanes != 1:
            raise NeedsScalars
        extent = self.scalar(node.extents[0])
        body = _LanePrivatizer(node.buffer_var, self.var, self.start, self.lanes).rewrite(node.body)
        extents = (index_mul(extent, IntImm(extent.dtype, self.lanes)),)
        return node.replace(extents=extents, condition=self.scalar(node.condition), body=self.rewrite(body))

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        for part in (*node.buffer.shape, *node.buffer.strides, node.buffer.elem_offset):
            self.scalar(part)
        return DeclBuffer(node.buffer, self.rewrite(node.body), span=node.span)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        raise BlockInLoops(name="tir.VectorizeLoop", block=node.name_hint, span=node.span)

    # -- expressions

    def scalar(self, expr: Expr) -> Expr:
        """Rewrite an expression that must be equal in all lanes."""
        new_expr: Expr = self.rewrite(expr)
        if new_expr.dtype.lanes != expr.dtype.lanes:
            raise NeedsScalars
        return new_expr

    def rewrite_to_vectors(self, *exprs: Expr) -> tuple[Expr, ...]:
        """Rewrite expressions; if one becomes a vector, all do."""
        new_exprs: list[Expr] = [self.rewrite(expr) for expr in exprs]
        if all(new is old for new, old in zip(new_exprs, exprs, strict=True)):
            return exprs
        return tuple(
            [broadcast_to(new, self.times(old.dtype.lanes)) for new, old in zip(new_exprs, exprs, strict=True)]
        )

    def times(self, lanes: int) -> int:
        """Return the number of lanes of a value that has `lanes` in one iteration."""
        if lanes != 1 and self.lanes < 0:
            raise NeedsScalars
        return lanes * self.lanes

    def rewrite_binding(self, var: Var, value: Expr) -> tuple[Var, Expr]:
        """Rewrite the value of a let; the variable becomes a vector if the value does."""
        new_value: Expr = self.rewrite(value)
        if new_value.dtype is not var.dtype:
            vector = Var(var.name, new_value.dtype, span=var.span)
            self.renamed[var] = vector
            self.vectors.add(var)
            return vector, new_value
        return var, new_value

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        if a is node.a and b is node.b:
            return node
        rule = _ON_RAMPS.get(type(node))
        if rule is not None and (isinstance(a, Ramp) or isinstance(b, Ramp)) and 1 in (a.dtype.lanes, b.dtype.lanes):
            combined = rule(a, b)
            if combined is not None:
                return combined
        if isinstance(node, LogicalOp) and not self.is_harmless(node.b, node.a):
            # the second operand must not be evaluated in lanes where the first one short-circuits
            raise NeedsScalars
        lanes = self.times(node.a.dtype.lanes)
        return type(node)(broadcast_to(a, lanes), broadcast_to(b, lanes), span=node.span)

    def is_harmless(self, expr: Expr, first: Expr) -> bool:
        """Return whether an expression can be evaluated speculatively after another one.

        It must not divide or call, and its loads must be loaded already or provably in bounds.
        """
        parts = list(nodes(expr))
        if any(isinstance(node, _PARTIAL) for node in parts):
            return False
        loaded = _unconditional_loads(first)
        loads = [node for node in parts if isinstance(node, BufferLoad)]
        return all(any(structural_equal(load, other) for other in loaded) or self.is_in_bounds(load) for load in loads)

    def is_in_bounds(self, load: BufferLoad) -> bool:
        """Return whether every lane of a load is provably in bounds."""
        analyzer = Analyzer()
        analyzer.bind(self.var, Range.from_min_extent(self.start, lanes_value(self.lanes, self.var.dtype)))
        return load.predicate is None and all(
            analyzer.can_prove_greater_equal(index, 0) and analyzer.can_prove_less(index, extent)
            for index, extent in zip(load.indices, load.buffer.shape, strict=True)
        )

    @on(Not)
    def negation(self, node: Not) -> Expr:
        return self.descend(node)

    @on(Select)
    def select(self, node: Select) -> Expr:
        parts = (node.condition, node.true_value, node.false_value)
        condition, true_value, false_value = vectors = self.rewrite_to_vectors(*parts)
        if vectors is parts:
            return node
        if node.condition.dtype.lanes != node.true_value.dtype.lanes:
            raise NeedsScalars
        return Select(condition, true_value, false_value, span=node.span)

    @on(Cast)
    def cast(self, node: Cast) -> Expr:
        value: Expr = self.rewrite(node.value)
        if value is node.value:
            return node
        if isinstance(value, Ramp) and node.dtype.is_signed and node.dtype.bits >= value.dtype.bits:
            # index arithmetic does not overflow: the lanes of the wider integer are a ramp, too
            base, stride = (fold.cast(node.dtype, each) for each in (value.base, value.stride))
            return Ramp(base, stride, value.lanes, span=node.span)
        return Cast(node.dtype.with_lanes(value.dtype.lanes), value, span=node.span)

    @on(Let)
    def let(self, node: Let) -> Expr:
        var, value = self.rewrite_binding(node.var, node.value)
        try:
            return node.rebuild(var=var, value=value, body=self.rewrite(node.body))
        finally:
            self.vectors.discard(node.var)

    @on(Ramp)
    def ramp(self, node: Ramp) -> Expr:
        """Merge consecutive vectors into one."""
        base, stride = self.rewrite(node.base), self.rewrite(node.stride)
        if base is node.base and stride is node.stride:
            return node
        if not isinstance(base, Ramp) or not isinstance(stride, IntImm) or not isinstance(base.stride, IntImm):
            raise NeedsScalars
        if base.stride.value != stride.value * node.lanes:
            raise NeedsScalars
        return Ramp(base.base, stride, self.times(node.lanes), span=node.span)

    @on(Broadcast, Shuffle)
    def vector(self, node: Broadcast | Shuffle) -> Expr:
        # there are no vectors of vectors
        parts = (node.value,) if isinstance(node, Broadcast) else (*node.vectors, *node.indices)
        if any(self.rewrite(part).dtype is not part.dtype for part in parts):
            raise NeedsScalars
        return self.descend(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        indices = self.indices(node.indices)
        if indices is node.indices:
            return node
        if node.predicate is not None or any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise NeedsScalars
        return BufferLoad(node.buffer, indices, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        op = node.op
        if not isinstance(op, Op) or op.effect > CallEffect.READ_STATE:
            raise NeedsScalars
        return self.pure_call(node, op)

    def pure_call(self, node: Call, op: Op) -> Expr:
        """Rewrite a call without effects."""
        if op.name == "tir.if_then_else":
            condition = self.scalar(node.args[0])
            return self.choose(node, condition)
        args = self.indices(node.args)
        if args is node.args:
            return node
        if not self.has_vector_form(op):
            raise NeedsScalars
        lanes = self.times(node.dtype.lanes)
        return Call(node.dtype.with_lanes(lanes), op, tuple([broadcast_to(a, lanes) for a in args]), node.span)

    def choose(self, node: Call, condition: Expr) -> Expr:
        """Return a choice by a condition that is equal in all lanes."""
        values = self.rewrite_to_vectors(*node.args[1:])
        if condition is node.args[0] and all(new is old for new, old in zip(values, node.args[1:], strict=True)):
            return node
        return Call(values[0].dtype, node.op, (condition, *values), node.span)

    def has_vector_form(self, op: Op) -> bool:
        """Return whether a function is computed lane by lane."""
        is_elementwise = getattr(op, "vectorizable", False) or op.name in _LANE_BY_LANE
        return is_elementwise or (self.is_lenient and op.name in _ELEMENTWISE)


def broadcast_to(value: Expr, lanes: int) -> Expr:
    """Broadcast a value to a number of lanes."""
    if value.dtype.lanes == lanes:
        return value
    if isinstance(value, Broadcast) and lanes % value.lanes == 0:
        return Broadcast(value.value, lanes, span=value.span)
    if value.dtype.lanes != 1:
        raise NeedsScalars
    return broadcast(value, lanes)


def _reads(value: Expr, buffer: Buffer) -> bool:
    """Return whether an expression may read the memory of a buffer."""
    return any(isinstance(node, BufferLoad) and node.buffer.data is buffer.data for node in nodes(value))


#: operations that are undefined for some operands
_PARTIAL: Final = (Call, Div, FloorDiv, FloorMod, Mod)


def _unconditional_loads(expr: Expr) -> list[BufferLoad]:
    """Return the loads of an expression that are evaluated unconditionally."""
    if isinstance(expr, LogicalOp):
        return _unconditional_loads(expr.a)
    if any(isinstance(node, (LogicalOp, Call)) for node in nodes(expr)):
        return []
    return [node for node in nodes(expr) if isinstance(node, BufferLoad)]


def _add(a: Expr, b: Expr) -> Expr | None:
    return index_add(a, b)


def _sub(a: Expr, b: Expr) -> Expr | None:
    if isinstance(a, Ramp):
        return Ramp(make(Sub, a.base, b), a.stride, a.lanes)
    if isinstance(b, Ramp):
        return Ramp(make(Sub, a, b.base), make(Sub, IntImm(b.stride.dtype, 0), b.stride), b.lanes)
    return None


def _mul(a: Expr, b: Expr) -> Expr | None:
    ramp, factor = (a, b) if isinstance(a, Ramp) else (b, a)
    is_positive = (
        factor.value > 0 if isinstance(factor, IntImm) else Analyzer().can_prove(GT(factor, IntImm(factor.dtype, 0)))
    )
    return index_mul(ramp, factor) if is_positive else None


#: operations on a ramp and a scalar whose result is a ramp
_ON_RAMPS: Final[dict[type[BinaryOp], Callable[[Expr, Expr], Expr | None]]] = {Add: _add, Sub: _sub, Mul: _mul}


class _LanePrivatizer(AccessRewriter):
    """Rewrite accesses of an allocation to have one element per lane, adjacent to each other."""

    def __init__(self, data: Var, var: Var, start: Expr, lanes: int) -> None:
        super().__init__()
        self.data = data
        self.lane = make(Sub, var, start)
        self.lanes = lanes

    def map_buffer(self, buffer: Buffer) -> Buffer:
        if buffer.data is not self.data:
            return buffer
        if len(buffer.shape) != 1 or buffer.strides or not is_const(buffer.elem_offset, 0):
            raise NeedsScalars
        extent = buffer.shape[0]
        return buffer.replace(shape=(index_mul(extent, IntImm(extent.dtype, self.lanes)),))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        if node.buffer.data is not self.data:
            return indices
        index = indices[0]
        if index.dtype.lanes != 1:
            raise NeedsScalars
        return (Analyzer().simplify(index_add(index_mul(index, IntImm(index.dtype, self.lanes)), self.lane)),)

    @on(Var)
    def variable(self, node: Var) -> Var:
        if node is self.data:
            raise NeedsScalars
        return node


def vectorize(loop: For, lanes: int, is_lenient: bool, has_masks: bool = False) -> Stmt:
    """Vectorize the body of a loop of `lanes` iterations."""
    result: Stmt = Vectorizer(loop, lanes, is_lenient, has_masks).rewrite(loop.body)
    return result
