"""Narrow indices and loop variables to as few bits as their values need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from tvmscript.ir.arith.intervals.interval_analysis import IntervalAnalysis
from tvmscript.ir.core import DType, Visitor, on
from tvmscript.ir.tir import LAUNCHES, AttrStmt, BinaryOp, Block, Cast, Expr, For, IntImm, IterVar, PrimFunc, Range, Var
from tvmscript.ir.tir.te_nodes import Reduce
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypeRewriter
from tvmscript.ir.transform.function_features import features

_WIDEST: Final = 64


class _BitWidths(Visitor):
    """Bit widths of variables, constants and casts that suffice for every expression that contains them."""

    def __init__(self, bits: int) -> None:
        self.target = bits
        #: bits that the enclosing expressions need
        self.needed = bits
        self.low, self.high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        self.bounds = IntervalAnalysis()
        #: loop variable, axis or thread -> bits of its range
        self.ranges: dict[Var, int] = {}
        self.widths: dict[Expr, int] = {}

    def define(self, name: object) -> None:
        """Skip definitions: sizes of buffers keep their dtype unless one of their variables is narrowed."""

    def bind(self, var: Var, dom: Range) -> None:
        self.bounds.bind(var, dom)
        self.ranges[var] = dom.extent.dtype.bits

    @on(Expr)
    def expression(self, node: Expr) -> None:
        before = self.needed
        self.enter(node)
        self.walk(node)
        self.needed = before

    def enter(self, node: Expr) -> None:
        """Raise `needed` to the bits that the value of this expression needs."""
        dtype = node.dtype
        if dtype.code != "int":
            return
        is_narrow = dtype.bits <= self.target or self.bounds.of(node).within(self.low, self.high)
        self.needed = max(self.needed, min(self.target if is_narrow else _WIDEST, dtype.bits))

    @on(Var, IntImm, Cast)
    def sized(self, node: Expr) -> None:
        before = self.needed
        self.enter(node)
        if node.dtype.code == "int" and (not isinstance(node, Var) or node in self.ranges):
            own = self.ranges[node] if isinstance(node, Var) else node.dtype.bits
            self.widths[node] = max(self.widths.get(node, 0), min(own, self.needed))
        if not isinstance(node, Var):
            self.walk(node)
        self.needed = before

    @on(For)
    def loop(self, node: For) -> None:
        self.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        self.walk(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis = node.node
        if node.attr_key in LAUNCHES and isinstance(axis, IterVar):
            self.bind(axis.var, Range.from_extent(node.value))
        self.visit(node.value)
        self.visit(node.body)

    @on(Block, Reduce)
    def block(self, node: Block | Reduce) -> None:
        for axis in node.iter_vars if isinstance(node, Block) else node.axis:
            if axis.dom is not None:
                self.bind(axis.var, axis.dom)
        if isinstance(node, Block):
            self.walk(node)
        else:
            self.expression(node)

    @on(IterVar)
    def axis(self, node: IterVar) -> None:
        if node.dom is not None:
            self.visit(node.dom)


@cache
def _int_dtype(bits: int, lanes: int) -> DType:
    return DType(f"int{bits}").with_lanes(lanes)


class _NarrowingRewriter(IndexDtypeRewriter):
    def __init__(self, widths: dict[Expr, int]) -> None:
        super().__init__()
        self.widths = widths
        #: operand -> the operand rewritten as part of an index
        self.operands: dict[Expr, Expr] = {}

    def narrow_dtype(self, node: Expr) -> DType:
        """Return the new dtype of a variable, a constant or a cast."""
        bits = self.widths.get(node, node.dtype.bits)
        return node.dtype if bits == node.dtype.bits else _int_dtype(bits, node.dtype.lanes)

    @on(Var)
    def name(self, node: Var) -> Var:
        return self.retype_var(node, self.narrow_dtype(node))

    @on(IntImm)
    def constant(self, node: IntImm) -> Expr:
        return node.rebuild(dtype=self.narrow_dtype(node) if self.is_index else node.dtype)

    def rebuild_binary(self, node: BinaryOp, a: Expr, b: Expr) -> Expr:
        if a.dtype is not b.dtype and not self.is_index:
            # one operand was narrowed: narrow the other one too if possible
            a, b = self.operand(node.a), self.operand(node.b)
        return super().rebuild_binary(node, a, b)

    def operand(self, node: Expr) -> Expr:
        """Rewrite an operand as part of an index."""
        new_operand = self.operands.get(node)
        if new_operand is None:
            new_operand = self.operands[node] = self.index(node)
        return new_operand

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value, dtype = self.rewrite(node.value), self.narrow_dtype(node) if self.is_index else node.dtype
        if dtype is node.dtype:
            return node if value is node.value else Cast(dtype, value, node.span)
        return value if value.dtype is dtype else Cast(dtype, value, node.span)


@dataclass(frozen=True)
class NarrowDataType(PrimFuncPass):
    """Narrow loop variables, threads, block axes and constants as far as the expressions that contain them allow.

    `target_bits` (32 or more) is the smallest width. The parts of an expression are narrowed if its value provably fits
    in that width. Parameters keep their dtype; a cast is inserted where a narrow operand meets a wide one.

    rewrite:
        for i in range(T.int64(16)):                        for i in range(16):
            B[i] = A[i * T.int64(2)] + T.float32(1)   -->       B[i] = A[i * 2] + T.float32(1)
    """

    name = "tir.NarrowDataType"
    is_idempotent = True
    target_bits: int

    def transform(self, func: PrimFunc) -> PrimFunc:
        wide = [f"int{bits}" for bits in range(self.target_bits + 1, _WIDEST + 1)]
        if features(func).isdisjoint(wide):
            return func
        widths = _BitWidths(self.target_bits)
        widths.visit(func.body)
        changes = {node: bits for node, bits in widths.widths.items() if bits != node.dtype.bits}
        return func.with_body(_NarrowingRewriter(changes).rewrite(func.body)) if changes else func
