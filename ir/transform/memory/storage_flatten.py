"""Realized regions of TE schedules are allocations, and every access goes to flat memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import TRUE, add, make, mul, sub
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.types import PointerType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, FloorDiv, FloorMod, IntImm, IterVar, Mul, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import tvm_tuple
from tvmscript.ir.tir.intrin.memory import address_of, prefetch
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.stmt import Allocate, AssertStmt, AttrStmt, BufferStore, Evaluate, For, ForKind
from tvmscript.ir.tir.te_nodes import BufferRealize, Prefetch
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import TensorLevelLeft
from tvmscript.ir.transform.memory.flatten_buffer import Flattening, is_flat, stored_dtype

#: Where memory is that nothing is said about: by the innermost threads around it.
_SCOPES = {"": "global", "blockIdx": "shared", "threadIdx": "local"}


@dataclass(frozen=True, slots=True)
class _Realized:
    """A buffer whose region is allocated."""

    #: as it is declared, with the shape of the region
    shaped: Buffer
    #: with strides and alignment
    inner: Buffer
    #: where the region begins
    start: tuple[Expr, ...]


class _Storage(Flattening):
    def __init__(self, func: PrimFunc, cache_line_size: int, with_bounds: bool) -> None:
        super().__init__(func)
        self.cache_line_size = cache_line_size
        self.with_bounds = with_bounds
        self.nodes = {node.buffer: node for node in statements(func.body) if isinstance(node, BufferRealize)}
        self.realized: dict[Buffer, _Realized] = {}
        #: buffer -> dimension -> what its stride is aligned to, and the rest that it leaves
        self.aligned: dict[Buffer, dict[int, tuple[Expr, Expr]]] = {}
        self.threads = [""]
        #: data and shapes of what the statement at hand accesses
        self.touched: list[tuple[Var, Buffer]] = []

    # -- buffers

    @on(Buffer)
    def name(self, node: Any) -> Any:
        made = self.renamed.get(node)
        if made is None and node in self.realized:
            made = self.renamed[node] = self.flat(self.realized[node].inner)
        if made is None and is_flat(node):
            made = self.renamed[node] = node
        return super().name(node) if made is None else made

    def realized_as(self, buffer: Buffer) -> _Realized:
        """What is allocated for a buffer."""
        made = self.realized.get(buffer)
        if made is None:
            node = self.nodes[buffer]
            shape = tuple([self.analyzer.simplify(self.rewrite(bound.extent)) for bound in node.bounds])
            shape = shape or (IntImm(INT32, 1),)
            data = self.placed(buffer.data)
            shaped = buffer.replace(data=data, shape=shape, strides=(), elem_offset=IntImm(shape[0].dtype, 0))
            inner = shaped.replace(strides=self.strides(buffer, shape), data_alignment=_alignment(shaped))
            made = self.realized[buffer] = _Realized(shaped, inner, tuple([bound.min for bound in node.bounds]))
        return made

    def placed(self, data: Var) -> Var:
        """The pointer, to the memory of the threads around it where nothing else is said."""
        about = data.type_annotation
        if not isinstance(about, PointerType) or about.storage_scope:
            return data
        made = Var(data.name, PointerType(about.element_type, _SCOPES[self.threads[-1]]), span=data.span)
        self.renamed[data] = made
        return made

    def strides(self, buffer: Buffer, shape: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Row-major, with room for what the dimensions are aligned to; nothing where they need none."""
        aligned = self.aligned.get(buffer)
        if not aligned:
            return ()
        made: list[Expr] = []
        stride = const(1, shape[0].dtype)
        for dim in reversed(range(len(shape))):
            if dim in aligned:
                factor, rest = aligned[dim]
                gap = make(FloorMod, sub(add(factor, rest), make(FloorMod, stride, factor)), factor)
                stride = self.analyzer.simplify(add(stride, gap))
            made.append(stride)
            stride = mul(stride, shape[dim])
        return tuple(reversed(made))

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        if node.buffer in self.parameters:
            body: Stmt = self.rewrite(node.body)
            return body
        self.realized_as(node.buffer)
        flat: Buffer = self.name(node.buffer)
        body = self.rewrite(node.body)
        return Allocate(flat.data, stored_dtype(node.buffer.dtype), flat.shape, TRUE, body, span=node.span)

    # -- accesses

    def relative(self, node: BufferLoad | BufferStore) -> Any:
        """The access in terms of the region."""
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
        self.noted_access(inner.buffer)
        if inner is not node:
            self.renamed[inner.buffer] = self.name(node.buffer)
        return super().load(inner)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.touched = []
        inner = self.relative(node)
        if inner is not node:
            self.renamed[inner.buffer] = self.name(node.buffer)
        made = super().store(inner)
        self.noted_access(inner.buffer)
        for data, buffer in self.touched if self.with_bounds else ():
            made = AttrStmt(data, "buffer_bound", _bound(buffer, inner.buffer.dtype.lanes), made, span=node.span)
        return made

    def noted_access(self, buffer: Buffer) -> None:
        if buffer.shape and not any(isinstance(each, IntImm) and each.value < 0 for each in buffer.shape):
            self.touched.append((buffer.data, buffer))

    # -- statements

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        about: Any = node.node
        if node.attr_key == "buffer_dim_align":
            assert isinstance(node.value, Call)
            dim, factor, rest = node.value.args
            assert isinstance(dim, IntImm)
            self.aligned.setdefault(about, {})[dim.value] = (factor, rest)
            body: Stmt = self.rewrite(node.body)
            return body
        if node.attr_key == "buffer_bind_scope":
            raise TensorLevelLeft(name=StorageFlatten.name, what="a tensorized buffer_bind_scope", span=node.span)
        if isinstance(about, Buffer):
            return self.about_buffer(node, about)
        if isinstance(about, IterVar) and node.attr_key == "thread_extent":
            self.threads.append(about.thread_tag.partition(".")[0])
            if self.threads[-1] not in _SCOPES:
                self.threads[-1] = self.threads[-2]
            made = super().attribute(node)
            self.threads.pop()
            return made
        return super().attribute(node)

    def about_buffer(self, node: AttrStmt, buffer: Buffer) -> Stmt:
        is_realized = buffer in self.nodes and buffer not in self.parameters
        if node.attr_key == "realize_scope":
            body: Stmt = self.rewrite(node.body)  # the pointer tells it
            return body
        if node.attr_key == "double_buffer_scope":
            data = self.name(buffer).data
            return node.replace(node=data, value=IntImm(INT32, 1), body=self.rewrite(node.body))
        subject = self.realized_as(buffer).shaped if is_realized else buffer
        return node.replace(node=subject, value=self.rewrite(node.value), body=self.rewrite(node.body))

    @on(Prefetch)
    def refuse(self, node: Any) -> Stmt:
        """A loop over the cache lines of the region, for each row of it."""
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
        hints = [IntImm(INT32, each) for each in (0, 3, 1)]
        made: Stmt = Evaluate(prefetch(address_of(element), *hints), span=node.span)
        for var, extent in reversed(loops):
            made = For(var, const(0, var.dtype), extent, ForKind.SERIAL, made, span=node.span)
        return made

    def rewrite_assert(self, node: AssertStmt, condition: Expr) -> Stmt:
        if self.analyzer.can_prove(condition):
            body: Stmt = self.rewrite(node.body)
            return body
        return super().rewrite_assert(node, condition)


