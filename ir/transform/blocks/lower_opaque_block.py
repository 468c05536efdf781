"""Lower opaque blocks to loops, conditions and allocations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import INT32, on
from tvmscript.ir.tir import Expr, For, PrimFunc, Stmt, TirRewriter, Var, as_expr
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range, StringImm
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Block, BlockRealize, DeclBuffer, ForKind, IfThenElse, launch_key
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, InitNotLowered, MatchNotLowered

#: prefix of annotations that become attributes around the loop or the body of the block
PRAGMA = "pragma_"
#: the annotation of blocks and allocations with the alignment of rows
ALIGNMENT = "buffer_dim_align"


class _BlockLowering(TirRewriter):
    def __init__(self, alignment: dict[Var, list[Any]]) -> None:
        super().__init__()
        #: data variable -> alignment of rows, from the blocks that write the buffer
        self.alignment = alignment

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        block = node.block
        if block.iter_vars:
            raise BlockNotOpaque(block=block.name_hint, span=block.span)
        if block.init is not None:
            raise InitNotLowered(block=block.name_hint, span=block.span)
        if block.match_buffers:
            raise MatchNotLowered(block=block.name_hint, span=block.span)
        for buffer in block.alloc_buffers:
            if isinstance(buffer.elem_offset, Var):
                # allocated memory begins at the first element
                self.renamed[buffer.elem_offset] = IntImm(buffer.elem_offset.dtype, 0)
        buffers = [self.define(buffer) for buffer in block.alloc_buffers]
        body: Stmt = self.rewrite(block.body)
        predicate: Expr = self.rewrite(node.predicate)
        if not (isinstance(predicate, IntImm) and predicate.value):
            body = IfThenElse(predicate, body, span=block.span)
        for buffer in reversed(buffers):
            body = DeclBuffer(buffer, body, span=block.span)
            alignment = self.alignment.get(buffer.data)
            annotations = {ALIGNMENT: alignment} if alignment else {}
            body = Allocate(
                buffer.data, buffer.dtype, allocation_shape(buffer), TRUE, body, annotations, span=block.span
            )
        pragmas, _ = _split_pragmas(block.annotations)
        return _wrap_attributes(pragmas, body)

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        is_unit = isinstance(extent, IntImm) and extent.value == 1 and not node.annotations
        if is_unit:
            self.renamed[node.loop_var] = start
        body: Stmt = self.rewrite(node.body)
        if is_unit:
            del self.renamed[node.loop_var]  # another loop may have the same variable
            if node.kind is not ForKind.THREAD_BINDING:
                return body
        pragmas, rest = _split_pragmas(node.annotations)
        if node.kind is ForKind.THREAD_BINDING:
            stmt: Stmt = _launch_attribute(node, start, extent, body)
        elif body is node.body and not pragmas and start is node.min and extent is node.extent:
            stmt = node
        else:
            stmt = For(node.loop_var, start, extent, node.kind, body, None, rest, span=node.span)
        return _wrap_attributes(pragmas, stmt)


def _alignments(func: PrimFunc) -> dict[Var, list[Any]]:
    """Return the alignments by data variable: lists of [-1, axis, factor, offset]."""
    alignments: dict[Var, list[Any]] = {}
    for node in statements(func.body):
        if isinstance(node, Block) and ALIGNMENT in node.annotations:
            for index, *alignment in node.annotations[ALIGNMENT]:
                alignments.setdefault(node.writes[int(index)].buffer.data, []).append([-1, *alignment])
    return alignments


def _split_pragmas(annotations: dict[str, Any]) -> tuple[list[tuple[str, Expr]], dict[str, Any]]:
    """Split annotations into sorted pragmas and the rest."""
    pragmas = [(key, _as_value(value)) for key, value in sorted(annotations.items()) if key.startswith(PRAGMA)]
    return pragmas, {key: value for key, value in annotations.items() if not key.startswith(PRAGMA)}


def _as_value(value: object) -> Expr:
    return StringImm(value) if isinstance(value, str) else as_expr(value)


def _wrap_attributes(pragmas: list[tuple[str, Expr]], body: Stmt) -> Stmt:
    # the node is 0: the loop variable is not defined outside of the loop
    for key, value in reversed(pragmas):
        body = AttrStmt(IntImm(INT32, 0), key, value, body)
    return body


def _launch_attribute(node: For, start: Expr, extent: Expr, body: Stmt) -> Stmt:
    """Return TVM's lowered form of a thread loop: a `thread_extent` attribute that binds the loop variable."""
    binding = node.thread_binding
    tag = "" if binding is None else binding.thread_tag
    axis = IterVar(Range.from_min_extent(start, extent), node.loop_var, IterKind.THREAD_INDEX, tag)
    return AttrStmt(axis, launch_key(tag), extent, body, span=node.span)


@dataclass(frozen=True)
class LowerOpaqueBlock(PrimFuncPass):
    """Lower opaque blocks: predicates become conditions, allocations become statements, unit loops are removed.

    Annotations with the prefix `pragma_` become attributes. Other annotations of loops are kept, those of blocks are
    dropped, except `buffer_dim_align`, which moves to the allocation. Raises `BlockNotOpaque`, `InitNotLowered`,
    `MatchNotLowered`.

    rewrite:
        with T.block("B"):
            T.where(i * 4 + j < 10)             if i * 4 + j < 10:
            T.reads(A[i * 4 + j])       -->         B[i * 4 + j] = A[i * 4 + j]
            T.writes(B[i * 4 + j])
            B[i * 4 + j] = A[i * 4 + j]
    """

    name = "tir.LowerOpaqueBlock"
    #: a unit loop with pragmas is kept without them, and the next run removes it, as in TVM
    is_idempotent = False
    skips_te = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_BlockLowering(_alignments(func)).rewrite(func.body))
