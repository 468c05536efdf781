"""Lower VTCM allocations to runtime calls."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import HANDLE, INT64, on
from tvmscript.ir.tir import Allocate, Call, IntImm, LetStmt, PrimFunc, Stmt, StringImm, TirRewriter
from tvmscript.ir.tir.intrin.memory import nd_mem_alloc_with_scope, tvm_stack_make_shape
from tvmscript.ir.transform.base import Form, PrimFuncPass

SCOPE = "global.vtcm"


class _VtcmLowering(TirRewriter):
    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        new_allocate: Allocate = self.descend(node)
        scope = node.buffer_var.storage_scope
        if SCOPE not in scope:
            return new_allocate
        shape = Call(HANDLE, tvm_stack_make_shape, new_allocate.extents)
        parts = (StringImm(scope), IntImm(INT64, len(new_allocate.extents)), shape)
        value = Call(node.buffer_var.dtype, nd_mem_alloc_with_scope, parts, span=node.span)
        return LetStmt(node.buffer_var, value, new_allocate.body, span=node.span)


@dataclass(frozen=True)
class LowerVtcmAlloc(PrimFuncPass):
    """Replace allocations in `global.vtcm` by let bindings of `nd_mem_alloc_with_scope` calls with rank and shape.

    rewrite:
        B = T.allocate([4, 8], "int8", "global.vtcm")  -->
        B: T.handle("int8", "global.vtcm") = T.nd_mem_alloc_with_scope(
            "global.vtcm", T.int64(2), T.tvm_stack_make_shape(4, 8))
    """

    name = "tir.LowerVtcmAlloc"
    is_idempotent = True
    takes = Form.LOOPS

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_VtcmLowering().rewrite(func.body))
