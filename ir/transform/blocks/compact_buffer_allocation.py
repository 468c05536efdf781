"""Buffers are no larger than what is accessed of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tvmscript.ir.arith.enclosure import Ends, extremes, joined
from tvmscript.ir.arith.fold import sub
from tvmscript.ir.arith.linear import ZERO
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, Call, IntImm, Ramp, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, DeclBuffer, For, IfThenElse
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass
class _Use:
    """What is accessed of an allocated buffer."""

    buffer: Buffer
    #: number of loops around the allocation
    depth: int
    #: ends of the accesses for each dimension, None for "all of it"; empty before the first access
    box: list[Ends | None] = field(default_factory=list)


@dataclass
class _Compacted:
    """The new form of a buffer, and what is subtracted from each index."""

    buffer: Buffer
    origin: tuple[Expr, ...]


class _Collector(Visitor):
    """Boxes of accesses, relative to the loops around each allocation."""

    def __init__(self) -> None:
        self.simplifier = Simplifier()
        #: loops around the statement at hand, outermost first
        self.loops: list[tuple[Var, Ends]] = []
        self.used: dict[Buffer, _Use] = {}
        self.by_data: dict[Var, Buffer] = {}
        self.plan: dict[Buffer, _Compacted] = {}

    # -- where things are

    @on(For)
    def loop(self, node: For) -> None:
        self.visit(node.min)
        self.visit(node.extent)
        self.inside(node.loop_var, Range(node.min, node.extent))
        self.visit(node.body)
        self.loops.pop()

    def inside(self, var: Var, domain: Range) -> None:
        """From here on a variable runs over a range."""
        self.simplifier.facts.bind_range(var, domain)
        first = self.simplifier.linear(domain.min)
        self.loops.append((var, (first, first.plus(self.simplifier.linear(domain.extent)).shifted(-1))))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        self.visit(node.condition)
        with self.simplifier.facts.assuming(node.condition):
            self.visit(node.then_case)
        if node.else_case is not None:
            with self.simplifier.facts.assuming(node.condition, False):
                self.visit(node.else_case)

    @on(Call)
    def call(self, node: Call) -> None:
        if not isinstance(node.op, Op) or node.op.name != "tir.if_then_else":
            self.walk(node)
            return
        self.visit(node.args[0])
        for value, holds in ((node.args[1], True), (node.args[2], False)):
            with self.simplifier.facts.assuming(node.args[0], holds):
                self.visit(value)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block = node.block
        for value in node.iter_values:
            self.visit(value)
        axes = [axis for axis in block.iter_vars if axis.dom is not None]
        for axis in axes:
            self.inside(axis.var, axis.dom)  # type: ignore[arg-type]  # those without are left out
        with self.simplifier.facts.assuming(node.predicate):
            self.visit(node.predicate)
            self.visit(block)
        del self.loops[len(self.loops) - len(axes) :]

    @on(Block)
    def block(self, node: Block) -> None:
        for buffer in node.alloc_buffers:
            self.used[buffer] = _Use(buffer, len(self.loops))
            self.by_data[buffer.data] = buffer
        for match in node.match_buffers:
            self.region(match.source)
        if node.init is not None:
            self.visit(node.init)
        self.visit(node.body)
        for buffer in node.alloc_buffers:
            found = self.compacted(self.used.pop(buffer))
            if found is not None:
                self.plan[buffer] = found

    # -- accesses

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        for index in node.indices:
            self.visit(index)
        self.access(node.buffer, node.indices)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.visit(node.value)
        for index in node.indices:
            self.visit(index)
        self.access(node.buffer, node.indices)

    def access(self, buffer: Buffer, indices: tuple[Expr, ...]) -> None:
        use = self.used.get(buffer)
        if use is not None:
            domains = dict(self.loops[use.depth :])
            self.extend(use, [self.ends(index, index, domains) for index in indices])
        elif buffer.data in self.by_data:
            self.all_of(buffer.data)

    def region(self, region: BufferRegion) -> None:
        """A region that another buffer stands for."""
        use = self.used.get(region.buffer)
        if use is not None:
            domains = dict(self.loops[use.depth :])
            self.extend(use, [self.ends(part.min, _last(part), domains) for part in region.region])
        elif region.buffer.data in self.by_data:
            self.all_of(region.buffer.data)

    def extend(self, use: _Use, box: list[Ends | None]) -> None:
        sums = self.simplifier.sums
        use.box = [joined(sums, a, b) for a, b in zip(use.box, box, strict=True)] if use.box else box

    def all_of(self, data: Var) -> None:
        """Someone sees the memory in another way: the buffer stays as it is."""
        use = self.used.get(self.by_data[data])
        if use is not None:
            use.box = [None] * len(use.buffer.shape)

    @on(Var)
    def variable(self, node: Var) -> None:
        if node in self.by_data:
            self.all_of(node)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        if node.buffer.data in self.by_data:
            self.all_of(node.buffer.data)
        self.visit(node.body)

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        """Used buffers are looked at where they are accessed."""

    def define(self, name: Any) -> None:
        """Definitions access nothing."""

    def ends(self, first: Expr, last: Expr, domains: dict[Var, Ends]) -> Ends | None:
        """The least and the greatest index from first to last over the loops inside of the allocation."""
        linear = self.simplifier.linear
        if isinstance(first, Ramp) and isinstance(first.stride, IntImm) and not first.dtype.is_scalable:
            reach = first.stride.value * (first.lanes - 1)
            base = extremes(self.simplifier, linear(first.base), domains)
            return None if base is None else (base[0].shifted(min(reach, 0)), base[1].shifted(max(reach, 0)))
        if first.dtype.lanes != 1:
            return None
        low = extremes(self.simplifier, linear(first), domains)
        high = low if first is last else extremes(self.simplifier, linear(last), domains)
        return None if low is None or high is None else (low[0], high[1])

    # -- the new form

    def compacted(self, use: _Use) -> _Compacted | None:
        """The smaller buffer, None where it would be the same."""
        buffer = use.buffer
        if not use.box or buffer.strides or not isinstance(buffer.elem_offset, IntImm):
            return None
        parts = [self.dimension(ends, extent) for ends, extent in zip(use.box, buffer.shape, strict=True)]
        origin, shape = tuple([part[0] for part in parts]), tuple([part[1] for part in parts])
        if all(new is old for new, old in zip(shape, buffer.shape, strict=True)) and not any(map(_shifts, origin)):
            return None
        return _Compacted(buffer.replace(shape=shape), origin)

    def dimension(self, ends: Ends | None, extent: Expr) -> tuple[Expr, Expr]:
        """First index and number of indices of a dimension; accesses outside of the buffer do not happen."""
        whole = IntImm(extent.dtype, 0), extent
        if ends is None:
            return whole
        low, high = ends
        if low.is_const and low.const < 0:
            low = ZERO
        size = high.plus(low, -1).shifted(1)
        if not size.is_const:
            return whole
        count = max(size.const, 1)
        if isinstance(extent, IntImm) and count >= extent.value:
            return whole
        return self.simplifier.sums.write(low, extent.dtype), IntImm(extent.dtype, count)


def _last(part: Range) -> Expr:
    return part.min + part.extent - IntImm(part.extent.dtype, 1)


def _shifts(origin: Expr) -> bool:
    return not (isinstance(origin, IntImm) and origin.value == 0)


class _Compaction(TirRewriter):
    def __init__(self, plan: dict[Buffer, _Compacted]) -> None:
        super().__init__()
        self.plan = plan
        self.renamed.update({old: new.buffer for old, new in plan.items()})

    def define(self, name: Any) -> Any:
        return self.renamed.get(name, name)

    def shifted(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Indices of a compacted buffer."""
        origin = self.plan[buffer].origin
        return tuple([_minus(index, start) for index, start in zip(indices, origin, strict=True)])

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer not in self.plan:
            return super().load(node)
        indices = self.shifted(node.buffer, self.indices(node.indices))
        return BufferLoad(self.plan[node.buffer].buffer, indices, node.predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer not in self.plan:
            return super().store(node)
        indices = self.shifted(node.buffer, self.indices(node.indices))
        value: Expr = self.rewrite(node.value)
        return BufferStore(self.plan[node.buffer].buffer, value, indices, node.predicate, span=node.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        plan = self.plan.get(node.buffer)
        if plan is None:
            return self.descend(node)
        ranges = [
            Range(_minus(part.min, start), part.extent)
            for part, start in zip(self._tuple(node.region, self.rewrite), plan.origin, strict=True)
        ]
        return BufferRegion(plan.buffer, tuple(ranges), span=node.span)


def _minus(index: Expr, start: Expr) -> Expr:
    if isinstance(index, Ramp):
        return Ramp(_minus(index.base, start), index.stride, index.lanes)
    if not _shifts(start):
        return index
    left, right = match_types(index, start)
    return sub(left, right)


@dataclass(frozen=True)
class CompactBufferAllocation(PrimFuncPass):
    """Buffers that blocks allocate are as large as the boxes around their accesses, where that is a constant.

    A buffer whose address is taken, or that has strides, stays as it is.

    rewrite:
        for i in range(16):                             for i in range(16):
            with T.block(""):                               with T.block(""):
                B = T.alloc_buffer((16, 16))                    B = T.alloc_buffer((1, 16))
                for j in range(16):             -->             for j in range(16):
                    B[i, j] = A[i, j]                               B[i - i, j] = A[i, j]
    """

    name: ClassVar[str] = "tir.CompactBufferAllocation"
    skips_te: ClassVar[bool] = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        collector = _Collector()
        collector.visit(func.body)
        return func.with_body(_Compaction(collector.plan).rewrite(func.body)) if collector.plan else func
