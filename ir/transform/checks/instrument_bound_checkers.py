"""Stores run where all that they access is inside of its buffer, and stop the program otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core.dtype import INT64, UINT64
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import Visitor, nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LT, Add, And, BufferLoad, Call, Cast, FloorDiv, IntImm, Mul, Ramp, StringImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import cast
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AssertStmt, AttrStmt, BufferStore, Evaluate, IfThenElse
from tvmscript.ir.transform.base import Form, PrimFuncPass

#: the fact that says how many elements memory has, along each axis
BOUND: Final = "buffer_bound"
#: what the program stops with
MESSAGE: Final = "OUT OF THE BOUNDS"


class _Access(NamedTuple):
    """A place that is accessed, and the sizes that it has to be inside of."""

    buffer: Buffer
    indices: tuple[Expr, ...]


class _Accesses(Visitor):
    """The loads of a store, outermost first; whether some of them depend on a condition."""

    def __init__(self) -> None:
        self.found: list[_Access] = []
        self.is_conditional = False

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.found.append(_Access(node.buffer, node.indices))
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else":
            self.is_conditional = True
        self.walk(node)


class _Checking(TirRewriter):
    def __init__(self, sizes: dict[Var, tuple[Expr, ...]]) -> None:
        super().__init__()
        self.sizes = sizes
        self.allocated: set[Var] = set()
        self.analyzer = Analyzer()

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if node.buffer_var in self.sizes:
            # what is allocated is what there is, counted in numbers where it is vectors
            lanes = IntImm(UINT64, abs(node.dtype.lanes))
            *outer, last = [cast(UINT64, extent) for extent in node.extents]
            self.sizes[node.buffer_var] = (*outer, make(Mul, last, lanes))
            self.allocated.add(node.buffer_var)
        return self.descend(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        accesses = _Accesses()
        for part in (node.value, *node.indices):
            accesses.visit(part)
        if accesses.is_conditional:
            return node
        condition: Expr | None = None
        for access in (*accesses.found, _Access(node.buffer, node.indices)):
            if any(index.dtype.lanes != 1 and not isinstance(index, Ramp) for index in access.indices):
                return node  # lanes that have nothing to do with each other
            for check in self.checks(access):
                condition = check if condition is None else And(condition, check)
        if condition is None:
            return node
        stop = AssertStmt(condition, StringImm(MESSAGE), Evaluate(IntImm("int32", 1)), span=node.span)
        return IfThenElse(condition, node, stop, span=node.span)

    def checks(self, access: _Access) -> list[Expr]:
        """A condition for each index: it is not negative, and less than the size."""
        sizes = self.sizes.get(access.buffer.data)
        if sizes is None:
            return []
        if len(sizes) != len(access.indices):
            # another view of the memory: what is known is its own shape
            sizes = access.buffer.shape
        elif access.buffer.data in self.allocated and access.buffer.dtype.lanes > 1:
            sizes = (*sizes[:-1], make(FloorDiv, sizes[-1], IntImm(UINT64, access.buffer.dtype.lanes)))
        return [self.inside(index, size) for index, size in zip(access.indices, sizes, strict=True)]

    def inside(self, index: Expr, size: Expr) -> Expr:
        """The condition for one index: of a vector, for its first and its last lane."""
        first, last = self.ends(index)
        return And(
            GE(self.signed(first), IntImm(INT64, 0)),
            LT(self.signed(last), self.signed(size)),
        )

    def ends(self, index: Expr) -> tuple[Expr, Expr]:
        """The least and the greatest value of an index."""
        if not isinstance(index, Ramp) or index.lanes < 0:
            return index, index
        last = Add(index.base, Mul(index.stride, IntImm(index.stride.dtype, index.lanes - 1)))
        goes_down = self.analyzer.can_prove(LT(index.stride, IntImm(index.stride.dtype, 0)))
        return (last, index.base) if goes_down else (index.base, last)

    def signed(self, value: Expr) -> Expr:
        """The integer, in simplest form, of 64 bits."""
        return Cast(INT64, self.analyzer.simplify(value))


@dataclass(frozen=True)
class InstrumentBoundCheckers(PrimFuncPass):
    """Stores stand under a condition: that they, and the loads of their values and indices, are inside of their memory.

    How large memory is, `buffer_bound` facts say, with sizes in a `tvm_tuple`; memory without such a fact is not
    looked at, nor are stores of values that depend on a condition. Where the condition does not hold the program stops
    with "OUT OF THE BOUNDS".

    rewrite:
        A[i] = 0.0   -->   if 0 <= i and i < 16:
                               A[i] = 0.0
                           else:
                               assert 0 <= i and i < 16, "OUT OF THE BOUNDS"
    """

    name: ClassVar[str] = "tir.InstrumentBoundCheckers"
    takes: ClassVar[Form] = Form.LOOPS
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        sizes = {
            node.node: node.value.args
            for node in nodes(func.body)
            if isinstance(node, AttrStmt) and node.attr_key == BOUND and isinstance(node.value, Call)
        }
        return func.with_body(_Checking(sizes).rewrite(func.body)) if sizes else func
