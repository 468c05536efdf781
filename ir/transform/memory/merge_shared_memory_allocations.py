"""A kernel has one allocation of shared memory, whose parts are used again where they are free."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any, ClassVar, Final

from tvmscript.ir.analysis.in_place import is_in_place, sharing
from tvmscript.ir.analysis.liveness import Life, MemoryOrder, Step, bits_of, lives
from tvmscript.ir.arith.fold import TRUE, add, make, mul, sub
from tvmscript.ir.core.dtype import INT32, DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, Call, FloorDiv, FloorMod, IntImm, Max
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.matrix import ptx_cp_async
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, Evaluate
from tvmscript.ir.tir.storage_scope import storage_scope
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass, option

UINT8: Final = DType("uint8")
#: The scopes that are merged, and the names of what they become.
DYNAMIC: Final = ("shared.dyn", "buf_dyn_shmem")
STATIC: Final = ("shared", "buf_shmem")
#: Memory is used again for what needs so many times less.
MATCH_RANGE = 16
#: Smaller memory keeps its place.
SMALL_BITS = 32


@dataclass(eq=False, slots=True)
class _Part:
    """A part of the memory: what was allocated there, one after the other."""

    #: as far as it is known; 0 otherwise
    bits: int
    allocated: list[Allocate]
    #: what it was before that: smaller parts side by side, each with room for all that was allocated in it. TVM gives
    #: it room for what was first, over which others may lie that are in use.
    parts: Sequence[_Part] = ()

    @property
    def layers(self) -> list[list[Allocate]]:
        """What lies side by side, in the order in which it was allocated."""
        found: list[list[Allocate]] = []
        for part in self.parts:
            for position, layer in enumerate(part.layers):
                if position == len(found):
                    found.append([])
                found[position] += layer
        return [*found, *[[each] for each in self.allocated]]

    @property
    def unit(self) -> int:
        """Bytes of which its start is a multiple."""
        return lcm(*[_width(each.dtype) for layer in self.layers for each in layer])


def _size(part: _Part) -> int:
    return part.bits


class _Kernels(Visitor):
    """Which allocations belong to which outermost launch of threads."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.of: dict[AttrStmt, dict[Var, Allocate]] = {}
        self.kernel: AttrStmt | None = None
        #: allocated before the threads that use them are launched
        self.waiting: dict[Var, Allocate] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key == "thread_extent" and self.kernel is None:
            self.kernel = node
            self.of[node] = self.waiting
            self.waiting = {}
            self.walk(node)
            self.kernel = None
        else:
            self.walk(node)

    @on(BufferStore, Evaluate)
    def leaf(self, node: Stmt) -> None:
        """There is nothing inside."""

    @on(Allocate)
    def allocation(self, node: Allocate) -> None:
        if node.buffer_var.storage_scope == self.scope and len(node.extents) == 1:
            found = self.waiting if self.kernel is None else self.of[self.kernel]
            found[node.buffer_var] = node
        self.walk(node)


