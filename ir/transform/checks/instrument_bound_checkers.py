"""Guard stores by bounds checks that stop the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import Op, Visitor, nodes, on
from tvmscript.ir.core.dtype import INT64, UINT64
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, TirRewriter, cast
from tvmscript.ir.tir.expr import GE, LT, Add, And, BufferLoad, Call, Cast, FloorDiv, IntImm, Mul, Ramp, StringImm, Var
from tvmscript.ir.tir.stmt import Allocate, AssertStmt, AttrStmt, BufferStore, Evaluate, IfThenElse
from tvmscript.ir.transform.base import Form, PrimFuncPass

#: the attribute with the extents of a buffer
BOUND: Final = "buffer_bound"
#: the message of the assertion
MESSAGE: Final = "OUT OF THE BOUNDS"


class _Access(NamedTuple):
    """An accessed element."""

    buffer: Buffer
    indices: tuple[Expr, ...]


class _AccessCollector(Visitor):
    """Collect the loads of a store, outermost first, and whether any of them is conditional."""

    def __init__(self) -> None:
        self.accesses: list[_Access] = []
        self.is_conditional = False

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.accesses.append(_Access(node.buffer, node.indices))
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else":
            self.is_conditional = True
        self.walk(node)


class _CheckRewriter(TirRewriter):
    def __init__(self, sizes: dict[Var, tuple[Expr, ...]]) -> None:
        super().__init__()
        self.sizes = sizes
        self.allocated: set[Var] = set()
        self.analyzer = Analyzer()

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if node.buffer_var in self.sizes:
            # the allocation has the actual size, in scalar elements
            lanes = IntImm(UINT64, abs(node.dtype.lanes))
            *outer, last = [cast(UINT64, extent) for extent in node.extents]
            self.sizes[node.buffer_var] = (*outer, make(Mul, last, lanes))
            self.allocated.add(node.buffer_var)
        return self.descend(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        collector = _AccessCollector()
        for part in (node.value, *node.indices):
            collector.visit(part)
        if collector.is_conditional:
            return node
        condition: Expr | None = None
        for access in (*collector.accesses, _Access(node.buffer, node.indices)):
            if any(index.dtype.lanes != 1 and not isinstance(index, Ramp) for index in access.indices):
                return node  # the lanes are unrelated
            for check in self.checks(access):
                condition = check if condition is None else And(condition, check)
        if condition is None:
            return node
        stop = AssertStmt(condition, StringImm(MESSAGE), Evaluate(IntImm("int32", 1)), span=node.span)
        return IfThenElse(condition, node, stop, span=node.span)

    def checks(self, access: _Access) -> list[Expr]:
        """Return a condition for each index: it is not negative and less than the extent."""
        sizes = self.sizes.get(access.buffer.data)
        if sizes is None:
            return []
        if len(sizes) != len(access.indices):
            # another view of the memory: check its own shape
            sizes = access.buffer.shape
        elif access.buffer.data in self.allocated and access.buffer.dtype.lanes > 1:
            sizes = (*sizes[:-1], make(FloorDiv, sizes[-1], IntImm(UINT64, access.buffer.dtype.lanes)))
        return [self.in_bounds(index, size) for index, size in zip(access.indices, sizes, strict=True)]

    def in_bounds(self, index: Expr, size: Expr) -> Expr:
        """Return the bounds condition of an index; of a vector, for its first and last lane."""
        first, last = self.extremes(index)
        return And(GE(self.to_int64(first), IntImm(INT64, 0)), LT(self.to_int64(last), self.to_int64(size)))

    def extremes(self, index: Expr) -> tuple[Expr, Expr]:
        """Return the least and the greatest value of an index."""
        if not isinstance(index, Ramp) or index.lanes < 0:
            return index, index
        last = Add(index.base, Mul(index.stride, IntImm(index.stride.dtype, index.lanes - 1)))
        goes_down = self.analyzer.can_prove(LT(index.stride, IntImm(index.stride.dtype, 0)))
        return (last, index.base) if goes_down else (index.base, last)

    def to_int64(self, value: Expr) -> Expr:
        """Return the simplified integer as int64."""
        return Cast(INT64, self.analyzer.simplify(value))


@dataclass(frozen=True)
class InstrumentBoundCheckers(PrimFuncPass):
    """Guard each store by the condition that the store, and the loads of its value and indices, are in bounds.

    The attribute `buffer_bound` holds the extents of a buffer in a `tvm_tuple`. Buffers without it are not checked, and
    stores of conditional values (`T.if_then_else`) are not guarded. A violation stops the program with "OUT OF THE
    BOUNDS".

    rewrite:
        A[i] = 0.0   -->   if 0 <= i and i < 16:
                               A[i] = 0.0
                           else:
                               assert 0 <= i and i < 16, "OUT OF THE BOUNDS"
    """

    name = "tir.InstrumentBoundCheckers"
    takes = Form.LOOPS
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        sizes = {
            node.node: node.value.args
            for node in nodes(func.body)
            if isinstance(node, AttrStmt) and node.attr_key == BOUND and isinstance(node.value, Call)
        }
        return func.with_body(_CheckRewriter(sizes).rewrite(func.body)) if sizes else func
