"""Changes of the parameters and results of private functions, together with all their calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, nodes, on
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter

#: arguments of a call of a function -> those of the function with its new parameters
Arguments = Callable[[Sequence[Any]], Sequence[Any]]


def called_private_functions(mod: IRModule) -> dict[GlobalVar, Function]:
    """Return the private graph functions that are only called: no other function uses them as values."""
    private = {
        var: func
        for var, func in mod.functions.items()
        if isinstance(func, Function) and "global_symbol" not in func.attrs
    }
    if not private:
        return {}
    values = {
        part.name_hint
        for func in mod.functions.values()
        if isinstance(func, Function)  # kernels do not refer to graph functions
        for call in nodes(func)
        for part in (call.args if isinstance(call, Call) else ())
        if isinstance(part, GlobalVar)
    }
    return {var: func for var, func in private.items() if var.name_hint not in values}


def with_signatures(mod: IRModule, changes: Mapping[GlobalVar, tuple[Function, Arguments]]) -> IRModule:
    """Return the module with functions replaced, and the arguments of their calls changed. All functions lose their
    unused bindings.
    """
    if not changes:
        return mod
    names = {var: GlobalVar(var.name_hint, struct_info=func.struct_info) for var, (func, _) in changes.items()}
    by_name = {var.name_hint: (names[var], arguments) for var, (_, arguments) in changes.items()}
    functions: dict[Any, Any] = {}
    for var, func in mod.functions.items():
        if isinstance(func, Function):
            changed = changes[var][0] if var in changes else func
            functions[names.get(var, var)] = remove_all_unused(_CallRewriter(by_name).rewrite(changed))
        else:
            functions[var] = func
    return mod.replace(functions=functions)


class _CallRewriter(RelaxRewriter):
    """Rewriter of the calls of functions."""

    def __init__(self, changes: Mapping[str, tuple[GlobalVar, Arguments]]) -> None:
        super().__init__()
        self.changes = changes

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        change = self.changes.get(node.op.name_hint) if isinstance(node.op, GlobalVar) else None
        if change is None:
            return self.descend(node)
        var, arguments = change
        return Call(var, list(arguments([self.value(argument) for argument in node.args])), span=node.span)
