"""Buffers that slide along with a loop keep what the next iteration needs again, and compute the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import GE, LT, BufferLoad, FloorDiv, FloorMod, IntImm, Mul, Or, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import likely
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For, IfThenElse
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.te_nodes import BufferRealize
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotRoll

SCOPE = "rolling_buffer_scope"


@dataclass(frozen=True, slots=True)
class _Rolled:
    """A buffer that is used as a ring along one axis."""

    axis: int
    extent: Expr
    #: for each axis the loop that it slides along with, and how many elements two iterations share
    loops: tuple[tuple[Var | None, int], ...]


def _slide(bound: Range, buffer: Buffer) -> tuple[Var | None, int]:
    """The variable that a region moves along with, and how many elements of two neighbours are the same."""
    start: Expr = bound.min
    divisor = 1
    if isinstance(start, FloorDiv) and isinstance(start.b, IntImm):
        divisor = start.b.value
        start = start.a
    if isinstance(start, IntImm):
        return None, 0
    stride = 1
    if isinstance(start, Mul) and isinstance(start.b, IntImm):
        stride = start.b.value
        start = start.a
    if not isinstance(start, Var) or not isinstance(bound.extent, IntImm):
        raise CannotRoll(buffer=buffer.name, reason=f"its region begins at {bound.min}, which is no multiple of a loop")
    return start, bound.extent.value - -(-stride // divisor)


class _Rolling(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        self.loops: list[Var] = []
        self.realized: dict[Buffer, BufferRealize] = {}
        #: attributes of buffers that move along with where they are realized
        self.attributes: dict[Buffer, list[AttrStmt]] = {}
        self.rolled: dict[Buffer, _Rolled] = {}
        #: what is realized around a loop
        self.around: dict[Var, list[BufferRealize]] = {}

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        self.realized[node.buffer] = node
        made: BufferRealize = self.descend(node)
        return made.body if node.buffer in self.rolled else made

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        buffer = node.node
        if not isinstance(buffer, Buffer):
            made: AttrStmt = self.descend(node)
            return made
        self.attributes.setdefault(buffer, []).append(node)
        if node.attr_key == SCOPE and isinstance(node.value, IntImm) and node.value.value:
            self.roll(buffer, node)
        made = self.descend(node)
        return made.body if buffer in self.rolled else made

    def roll(self, buffer: Buffer, at: AttrStmt) -> None:
        """Choose the axis: that of the outermost loop."""
        node = self.realized.get(buffer)
        if node is None:
            raise CannotRoll(buffer=buffer.name, reason="it is not realized around the attribute", span=at.span)
        loops = tuple([_slide(bound, buffer) for bound in node.bounds])
        for var in self.loops:
            axis = next((position for position, (each, _) in enumerate(loops) if each is var), None)
            if axis is None:
                continue
            extent = node.bounds[axis].extent
            bounds = tuple([
                Range.from_min_extent(const(0, size.dtype), extent if position == axis else size)
                for position, size in enumerate(buffer.shape)
            ])  # fmt: skip
            self.rolled[buffer] = _Rolled(axis, extent, loops)
            self.around.setdefault(var, []).append(node.replace(bounds=bounds))
            return
        raise CannotRoll(buffer=buffer.name, reason="its region does not move along with a loop", span=at.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.loops.append(node.loop_var)
        made: Stmt = self.descend(node)
        self.loops.pop()
        for realize in self.around.get(node.loop_var, ()):
            made = realize.replace(body=made)
            for each in self.attributes[realize.buffer]:
                if each.attr_key != SCOPE:
                    made = each.replace(body=made)
        return made

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        made: Any = super().load(node)
        rolled = self.rolled.get(node.buffer)
        return made if rolled is None else made.replace(indices=_in_ring(made.indices, rolled))  # type: ignore[no-any-return]  # a load is rebuilt as one

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        made: Any = super().store(node)
        rolled = self.rolled.get(node.buffer)
        if rolled is None:
            return made  # type: ignore[no-any-return]  # a store is rebuilt as one
        inside: Stmt = made.replace(indices=_in_ring(made.indices, rolled))
        for index, (var, overlap) in zip(made.indices, rolled.loops, strict=True):
            if var is not None and overlap > 0:
                # the first iteration computes all elements, the others those that the one before does not
                first = self.analyzer.simplify(substitute(index, {var: const(0, var.dtype)}))
                is_new = Or(LT(var, const(1, var.dtype)), GE(first, const(overlap, first.dtype)))
                inside = IfThenElse(likely(is_new), inside, None, span=node.span)
        return inside


def _in_ring(indices: tuple[Expr, ...], rolled: _Rolled) -> tuple[Expr, ...]:
    index = indices[rolled.axis]
    extent = const(rolled.extent.value, index.dtype) if isinstance(rolled.extent, IntImm) else rolled.extent
    return (*indices[: rolled.axis], FloorMod(index, extent), *indices[rolled.axis + 1 :])


@dataclass(frozen=True)
class InjectRollingBuffer(PrimFuncPass):
    """A realized buffer with the attribute `rolling_buffer_scope` is a ring along the axis that the outermost loop
    moves its region along: it is realized around this loop, indices of the axis are taken modulo the region's extent,
    and elements that the iteration before has computed are not computed again.

    Regions begin at a constant, or at a loop times a constant, maybe divided by one. Raises `CannotRoll`.

    rewrite:
        for i in range(8):                                  T.realize(a[0:3])
            T.realize(a[i:i + 3])                           for i in range(8):
            T.attr(a, "rolling_buffer_scope", True)   -->       for k in range(3):
            for k in range(3): a[i + k] = f(i + k)                  if T.likely(i < 1 or k >= 2):
            b[i] = a[i] + a[i + 1] + a[i + 2]                           a[(i + k) % 3] = f(i + k)
                                                                b[i] = a[i % 3] + a[(i + 1) % 3] + a[(i + 2) % 3]
    """

    name: ClassVar[str] = "tir.InjectRollingBuffer"

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(each, AttrStmt) and each.attr_key == SCOPE for each in statements(func.body)):
            return func
        return func.with_body(_Rolling().rewrite(func.body))
