"""Blocks are dissolved: what is left are loops, conditions and allocations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.arith.layout import allocation_shape
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BlockRealize, DeclBuffer, For, ForKind, IfThenElse
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import BlockNotOpaque, InitNotLowered, MatchNotLowered

#: Annotations whose key begins so become attributes around the loop or block's body.
PRAGMA = "pragma_"


class _Lowering(TirRewriter):
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
            body = Allocate(buffer.data, buffer.dtype, allocation_shape(buffer), TRUE, body, {}, span=block.span)
        pragmas, _ = _split(block.annotations)
        return _attributes(pragmas, body)

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        is_unit = isinstance(extent, IntImm) and extent.value == 1 and not node.annotations
        if is_unit and node.kind is not ForKind.THREAD_BINDING:
            self.renamed[node.loop_var] = start
            inner: Stmt = self.rewrite(node.body)
            del self.renamed[node.loop_var]  # another loop may have the same variable
            return inner
        body: Stmt = self.rewrite(node.body)
        pragmas, rest = _split(node.annotations)
        if node.kind is ForKind.THREAD_BINDING:
            made: Stmt = _launch(node, start, extent, body)
        elif body is node.body and not pragmas and start is node.min and extent is node.extent:
            made = node
        else:
            made = For(node.loop_var, start, extent, node.kind, body, None, rest, span=node.span)
        return _attributes(pragmas, made)


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
    key = "virtual_thread" if tag.startswith("vthread") else "thread_extent"
    axis = IterVar(Range(start, extent), node.loop_var, IterKind.THREAD_INDEX, tag)
    return AttrStmt(axis, key, extent, body, span=node.span)


@dataclass(frozen=True)
class LowerOpaqueBlock(PrimFuncPass):
    """No blocks are left: predicates are conditions, allocations are statements, loops of one step are gone.

    Annotations of loops and blocks that begin with `pragma_` become attributes; other annotations of loops stay,
    those of blocks end here. Raises `BlockNotOpaque`, `InitNotLowered`, `MatchNotLowered`.

    rewrite:
        with T.block("B"):
            T.where(i * 4 + j < 10)             if i * 4 + j < 10:
            T.reads(A[i * 4 + j])       -->         B[i * 4 + j] = A[i * 4 + j]
            T.writes(B[i * 4 + j])
            B[i * 4 + j] = A[i * 4 + j]
    """

    name: ClassVar[str] = "tir.LowerOpaqueBlock"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Lowering().rewrite(func.body))