class _Plan:
    """Where each allocation of a kernel begins in its one allocation, in bytes, and the size of that."""

    def __init__(self, allocations: dict[Var, Allocate], events: list[tuple[Step, Life]]) -> None:
        self.allocations = allocations
        self.parts: dict[Var, _Part] = {}
        #: sorted by size
        self.free: list[_Part] = []
        #: those that nothing can use again, in the order in which they are free
        self.kept: list[_Part] = []
        for step, life in events:
            self.step(step, life)
        self.offsets: dict[Var, Expr] = {}
        self.total: Expr = IntImm(INT32, 0)
        self.lay_out()

    def step(self, step: Step, life: Life) -> None:
        """A statement, or one of its ends."""
        born = [var for var in life.born if var in self.allocations and step.other >= 0]
        dies = [var for var in life.dies if var in self.allocations and step.other <= 0]
        # what the statement reads last is free for what it writes where no thread reads what another has written
        early = [
            var for var in dies if var not in born and all(self.is_compatible(step, new, var) for new in born)
        ]  # fmt: skip
        for var in early:
            self.release(self.parts[var])
        for var in born:
            self.parts[var] = self.find(self.allocations[var])
        for var in dies:
            if var not in early:
                self.release(self.parts[var])

    def is_compatible(self, step: Step, new: Var, old: Var) -> bool:
        """Whether the memory of `old` may become that of `new` in the statement that uses both."""
        a, b = self.allocations[new], self.allocations[old]
        part = self.parts[old]
        return (
            0 < bits_of(a) <= part.bits
            and a.dtype is b.dtype
            and not part.parts
            and is_in_place(step.stmt, new, old, sharing(step.threads, storage_scope(new.storage_scope)))
        )

    def find(self, node: Allocate) -> _Part:
        """Free memory for an allocation: a larger part, else smaller ones side by side, else a new one."""
        bits = bits_of(node)
        if bits > SMALL_BITS:
            middle = bisect_left(self.free, bits, key=_size)
            if middle < bisect_right(self.free, bits * MATCH_RANGE, key=_size):
                part = self.free.pop(middle)
                part.allocated.append(node)
                return part
            total, first = 0, middle
            while first > 0 and total < bits:
                first -= 1
                total += self.free[first].bits
            if total:
                parts = self.free[first:middle]
                del self.free[first:middle]
                return _Part(max(bits, total), [node], parts[::-1])
        return _Part(bits, [node])

    def release(self, part: _Part) -> None:
        if part.bits > SMALL_BITS:
            insort_right(self.free, part, key=_size)
        else:
            self.kept.append(part)

    def lay_out(self) -> None:
        """The parts one after the other; each layer is aligned for all that is in the same layer of any part. What its
        elements are as wide as counts, too: a place is told in elements.
        """
        parts = [*self.free, *self.kept]
        aligned = [0] * max([len(part.layers) for part in parts], default=0)
        for part in parts:
            for position, layer in enumerate(part.layers):
                aligned[position] = max([aligned[position], *[_element_bytes(each) for each in layer]])
        #: what the size of the parts so far is known to be a multiple of
        multiple = 0
        for part in parts:
            if multiple % part.unit:
                self.total, multiple = _rounded(self.total, part.unit), part.unit
            self.total = _sum(self.total, self.place(part, self.total, aligned))
            multiple = gcd(multiple, *aligned[: len(part.layers)])

    def place(self, part: _Part, start: Expr, aligned: Sequence[int]) -> Expr:
        """Put a part somewhere; how large it is there."""
        end: Expr = IntImm(INT32, 0)
        for inner in part.parts:
            end = _rounded(end, inner.unit)
            end = _sum(end, self.place(inner, _sum(start, end), aligned))
        widest = end
        for align, each in zip(aligned[len(part.layers) - len(part.allocated) :], part.allocated, strict=False):
            self.offsets[each.buffer_var] = start
            widest = make(Max, *match_types(widest, _rounded(_bytes(each), align)))
        return widest


def _sum(a: Expr, b: Expr) -> Expr:
    return add(*match_types(a, b))


def _rounded(size: Expr, align: int) -> Expr:
    """The next multiple."""
    unit = const(align, size.dtype)
    return add(size, make(FloorMod, sub(unit, make(FloorMod, size, unit)), unit))


def _element_bytes(node: Allocate) -> int:
    return (node.dtype.bits + 7) // 8


def _bytes(node: Allocate) -> Expr:
    extent = node.extents[0]
    return mul(mul(extent, const(_element_bytes(node), extent.dtype)), const(node.dtype.lanes, extent.dtype))


