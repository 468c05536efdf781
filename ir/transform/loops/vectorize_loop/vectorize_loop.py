"""Replace vectorized loops by vector operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import broadcast, index_add, index_mul
from tvmscript.ir.arith.fold import is_const, make
from tvmscript.ir.core import CallEffect, Op, Target, nodes, on, structural_equal
from tvmscript.ir.tir import NOOP, AccessRewriter, Buffer, Expr, PrimFunc, Stmt, TirRewriter, Var, substitute, uses
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
from tvmscript.ir.tir.scalable_vectors import lanes_value, scalable_lanes
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    AttrStmt,
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
from tvmscript.ir.transform.base import PrimFuncPass, option
from tvmscript.ir.transform.errors import BlockInLoops, CannotVectorize, WhileInVectorizedLoop
from tvmscript.ir.transform.loops.vectorize_loop.masks import apply_mask

#: scalar functions that TVM vectorizes although they are not in its table of vector functions
_LANE_BY_LANE: Final = frozenset({"tir.reinterpret"})
#: scalar functions that backends vectorize although TVM's table does not list them
_ELEMENTWISE: Final = frozenset({"tir.erf", "tir.rsqrt"})


class _NeedsScalars(Exception):
    """The current statement has no vector form."""


class _Vectorizer(TirRewriter):
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
        if not isinstance(node, Stmt):
            return super().rewrite(node)
        try:
            return super().rewrite(node)
        except _NeedsScalars:
            return self.serial(node)

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)

    def serial(self, stmt: Stmt) -> Stmt:
        """Return a serial loop over the lanes; not possible if the statement uses an outer vector variable."""
        if not self.vectors.isdisjoint(uses(stmt)):
            raise _NeedsScalars
        lane = Var(f"{self.var.name}_s", self.var.dtype)
        extent = lanes_value(self.lanes, self.var.dtype)
        return For(lane, self.start, extent, ForKind.SERIAL, substitute(stmt, {self.var: lane}))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.predicate is not None:
            raise _NeedsScalars
        indices = self.indices(node.indices)
        value: Expr = self.rewrite(node.value)
        if indices is node.indices:
            # all iterations write the same element
            if value is node.value and not _reads(value, node.buffer):
                return node
            is_scalar = bool(indices) and indices[-1].dtype.lanes == 1 and node.buffer.dtype.lanes == 1
            if not is_scalar or value is node.value or _reads(node.value, node.buffer):
                raise _NeedsScalars
            # the last iteration determines the value
            indices = (*indices[:-1], broadcast(indices[-1], self.lanes))
        if any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise _NeedsScalars
        lanes = self.times(node.value.dtype.lanes)
        if self.times(node.indices[-1].dtype.lanes) != indices[-1].dtype.lanes:
            raise _NeedsScalars
        return BufferStore(node.buffer, _broadcast_to(value, lanes), indices, span=node.span)

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
                raise _NeedsScalars
            return stmt
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        return IfThenElse(condition, self.rewrite(node.then_case), else_case, span=node.span)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        # lanes may leave the loop at different times
        if self.is_lenient:
            raise _NeedsScalars
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
            raise _NeedsScalars
        return node

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if len(node.extents) != 1 or node.dtype.lanes != 1:
            raise _NeedsScalars
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
        raise BlockInLoops(name=VectorizeLoop.name, block=node.name_hint, span=node.span)

    # -- expressions

    def scalar(self, expr: Expr) -> Expr:
        """Rewrite an expression that must be equal in all lanes."""
        new_expr: Expr = self.rewrite(expr)
        if new_expr.dtype.lanes != expr.dtype.lanes:
            raise _NeedsScalars
        return new_expr

    def rewrite_to_vectors(self, *exprs: Expr) -> tuple[Expr, ...]:
        """Rewrite expressions; if one becomes a vector, all do."""
        new_exprs: list[Expr] = [self.rewrite(expr) for expr in exprs]
        if all(new is old for new, old in zip(new_exprs, exprs, strict=True)):
            return exprs
        return tuple(
            [_broadcast_to(new, self.times(old.dtype.lanes)) for new, old in zip(new_exprs, exprs, strict=True)]
        )

    def times(self, lanes: int) -> int:
        """Return the number of lanes of a value that has `lanes` in one iteration."""
        if lanes != 1 and self.lanes < 0:
            raise _NeedsScalars
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
            raise _NeedsScalars
        lanes = self.times(node.a.dtype.lanes)
        return type(node)(_broadcast_to(a, lanes), _broadcast_to(b, lanes), span=node.span)

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
            raise _NeedsScalars
        return Select(condition, true_value, false_value, span=node.span)

    @on(Cast)
    def cast(self, node: Cast) -> Expr:
        value: Expr = self.rewrite(node.value)
        return node if value is node.value else Cast(node.dtype.with_lanes(value.dtype.lanes), value, span=node.span)

    @on(Let)
    def let(self, node: Let) -> Expr:
        var, value = self.rewrite_binding(node.var, node.value)
        try:
            return Let(var, value, self.rewrite(node.body), span=node.span)
        finally:
            self.vectors.discard(node.var)

    @on(Ramp)
    def ramp(self, node: Ramp) -> Expr:
        """Merge consecutive vectors into one."""
        base, stride = self.rewrite(node.base), self.rewrite(node.stride)
        if base is node.base and stride is node.stride:
            return node
        if not isinstance(base, Ramp) or not isinstance(stride, IntImm) or not isinstance(base.stride, IntImm):
            raise _NeedsScalars
        if base.stride.value != stride.value * node.lanes:
            raise _NeedsScalars
        return Ramp(base.base, stride, self.times(node.lanes), span=node.span)

    @on(Broadcast, Shuffle)
    def vector(self, node: Broadcast | Shuffle) -> Expr:
        # there are no vectors of vectors
        parts = (node.value,) if isinstance(node, Broadcast) else (*node.vectors, *node.indices)
        if any(self.rewrite(part).dtype is not part.dtype for part in parts):
            raise _NeedsScalars
        return self.descend(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        indices = self.indices(node.indices)
        if indices is node.indices:
            return node
        if node.predicate is not None or any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise _NeedsScalars
        if indices[-1].dtype.lanes != self.times(node.indices[-1].dtype.lanes):
            raise _NeedsScalars
        return BufferLoad(node.buffer, indices, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        op = node.op
        if not isinstance(op, Op) or op.effect > CallEffect.READ_STATE:
            raise _NeedsScalars
        if op.name == "tir.if_then_else":
            condition = self.scalar(node.args[0])
            args: tuple[Expr, ...] = (condition, *self.rewrite_to_vectors(*node.args[1:]))
            return Call(args[1].dtype, op, args, node.span)
        args = self.indices(node.args)
        if args is node.args or all(arg.dtype.lanes == 1 for arg in args):
            return node if args is node.args else Call(node.dtype, op, args, node.span)
        is_elementwise = getattr(op, "vectorizable", False) or op.name in _LANE_BY_LANE
        if not is_elementwise and not (self.is_lenient and op.name in _ELEMENTWISE):
            raise _NeedsScalars
        lanes = self.times(node.dtype.lanes)
        return Call(node.dtype.with_lanes(lanes), op, tuple([_broadcast_to(a, lanes) for a in args]), node.span)


def _broadcast_to(value: Expr, lanes: int) -> Expr:
    """Broadcast a value to a number of lanes."""
    if value.dtype.lanes == lanes:
        return value
    if isinstance(value, Broadcast) and lanes % value.lanes == 0:
        return Broadcast(value.value, lanes, span=value.span)
    if value.dtype.lanes != 1:
        raise _NeedsScalars
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
            raise _NeedsScalars
        extent = buffer.shape[0]
        return buffer.replace(shape=(index_mul(extent, IntImm(extent.dtype, self.lanes)),))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        if node.buffer.data is not self.data:
            return indices
        index = indices[0]
        if index.dtype.lanes != 1:
            raise _NeedsScalars
        return (Analyzer().simplify(index_add(index_mul(index, IntImm(index.dtype, self.lanes)), self.lane)),)

    @on(Var)
    def variable(self, node: Var) -> Var:
        if node is self.data:
            raise _NeedsScalars
        return node


class _LoopVectorizer(TirRewriter):
    def __init__(self, options: VectorizeLoop, target: object) -> None:
        super().__init__()
        self.options = options
        self.is_enabled = options.enable_vectorize
        self.max_lanes = options.max_lanes
        self.is_lenient = options.is_lenient
        self.target = target

    @property
    def has_scalable(self) -> bool:
        """Whether the target has scalable vectors."""
        options = self.target.options if isinstance(self.target, Target) else {}
        return "+sve" in ",".join(map(str, options.get("mattr", ())))

    def vectorize(self, loop: For, lanes: int) -> Stmt:
        """Vectorize the body of a loop of `lanes` iterations."""
        has_masks = self.has_scalable if self.options.has_masks is None else self.options.has_masks
        return vectorize(loop, lanes, self.is_lenient, bool(has_masks))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != "target":
            return self.descend(node)
        outside, self.target = self.target, node.node
        stmt: Stmt = self.descend(node)
        self.target = outside
        return stmt

    @on(For)
    def loop(self, node: For) -> Stmt:
        loop = self.descend(node)
        if loop.kind is not ForKind.VECTORIZED:
            return loop
        extent = loop.extent
        if not self.is_enabled:
            return loop.replace(kind=ForKind.SERIAL)
        if not isinstance(extent, IntImm):
            return self.symbolic(loop)
        if extent.value <= 1:
            return substitute(loop.body, {loop.loop_var: loop.min}) if extent.value == 1 else NOOP
        lanes = self.lanes(extent.value)
        if lanes == extent.value:
            return self.vectorize(loop, lanes)
        if lanes == 1:
            return loop.replace(kind=ForKind.SERIAL)
        return self.nest(loop, extent.value // lanes, lanes)

    def symbolic(self, node: For) -> Stmt:
        """Vectorize a loop whose extent is not constant: scalable vectors, otherwise an error or a serial loop."""
        lanes = scalable_lanes(node.extent)
        if lanes is not None and self.has_scalable:
            return self.vectorize(node, lanes)
        if self.is_lenient:
            return node.replace(kind=ForKind.SERIAL)
        raise CannotVectorize(var=node.loop_var.name, extent=node.extent, span=node.span)

    def lanes(self, extent: int) -> int:
        """Return the largest number of lanes that divides the extent."""
        if not self.max_lanes or extent <= self.max_lanes:
            return extent
        return next(lanes for lanes in range(self.max_lanes, 0, -1) if extent % lanes == 0)

    def nest(self, node: For, steps: int, lanes: int) -> Stmt:
        """Split a loop into a serial loop over vectors."""
        dtype = node.loop_var.dtype
        outer, inner = Var(f"{node.loop_var.name}_o", dtype), Var(f"{node.loop_var.name}_i", dtype)
        value = index_add(index_add(index_mul(outer, IntImm(dtype, lanes)), inner), node.min)
        body = substitute(node.body, {node.loop_var: value})
        zero = IntImm(dtype, 0)
        vector = self.vectorize(For(inner, zero, IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes)
        return For(outer, zero, IntImm(dtype, steps), ForKind.SERIAL, vector, None, node.annotations, span=node.span)


def vectorize(loop: For, lanes: int, is_lenient: bool, has_masks: bool = False) -> Stmt:
    """Vectorize the body of a loop of `lanes` iterations."""
    result: Stmt = _Vectorizer(loop, lanes, is_lenient, has_masks).rewrite(loop.body)
    return result


@dataclass(frozen=True)
class VectorizeLoop(PrimFuncPass):
    """Replace `T.vectorized` loops by accesses and arithmetic on vectors with one lane per iteration.

    A statement without a vector form (a condition that differs between lanes, a call of a scalar function, a reduction
    into one element) keeps a serial loop over the lanes. An extent of `T.vscale() * 4` becomes scalable vectors if the
    target (of the function, or of `T.attr(target, "target", 0)`) has them. With `has_masks`, the default for such
    targets, a condition `i < n` on the lanes becomes a mask of loads and stores. Raises `CannotVectorize` for other
    extents that are not constant, and `WhileInVectorizedLoop`; with `is_lenient` these loops become serial, and
    functions such as `T.erf` are vectorized. A loop of more than `max_lanes` iterations (0: no limit) becomes a serial
    loop over vectors. With `enable_vectorize=False` vectorized loops become serial.

    rewrite:
        for i in T.vectorized(4):   -->     A[0:4] = B[0:4] + T.Broadcast(T.float32(1), 4)
            A[i] = B[i] + 1.0
    """

    name = "tir.VectorizeLoop"
    is_idempotent = True
    looks_for = frozenset({ForKind.VECTORIZED})
    enable_vectorize: bool = True
    max_lanes: int = 0
    is_lenient: bool = False
    has_masks: bool | None = option("tir.enable_buffer_level_predication", None)

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_LoopVectorizer(self, func.attrs.get("target")).rewrite(func.body))
