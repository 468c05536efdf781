"""Vectorized loops become operations on vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import broadcast, index_add, index_mul
from tvmscript.ir.arith.fold import is_const, make
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
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
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter
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
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass, option
from tvmscript.ir.transform.errors import BlockInLoops, CannotVectorize, WhileInVectorizedLoop
from tvmscript.ir.transform.function_features import Features
from tvmscript.ir.transform.loops.vectorize_loop.masks import masked

#: Functions of one lane that are not in TVM's table of vector functions, and vectorized there too.
_LANE_BY_LANE: Final = frozenset({"tir.reinterpret"})
#: Functions of one lane that backends compute for whole vectors although TVM's table does not say so.
_ELEMENTWISE: Final = frozenset({"tir.erf", "tir.rsqrt"})


class _NeedsScalars(Exception):
    """The statement at hand has no vector form."""


class _Vectorizer(TirRewriter):
    """One loop's body, all iterations at once. A statement that has no vector form keeps a serial loop of its own."""

    def __init__(self, loop: For, lanes: int, is_lenient: bool, has_masks: bool) -> None:
        super().__init__()
        self.is_lenient = is_lenient
        self.has_masks = has_masks
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
        extent = lanes_value(self.lanes, self.var.dtype)
        return For(lane, self.start, extent, ForKind.SERIAL, substitute(stmt, {self.var: lane}))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.predicate is not None:
            raise _NeedsScalars
        indices = self.indices(node.indices)
        value: Expr = self.rewrite(node.value)
        if indices is node.indices:
            # each iteration writes the same element
            if value is node.value and not _reads(value, node.buffer):
                return node
            is_scalar = bool(indices) and indices[-1].dtype.lanes == 1 and node.buffer.dtype.lanes == 1
            if not is_scalar or value is node.value or _reads(node.value, node.buffer):
                raise _NeedsScalars
            # the last one counts
            indices = (*indices[:-1], broadcast(indices[-1], self.lanes))
        if any(index.dtype.lanes != 1 for index in indices[:-1]):
            raise _NeedsScalars
        lanes = self.times(node.value.dtype.lanes)
        if self.times(node.indices[-1].dtype.lanes) != indices[-1].dtype.lanes:
            raise _NeedsScalars
        return BufferStore(node.buffer, _widened(value, lanes), indices, span=node.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        return node.replace(min=self.scalar(node.min), extent=self.scalar(node.extent), body=self.rewrite(node.body))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition: Expr = self.rewrite(node.condition)
        if condition.dtype.lanes != 1:
            # the condition differs between lanes
            made = masked(self.rewrite(node.then_case), condition) if self.has_masks and not node.else_case else None
            if made is None:
                raise _NeedsScalars
            return made
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
        if all(new is old for new, old in zip(made, exprs, strict=True)):
            return exprs
        return tuple([_widened(new, self.times(old.dtype.lanes)) for new, old in zip(made, exprs, strict=True)])

    def times(self, lanes: int) -> int:
        """The lanes of what has so many in one iteration."""
        if lanes != 1 and self.lanes < 0:
            raise _NeedsScalars
        return lanes * self.lanes

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
        if rule is not None and (isinstance(a, Ramp) or isinstance(b, Ramp)) and 1 in (a.dtype.lanes, b.dtype.lanes):
            made = rule(a, b)
            if made is not None:
                return made
        if isinstance(node, LogicalOp) and not self.is_harmless(node.b, node.a):
            # the second operand is not evaluated in lanes that the first decides
            raise _NeedsScalars
        lanes = self.times(node.a.dtype.lanes)
        return type(node)(_widened(a, lanes), _widened(b, lanes), span=node.span)

    def is_harmless(self, expr: Expr, first: Expr) -> bool:
        """Whether an expression can be evaluated where its value is not needed, after another one.

        It neither divides nor calls, and loads what is loaded already or lies in its buffer.
        """
        found = list(nodes(expr))
        if any(isinstance(node, _PARTIAL) for node in found):
            return False
        known = _always_loaded(first)
        loads = [node for node in found if isinstance(node, BufferLoad)]
        return all(any(structural_equal(load, each) for each in known) or self.is_inside(load) for load in loads)

    def is_inside(self, load: BufferLoad) -> bool:
        """Whether every lane of a load is known to be in its buffer."""
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
        condition, true_value, false_value = made = self.widened(*parts)
        if made is parts:
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
        var, value = self.bound(node.var, node.value)
        try:
            return Let(var, value, self.rewrite(node.body), span=node.span)
        finally:
            self.vectors.discard(node.var)

    @on(Ramp)
    def ramp(self, node: Ramp) -> Expr:
        """Vectors one after the other are one vector."""
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
        # a vector of vectors has no dtype
        parts = (node.value,) if isinstance(node, Broadcast) else (*node.vectors, *node.indices)
        if any(self.rewrite(part).dtype is not part.dtype for part in parts):
            raise _NeedsScalars
        made: Expr = self.descend(node)
        return made

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
            args: tuple[Expr, ...] = (condition, *self.widened(*node.args[1:]))
            return Call(args[1].dtype, op, args, node.span)
        args = self.indices(node.args)
        if args is node.args or all(arg.dtype.lanes == 1 for arg in args):
            return node if args is node.args else Call(node.dtype, op, args, node.span)
        is_elementwise = getattr(op, "vectorizable", False) or op.name in _LANE_BY_LANE
        if not is_elementwise and not (self.is_lenient and op.name in _ELEMENTWISE):
            raise _NeedsScalars
        lanes = self.times(node.dtype.lanes)
        return Call(node.dtype.with_lanes(lanes), op, tuple([_widened(a, lanes) for a in args]), node.span)


def _widened(value: Expr, lanes: int) -> Expr:
    """A value in so many lanes: what is the same in each lane is repeated."""
    if value.dtype.lanes == lanes:
        return value
    if isinstance(value, Broadcast) and lanes % value.lanes == 0:
        return Broadcast(value.value, lanes, span=value.span)
    if value.dtype.lanes != 1:
        raise _NeedsScalars
    return broadcast(value, lanes)


def _reads(value: Expr, buffer: Buffer) -> bool:
    """Whether an expression may read the memory of a buffer."""
    return any(isinstance(node, BufferLoad) and node.buffer.data is buffer.data for node in nodes(value))


#: what has no value for some operands
_PARTIAL: Final = (Call, Div, FloorDiv, FloorMod, Mod)


def _always_loaded(expr: Expr) -> list[BufferLoad]:
    """Loads of an expression that do not depend on its conditions."""
    if isinstance(expr, LogicalOp):
        return _always_loaded(expr.a)
    if any(isinstance(node, LogicalOp | Call) for node in nodes(expr)):
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
        return Analyzer().simplify(index_add(index_mul(index, IntImm(index.dtype, self.lanes)), self.lane))

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
    def __init__(self, options: VectorizeLoop, target: object) -> None:
        super().__init__()
        self.options = options
        self.is_enabled = options.enable_vectorize
        self.max_lanes = options.max_lanes
        self.is_lenient = options.is_lenient
        self.target = target

    @property
    def has_scalable(self) -> bool:
        """Whether the target has vectors of a length that is known when it runs."""
        options = self.target.options if isinstance(self.target, Target) else {}
        return "+sve" in ",".join(map(str, options.get("mattr", ())))

    def vectorized(self, loop: For, lanes: int) -> Stmt:
        """The body of a loop of so many iterations, all of them at once."""
        has_masks = self.has_scalable if self.options.has_masks is None else self.options.has_masks
        return vectorized(loop, lanes, self.is_lenient, bool(has_masks))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != "target":
            return self.descend(node)
        outside, self.target = self.target, node.node
        made: Stmt = self.descend(node)
        self.target = outside
        return made

    @on(For)
    def loop(self, node: For) -> Stmt:
        made = self.descend(node)
        if made.kind is not ForKind.VECTORIZED:
            return made
        extent = made.extent
        if not self.is_enabled:
            return made.replace(kind=ForKind.SERIAL)
        if not isinstance(extent, IntImm):
            return self.symbolic(made)
        if extent.value <= 1:
            return substitute(made.body, {made.loop_var: made.min}) if extent.value == 1 else NOOP
        lanes = self.lanes(extent.value)
        if lanes == extent.value:
            return self.vectorized(made, lanes)
        if lanes == 1:
            return made.replace(kind=ForKind.SERIAL)
        return self.nest(made, extent.value // lanes, lanes)

    def symbolic(self, node: For) -> Stmt:
        """A loop of as many iterations as a vector of the machine has lanes, or of any other number."""
        lanes = scalable_lanes(node.extent)
        if lanes is not None and self.has_scalable:
            return self.vectorized(node, lanes)
        if self.is_lenient:
            return node.replace(kind=ForKind.SERIAL)
        raise CannotVectorize(var=node.loop_var.name, extent=node.extent, span=node.span)

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
        vector = self.vectorized(For(inner, zero, IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes)
        return For(outer, zero, IntImm(dtype, steps), ForKind.SERIAL, vector, None, node.annotations, span=node.span)


def vectorized(loop: For, lanes: int, is_lenient: bool, has_masks: bool = False) -> Stmt:
    """The body of a loop of so many iterations, all of them at once."""
    made: Stmt = _Vectorizer(loop, lanes, is_lenient, has_masks).rewrite(loop.body)
    return made


@dataclass(frozen=True)
class VectorizeLoop(PrimFuncPass):
    """No loop is of the vectorized kind: accesses and arithmetic work on vectors of as many lanes as the loop had.

    A statement without a vector form (a condition that differs between lanes, a call that is no vector function,
    a sum into one element) keeps a serial loop over the lanes. An extent of `T.vscale() * 4` gives scalable vectors
    where the target (the function's, or that of `T.attr(target, "target", 0)`) has them. With `has_masks`, which is the
    default for such targets, a condition `i < n` on the lanes becomes a mask of the loads and stores under it.
    Raises `CannotVectorize` for other extents that are not constant, and `WhileInVectorizedLoop`; with `is_lenient`
    these loops are serial, and functions such as `T.erf` are vectorized.
    Loops of more than `max_lanes` iterations (0: no limit) become serial loops over vectors.
    With `enable_vectorize=False` vectorized loops become serial ones.

    rewrite:
        for i in T.vectorized(4):   -->     A[0:4] = B[0:4] + T.Broadcast(T.float32(1), 4)
            A[i] = B[i] + 1.0
    """

    name: ClassVar[str] = "tir.VectorizeLoop"
    looks_for: ClassVar[Features | None] = frozenset({ForKind.VECTORIZED})
    enable_vectorize: bool = True
    max_lanes: int = 0
    is_lenient: bool = False
    has_masks: bool | None = option("tir.enable_buffer_level_predication", None)

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Loops(self, func.attrs.get("target")).rewrite(func.body))