class _Merged(TirRewriter):
    def __init__(self, name: str, scope: str, plans: dict[AttrStmt, _Plan]) -> None:
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
        made: AttrStmt = self.descend(node)
        plan = self.plans.get(node)
        if plan is None:
            return made
        var = self.merged[next(iter(plan.allocations))]
        return made.replace(body=Allocate(var, UINT8, (plan.total,), TRUE, made.body, span=node.span))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        made: Stmt = self.rewrite(node.body) if node.buffer_var in self.merged else self.descend(node)
        return made

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        var = self.merged.get(node.data)
        if var is None:
            return node
        made: Any = self.renamed.get(node)
        if made is None:
            made = self.renamed[node] = node.replace(data=var)
        return made  # type: ignore[no-any-return]  # buffers are renamed to buffers

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else name

    def offset(self, var: Var, width: int) -> Expr:
        """Where it begins, in elements of so many bytes."""
        offset = self.offsets.get(var, IntImm(INT32, 0))
        return make(FloorDiv, offset, const(width, offset.dtype))

    def moved(self, node: BufferLoad | BufferStore) -> tuple[Expr, ...]:
        indices = self.indices(node.indices)
        var, dtype = node.buffer.data, node.buffer.dtype
        if var not in self.merged:
            return indices
        (index,) = indices
        offset = self.offset(var, _width(dtype))
        if index.dtype.lanes != 1:
            return (Add(index, Broadcast(offset, index.dtype.lanes), span=index.span),)
        return (_sum(index, offset),)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        buffer, indices = self.buffer(node.buffer), self.moved(node)
        if buffer is node.buffer and indices is node.indices and node.predicate is None:
            return node
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return BufferLoad(buffer, indices, predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer, indices, value = self.buffer(node.buffer), self.moved(node), self.rewrite(node.value)
        if buffer is node.buffer and indices is node.indices and value is node.value and node.predicate is None:
            return node
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return BufferStore(buffer, value, indices, predicate, span=node.span)

    @on(Var)
    def var(self, node: Var) -> Expr:
        """A bare address is that of the memory, or one inside of it."""
        var = self.merged.get(node)
        if var is None:
            return node
        offset = self.offset(node, 1)
        if isinstance(offset, IntImm) and offset.value == 0:
            return var
        return tvm_access_ptr(type_annotation("uint8"), var, offset, const(0, offset.dtype), 3)

    @on(Call)
    def call(self, node: Call) -> Expr:
        position = 1 if node.op is tvm_access_ptr else 0
        data = node.args[position] if node.op in (tvm_access_ptr, ptx_cp_async) else None
        if not isinstance(data, Var) or data not in self.merged:
            made: Expr = self.descend(node)
            return made
        args = [each if each is data else self.rewrite(each) for each in node.args]
        args[position] = self.merged[data]
        if node.op is tvm_access_ptr:
            kind = node.args[0].dtype
            args[2] = _sum(self.offset(data, _width(kind)), args[2])
        else:
            # the offset counts bytes now
            width = _width(node.dtype)
            total = _sum(self.offset(data, width), args[1])
            args[1] = mul(total, const(width, total.dtype))
        return node.replace(args=tuple(args))


def _width(dtype: DType) -> int:
    return dtype.lanes * ((dtype.bits + 7) // 8)


@dataclass(frozen=True)
class MergeSharedMemoryAllocations(PrimFuncPass):
    """Each kernel has at most one allocation of dynamic shared memory, in bytes, with an offset for each that it was.

    Memory that is not in use any more is used again: a larger part for a smaller one, smaller parts side by side for
    a larger one. With `merge_static_smem`, the same for static shared memory. A statement that reads memory last does
    not write to the same memory, unless each thread writes only what it has read itself; TVM does not look.

    Barriers are not looked at: `tir.ThreadSync` comes after.

    rewrite:
        A = T.allocate([64], "float32", "shared.dyn")        buf = T.allocate([512], "uint8", "shared.dyn")
        B = T.allocate([64], "float32", "shared.dyn")  -->   A_1 = T.Buffer((64,), data=buf, ...)
        B_1[tx] = A_1[63 - tx]                               B_1[tx + 64] = A_1[63 - tx]
    """

    name: ClassVar[str] = "tir.MergeSharedMemoryAllocations"
    takes: ClassVar[Form] = Form.FLAT

    merge_static_smem: bool = option("tir.merge_static_smem", False)

    def transform(self, func: PrimFunc) -> PrimFunc:
        for scope, name in (DYNAMIC, STATIC) if self.merge_static_smem else (DYNAMIC,):
            func = func.with_body(_merged(func.body, scope, name))
        return func


def _merged(body: Stmt, scope: str, name: str) -> Stmt:
    """The body with the memory of one scope merged; the same object where no kernel has several allocations."""
    kernels = _Kernels(scope)
    kernels.visit(body)
    found = {kernel: allocations for kernel, allocations in kernels.of.items() if len(allocations) > 1}
    if not found:
        return body
    order = MemoryOrder(body)
    events = [
        (step, life) for step, life in zip(order.steps, lives(order.steps), strict=True) if life is not None
    ]  # fmt: skip
    plans = {kernel: _Plan(allocations, events) for kernel, allocations in found.items()}
    made: Stmt = _Merged(name, scope, plans).rewrite(body)
    return made
