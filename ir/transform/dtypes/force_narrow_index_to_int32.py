"""Force int64 indices, loop variables, sizes and parameters to int32."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import INT32, INT64, nodes, on
from tvmscript.ir.tir import Block, Buffer, Cast, Expr, IntImm, PrimFunc, Stmt, Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypeRewriter
from tvmscript.ir.transform.errors import ConstantTooWide, WideBuffer


class _Int32Rewriter(IndexDtypeRewriter):
    @on(Var)
    def name(self, node: Var) -> Var:
        return (
            self.retype_var(node, INT32) if node.dtype is INT64 and self.is_index else self.retype_var(node, node.dtype)
        )

    @on(IntImm)
    def constant(self, node: IntImm) -> Expr:
        if node.dtype is not INT64:
            return node
        if not INT32.min_value <= node.value <= INT32.max_value:
            raise ConstantTooWide(value=node.value, span=node.span)
        return IntImm(INT32, node.value, node.span)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value = self.rewrite(node.value)
        if not self.is_index or node.dtype is not INT64:
            return node.rebuild(value=value)
        return value if value.dtype is INT32 else Cast(INT32, value, node.span)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for buffer in node.alloc_buffers:
            _check_buffer(buffer)
        return self.descend(node)


def _check_buffer(buffer: Buffer) -> None:
    if buffer.dtype.code == "int" and buffer.dtype.bits > INT32.bits:
        raise WideBuffer(buffer=buffer.name, dtype=buffer.dtype, span=buffer.span)


@dataclass(frozen=True)
class ForceNarrowIndexToInt32(PrimFuncPass):
    """Change int64 indices, loop variables, sizes, integer parameters and constants to int32, whatever their values.

    Raises `WideBuffer` for a buffer of int64, and `ConstantTooWide` for a constant that does not fit in int32.

    rewrite:
        def f(A: T.Buffer((n,)), n: T.int64):       def f(A: T.Buffer((n,)), n: T.int32):
            for i in range(n):                 -->      for i in range(n):
                A[i] = 0.0                                  A[i] = 0.0
    """

    name = "tir.ForceNarrowIndexToInt32"
    is_idempotent = True
    is_exact = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        for buffer in func.buffer_map.values():
            _check_buffer(buffer)
        if not any(isinstance(node, Expr) and node.dtype is INT64 for node in nodes(func)):
            return func
        rewriter = _Int32Rewriter()
        with rewriter.inside(index=True):
            params = tuple([rewriter.rewrite(param) for param in func.params])
            buffers = {param: rewriter.rewrite(buffer) for param, buffer in func.buffer_map.items()}
        return func.replace(params=params, buffer_map=buffers, body=rewriter.rewrite(func.body))
