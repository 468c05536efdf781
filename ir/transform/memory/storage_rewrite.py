"""Memory is allocated once, outside of loops, for buffers that are not in use at the same time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort_right
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tvmscript.ir.analysis.in_place import is_in_place, sharing
from tvmscript.ir.analysis.liveness import Allocation, MemoryOrder, Step, bits_of, lives
from tvmscript.ir.analysis.pointer_element_type import Place
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, add, make, mul
from tvmscript.ir.core.dtype import INT64, DType
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, FloorDiv, FloorMod, IntImm, Max
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, For
from tvmscript.ir.tir.storage_scope import DYNAMIC_SHARED, MemoryRank, StorageScope, storage_scope
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass, option
from tvmscript.ir.transform.memory.pointer_value_type_rewrite import rewritten

#: Memory is reused for what needs up to so many times more or less.
MATCH_RANGE = 16
#: Smaller memory is registers.
SMALL_BITS = 32
#: A statement that is the first to use more memory does not work in place.
MOST_IN_PLACE = 2
#: What pieces of special memory are aligned to.
PIECE_BITS = 32
#: Targets whose memory has one dtype.
_TYPED = ("vulkan", "webgpu")


@dataclass(eq=False, slots=True)
class _Memory:
    """An allocation that is made, and those that it stands for."""

    place: Stmt | None
    scope: StorageScope
    dtype: DType
    #: as far as it is known; 0 otherwise
    bits: int
    allocations: list[Allocation] = field(default_factory=list)
    #: other memory that follows it in one piece
    pieces: list[_Memory] = field(default_factory=list)
    #: where it begins in its piece
    offset: int = 0
    var: Var | None = None

    @property
    def has_one_kind(self) -> bool:
        """Whether all that it stands for have the same dtype and extents."""
        first, *others = [each.node for each in self.allocations]
        return all(
            each.dtype is first.dtype
            and len(each.extents) == len(first.extents)
            and all(structural_equal(a, b) for a, b in zip(each.extents, first.extents, strict=True))
            for each in others
        )


@dataclass(slots=True)
class _Free:
    """Memory of one place and scope that may be used again."""

    #: sorted by size
    sized: list[_Memory] = field(default_factory=list)
    #: of a size that is not known, in order
    others: list[_Memory] = field(default_factory=list)


def _size(memory: _Memory) -> int:
    return memory.bits


def _is_shared(node: Allocate, scope: StorageScope, bits: int) -> bool:
    """Whether others may use the memory: not what becomes registers, nor what has several dimensions.

    Dynamic shared memory is for `tir.MergeSharedMemoryAllocations` to share.
    """
    is_register = not scope.tag and (
        scope.rank >= MemoryRank.WARP or node.dtype.is_handle or 0 < bits <= SMALL_BITS
    )  # fmt: skip
    return not is_register and len(node.extents) == 1 and scope != DYNAMIC_SHARED


class _Plan:
    """Which memory each allocation gets."""

    def __init__(self, order: MemoryOrder, can_reuse: bool, is_typed: bool) -> None:
        self.order = order
        self.can_reuse = can_reuse
        self.is_typed = is_typed
        #: in the order of first use
        self.memories: list[_Memory] = []
        self.memory_of: dict[Var, _Memory] = {}
        self.free: dict[tuple[Stmt | None, StorageScope], _Free] = {}
        self.replaced: set[Var] = set()
        found = lives(order.steps)
        for position, (step, life) in enumerate(zip(order.steps, found, strict=True)):
            if life is None:
                continue
            if step.other >= 0 and life.born:
                end = found[position + step.other]
                dying = end.dies if end is not None and len(life.born) <= MOST_IN_PLACE else []
                for var in life.born:
                    self.give(var, step, dying)
            if step.other <= 0:
                for var in life.dies:
                    self.release(var)
        self.join_pieces()

    def give(self, var: Var, step: Step, dying: list[Var]) -> None:
        """Memory for what is used for the first time."""
        allocation = self.order.allocations[var]
        node = allocation.node
        if allocation.is_fixed:
            return
        scope = storage_scope(var.storage_scope)
        memory = self.in_place(var, allocation, step, dying) or self.find(allocation, scope)
        if memory is None:
            memory = _Memory(allocation.place, scope, node.dtype.with_lanes(1), bits_of(node))
            self.memories.append(memory)
        memory.allocations.append(allocation)
        self.memory_of[var] = memory

    def in_place(self, var: Var, allocation: Allocation, step: Step, dying: list[Var]) -> _Memory | None:
        """Memory that the step computes the new one from, element by element, and is the last to use."""
        node = allocation.node
        for old in dying:
            memory = self.memory_of.get(old)
            if (
                memory is not None
                and old not in self.replaced
                and memory.place is allocation.place
                and memory.scope == storage_scope(var.storage_scope)
                and memory.dtype is node.dtype.with_lanes(1)
                and memory.allocations[0].node.dtype.lanes == node.dtype.lanes
                and memory.bits == bits_of(node)
                and (memory.bits or len(node.extents) == len(memory.allocations[0].node.extents) == 1)
                and is_in_place(step.stmt, var, old, sharing(step.threads, memory.scope))
            ):
                self.replaced.add(old)
                return memory
        return None

    def find(self, allocation: Allocation, scope: StorageScope) -> _Memory | None:
        """Free memory for an allocation: larger first, then smaller, which grows."""
        node = allocation.node
        bits = bits_of(node)
        free = self.free.get((allocation.place, scope))
        if free is None or not self.can_reuse or not _is_shared(node, scope, bits):
            return None
        element = node.dtype.with_lanes(1)
        lanes = node.dtype.lanes
        if not bits:
            found = next((each for each in free.others if each.dtype is element and _lanes(each) >= lanes), None)
            if found is not None:
                free.others.remove(found)
            return found
        sized = free.sized
        middle = bisect_left(sized, bits, key=_size)
        for position in range(middle, bisect_right(sized, bits * MATCH_RANGE, key=_size)):
            if _lanes(sized[position]) >= lanes and not (self.is_typed and sized[position].dtype is not element):
                return sized.pop(position)
        for position in range(middle - 1, bisect_left(sized, bits // MATCH_RANGE, key=_size) - 1, -1):
            if _lanes(sized[position]) >= lanes and sized[position].dtype is element:
                memory = sized.pop(position)
                memory.bits = bits
                return memory
        return None

    def release(self, var: Var) -> None:
        """The memory is not used any more."""
        memory = self.memory_of.get(var)
        if (
            memory is None
            or var in self.replaced
            or not _is_shared(memory.allocations[0].node, memory.scope, memory.bits)
        ):
            return
        free = self.free.setdefault((memory.place, memory.scope), _Free())
        if memory.bits:
            insort_right(free.sized, memory, key=_size)
        else:
            free.others.append(memory)

    def join_pieces(self) -> None:
        """Special memory of one scope is one piece."""
        first: dict[tuple[Stmt | None, StorageScope], _Memory] = {}
        for memory in self.memories:
            is_whole = memory.bits and all(each.node.dtype.lanes == 1 for each in memory.allocations)
            if memory.scope.is_special and is_whole:
                head = first.setdefault((memory.place, memory.scope), memory)
                if head is not memory:
                    head.pieces.append(memory)
        for head in first.values():
            end = _aligned(head.bits)
            for piece in head.pieces:
                piece.offset = _aligned(end, max(each.node.dtype.bits for each in piece.allocations))
                piece.var = head.allocations[0].node.buffer_var
                end = _aligned(piece.offset + piece.bits)
            if head.pieces:
                head.bits = end
        for memory in self.memories:
            if memory.var is None:
                memory.var = memory.allocations[0].node.buffer_var

    @property
    def is_trivial(self) -> bool:
        """Whether each allocation has memory of its own."""
        return all(len(each.allocations) == 1 and not each.offset and not each.pieces for each in self.memories)


def _lanes(memory: _Memory) -> int:
    return memory.allocations[0].node.dtype.lanes


def _aligned(bits: int, to: int = PIECE_BITS) -> int:
    return -(-bits // to) * to


class _Rewritten(TirRewriter):
    def __init__(self, plan: _Plan) -> None:
        super().__init__()
        self.plan = plan
        self.analyzer = Analyzer()
        self.at: dict[Stmt | None, list[_Memory]] = {}
        #: declarations that are made with the memory
        self.moved: set[Buffer] = set()
        for memory in plan.memories:
            if not memory.offset:
                self.at.setdefault(memory.place, []).append(memory)
                declared = memory.allocations[0].declared
                if declared is not None and self.is_kept(memory):
                    self.moved.add(declared.buffer)

    @staticmethod
    def is_kept(memory: _Memory) -> bool:
        """Whether the first allocation is made as it is written."""
        return not memory.pieces and memory.has_one_kind

    def attached(self, place: Stmt | None, body: Stmt) -> Stmt:
        """The body with the memory of a place allocated around it."""
        for memory in reversed(self.at.get(place, ())):
            body = self.allocated(memory, body)
        return body

    def allocated(self, memory: _Memory, body: Stmt) -> Stmt:
        first = memory.allocations[0]
        node = first.node
        if self.is_kept(memory):
            if first.declared is not None:
                body = DeclBuffer(self.buffer(first.declared.buffer), body, span=first.declared.span)
            return Allocate(node.buffer_var, node.dtype, node.extents, node.condition, body, span=node.span)
        extent = self.extent(memory)
        return Allocate(node.buffer_var, node.dtype, (extent,), TRUE, body, span=node.span)

    def extent(self, memory: _Memory) -> Expr:
        """How many elements the memory needs."""
        first = memory.allocations[0].node
        if memory.pieces:
            return const(-(-memory.bits // first.dtype.bits), first.extents[0].dtype)
        most: Expr | None = None
        for each in memory.allocations:
            bits = _extent_bits(each.node)
            most = bits if most is None else make(Max, *match_types(most, bits))
        assert most is not None
        width = const(first.dtype.bits * first.dtype.lanes, most.dtype)
        is_divisible = self.analyzer.can_prove_equal(make(FloorMod, most, width), 0)
        extent = make(FloorDiv, most, width)
        return self.analyzer.simplify(extent if is_divisible else add(extent, const(1, extent.dtype)))

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        allocation = self.plan.order.allocations[node.buffer_var]
        if allocation.is_fixed:
            return self.descend(node)
        made: Stmt = self.rewrite(node.body)
        return made

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        if node.buffer in self.moved or node.buffer not in self.plan.order.accessed:
            return body
        buffer = self.buffer(node.buffer)
        return node if body is node.body and buffer is node.buffer else node.replace(buffer=buffer, body=body)

    @on(Var)
    def var(self, node: Var) -> Expr:
        memory = self.plan.memory_of.get(node)
        return node if memory is None or memory.var is None else memory.var

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        memory = self.plan.memory_of.get(node.data)
        if memory is None or memory.var is node.data or memory.var is None:
            return node
        made: Any = self.renamed.get(node)
        if made is None:
            made = self.renamed[node] = node.replace(data=memory.var, name=memory.var.name)
        return made  # type: ignore[no-any-return]  # buffers are renamed to buffers

    def accessed(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        indices = self.indices(indices)
        memory = self.plan.memory_of.get(buffer.data)
        if memory is None or not memory.offset:
            return indices
        last = indices[-1]
        return (*indices[:-1], add(const(memory.offset // buffer.dtype.bits, last.dtype), last))

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        buffer, indices = self.buffer(node.buffer), self.accessed(node.buffer, node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if buffer is node.buffer and indices is node.indices and predicate is node.predicate:
            return node
        return BufferLoad(buffer, indices, predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer, indices = self.buffer(node.buffer), self.accessed(node.buffer, node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        value: Expr = self.rewrite(node.value)
        if buffer is node.buffer and indices is node.indices and predicate is node.predicate and value is node.value:
            return node
        return BufferStore(buffer, value, indices, predicate, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        made: Call = self.descend(node)
        data = node.args[1] if node.op is tvm_access_ptr else None
        memory = self.plan.memory_of.get(data) if isinstance(data, Var) else None
        if memory is None or not memory.offset:
            return made
        kind, var, offset, extent, mask = made.args
        offset = add(const(memory.offset // kind.dtype.bits, offset.dtype), offset)
        return made.replace(args=(kind, var, offset, extent, mask))

    @on(AttrStmt, For)
    def place(self, node: AttrStmt | For) -> Stmt:
        made: Any = self.descend(node)
        return made.replace(body=self.attached(node, made.body)) if node in self.at else made  # type: ignore[no-any-return]  # a statement is rebuilt as one


def _extent_bits(node: Allocate) -> Expr:
    extent = node.extents[0]
    bits = node.dtype.bits * node.dtype.lanes
    if isinstance(extent, IntImm) and extent.value * bits > extent.dtype.max_value:
        extent = IntImm(INT64, extent.value)
    return mul(extent, const(bits, extent.dtype))


@dataclass(frozen=True)
class StorageRewrite(PrimFuncPass):
    """Allocations stand at the beginning of the function, or of the body of the parallel loop or the threads that they
    are in, and share memory where they are not in use at the same time.

    A statement that computes each element from the same element of memory that it is the last to use works in place.
    Otherwise memory of the same scope is used again that is not more than 16 times larger or smaller; smaller memory
    grows, and has to have the same dtype. Registers (local memory, and what has no more than 32 bits) and memory of
    several dimensions are only reused in place. Special memory, such as `global.x`, is one piece. Memory that nothing
    accesses is gone, and pointers of let bindings that are accessed as vectors point to vectors.

    With `merge_static_smem` nothing is used again: `tir.MergeSharedMemoryAllocations` does that. Targets with typed
    memory (vulkan, webgpu) use memory again for the same dtype. Where a loop would compute an element twice, or size
    is computed in a loop, nothing is shared or moved, which TVM does.

    rewrite:
        a = T.decl_buffer((64,))                         a = T.decl_buffer((64,))
        for i in range(64): a[i] = A[i]                  for i in range(64): a[i] = A[i]
        b = T.decl_buffer((64,))                   -->   b = T.decl_buffer((64,), data=a.data)
        for i in range(64): b[i] = a[i] * 2              for i in range(64): b[i] = a[i] * 2
        for i in range(64): B[i] = b[63 - i]             for i in range(64): B[i] = b[63 - i]
    """

    name: ClassVar[str] = "tir.StorageRewrite"
    takes: ClassVar[Form] = Form.FLAT

    merge_static_smem: bool = option("tir.merge_static_smem", False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        target = func.attrs.get("target")
        order = MemoryOrder(func.body)
        body = func.body
        if order.allocations or order.declares:
            is_typed = isinstance(target, Target) and target.kind in _TYPED
            body = _shared(body, _Plan(order, not self.merge_static_smem, is_typed))
        func = func.with_body(body)
        return rewritten(func, Place.LET, reads_lanes=False) if order.binds_pointers else func


def _shared(body: Stmt, plan: _Plan) -> Stmt:
    """The body with memory as it is planned; the same object where that is how it is."""
    rewriter = _Rewritten(plan)
    made = rewriter.attached(None, rewriter.rewrite(body))
    return body if plan.is_trivial and structural_equal(made, body) else made
