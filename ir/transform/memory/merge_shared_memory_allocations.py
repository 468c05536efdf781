"""Merge the shared memory allocations of a kernel, and reuse memory of dead buffers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Final

from tvmscript.ir.analysis.memory.in_place import is_in_place, threads_with_same_memory
from tvmscript.ir.analysis.memory.liveness import Lifetime, MemoryOrder, Step, bits_of, lifetimes
from tvmscript.ir.arith.fold import TRUE, add, make, mul, sub
from tvmscript.ir.core import INT32, DType, Op, PointerType, PrimType, Visitor, on
from tvmscript.ir.tir import AccessRewriter, Buffer, Expr, PrimFunc, Stmt, Var, const, match_types
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, Call, FloorDiv, FloorMod, IntImm, Max
from tvmscript.ir.tir.intrin.matrix import ptx_cp_async
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, Evaluate
from tvmscript.ir.tir.storage_scope import storage_scope
from tvmscript.ir.transform.base import Form, PrimFuncPass, option

UINT8: Final = DType("uint8")
#: scopes to merge, and the names of the merged allocations
DYNAMIC: Final = ("shared.dyn", "buf_dyn_shmem")
STATIC: Final = ("shared", "buf_shmem")
#: a slot is reused for allocations up to this many times smaller
MATCH_RANGE = 16
#: slots of at most this size are not reused
SMALL_BITS = 32


#: bits of an access pointer
_READ, _WRITTEN = 1, 2
#: instructions whose offset counts elements of their dtype -> position of the data in shared memory, how it is accessed
_SHARED_DATA: Final = {"tir.ptx_ldmatrix": (5, _READ), "tir.ptx_cp_async_bulk": (0, _WRITTEN)}


@dataclass(eq=False, slots=True)
class _Slot:
    """A slot of the merged memory, with the allocations that use it one after the other."""

    #: size; 0 if unknown
    bits: int
    allocated: list[Allocate]
    #: adjacent smaller slots that were joined, each with room for all of its allocations. TVM reserves room for the
    #: first allocation only, so that live allocations may overlap.
    slots: Sequence[_Slot] = ()

    @property
    def layers(self) -> list[list[Allocate]]:
        """Allocations with disjoint memory, in order of allocation."""
        layers: list[list[Allocate]] = []
        for slot in self.slots:
            for position, layer in enumerate(slot.layers):
                if position == len(layers):
                    layers.append([])
                layers[position] += layer
        return [*layers, *[[node] for node in self.allocated]]

    @property
    def unit(self) -> int:
        """The alignment of the start, in bytes."""
        return lcm(*[_dtype_bytes(node.dtype) for layer in self.layers for node in layer])


def _size(slot: _Slot) -> int:
    return slot.bits


class _KernelCollector(Visitor):
    """Collect the allocations of each outermost thread launch."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.allocations_of: dict[AttrStmt, dict[Var, Allocate]] = {}
        self.kernel: AttrStmt | None = None
        #: allocations before the launch that uses them
        self.pending: dict[Var, Allocate] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key == "thread_extent" and self.kernel is None:
            self.kernel = node
            self.allocations_of[node] = self.pending
            self.pending = {}
            self.walk(node)
            self.kernel = None
        else:
            self.walk(node)

    @on(BufferStore, Evaluate)
    def leaf(self, node: Stmt) -> None:
        """Skip leaf statements."""

    @on(Allocate)
    def allocation(self, node: Allocate) -> None:
        if node.buffer_var.storage_scope == self.scope and len(node.extents) == 1:
            allocations = self.pending if self.kernel is None else self.allocations_of[self.kernel]
            allocations[node.buffer_var] = node
        self.walk(node)


