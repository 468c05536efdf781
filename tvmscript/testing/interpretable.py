"""Lower constructs that the interpreter does not support to ones that it does.

BufferRealize becomes an allocation, prefetches are removed, pointer parameters become buffers. Multidimensional
allocations get the size of their buffer. Buffers in one allocation of special memory begin at its start, as their
indices do. Buffers in warp memory have the size of one thread's part.
"""

from __future__ import annotations

import math
from typing import Any, Final

from tvmscript.ir.arith.fold import TRUE, cast, make
from tvmscript.ir.core import HANDLE, DType, IRModule, PointerType, nodes, on
from tvmscript.ir.tir import NOOP, Buffer, BufferRealize, Expr, Prefetch, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, IntImm, IterVar, Mul
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer
from tvmscript.ir.tir.storage_scope import storage_scope

_ONE: Final = (IntImm("int32", 1),)
_ROWS: Final = ("threadIdx.y", "threadIdx.z")
#: attributes for passes on tensors only
_MARKS: Final = frozenset({"buffer_dim_align", "realize_scope", "rolling_buffer_scope", "prefetch_scope"})


def in_plain_words(mod: IRModule) -> IRModule:
    """Rewrite the kernels of a module; the same module if nothing changes."""
    functions = {var: _plain(func) if isinstance(func, PrimFunc) else func for var, func in mod.functions.items()}
    if all(functions[var] is func for var, func in mod.functions.items()):
        return mod
    return mod.replace(functions=functions)


def with_arrays(func: PrimFunc) -> PrimFunc:
    """Replace pointer parameters by arrays of the size of their buffers."""
    pointers = [param for param in func.params if isinstance(param.pointer_type, PointerType)]
    if not pointers:
        return func
    sizes: dict[Var, Buffer] = {}
    for buffer in _buffers(func):
        largest = sizes.get(buffer.data)
        if _elements(buffer) is not None and (largest is None or _bytes(buffer) > _bytes(largest)):
            sizes[buffer.data] = buffer
    params = tuple([Var(f"{param.name}_array", HANDLE) if param in sizes else param for param in func.params])
    new_buffers = {new: sizes[old] for new, old in zip(params, func.params, strict=True) if new is not old}
    return func.replace(params=params, buffer_map={**func.buffer_map, **new_buffers}) if new_buffers else func


def _buffers(func: PrimFunc) -> list[Buffer]:
    return list(dict.fromkeys(node for node in nodes(func.body) if isinstance(node, Buffer)))


def _elements(buffer: Buffer) -> int | None:
    """The number of elements of a compact buffer; None for others."""
    sizes = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
    is_compact = not buffer.strides and isinstance(buffer.elem_offset, IntImm) and buffer.elem_offset.value == 0
    return math.prod(sizes) if is_compact and len(sizes) == len(buffer.shape) else None


def bytes_of(buffer: Buffer) -> int | None:
    """The bytes of a compact buffer; None for others."""
    count = _elements(buffer)
    return None if count is None else count * _size(buffer.dtype)


def _bytes(buffer: Buffer) -> int:
    return bytes_of(buffer) or 0


def _size(dtype: DType) -> int:
    return dtype.itemsize * dtype.lanes


def _is_piece(node: Allocate) -> bool:
    """Test whether buffers over an allocation may have another size: special and warp memory."""
    scope = node.buffer_var.storage_scope
    return scope in ("local", "warp") or storage_scope(scope).is_special


def _plain(func: PrimFunc) -> PrimFunc:
    rewriter = _Rewriter(func)
    return func.with_body(rewriter.rewrite(func.body)) if rewriter.is_needed else func


class _Rewriter(TirRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        self.parameters = set(func.buffer_map.values())
        self.is_needed = False
        #: allocation -> bytes that its buffers need
        self.needed: dict[Var, int] = {}
        for node in nodes(func.body):
            if isinstance(node, (BufferRealize, Prefetch)):
                self.is_needed = True
            elif isinstance(node, Buffer) and node.axis_separators and _elements(node) is not None:
                self.is_needed = True
                self.needed[node.data] = max(self.needed.get(node.data, 0), _bytes(node))
            elif isinstance(node, Allocate) and _is_piece(node):
                self.is_needed = True
        #: special memory -> bytes
        self.pieces: dict[Var, int] = {}
        #: enclosing threads of the y and z dimensions
        self.rows: list[tuple[Var, IntImm]] = []
        #: warp memory -> (thread variable that partitions it, elements per part)
        self.parts: dict[Var, tuple[Var, IntImm]] = {}

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        buffer = node.buffer
        if buffer in self.parameters:
            return body
        return Allocate(buffer.data, buffer.dtype, buffer.shape or _ONE, TRUE, DeclBuffer(buffer, body))

    @on(Prefetch)
    def prefetch(self, node: Prefetch) -> Stmt:
        return NOOP

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key in _MARKS:
            return self.rewrite(node.body)
        axis = node.node
        is_row = isinstance(axis, IterVar) and axis.thread_tag in _ROWS and isinstance(node.value, IntImm)
        if not (isinstance(axis, IterVar) and isinstance(node.value, IntImm) and is_row):
            return self.descend(node)
        self.rows.append((axis.var, node.value))
        attr = self.descend(node)
        self.rows.pop()
        return attr

    def indices_in(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Offset indices to the part of the thread's row."""
        indices = self.indices(indices)
        if buffer.data not in self.parts or len(indices) != 1:
            return indices
        var, size = self.parts[buffer.data]
        first = cast(indices[0].dtype.element, make(Mul, var, size))
        lanes = indices[0].dtype.lanes
        return (make(Add, indices[0], first if lanes == 1 else Broadcast(first, lanes)),)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        return super().load(node).replace(indices=self.indices_in(node.buffer, node.indices))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        new_store: Any = super().store(node)
        return new_store.replace(indices=self.indices_in(node.buffer, node.indices))  # type: ignore[no-any-return]

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        sizes = [extent.value for extent in node.extents if isinstance(extent, IntImm)]
        needed = self.needed.get(node.buffer_var, 0)
        if len(sizes) == len(node.extents):
            rows = [(var, extent) for var, extent in self.rows if extent.value > 1]
            if node.buffer_var.storage_scope == "warp" and len(sizes) == 1 and rows:
                var, count = rows[-1]
                self.parts[node.buffer_var] = (var, IntImm(var.dtype, sizes[0]))
                node = node.replace(extents=(IntImm("int32", sizes[0] * count.value),))
                sizes = [sizes[0] * count.value]
            if _is_piece(node):
                self.pieces[node.buffer_var] = math.prod(sizes) * _size(node.dtype)
            if math.prod(sizes) * _size(node.dtype) < needed:
                node = node.replace(extents=(IntImm("int32", -(-needed // _size(node.dtype))),))
        return self.descend(node)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        size = self.pieces.get(node.data)
        if size is None or len(node.shape) != 1 or _elements(node) is None or node in self.renamed:
            return self.renamed.get(node, node)
        new_buffer = node.replace(shape=(IntImm(node.shape[0].dtype, size // _size(node.dtype)),))
        self.renamed[node] = new_buffer
        return new_buffer

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else super().define(name)
