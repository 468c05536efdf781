"""Allocate memory outside of loops, and share it between buffers that are not live at the same time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort_right
from dataclasses import dataclass, field

from tvmscript.ir.analysis.memory.in_place import is_in_place, threads_with_same_memory
from tvmscript.ir.analysis.memory.liveness import Allocation, MemoryOrder, Step, bits_of, lifetimes
from tvmscript.ir.analysis.memory.pointer_element_type import Place
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, add, make, mul
from tvmscript.ir.core import INT64, DType, Target, on, structural_equal
from tvmscript.ir.tir import AccessRewriter, Buffer, Expr, PrimFunc, Stmt, Var, const, match_types
from tvmscript.ir.tir.expr import BufferLoad, Call, FloorDiv, FloorMod, IntImm, Max
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, For
from tvmscript.ir.tir.storage_scope import DYNAMIC_SHARED, MemoryRank, StorageScope, storage_scope
from tvmscript.ir.transform.base import Form, PrimFuncPass, option
from tvmscript.ir.transform.memory.pointer_value_type_rewrite import rewrite_pointers

#: memory is reused for buffers up to this many times larger or smaller
MATCH_RANGE = 16
#: memory of at most this size becomes registers
SMALL_BITS = 32
#: a statement with more first uses than this is not computed in place
MOST_IN_PLACE = 2
#: alignment of pieces of special memory
PIECE_BITS = 32
#: targets with typed memory
_TYPED = ("vulkan", "webgpu")


@dataclass(eq=False, slots=True)
class _SharedMemory:
    """A planned allocation, and the original allocations that share it."""

    place: Stmt | None
    scope: StorageScope
    dtype: DType
    #: size; 0 if unknown
    bits: int
    allocations: list[Allocation] = field(default_factory=list)
    #: memory that is appended to this one
    pieces: list[_SharedMemory] = field(default_factory=list)
    #: offset within the memory that it is appended to
    offset: int = 0
    var: Var | None = None

    @property
    def has_one_kind(self) -> bool:
        """Whether all allocations have the same dtype and extents."""
        first, *others = [allocation.node for allocation in self.allocations]
        return all(
            node.dtype is first.dtype
            and len(node.extents) == len(first.extents)
            and all(structural_equal(a, b) for a, b in zip(node.extents, first.extents, strict=True))
            for node in others
        )


@dataclass(slots=True)
class _FreeList:
    """Free memory of one place and scope."""

    #: sorted by size
    sized: list[_SharedMemory] = field(default_factory=list)
    #: memory of unknown size, in order
    others: list[_SharedMemory] = field(default_factory=list)


def _size(memory: _SharedMemory) -> int:
    return memory.bits


def _can_share(node: Allocate, scope: StorageScope, bits: int) -> bool:
    """Return whether memory may be shared: not registers, and not several dimensions.

    Dynamic shared memory is left to `tir.MergeSharedMemoryAllocations`.
    """
    is_register = not scope.tag and (
        scope.rank >= MemoryRank.WARP or node.dtype.is_handle or 0 < bits <= SMALL_BITS
    )  # fmt: skip
    return not is_register and len(node.extents) == 1 and scope != DYNAMIC_SHARED


class _StoragePlan:
    """Assignment of memory to allocations."""

    def __init__(self, order: MemoryOrder, can_reuse: bool, is_typed: bool) -> None:
        self.order = order
        self.can_reuse = can_reuse
        self.is_typed = is_typed
        #: planned memory, in order of first use
        self.memories: list[_SharedMemory] = []
        self.memory_of: dict[Var, _SharedMemory] = {}
        self.free: dict[tuple[Stmt | None, StorageScope], _FreeList] = {}
        self.replaced: set[Var] = set()
        all_lives = lifetimes(order.steps)
        for position, (step, life) in enumerate(zip(order.steps, all_lives, strict=True)):
            if life is None:
                continue
            if step.other >= 0 and life.born:
                end = all_lives[position + step.other]
                dying = end.dies if end is not None and len(life.born) <= MOST_IN_PLACE else []
                for var in life.born:
                    self.assign(var, step, dying)
            if step.other <= 0:
                for var in life.dies:
                    self.release(var)
        self.join_pieces()

    def assign(self, var: Var, step: Step, dying: list[Var]) -> None:
        """Assign memory at the first use of a buffer."""
        allocation = self.order.allocations[var]
        node = allocation.node
        if allocation.is_fixed:
            return
        scope = storage_scope(var.storage_scope)
        memory = self.in_place(var, allocation, step, dying) or self.find(allocation, scope)
        if memory is None:
            memory = _SharedMemory(allocation.place, scope, node.dtype.with_lanes(1), bits_of(node))
            self.memories.append(memory)
        memory.allocations.append(allocation)
        self.memory_of[var] = memory

    def in_place(self, var: Var, allocation: Allocation, step: Step, dying: list[Var]) -> _SharedMemory | None:
        """Return the memory of an operand that dies in the step, which computes the new buffer element by element."""
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
                and is_in_place(step.stmt, var, old, threads_with_same_memory(step.threads, memory.scope))
            ):
                self.replaced.add(old)
                return memory
        return None

    def find(self, allocation: Allocation, scope: StorageScope) -> _SharedMemory | None:
        """Find free memory for an allocation: larger memory first, then smaller memory, which grows."""
        node = allocation.node
        bits = bits_of(node)
        free = self.free.get((allocation.place, scope))
        if free is None or not self.can_reuse or not _can_share(node, scope, bits):
            return None
        element = node.dtype.with_lanes(1)
        lanes = node.dtype.lanes
        if not bits:
            candidates = (memory for memory in free.others if memory.dtype is element and _lanes(memory) >= lanes)
            match = next(candidates, None)
            if match is not None:
                free.others.remove(match)
            return match
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
        """Free the memory of a dead buffer."""
        memory = self.memory_of.get(var)
        if (
            memory is None
            or var in self.replaced
            or not _can_share(memory.allocations[0].node, memory.scope, memory.bits)
        ):
            return
        free = self.free.setdefault((memory.place, memory.scope), _FreeList())
        if memory.bits:
            insort_right(free.sized, memory, key=_size)
        else:
            free.others.append(memory)

    def join_pieces(self) -> None:
        """Join the special memory of each scope into one piece."""
        first: dict[tuple[Stmt | None, StorageScope], _SharedMemory] = {}
        for memory in self.memories:
            is_whole = memory.bits and all(allocation.node.dtype.lanes == 1 for allocation in memory.allocations)
            if memory.scope.is_special and is_whole:
                head = first.setdefault((memory.place, memory.scope), memory)
                if head is not memory:
                    head.pieces.append(memory)
        for head in first.values():
            end = _align_bits(head.bits)
            for piece in head.pieces:
                piece.offset = _align_bits(end, max(allocation.node.dtype.bits for allocation in piece.allocations))
                piece.var = head.allocations[0].node.buffer_var
                end = _align_bits(piece.offset + piece.bits)
            if head.pieces:
                head.bits = end
        for memory in self.memories:
            if memory.var is None:
                memory.var = memory.allocations[0].node.buffer_var

    @property
    def is_trivial(self) -> bool:
        """Whether no memory is shared."""
        return all(len(memory.allocations) == 1 and not memory.offset and not memory.pieces for memory in self.memories)


def _lanes(memory: _SharedMemory) -> int:
    return memory.allocations[0].node.dtype.lanes


def _align_bits(bits: int, to: int = PIECE_BITS) -> int:
    return -(-bits // to) * to


class _StorageRewriter(AccessRewriter):
    def __init__(self, plan: _StoragePlan) -> None:
        super().__init__()
        self.plan = plan
        self.analyzer = Analyzer()
        self.memories_at: dict[Stmt | None, list[_SharedMemory]] = {}
        #: buffers that are declared with the allocation
        self.moved: set[Buffer] = set()
        for memory in plan.memories:
            if not memory.offset:
                self.memories_at.setdefault(memory.place, []).append(memory)
                declared = memory.allocations[0].declared
                if declared is not None and self.is_kept(memory):
                    self.moved.add(declared.buffer)

    @staticmethod
    def is_kept(memory: _SharedMemory) -> bool:
        """Return whether the first allocation is kept unchanged."""
        return not memory.pieces and memory.has_one_kind

    def attach(self, place: Stmt | None, body: Stmt) -> Stmt:
        """Wrap the body in the allocations of a place."""
        for memory in reversed(self.memories_at.get(place, ())):
            body = self.allocate_memory(memory, body)
        return body

    def allocate_memory(self, memory: _SharedMemory, body: Stmt) -> Stmt:
        first = memory.allocations[0]
        node = first.node
        if self.is_kept(memory):
            if first.declared is not None:
                body = DeclBuffer(self.buffer(first.declared.buffer), body, span=first.declared.span)
            return Allocate(node.buffer_var, node.dtype, node.extents, node.condition, body, span=node.span)
        extent = self.extent(memory)
        return Allocate(node.buffer_var, node.dtype, (extent,), TRUE, body, span=node.span)

    def extent(self, memory: _SharedMemory) -> Expr:
        """Return the number of elements of the memory."""
        first = memory.allocations[0].node
        if memory.pieces:
            return const(-(-memory.bits // first.dtype.bits), first.extents[0].dtype)
        largest: Expr | None = None
        for allocation in memory.allocations:
            bits = _extent_bits(allocation.node)
            largest = bits if largest is None else make(Max, *match_types(largest, bits))
        assert largest is not None
        width = const(first.dtype.bits * first.dtype.lanes, largest.dtype)
        is_divisible = self.analyzer.can_prove_equal(make(FloorMod, largest, width), 0)
        extent = make(FloorDiv, largest, width)
        return self.analyzer.simplify(extent if is_divisible else add(extent, const(1, extent.dtype)))

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        allocation = self.plan.order.allocations[node.buffer_var]
        if allocation.is_fixed:
            return self.descend(node)
        return self.rewrite(node.body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        if node.buffer in self.moved or node.buffer not in self.plan.order.accessed:
            return body
        return node.rebuild(body=body, buffer=self.buffer(node.buffer))

    @on(Var)
    def var(self, node: Var) -> Expr:
        memory = self.plan.memory_of.get(node)
        return node if memory is None or memory.var is None else memory.var

    def map_buffer(self, buffer: Buffer) -> Buffer:
        memory = self.plan.memory_of.get(buffer.data)
        if memory is None or memory.var is buffer.data or memory.var is None:
            return buffer
        return buffer.replace(data=memory.var, name=memory.var.name)

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        memory = self.plan.memory_of.get(node.buffer.data)
        if memory is None or not memory.offset:
            return indices
        last = indices[-1]
        return (*indices[:-1], add(const(memory.offset // node.buffer.dtype.bits, last.dtype), last))

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call: Call = self.descend(node)
        data = node.args[1] if node.op is tvm_access_ptr else None
        memory = self.plan.memory_of.get(data) if isinstance(data, Var) else None
        if memory is None or not memory.offset:
            return new_call
        kind, var, offset, extent, mask = new_call.args
        offset = add(const(memory.offset // kind.dtype.bits, offset.dtype), offset)
        return new_call.replace(args=(kind, var, offset, extent, mask))

    @on(AttrStmt, For)
    def place(self, node: AttrStmt | For) -> Stmt:
        scope: AttrStmt | For = self.descend(node)
        return scope.replace(body=self.attach(node, scope.body)) if node in self.memories_at else scope


def _extent_bits(node: Allocate) -> Expr:
    extent = node.extents[0]
    bits = node.dtype.bits * node.dtype.lanes
    if isinstance(extent, IntImm) and extent.value * bits > extent.dtype.max_value:
        extent = IntImm(INT64, extent.value)
    return mul(extent, const(bits, extent.dtype))


@dataclass(frozen=True)
class StorageRewrite(PrimFuncPass):
    """Move allocations to the start of the function, parallel loop or thread launch, and share memory between buffers
    that are not live at the same time.

    A statement that computes each element from the same element of a dying buffer works in place. Otherwise, free
    memory of the same scope is reused that is at most 16 times larger or smaller; smaller memory grows, and must have
    the same dtype. Registers (local memory, and at most 32 bits) and memory of several dimensions are only reused in
    place.
    Special memory, such as `global.x`, is joined into one piece. Unused memory is removed, and pointers of let bindings
    that are accessed as vectors become pointers to vectors.

    With `merge_static_smem` nothing is reused; `tir.MergeSharedMemoryAllocations` does that. Targets with typed memory
    (vulkan, webgpu) reuse memory for the same dtype only. Unlike TVM, nothing is shared or moved if a loop would
    compute an element twice or if a size is computed in a loop.

    rewrite:
        a = T.decl_buffer((64,))                         a = T.decl_buffer((64,))
        for i in range(64): a[i] = A[i]                  for i in range(64): a[i] = A[i]
        b = T.decl_buffer((64,))                   -->   b = T.decl_buffer((64,), data=a.data)
        for i in range(64): b[i] = a[i] * 2              for i in range(64): b[i] = a[i] * 2
        for i in range(64): B[i] = b[63 - i]             for i in range(64): B[i] = b[63 - i]
    """

    name = "tir.StorageRewrite"
    is_idempotent = True
    takes = Form.FLAT

    merge_static_smem: bool = option("tir.merge_static_smem", False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        target = func.attrs.get("target")
        order = MemoryOrder(func.body)
        body = func.body
        if order.allocations or order.declares:
            is_typed = isinstance(target, Target) and target.kind in _TYPED
            body = _rewrite_storage(body, _StoragePlan(order, not self.merge_static_smem, is_typed))
        func = func.with_body(body)
        return rewrite_pointers(func, Place.LET, reads_lanes=False) if order.binds_pointers else func


def _rewrite_storage(body: Stmt, plan: _StoragePlan) -> Stmt:
    """Return the body with the planned memory; the same object if nothing changes."""
    rewriter = _StorageRewriter(plan)
    new_body = rewriter.attach(None, rewriter.rewrite(body))
    return body if plan.is_trivial and structural_equal(new_body, body) else new_body