class _MemoryPlan:
    """Byte offsets of the allocations of a kernel in the merged allocation, and its size."""

    def __init__(self, allocations: dict[Var, Allocate], events: list[tuple[Step, Lifetime]]) -> None:
        self.allocations = allocations
        self.slots: dict[Var, _Slot] = {}
        #: free slots, sorted by size
        self.free: list[_Slot] = []
        #: dead slots that are too small for reuse, in order of death
        self.kept: list[_Slot] = []
        for step, life in events:
            self.step(step, life)
        self.offsets: dict[Var, Expr] = {}
        self.total: Expr = IntImm(INT32, 0)
        self.assign_offsets()

    def step(self, step: Step, life: Lifetime) -> None:
        """Process the births and deaths of one step."""
        born = [var for var in life.born if var in self.allocations and step.other >= 0]
        dies = [var for var in life.dies if var in self.allocations and step.other <= 0]
        # a last read and a first write may share memory if no thread reads what another one has written
        early = [var for var in dies if var not in born and all(self.is_compatible(step, new, var) for new in born)]
        for var in early:
            self.release(self.slots[var])
        for var in born:
            self.slots[var] = self.find(self.allocations[var])
        for var in dies:
            if var not in early:
                self.release(self.slots[var])

    def is_compatible(self, step: Step, new: Var, old: Var) -> bool:
        """Return whether `new` may reuse the memory of `old` within a statement that uses both."""
        a, b = self.allocations[new], self.allocations[old]
        slot = self.slots[old]
        return (
            0 < bits_of(a) <= slot.bits
            and a.dtype is b.dtype
            and not slot.slots
            and is_in_place(
                step.stmt, new, old, threads_with_same_memory(step.threads, storage_scope(new.storage_scope))
            )
        )

    def find(self, node: Allocate) -> _Slot:
        """Find memory for an allocation: a larger free slot, else adjacent smaller ones, else a new slot."""
        bits = bits_of(node)
        if bits > SMALL_BITS:
            middle = bisect_left(self.free, bits, key=_size)
            if middle < bisect_right(self.free, bits * MATCH_RANGE, key=_size):
                slot = self.free.pop(middle)
                slot.allocated.append(node)
                return slot
            total, first = 0, middle
            while first > 0 and total < bits:
                first -= 1
                total += self.free[first].bits
            if total:
                slots = self.free[first:middle]
                del self.free[first:middle]
                return _Slot(max(bits, total), [node], slots[::-1])
        return _Slot(bits, [node])

    def release(self, slot: _Slot) -> None:
        if slot.bits > SMALL_BITS:
            insort_right(self.free, slot, key=_size)
        else:
            self.kept.append(slot)

    def assign_offsets(self) -> None:
        """Place the slots one after the other.

        Each layer is aligned for all allocations in the same layer of any slot, and for their element size: offsets are
        counted in elements.
        """
        slots = [*self.free, *self.kept]
        aligned = [0] * max([len(slot.layers) for slot in slots], default=0)
        for slot in slots:
            for position, layer in enumerate(slot.layers):
                aligned[position] = max([aligned[position], *[_element_bytes(node) for node in layer]])
        # a known divisor of the total size so far
        multiple = 0
        for slot in slots:
            if multiple % slot.unit:
                self.total, multiple = _round_up(self.total, slot.unit), slot.unit
            self.total = _add_sizes(self.total, self.place(slot, self.total, aligned))
            multiple = gcd(multiple, *aligned[: len(slot.layers)])

    def place(self, slot: _Slot, start: Expr, aligned: Sequence[int]) -> Expr:
        """Place a slot at `start`, and return its size."""
        end: Expr = IntImm(INT32, 0)
        for inner in slot.slots:
            end = _round_up(end, inner.unit)
            end = _add_sizes(end, self.place(inner, _add_sizes(start, end), aligned))
        widest = end
        for align, node in zip(aligned[len(slot.layers) - len(slot.allocated) :], slot.allocated, strict=False):
            self.offsets[node.buffer_var] = start
            widest = make(Max, *match_types(widest, _round_up(_allocation_bytes(node), align)))
        return widest


def _add_sizes(a: Expr, b: Expr) -> Expr:
    return add(*match_types(a, b))


def _round_up(size: Expr, align: int) -> Expr:
    """Round up to the next multiple."""
    unit = const(align, size.dtype)
    return add(size, make(FloorMod, sub(unit, make(FloorMod, size, unit)), unit))


def _element_bytes(node: Allocate) -> int:
    return (node.dtype.bits + 7) // 8


def _allocation_bytes(node: Allocate) -> Expr:
    extent = node.extents[0]
    return mul(mul(extent, const(_element_bytes(node), extent.dtype)), const(node.dtype.lanes, extent.dtype))


