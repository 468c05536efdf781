"""Replace vectorized loops by vector operations."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.core import Target, on
from tvmscript.ir.tir import NOOP, PrimFunc, StatementRewriter, Stmt, Var, substitute
from tvmscript.ir.tir.expr import (
    IntImm,
    Range,
)
from tvmscript.ir.tir.scalable_vectors import scalable_lanes
from tvmscript.ir.tir.stmt import (
    AttrStmt,
    For,
    ForKind,
)
from tvmscript.ir.transform.base import PrimFuncPass, option
from tvmscript.ir.transform.errors import CannotVectorize
from tvmscript.ir.transform.loops.vectorize_loop.predication import vectorize_predicated
from tvmscript.ir.transform.loops.vectorize_loop.vectorizer import vectorize


class _LoopVectorizer(StatementRewriter):
    def __init__(self, options: VectorizeLoop, target: object) -> None:
        super().__init__()
        self.options = options
        self.is_enabled = options.enable_vectorize
        self.max_lanes = options.max_lanes
        self.is_lenient = options.is_lenient
        self.target = target
        #: enclosing loops
        self.enclosing: list[tuple[Var, Range]] = []

    @property
    def has_scalable(self) -> bool:
        """Whether the target has scalable vectors."""
        options = self.target.options if isinstance(self.target, Target) else {}
        features = ",".join(map(str, options.get("mattr", ())))
        is_riscv = str(options.get("mtriple", "")).startswith("riscv")
        return "+sve" in features or (is_riscv and "+v" in features.split(","))

    def vectorize(self, loop: For, lanes: int) -> Stmt:
        """Vectorize the body of a loop of `lanes` iterations."""
        if self.options.is_predicated and lanes > 0:
            return vectorize_predicated(loop, lanes, self.enclosing)
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
        self.enclosing.append((node.loop_var, Range.from_min_extent(node.min, node.extent)))
        loop = self.descend(node)
        self.enclosing.pop()
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
        self.enclosing.append((outer, Range.from_min_extent(zero, IntImm(dtype, steps))))
        vector = self.vectorize(For(inner, zero, IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes)
        self.enclosing.pop()
        return For(outer, zero, IntImm(dtype, steps), ForKind.SERIAL, vector, None, node.annotations, span=node.span)


@dataclass(frozen=True)
class VectorizeLoop(PrimFuncPass):
    """Replace `T.vectorized` loops by accesses and arithmetic on vectors with one lane per iteration.

    A statement without a vector form (a condition that differs between lanes, a call of a scalar function, a
    reduction into one element) keeps a serial loop over the lanes. An extent of `T.vscale() * 4` becomes scalable
    vectors if the target (of the function, of `T.attr(target, "target", 0)`, or of the context) has them. With
    `has_masks`, the default for such targets, a condition `i < n` on the lanes becomes a mask of loads and stores;
    with `is_predicated`, which includes `is_lenient` where vectors have a fixed length, any condition does. Raises
    `CannotVectorize` for other extents that are not constant, and `WhileInVectorizedLoop`; with `is_lenient` these
    loops become serial, and functions such as `T.erf` are vectorized. A loop of more than `max_lanes` iterations (0:
    no limit) becomes a serial loop over vectors. With `enable_vectorize=False` vectorized loops become serial.

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
    is_predicated: bool = False
    has_masks: bool | None = option("tir.enable_buffer_level_predication", None)

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_LoopVectorizer(self, func.attrs.get("target") or Target.current()).rewrite(func.body))
