"""Turn buffers that slide along a loop into ring buffers."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import on
from tvmscript.ir.tir import AccessRewriter, Buffer, BufferRealize, Expr, PrimFunc, Stmt, Var, const, substitute
from tvmscript.ir.tir.expr import GE, LT, BufferLoad, FloorDiv, FloorMod, IntImm, Mul, Or, Range
from tvmscript.ir.tir.intrin.control import likely
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For, IfThenElse
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotRoll

SCOPE = "rolling_buffer_scope"


@dataclass(frozen=True, slots=True)
class _RingBuffer:
    """A ring buffer along one axis."""

    axis: int
    extent: Expr
    #: for each axis: the loop variable it slides along, and the overlap of two iterations in elements
    loops: tuple[tuple[Var | None, int], ...]


def _slide(bound: Range, buffer: Buffer) -> tuple[Var | None, int]:
    """Return the variable that a region slides along, and the overlap of consecutive regions."""
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
        raise CannotRoll(
            buffer=buffer.name, reason=f"its region begins at {bound.min}, which is not a multiple of a loop variable"
        )
    return start, bound.extent.value - -(-stride // divisor)


class _RollingRewriter(AccessRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        self.loops: list[Var] = []
        self.realized: dict[Buffer, BufferRealize] = {}
        #: buffer -> its attributes, which move with the realize
        self.attributes: dict[Buffer, list[AttrStmt]] = {}
        self.rings: dict[Buffer, _RingBuffer] = {}
        #: loop variable -> realizes around the loop
        self.around: dict[Var, list[BufferRealize]] = {}

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        self.realized[node.buffer] = node
        new_realize: BufferRealize = self.descend(node)
        return new_realize.body if node.buffer in self.rings else new_realize

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        buffer = node.node
        if not isinstance(buffer, Buffer):
            return self.descend(node)
        self.attributes.setdefault(buffer, []).append(node)
        if node.attr_key == SCOPE and isinstance(node.value, IntImm) and node.value.value:
            self.roll(buffer, node)
        new_attr = self.descend(node)
        return new_attr.body if buffer in self.rings else new_attr

    def roll(self, buffer: Buffer, at: AttrStmt) -> None:
        """Make a buffer a ring along the axis of the outermost loop. Raises `CannotRoll`."""
        node = self.realized.get(buffer)
        if node is None:
            raise CannotRoll(buffer=buffer.name, reason="it is not realized around the attribute", span=at.span)
        loops = tuple([_slide(bound, buffer) for bound in node.bounds])
        for var in self.loops:
            axis = next((position for position, (slide_var, _) in enumerate(loops) if slide_var is var), None)
            if axis is None:
                continue
            extent = node.bounds[axis].extent
            bounds = tuple([
                Range.from_min_extent(const(0, size.dtype), extent if position == axis else size)
                for position, size in enumerate(buffer.shape)
            ])  # fmt: skip
            self.rings[buffer] = _RingBuffer(axis, extent, loops)
            self.around.setdefault(var, []).append(node.replace(bounds=bounds))
            return
        raise CannotRoll(buffer=buffer.name, reason="its region does not move along with a loop", span=at.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.loops.append(node.loop_var)
        stmt: Stmt = self.descend(node)
        self.loops.pop()
        for realize in self.around.get(node.loop_var, ()):
            stmt = realize.replace(body=stmt)
            for attr in self.attributes[realize.buffer]:
                if attr.attr_key != SCOPE:
                    stmt = attr.replace(body=stmt)
        return stmt

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        ring = self.rings.get(node.buffer)
        if ring is None:
            return indices
        index = indices[ring.axis]
        extent = const(ring.extent.value, index.dtype) if isinstance(ring.extent, IntImm) else ring.extent
        return (*indices[: ring.axis], FloorMod(index, extent), *indices[ring.axis + 1 :])

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        stmt = super().store(node)
        ring = self.rings.get(node.buffer)
        if ring is None:
            return stmt
        for index, (var, overlap) in zip(self.indices(node.indices), ring.loops, strict=True):
            if var is not None and overlap > 0:
                # the first iteration computes all elements, the others only the new ones
                first = self.analyzer.simplify(substitute(index, {var: const(0, var.dtype)}))
                is_new = Or(LT(var, const(1, var.dtype)), GE(first, const(overlap, first.dtype)))
                stmt = IfThenElse(likely(is_new), stmt, None, span=node.span)
        return stmt


@dataclass(frozen=True)
class InjectRollingBuffer(PrimFuncPass):
    """Turn a realized buffer with the attribute `rolling_buffer_scope` into a ring buffer.

    The ring axis is the one along which the outermost loop moves the region. The buffer is realized around this loop,
    indices of the axis are taken modulo the extent of the region, and elements of the previous iteration are not
    recomputed. A region must begin at a constant or at a constant multiple of a loop variable, possibly divided by a
    constant. Raises `CannotRoll`.

    rewrite:
        for i in range(8):                                  T.realize(a[0:3])
            T.realize(a[i:i + 3])                           for i in range(8):
            T.attr(a, "rolling_buffer_scope", True)   -->       for k in range(3):
            for k in range(3): a[i + k] = f(i + k)                  if T.likely(i < 1 or k >= 2):
            b[i] = a[i] + a[i + 1] + a[i + 2]                           a[(i + k) % 3] = f(i + k)
                                                                b[i] = a[i % 3] + a[(i + 1) % 3] + a[(i + 2) % 3]
    """

    name = "tir.InjectRollingBuffer"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(stmt, AttrStmt) and stmt.attr_key == SCOPE for stmt in statements(func.body)):
            return func
        return func.with_body(_RollingRewriter().rewrite(func.body))
