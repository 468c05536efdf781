"""LambdaLift: make local functions functions of the module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, ShapeExpr, Tuple, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_packed import invoke_closure, invoke_pure_closure, make_closure
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.variables import copy_with_new_vars, free_symbolic_vars, free_vars, is_impure_call
from tvmscript.ir.tir import substitute
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class LambdaLift(Pass):
    """Lift local functions to private functions of the module. A function that uses variables from outside becomes a
    closure: they are its last parameters, and behind them a shape of the sizes that no parameter defines.

    T. Johnsson, "Lambda lifting: transforming programs to recursive equations", 1985.

    rewrite:
        @R.function                      -->  f = R.make_closure(cls.main_f, (y,))
        def f(a): return R.add(a, y)          z = R.invoke_pure_closure(f, (x,), ...)
        z = f(x)
    """

    name = "relax.LambdaLift"

    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        names = {var.name_hint for var in mod.functions}
        for var, func in mod.functions_items():
            if isinstance(func, Function):
                lifted = _Lifter(builder, var.name_hint, names).rewrite(func)
                if lifted is not func:
                    builder.update_func(var, lifted)
        return builder.finalize()


class _Lifter(RelaxRewriter):
    """Rewriter of one function of the module."""

    def __init__(self, builder: BlockBuilder, name: str, names: set[str]) -> None:
        super().__init__(builder)
        self.name = name
        #: names of the functions of the module
        self.names = names
        #: parameters that are pure closures
        self.pure_closures: set[Var] = set()

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        func = node.value
        if not isinstance(func, Function):
            super().var_binding(node)
            return
        captured = [
            var for var in free_vars(func) if var is not node.var and not isinstance(self.renamed.get(var), GlobalVar)
        ]
        sizes = free_symbolic_vars(func.replace(params=(*func.params, *captured), struct_info=None))
        values: list[RelaxExpr] = [*captured, ShapeExpr(sizes)] if sizes else [*captured]
        lifted_name = self._lift(node.var, func, values)
        if not values:
            self.renamed[node.var] = lifted_name
            return
        closure = self.builder.normalize(Call(make_closure, (lifted_name, Tuple(tuple(map(self.value, values))))))
        self.builder.emit_normalized(node.replace(var=self.bound(node.var, closure), value=closure))

    @on(Call)
    def call(self, node: Call) -> Call:
        """Call closures by the operators for them."""
        callee = self.value(node.op)
        if not isinstance(callee, Var) or isinstance(callee.struct_info, FuncStructInfo):
            call: Call = self.descend(node)
            return call
        is_pure = node.op in self.pure_closures or not is_impure_call(node)
        invoke = invoke_pure_closure if is_pure else invoke_closure
        arguments = Tuple(tuple(map(self.value, node.args)))
        infos = () if node.struct_info is None else (self.value(node.struct_info),)
        return Call(invoke, (callee, arguments), sinfo_args=infos, span=node.span)

    def _lift(self, name: Var, func: Function, captured: Sequence[RelaxExpr]) -> GlobalVar:
        """Add a local function to the module, which takes the values that it uses from outside."""
        params = tuple(Var(getattr(value, "name_hint", "sizes"), self.value(value).struct_info) for value in captured)
        lifted: Function = substitute(func, dict(zip(captured, params, strict=True)))
        lifted = lifted.without_attr("global_symbol").replace(params=(*lifted.params, *params), struct_info=None)
        lifted_name = GlobalVar(self._unique_name(name), struct_info=lifted.struct_info)
        is_recursive = name in free_vars(func)
        if is_recursive:
            lifted_name = self.builder.add_func(lifted, lifted_name.name_hint)
            lifted = _SelfCalls(name, lifted_name, params).rewrite(lifted)
        own = copy_with_new_vars(lifted)
        for var, param in zip(captured, own.params[len(func.params) :], strict=True):
            if var in self.pure_closures or (isinstance(var.struct_info, FuncStructInfo) and var.struct_info.purity):
                self.pure_closures.add(param)
        new_func = self.rewrite(own)
        if not is_recursive:
            return self.builder.add_func(new_func, lifted_name.name_hint)
        self.builder.update_func(lifted_name, new_func)
        return lifted_name

    def _unique_name(self, name: Var) -> str:
        prefix = f"{self.name}_{name.name_hint}"
        candidates = chain([prefix], (f"{prefix}_{number}" for number in count()))
        unique = next(candidate for candidate in candidates if candidate not in self.names)
        self.names.add(unique)
        return unique


class _SelfCalls(RelaxRewriter):
    """Replaces calls of a local function in its own body, which pass on the values from outside."""

    def __init__(self, name: Var, lifted_name: GlobalVar, params: tuple[Var, ...]) -> None:
        super().__init__()
        self.name = name
        self.lifted_name = lifted_name
        self.params = params

    @on(Call)
    def call(self, node: Call) -> Call:
        if node.op is not self.name:
            call: Call = self.descend(node)
            return call
        return Call(self.lifted_name, (*map(self.value, node.args), *self.params), span=node.span)

    @on(Var)
    def variable(self, node: Var) -> Any:
        if node is not self.name:
            return self.renamed.get(node, node)
        return Call(make_closure, (self.lifted_name, Tuple(self.params))) if self.params else self.lifted_name
