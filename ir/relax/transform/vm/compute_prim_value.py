"""ComputePrimValue: compute scalar expressions by kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import PrimStructInfo
from tvmscript.ir.relax.symbolic_shape import size_vars
from tvmscript.ir.tir import Evaluate, FloatImm, IntImm, PrimFunc, Var
from tvmscript.ir.tir.functor import substitute
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class ComputePrimValue(Pass):
    """Replace scalars that are neither constants nor variables by calls of kernels that return them.

    rewrite:
        R.prim_value(n + 1)  -->  gv: R.Prim("int64") = cls.compute_symbolic_expr(R.prim_value(n))
    """

    name = "relax.ComputePrimValue"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        rewriter = _ScalarRewriter(builder)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                rewritten = rewriter.rewrite(func)
                if rewritten is not func:
                    builder.update_func(var, rewritten)
        return builder.finalize() if rewriter.is_changed else mod


class _ScalarRewriter(RelaxRewriter):
    """Rewriter of scalar values."""

    def __init__(self, builder: BlockBuilder) -> None:
        super().__init__(builder)
        self.is_changed = False

    @on(PrimValue)
    def prim_value(self, node: PrimValue) -> Any:
        expr = node.value
        if isinstance(expr, (IntImm, FloatImm, Var)):
            return node
        self.is_changed = True
        sizes = size_vars(expr)
        params = {size: Var(size.name, size.dtype) for size in sizes}
        body = Evaluate(ret(substitute(expr, params)))
        kernel = PrimFunc(tuple(params.values()), body, PrimType(expr.dtype), attrs={})
        callee = self.builder.add_func(kernel, "compute_symbolic_expr")
        return Call(callee, [PrimValue(size) for size in sizes], struct_info=PrimStructInfo(expr.dtype))
