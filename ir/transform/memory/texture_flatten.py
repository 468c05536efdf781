"""Lower texture buffers to images that calls read and write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import product
from tvmscript.ir.arith.fold import add, mul, sub
from tvmscript.ir.core import HANDLE, INT64, PointerType, Span, on
from tvmscript.ir.tir import Buffer, BufferRealize, Expr, PrimFunc, Stmt, TirRewriter, Var, const, match_types
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, StringImm
from tvmscript.ir.tir.intrin.memory import (
    nd_mem_alloc_with_scope,
    texture2d_load,
    texture2d_store,
    tvm_stack_make_shape,
)
from tvmscript.ir.tir.stmt import AttrStmt, Block, BufferStore, DeclBuffer, Evaluate, LetStmt
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import NotATexture

TEXTURE = "texture"
#: minimal rank: rows, columns, channels
MIN_RANK = 3
#: allowed numbers of channels
CHANNELS = (1, 4)


def _is_texture(buffer: Buffer) -> bool:
    return TEXTURE in buffer.storage_scope


def _separator(buffer: Buffer) -> int:
    """Return the number of axes that form the rows."""
    rank = len(buffer.shape)
    if buffer.storage_scope.endswith("-weight") or rank == MIN_RANK:
        return 1
    return 2 if buffer.storage_scope.endswith("-nhwc") else rank - 2


def _check_rank(buffer: Buffer, span: Span | None) -> None:
    """Raise `NotATexture` where a buffer has no rows, columns and channels."""
    rank = len(buffer.shape)
    if rank < MIN_RANK:
        raise NotATexture(buffer=buffer.name, reason=f"its rank is {rank}, expected 3 or more", span=span)


class _TextureLowering(TirRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        self.parameters = set(func.buffer_map.values())
        #: buffer -> start of the region that its image holds
        self.starts: dict[Buffer, list[Expr]] = {}

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        buffer = node.buffer
        if not _is_texture(buffer):
            return self.descend(node)
        if buffer in self.parameters:
            return self.rewrite(node.body)
        extents = [bound.extent for bound in node.bounds]
        _check_rank(buffer, node.span)
        if not isinstance(extents[-1], IntImm) or extents[-1].value not in CHANNELS:
            raise NotATexture(
                buffer=buffer.name, reason=f"its last axis is {extents[-1]}, expected 1 or 4", span=node.span
            )
        image = self.image(buffer)
        self.starts[buffer] = [bound.min for bound in node.bounds]
        rows = _separator(buffer)
        size = Call(HANDLE, tvm_stack_make_shape, (product(extents[rows:-1]), product(extents[:rows])))
        parts = (StringImm(buffer.storage_scope), IntImm(INT64, 2), size)
        value = Call(HANDLE, nd_mem_alloc_with_scope, parts, span=node.span)
        return LetStmt(image, value, self.rewrite(node.body), span=node.span)

    def image(self, buffer: Buffer) -> Var:
        """Return the variable of the image that replaces the data of a buffer."""
        pointer = buffer.data.pointer_type
        element = pointer.element_type if isinstance(pointer, PointerType) else None
        assert element is not None
        new_var = Var(buffer.data.name, PointerType(element, buffer.storage_scope), span=buffer.data.span)
        self.renamed[buffer.data] = new_var
        return new_var

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        is_about_texture = isinstance(node.node, Buffer) and _is_texture(node.node)
        if is_about_texture and node.attr_key == "realize_scope" and node.node not in self.parameters:
            return self.rewrite(node.body)
        return self.descend(node)

    def texture_indices(self, buffer: Buffer, indices: Sequence[Expr]) -> list[Expr]:
        """Return the image, the column and the row."""
        starts = self.starts.get(buffer)
        if starts is not None:
            indices = [sub(*match_types(index, start)) for index, start in zip(indices, starts, strict=True)]
        rows = _separator(buffer)
        columns = self.offset(buffer.shape[rows:-1], indices[rows:-1])
        return [self.rewrite(buffer.data), columns, self.offset(buffer.shape[:rows], indices[:rows])]

    def offset(self, shape: Sequence[Expr], indices: Sequence[Expr]) -> Expr:
        total: Expr = const(0, indices[0].dtype)
        for extent, index in zip(shape, indices, strict=True):
            total = add(*match_types(mul(*match_types(total, extent)), index))
        return self.analyzer.simplify(total)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        new_load = super().load(node)
        if not isinstance(new_load, BufferLoad) or not _is_texture(new_load.buffer):
            return new_load
        _check_rank(new_load.buffer, node.span)
        parts = (*self.texture_indices(new_load.buffer, new_load.indices), new_load.indices[-1])
        return Call(new_load.buffer.dtype, texture2d_load, parts, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        new_store = super().store(node)
        if not isinstance(new_store, BufferStore) or not _is_texture(new_store.buffer):
            return new_store
        _check_rank(new_store.buffer, node.span)
        parts = (*self.texture_indices(new_store.buffer, new_store.indices), new_store.value)
        return Evaluate(Call(HANDLE, texture2d_store, parts, span=node.span), span=node.span)


def _defined_buffers(body: Stmt) -> Iterator[Buffer]:
    """Yield the buffers that statements realize, allocate, declare or store to."""
    for stmt in statements(body):
        if isinstance(stmt, (BufferRealize, BufferStore, DeclBuffer)):
            yield stmt.buffer
        elif isinstance(stmt, Block):
            yield from stmt.alloc_buffers


@dataclass(frozen=True)
class TextureFlatten(PrimFuncPass):
    """Lower realized buffers in `global.texture` and its variants to images, which calls allocate, read and write.

    The last axis holds the channels of a pixel; a store sets all of them. Rows are all axes but the last two; for
    `texture-nhwc` the first two, for `texture-weight` and for rank 3 the first one. Indices are relative to the region;
    in TVM to the buffer. Accesses of buffers that are allocated otherwise become calls on their data. Raises
    `NotATexture`.

    rewrite:
        T.realize(C[0:8, 0:16, 0:4], "global.texture")       C = T.nd_mem_alloc_with_scope(
        C[i, j, 0:4] = A[i, j, 0:4]                    -->       "global.texture", 2, T.tvm_stack_make_shape(16, 8))
        B[i, j, k] = C[i, j, k]                              T.texture2d_store(C, j, i, A[i, j, 0:4])
                                                             B[i, j, k] = T.texture2d_load(C, j, i, k)
    """

    name = "tir.TextureFlatten"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(map(_is_texture, (*func.buffer_map.values(), *_defined_buffers(func.body)))):
            return func
        return func.with_body(_TextureLowering(func).rewrite(func.body))
