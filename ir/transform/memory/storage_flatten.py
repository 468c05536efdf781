"""Lower realized regions of TE schedules to allocations and flat accesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import TRUE, add, make, mul, sub
from tvmscript.ir.core import INT32, PointerType, on
from tvmscript.ir.tir import BufferRealize, Expr, Prefetch, PrimFunc, Stmt, Var, const, match_types
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, FloorDiv, FloorMod, IntImm, IterVar, Mul, Range
from tvmscript.ir.tir.intrin.control import tvm_tuple
from tvmscript.ir.tir.intrin.memory import address_of, prefetch
from tvmscript.ir.tir.stmt import Allocate, AssertStmt, AttrStmt, BufferStore, Evaluate, For, ForKind
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import TensorLevelLeft
from tvmscript.ir.transform.memory.flatten_buffer import BufferFlattener, is_flat, storage_dtype

AccessT = TypeVar("AccessT", BufferLoad, BufferStore)

#: innermost enclosing threads -> default storage scope
_SCOPES = {"": "global", "blockIdx": "shared", "threadIdx": "local"}


@dataclass(frozen=True, slots=True)
class _RealizedBuffer:
    """A buffer whose realized region is allocated."""

    #: the declared buffer with the shape of the region
    shaped: Buffer
    #: the same with strides and alignment
    inner: Buffer
    #: start of the region
    start: tuple[Expr, ...]


class _StorageFlattener(BufferFlattener):
    def __init__(self, func: PrimFunc, cache_line_size: int, with_bounds: bool) -> None:
        super().__init__(func)
        self.cache_line_size = cache_line_size
        self.with_bounds = with_bounds
        self.nodes = {node.buffer: node for node in statements(func.body) if isinstance(node, BufferRealize)}
        self.realized: dict[Buffer, _RealizedBuffer] = {}
        #: buffer -> dimension -> (factor, remainder) of its stride
        self.aligned: dict[Buffer, dict[int, tuple[Expr, Expr]]] = {}
        self.threads = [""]
        #: data and buffers that the current statement accesses
        self.accessed: list[tuple[Var, Buffer]] = []

    # -- buffers

    @on(Buffer)
    def name(self, node: Any) -> Any:
        new_buffer = self.renamed.get(node)
        if new_buffer is None and node in self.realized:
            new_buffer = self.renamed[node] = self.flat(self.realized[node].inner)
        if new_buffer is None and is_flat(node):
            new_buffer = self.renamed[node] = node
        return super().name(node) if new_buffer is None else new_buffer

    def realize_buffer(self, buffer: Buffer) -> _RealizedBuffer:
        """Return the allocation for a buffer."""
        realized = self.realized.get(buffer)
        if realized is None:
            node = self.nodes[buffer]
            shape = tuple([self.analyzer.simplify(self.rewrite(bound.extent)) for bound in node.bounds])
            shape = shape or (IntImm(INT32, 1),)
            data = self.assign_scope(buffer.data)
            shaped = buffer.replace(data=data, shape=shape, strides=(), elem_offset=IntImm(shape[0].dtype, 0))
            inner = shaped.replace(strides=self.strides(buffer, shape), data_alignment=_alignment(shaped))
            start = tuple([bound.min for bound in node.bounds])
            realized = self.realized[buffer] = _RealizedBuffer(shaped, inner, start)
        return realized

    def extents(self, buffer: Buffer, groups: Sequence[slice]) -> list[Expr]:
        """Return the extents of the flat buffer: whole rows of arguments with strides."""
        if len(groups) == 1 and buffer.strides and buffer in self.parameters:
            return [mul(buffer.strides[0], buffer.shape[0])]
        return super().extents(buffer, groups)

    def assign_scope(self, data: Var) -> Var:
        """Return the pointer; without a scope it gets the default of the enclosing threads."""
        pointer = data.pointer_type
        if not isinstance(pointer, PointerType) or pointer.storage_scope:
            return data
        new_var = Var(data.name, PointerType(pointer.element_type, _SCOPES[self.threads[-1]]), span=data.span)
        self.renamed[data] = new_var
        return new_var

    def strides(self, buffer: Buffer, shape: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return row-major strides padded for aligned dimensions; empty without alignment."""
        aligned = self.aligned.get(buffer)
        if not aligned:
            return ()
        strides: list[Expr] = []
        stride = const(1, shape[0].dtype)
        for dim in reversed(range(len(shape))):
            if dim in aligned:
                factor, remainder = aligned[dim]
                gap = make(FloorMod, sub(add(factor, remainder), make(FloorMod, stride, factor)), factor)
                stride = self.analyzer.simplify(add(stride, gap))
            strides.append(stride)
            stride = mul(stride, shape[dim])
        return tuple(reversed(strides))

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        if node.buffer in self.parameters:
            return self.rewrite(node.body)
        self.realize_buffer(node.buffer)
        flat: Buffer = self.name(node.buffer)
        body = self.rewrite(node.body)
        return Allocate(flat.data, storage_dtype(node.buffer.dtype), flat.shape, TRUE, body, span=node.span)

    # -- accesses

    def relative(self, node: AccessT) -> AccessT:
        """Return the access relative to the region."""
        realized = self.realized.get(node.buffer)
        if realized is None:
            return node
        if not node.indices:
            indices: tuple[Expr, ...] = (IntImm(INT32, 0),)
        else:
            indices = tuple([sub(*match_types(a, b)) for a, b in zip(node.indices, realized.start, strict=True)])
        return node.replace(buffer=realized.inner, indices=indices)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        inner = self.relative(node)
        self.record_access(inner.buffer)
        if inner is not node:
            self.renamed[inner.buffer] = self.name(node.buffer)
        return super().load(inner)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.accessed = []
        inner = self.relative(node)
        if inner is not node:
            self.renamed[inner.buffer] = self.name(node.buffer)
        stmt = super().store(inner)
        self.record_access(inner.buffer)
        for data, buffer in self.accessed if self.with_bounds else ():
            stmt = AttrStmt(data, "buffer_bound", _buffer_bound(buffer, inner.buffer.dtype.lanes), stmt, span=node.span)
        return stmt

    def record_access(self, buffer: Buffer) -> None:
        if buffer.shape and not any(isinstance(extent, IntImm) and extent.value < 0 for extent in buffer.shape):
            self.accessed.append((buffer.data, buffer))

    # -- statements

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        target = node.node
        if node.attr_key == "buffer_dim_align":
            assert isinstance(node.value, Call)
            dim, factor, remainder = node.value.args
            if not isinstance(dim, IntImm):
                raise TensorLevelLeft(name=StorageFlatten.name, what="a dimension that is not constant", span=dim.span)
            self.aligned.setdefault(target, {})[dim.value] = (factor, remainder)
            return self.rewrite(node.body)
        if node.attr_key == "buffer_bind_scope":
            raise TensorLevelLeft(name=StorageFlatten.name, what="a tensorized buffer_bind_scope", span=node.span)
        if isinstance(target, Buffer):
            return self.rewrite_buffer_attribute(node, target)
        if isinstance(target, IterVar) and node.attr_key == "thread_extent":
            self.threads.append(target.thread_tag.partition(".")[0])
            if self.threads[-1] not in _SCOPES:
                self.threads[-1] = self.threads[-2]
            stmt = super().attribute(node)
            self.threads.pop()
            return stmt
        return super().attribute(node)

    def rewrite_buffer_attribute(self, node: AttrStmt, buffer: Buffer) -> Stmt:
        is_realized = buffer in self.nodes and buffer not in self.parameters
        if node.attr_key == "realize_scope":
            return self.rewrite(node.body)
        if node.attr_key == "double_buffer_scope":
            data = self.name(buffer).data
            return node.replace(node=data, value=IntImm(INT32, 1), body=self.rewrite(node.body))
        subject = self.realize_buffer(buffer).shaped if is_realized else buffer
        return node.replace(node=subject, value=self.rewrite(node.value), body=self.rewrite(node.body))

    @on(Prefetch)
    def refuse(self, node: Any) -> Stmt:
        """Lower a prefetch to loops over the cache lines of each row of the region."""
        buffer: Buffer = node.buffer
        count = max(self.cache_line_size // max(buffer.dtype.itemsize * buffer.dtype.lanes, 1), 1)
        starts, block = len(node.bounds) - 1, 1
        while starts > 0:
            extent = buffer.shape[starts]
            if not isinstance(extent, IntImm) or block * extent.value > count:
                break
            block *= extent.value
            starts -= 1
        step = count // block
        indices = [bound.min for bound in node.bounds]
        loops: list[tuple[Var, Expr]] = []
        for dim in range(starts + 1):
            bound = node.bounds[dim]
            dtype = bound.min.dtype
            var = Var(f"prefetch.{buffer.name}.{dim}", dtype)
            offset, extent = (var, bound.extent) if dim < starts else (mul(var, const(step, dtype)), bound.extent)
            if dim == starts:
                last = make(FloorDiv, sub(extent, const(1, dtype)), const(step, dtype))
                extent = add(last, const(1, dtype))
            indices[dim] = add(bound.min, offset)
            extent = self.analyzer.simplify(extent)
            self.analyzer.bind(var, Range.from_min_extent(const(0, dtype), extent), allow_override=True)
            loops.append((var, extent))
        element = self.rewrite(BufferLoad(buffer, tuple(indices), span=node.span))
        hints = [IntImm(INT32, hint) for hint in (0, 3, 1)]
        stmt: Stmt = Evaluate(prefetch(address_of(element), *hints), span=node.span)
        for var, extent in reversed(loops):
            stmt = For(var, const(0, var.dtype), extent, ForKind.SERIAL, stmt, span=node.span)
        return stmt

    def rewrite_assert(self, node: AssertStmt, condition: Expr) -> Stmt:
        if self.analyzer.can_prove(condition):
            return self.rewrite(node.body)
        return super().rewrite_assert(node, condition)


def _alignment(buffer: Buffer) -> int:
    """Return the alignment in bytes; small memory is aligned to at most its size."""
    bits = buffer.dtype.bits * buffer.dtype.lanes
    for extent in buffer.shape:
        if not isinstance(extent, IntImm):
            return DEFAULT_ALIGNMENT
        bits *= extent.value
    align = DEFAULT_ALIGNMENT
    while align > 1 and align * 8 > bits:
        align //= 2
    return align


def _buffer_bound(buffer: Buffer, lanes: int) -> Expr:
    """Return the number of scalar elements of a buffer, as an unsimplified product."""
    total: Expr | None = None
    for extent in buffer.shape:
        part = Mul(const(lanes, extent.dtype), extent)
        total = part if total is None else Mul(*match_types(total, part))
    assert total is not None
    return tvm_tuple(total)


@dataclass(frozen=True)
class StorageFlatten(PrimFuncPass):
    """Lower functions from TE schedules: allocate realized regions, and flatten accesses relative to their start.

    Strides follow the attribute `buffer_dim_align`. Parameters keep their buffers. Prefetched regions become loops over
    cache lines of `cache_line_size` bytes. Assertions that provably hold are removed. With `create_bound_attribute`, an
    attribute `buffer_bound` holds the size of each buffer that a store accesses.

    Raises `TensorLevelLeft` for buffers of tensor intrinsics. Prefetched rows are correct here, unlike in TVM.

    rewrite:
        T.realize(B[i:i + 1, 0:8], "")                    B = T.allocate([8], "float32", "global")
        for j in range(8): B[i, j] = A[i, j]        -->   for j in range(8): B_1[j] = A_1[i * 8 + j]
        for j in range(8): C[i, j] = B[i, j]              for j in range(8): C_1[i * 8 + j] = B_1[j]
    """

    name = "tir.StorageFlatten"
    #: a second run would add bounds again
    is_idempotent = False

    cache_line_size: int = 64
    create_bound_attribute: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not is_from_te(func):
            return func
        flattener = _StorageFlattener(func, self.cache_line_size, self.create_bound_attribute)
        return func.with_body(flattener.rewrite(func.body))
