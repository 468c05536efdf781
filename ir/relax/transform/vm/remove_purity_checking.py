"""RemovePurityChecking: mark pure functions as such, and unwrap calls that say that they are pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_packed import (
    call_inplace_packed,
    call_pure_packed,
    invoke_closure,
    invoke_pure_closure,
)
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass


@dataclass(frozen=True)
class RemovePurityChecking(RelaxFunctionPass):
    """Give pure functions the attribute `relax.force_pure`; calls in them need not be pure afterwards.

    rewrite:
        R.call_pure_packed("f", x, ...)  -->  R.call_packed("f", x, ...)
    """

    name = "relax.RemovePurityChecking"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        unwrapped: Function = _Unwrapper().rewrite(func)
        return unwrapped


class _Unwrapper(RelaxRewriter):
    """Rewriter of wrapped calls and of pure functions, nested ones too."""

    @on(Function)
    def function(self, node: Function) -> Function:
        func = super().function(node)
        if not func.is_pure or "relax.force_pure" in func.attrs:
            return func
        return func.with_attr("relax.force_pure", 1)

    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        if call.op is call_pure_packed or call.op is call_inplace_packed:
            return Call(call.args[0], call.args[1:], {}, call.sinfo_args, call.struct_info, call.span)
        if call.op is invoke_pure_closure:
            return Call(invoke_closure, call.args, {}, call.sinfo_args, call.struct_info, call.span)
        return call
