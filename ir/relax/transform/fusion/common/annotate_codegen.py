"""Wrap composite functions in functions for their code generators."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import BindingBlock, Call, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter


def codegen_name(composite_name: str) -> str:
    """Return the name of the code generator of a pattern: what stands before the first dot."""
    return composite_name.partition(".")[0]


def annotate_codegen(mod: IRModule) -> IRModule:
    """Replace each called composite function by a public function with the attribute `Codegen` that binds it to a local
    function and calls that.
    """
    annotator = _Annotator(mod)
    functions: dict[Any, Any] = {}
    for var, func in mod.functions_items():
        if isinstance(func, Function) and not {"Composite", "Codegen"} & func.attrs.keys():
            functions[var] = annotator.rewrite(func)
    wrapped = dict(annotator.wrapped.values())
    rest = {
        var: functions.get(var, func) for var, func in mod.functions.items() if var.name_hint not in annotator.wrapped
    }
    return mod.replace(functions={**rest, **wrapped})


class _Annotator(RelaxRewriter):
    """Rewriter of the calls of composite functions."""

    def __init__(self, mod: IRModule) -> None:
        super().__init__(BlockBuilder(mod))
        self.mod = mod
        #: name of a composite function -> the function that wraps it
        self.wrapped: dict[str, tuple[GlobalVar, Function]] = {}

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call = self.descend(node)
        callee: Any = call.op
        func = self.mod.get(callee) if isinstance(callee, GlobalVar) else None
        if not isinstance(func, Function) or "Composite" not in func.attrs:
            return call
        name = callee.name_hint
        if name not in self.wrapped:
            self.wrapped[name] = self._wrap(name, func)
        return Call(self.wrapped[name][0], call.args, span=node.span)

    def _wrap(self, name: str, func: Function) -> tuple[GlobalVar, Function]:
        generator = codegen_name(str(func.attrs["Composite"]))
        params = tuple(Var(param.name_hint, param.struct_info) for param in func.params)
        composite = func.without_attr("Primitive")
        local = Var("local_func", composite.struct_info)
        output = Var("output", composite.ret_struct_info)
        bindings = (VarBinding(local, composite), VarBinding(output, Call(local, params)))
        symbol = self.builder.get_unique_name(f"{name}_{generator}")
        body = SeqExpr((BindingBlock(bindings),), output)
        attrs = {"Codegen": generator, "global_symbol": symbol}
        wrapper = Function(params, body, func.ret_struct_info, func.is_pure, attrs)
        return GlobalVar(symbol, struct_info=wrapper.struct_info), wrapper
