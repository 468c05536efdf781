"""No integer of 64 bits is left in indices, loops, sizes and parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.core.dtype import INT32, INT64
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Cast, IntImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypes
from tvmscript.ir.transform.errors import ConstantTooWide, WideBuffer


class _Forcing(IndexDtypes):
    @on(Var)
    def name(self, node: Var) -> Var:
        return self.bound(node, INT32) if node.dtype is INT64 and self.is_index else self.bound(node, node.dtype)

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
            return node if value is node.value else Cast(node.dtype, value, node.span)
        return value if value.dtype is INT32 else Cast(INT32, value, node.span)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for buffer in node.alloc_buffers:
            _check(buffer)
        return self.descend(node)


def _check(buffer: Buffer) -> None:
    if buffer.dtype.code == "int" and buffer.dtype.bits > INT32.bits:
        raise WideBuffer(buffer=buffer.name, dtype=buffer.dtype, span=buffer.span)


@dataclass(frozen=True)
class ForceNarrowIndexToInt32(PrimFuncPass):
    """Indices, loop variables, sizes, integer parameters and constants of int64 are of int32, whatever their values.

    Buffers that hold int64 are refused (`WideBuffer`), as are constants that int32 does not hold (`ConstantTooWide`).

    rewrite:
        def f(A: T.Buffer((n,)), n: T.int64):       def f(A: T.Buffer((n,)), n: T.int32):
            for i in range(n):                 -->      for i in range(n):
                A[i] = 0.0                                  A[i] = 0.0
    """

    name: ClassVar[str] = "tir.ForceNarrowIndexToInt32"
    is_exact: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        for buffer in func.buffer_map.values():
            _check(buffer)
        if not any(isinstance(node, Expr) and node.dtype is INT64 for node in nodes(func)):
            return func
        force = _Forcing()
        with force.inside(index=True):
            params: tuple[Any, ...] = tuple([force.rewrite(param) for param in func.params])
            buffers = {param: force.rewrite(buffer) for param, buffer in func.buffer_map.items()}
        return func.replace(params=params, buffer_map=buffers, body=force.rewrite(func.body))