def _alignment(buffer: Buffer) -> int:
    """Bytes that small memory is aligned to: not more than it has."""
    bits = buffer.dtype.bits * buffer.dtype.lanes
    for extent in buffer.shape:
        if not isinstance(extent, IntImm):
            return DEFAULT_ALIGNMENT
        bits *= extent.value
    align = DEFAULT_ALIGNMENT
    while align > 1 and align * 8 > bits:
        align //= 2
    return align


def _bound(buffer: Buffer, lanes: int) -> Expr:
    """How many elements the buffer has, not multiplied out."""
    total: Expr | None = None
    for extent in buffer.shape:
        part = Mul(const(lanes, extent.dtype), extent)
        total = part if total is None else Mul(*match_types(total, part))
    assert total is not None
    made: Expr = tvm_tuple(total)
    return made


@dataclass(frozen=True)
class StorageFlatten(PrimFuncPass):
    """In functions out of TE schedules, memory for the region that a buffer is realized for is allocated, with strides
    as `buffer_dim_align` asks for, and every access has one index, from the beginning of the region. Parameters keep
    their buffers. Prefetched regions are loops over cache lines of `cache_line_size` bytes; asserted conditions that
    hold are gone. With `create_bound_attribute`, an attribute `buffer_bound` tells how much memory there is, for each
    access of a store.

    Raises `TensorLevelLeft` for the buffers of tensor intrinsics. Prefetches are of the right rows here, not in TVM.

    rewrite:
        T.realize(B[i:i + 1, 0:8], "")                    B = T.allocate([8], "float32", "global")
        for j in range(8): B[i, j] = A[i, j]        -->   for j in range(8): B_1[j] = A_1[i * 8 + j]
        for j in range(8): C[i, j] = B[i, j]              for j in range(8): C_1[i * 8 + j] = B_1[j]
    """

    name: ClassVar[str] = "tir.StorageFlatten"
    #: bounds would be there twice
    is_idempotent: ClassVar[bool] = False

    cache_line_size: int = 64
    create_bound_attribute: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not is_from_te(func):
            return func
        return func.with_body(_Storage(func, self.cache_line_size, self.create_bound_attribute).rewrite(func.body))
