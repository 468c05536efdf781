"""Blocks are dissolved: what is left are loops, conditions and allocations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import (
    Allocate,
    AttrStmt,
    Block,
    BlockRealize,
    DeclBuffer,
    For,
    ForKind,
    IfThenElse,
    launch_key,
)
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, InitNotLowered, MatchNotLowered

#: Annotations whose key begins so become attributes around the loop or block's body.
PRAGMA = "pragma_"
#: The annotation of blocks, and of allocations, that says how rows of a buffer are aligned.
ALIGNMENT = "buffer_dim_align"


class _Lowering(TirRewriter):
    def __init__(self, alignment: dict[Var, list[Any]]) -> None:
        super().__init__()
        #: data of buffers -> how rows are aligned, as blocks that write them say
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
        buffers = [self.define(buffer) for buffer in block.alloc_buffers]
        body: Stmt = self.rewrite(block.body)
        predicate: Expr = self.rewrite(node.predicate)
        if not (isinstance(predicate, IntImm) and predicate.value):
            body = IfThenElse(predicate, body, span=block.span)
        for buffer in reversed(buffers):
            body = DeclBuffer(buffer, body, span=block.span)
            known = self.alignment.get(buffer.data)
            notes = {ALIGNMENT: known} if known else {}
            body = Allocate(buffer.data, buffer.dtype, allocation_shape(buffer), TRUE, body, notes, span=block.span)
        pragmas, _ = _split(block.annotations)
        return _attributes(pragmas, body)

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
        pragmas, rest = _split(node.annotations)
        if node.kind is ForKind.THREAD_BINDING:
            made: Stmt = _launch(node, start, extent, body)
        elif body is node.body and not pragmas and start is node.min and extent is node.extent:
            made = node
        else:
            made = For(node.loop_var, start, extent, node.kind, body, None, rest, span=node.span)
        return _attributes(pragmas, made)


def _alignments(func: PrimFunc) -> dict[Var, list[Any]]:
    """For the data of each buffer that blocks write with aligned rows: [-1, axis, factor, offset], ..."""
    found: dict[Var, list[Any]] = {}
    for node in statements(func.body):
        if isinstance(node, Block) and ALIGNMENT in node.annotations:
            for index, *how in node.annotations[ALIGNMENT]:
                found.setdefault(node.writes[int(index)].buffer.data, []).append([-1, *how])
    return found


def _split(annotations: dict[str, Any]) -> tuple[list[tuple[str, Expr]], dict[str, Any]]:
    """Pragmas, sorted, as expressions; and all other annotations."""
    pragmas = [(key, _as_value(value)) for key, value in sorted(annotations.items()) if key.startswith(PRAGMA)]
    return pragmas, {key: value for key, value in annotations.items() if not key.startswith(PRAGMA)}


def _as_value(value: Any) -> Expr:
    return StringImm(value) if isinstance(value, str) else as_expr(value)


def _attributes(pragmas: list[tuple[str, Expr]], body: Stmt) -> Stmt:
    # about nothing: the loop's variable is not known outside of the loop
    for key, value in reversed(pragmas):
        body = AttrStmt(IntImm(INT32, 0), key, value, body)
    return body


def _launch(node: For, start: Expr, extent: Expr, body: Stmt) -> Stmt:
    """A loop over threads as TVM writes it after lowering: an attribute that binds the loop's variable."""
    binding = node.thread_binding
    tag = "" if binding is None else binding.thread_tag
    axis = IterVar(Range.from_min_extent(start, extent), node.loop_var, IterKind.THREAD_INDEX, tag)
    return AttrStmt(axis, launch_key(tag), extent, body, span=node.span)


@dataclass(frozen=True)
class LowerOpaqueBlock(PrimFuncPass):
    """No blocks are left: predicates are conditions, allocations are statements, loops of one step are gone.

    Annotations of loops and blocks that begin with `pragma_` become attributes; other annotations of loops stay,
    those of blocks end here, but for `buffer_dim_align`, which
    is written at the allocation. Raises `BlockNotOpaque`, `InitNotLowered`, `MatchNotLowered`.

    rewrite:
        with T.block("B"):
            T.where(i * 4 + j < 10)             if i * 4 + j < 10:
            T.reads(A[i * 4 + j])       -->         B[i * 4 + j] = A[i * 4 + j]
            T.writes(B[i * 4 + j])
            B[i * 4 + j] = A[i * 4 + j]
    """

    name: ClassVar[str] = "tir.LowerOpaqueBlock"
    #: a loop of one iteration that had annotations stays; it has none then, and the next run takes it away, as in TVM
    is_idempotent: ClassVar[bool] = False
    skips_te: ClassVar[bool] = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Lowering(_alignments(func)).rewrite(func.body))
