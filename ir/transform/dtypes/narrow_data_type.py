"""Indices and loop variables have as few bits as their values need, down to a given width."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

from tvmscript.ir.arith.interval_analysis import IntervalAnalysis
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BinaryOp, Cast, IntImm, IterVar, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import LAUNCHES, AttrStmt, Block, For
from tvmscript.ir.tir.te_nodes import Reduce
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypes
from tvmscript.ir.transform.function_features import features

_WIDEST: Final = 64


class _Widths(Visitor):
    """Bits of variables, constants and conversions: enough for every expression that they are part of."""

    def __init__(self, bits: int) -> None:
        self.target = bits
        #: what the expressions around need
        self.needed = bits
        self.low, self.high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        self.bounds = IntervalAnalysis()
        #: loop variables, axes and threads: bits of their range
        self.ranges: dict[Var, int] = {}
        self.found: dict[Expr, int] = {}

    def define(self, name: Any) -> None:
        """Sizes of buffers keep their dtype, unless a variable in them changes its own."""

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
        """What is inside of this expression needs as many bits as its value."""
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
            self.found[node] = max(self.found.get(node, 0), min(own, self.needed))
        if not isinstance(node, Var):
            self.walk(node)
        self.needed = before

    @on(For)
    def loop(self, node: For) -> None:
        self.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        self.walk(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about = node.node
        if node.attr_key in LAUNCHES and isinstance(about, IterVar):
            self.bind(about.var, Range.from_min_extent(IntImm(node.value.dtype, 0), node.value))
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
def _integer(bits: int, lanes: int) -> DType:
    return DType(f"int{bits}").with_lanes(lanes)


class _Narrowing(IndexDtypes):
    def __init__(self, widths: dict[Expr, int]) -> None:
        super().__init__()
        self.widths = widths
        #: what operands of operators became as parts of an index
        self.operands: dict[Expr, Expr] = {}

    def narrow(self, node: Expr) -> DType:
        """The dtype that a variable, a constant or a conversion gets."""
        bits = self.widths.get(node, node.dtype.bits)
        return node.dtype if bits == node.dtype.bits else _integer(bits, node.dtype.lanes)

    @on(Var)
    def name(self, node: Var) -> Var:
        return self.bound(node, self.narrow(node))

    @on(IntImm)
    def constant(self, node: IntImm) -> Expr:
        dtype = self.narrow(node) if self.is_index else node.dtype
        return node if dtype is node.dtype else IntImm(dtype, node.value, node.span)

    def combined(self, node: BinaryOp, a: Expr, b: Expr) -> Expr:
        if a.dtype is not b.dtype and not self.is_index:
            # a narrow variable: what it is combined with is narrow too, if it can be
            a, b = self.operand(node.a), self.operand(node.b)
        return super().combined(node, a, b)

    def operand(self, node: Expr) -> Expr:
        """The operand as it is in an index."""
        found = self.operands.get(node)
        if found is None:
            found = self.operands[node] = self.index(node)
        return found

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value, dtype = self.rewrite(node.value), self.narrow(node) if self.is_index else node.dtype
        if dtype is node.dtype:
            return node if value is node.value else Cast(dtype, value, node.span)
        return value if value.dtype is dtype else Cast(dtype, value, node.span)


@dataclass(frozen=True)
class NarrowDataType(PrimFuncPass):
    """Loop variables, threads, block axes and constants are as narrow as the expressions with them allow.

    `target_bits` (32 or more) is the least width. An expression whose values are known to fit into it makes its parts
    narrow; one of which that is not known keeps them wide. Parameters keep their dtype; where a narrow integer meets a
    wide one, it is converted.

    rewrite:
        for i in range(T.int64(16)):                        for i in range(16):
            B[i] = A[i * T.int64(2)] + T.float32(1)   -->       B[i] = A[i * 2] + T.float32(1)
    """

    name: ClassVar[str] = "tir.NarrowDataType"
    target_bits: int

    def transform(self, func: PrimFunc) -> PrimFunc:
        wide = [f"int{bits}" for bits in range(self.target_bits + 1, _WIDEST + 1)]
        if features(func).isdisjoint(wide):
            return func
        widths = _Widths(self.target_bits)
        widths.visit(func.body)
        changes = {node: bits for node, bits in widths.found.items() if bits != node.dtype.bits}
        return func.with_body(_Narrowing(changes).rewrite(func.body)) if changes else func