class _MergeRewriter(AccessRewriter):
    def __init__(self, name: str, scope: str, plans: dict[AttrStmt, _MemoryPlan]) -> None:
        super().__init__()
        self.plans = plans
        self.offsets: dict[Var, Expr] = {}
        self.merged: dict[Var, Var] = {}
        for plan in plans.values():
            var = Var(name, PointerType(PrimType(UINT8), scope))
            self.offsets.update(plan.offsets)
            self.merged.update(dict.fromkeys(plan.allocations, var))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        new_attr: AttrStmt = self.descend(node)
        plan = self.plans.get(node)
        if plan is None:
            return new_attr
        var = self.merged[next(iter(plan.allocations))]
        return new_attr.replace(body=Allocate(var, UINT8, (plan.total,), TRUE, new_attr.body, span=node.span))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        return self.rewrite(node.body) if node.buffer_var in self.merged else self.descend(node)

    def map_buffer(self, buffer: Buffer) -> Buffer:
        return buffer.rebuild(data=self.merged.get(buffer.data, buffer.data))

    def offset(self, var: Var, width: int) -> Expr:
        """Return the offset of an allocation in elements of `width` bytes."""
        offset = self.offsets.get(var, IntImm(INT32, 0))
        return make(FloorDiv, offset, const(width, offset.dtype))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        var, dtype = node.buffer.data, node.buffer.dtype
        if var not in self.merged:
            return indices
        (index,) = indices
        offset = self.offset(var, _dtype_bytes(dtype))
        if index.dtype.lanes != 1:
            return (Add(*match_types(index, Broadcast(offset, index.dtype.lanes)), span=index.span),)
        return (_add_sizes(index, offset),)

    @on(Var)
    def var(self, node: Var) -> Expr:
        """Rewrite a bare pointer to the merged memory or to an address inside of it."""
        var = self.merged.get(node)
        if var is None:
            return node
        offset = self.offset(node, 1)
        return var if isinstance(offset, IntImm) and offset.value == 0 else _address(var, offset, _READ | _WRITTEN)

    @on(Call)
    def call(self, node: Call) -> Expr:
        position = 1 if node.op is tvm_access_ptr else 0
        data = node.args[position] if node.op in (tvm_access_ptr, ptx_cp_async) else None
        if not isinstance(data, Var) or data not in self.merged:
            return self._with_pointer(node)
        args = [arg if arg is data else self.rewrite(arg) for arg in node.args]
        args[position] = self.merged[data]
        if node.op is tvm_access_ptr:
            kind = node.args[0].dtype
            args[2] = _add_sizes(self.offset(data, _dtype_bytes(kind)), args[2])
        else:
            # the offset is in bytes
            width = _dtype_bytes(node.dtype)
            total = _add_sizes(self.offset(data, width), args[1])
            args[1] = mul(total, const(width, total.dtype))
        return node.replace(args=tuple(args))

    def _with_pointer(self, node: Call) -> Call:
        """Return a call with a pointer for data in merged memory: an offset from its start would count bytes."""
        new_call: Call = self.descend(node)
        place, access = _SHARED_DATA.get(node.op.name, (0, 0)) if isinstance(node.op, Op) else (0, 0)
        data = node.args[place] if access else None
        if not isinstance(data, Var) or data not in self.merged:
            return new_call
        pointer = _address(self.merged[data], self.offset(data, 1), access)
        return new_call.replace(args=(*new_call.args[:place], pointer, *new_call.args[place + 1 :]))


def _address(var: Var, offset: Expr, access: int) -> Expr:
    """Return a pointer to a byte of merged memory."""
    return tvm_access_ptr(type_annotation("uint8"), var, offset, const(0, offset.dtype), access)


def _dtype_bytes(dtype: DType) -> int:
    return dtype.lanes * ((dtype.bits + 7) // 8)


@dataclass(frozen=True)
class MergeSharedMemoryAllocations(PrimFuncPass):
    """Merge the dynamic shared memory of each kernel into one allocation of bytes, with an offset for each buffer.

    Memory of dead buffers is reused: a larger slot for a smaller buffer, adjacent smaller slots for a larger buffer.
    With `merge_static_smem`, static shared memory is merged too. A statement with the last read of a buffer does not
    write to the same memory, unless each thread writes only elements that it has read itself; TVM does not check this.
    Barriers are inserted later by `tir.ThreadSync`.

    rewrite:
        A = T.allocate([64], "float32", "shared.dyn")        buf = T.allocate([512], "uint8", "shared.dyn")
        B = T.allocate([64], "float32", "shared.dyn")  -->   A_1 = T.Buffer((64,), data=buf, ...)
        B_1[tx] = A_1[63 - tx]                               B_1[tx + 64] = A_1[63 - tx]
    """

    name = "tir.MergeSharedMemoryAllocations"
    is_idempotent = True
    takes = Form.FLAT

    merge_static_smem: bool = option("tir.merge_static_smem", False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        for scope, name in (DYNAMIC, STATIC) if self.merge_static_smem else (DYNAMIC,):
            func = func.with_body(_merge_scope(func.body, scope, name))
        return func


def _merge_scope(body: Stmt, scope: str, name: str) -> Stmt:
    """Merge the memory of one scope; return the same object if no kernel has several allocations."""
    collector = _KernelCollector(scope)
    collector.visit(body)
    allocations_by_kernel = {
        kernel: allocations for kernel, allocations in collector.allocations_of.items() if len(allocations) > 1
    }
    if not allocations_by_kernel:
        return body
    order = MemoryOrder(body)
    lives = zip(order.steps, lifetimes(order.steps), strict=True)
    events = [(step, life) for step, life in lives if life is not None]
    plans = {kernel: _MemoryPlan(allocations, events) for kernel, allocations in allocations_by_kernel.items()}
    return _MergeRewriter(name, scope, plans).rewrite(body)
