"""RunCodegen: hand functions to their code generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, UnknownName, nodes, on
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.relax.expr import Call, Constant, ExternFunc, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_dps_packed, call_tir
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.errors import BadCodegenResult
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass

#: (functions, options, constant -> name) -> the implementation of each function
Codegen = Callable[[Sequence[Function], Mapping[str, Any], Mapping[Constant, str]], Sequence[Any]]


@hook
def find_codegen(name: str, /) -> Codegen | None:
    """Return the code generator that is registered as the global function `relax.ext.<name>`."""
    raise NotImplementedError


@hook
def register_implementation(symbol: str, function: Callable[..., Any], /) -> str:
    """Register a global function under a name that is free, and return the name."""
    raise NotImplementedError


@dataclass(frozen=True, eq=False)
class RunCodegen(Pass):
    """Replace functions with the attribute `Codegen` by the implementations that their code generator returns.

    The code generator `blas` is the global function `relax.ext.blas`. It is called once with all of its functions, its
    entry of `target_options`, and names of the constants in the functions. It returns one implementation a function: a
    PrimFunc becomes a kernel of the module; another callable takes arrays, inputs first, and writes the outputs. With
    `entry_functions` only functions that these call are replaced. What is not used is removed. Raises `UnknownName` for
    a code generator or an entry function that is missing, `BadCodegenResult`.

    rewrite:
        y = cls.fused_relax_matmul_blas(x, w)
        -->
        y = R.call_dps_packed("fused_relax_matmul_blas", (x, w), out_sinfo=R.Tensor((4, 4), "float32"))
    """

    name = "relax.RunCodegen"
    is_exact = False
    target_options: Mapping[str, Mapping[str, Any]] | None = None
    entry_functions: Sequence[str] | None = None

    def run(self, mod: IRModule) -> IRModule:
        functions: dict[str, dict[str, Function]] = {}
        reached = self._reached(mod)
        for var, func in mod.functions_items():
            if isinstance(func, Function) and "Codegen" in func.attrs and var.name_hint in reached:
                functions.setdefault(str(func.attrs["Codegen"]), {})[var.name_hint] = func
        callees: dict[str, GlobalVar | ExternFunc] = {}
        kernels: dict[GlobalVar, BaseFunc] = {}
        for name, group in functions.items():
            for symbol, implementation in zip(group, self._generate(name, group), strict=True):
                if isinstance(implementation, PrimFunc):
                    callees[symbol] = kernel_var = GlobalVar(symbol)
                    kernels[kernel_var] = implementation.without_attr("global_symbol")
                else:
                    callees[symbol] = ExternFunc(register_implementation(symbol, implementation))
        rewriter = _CallRewriter(callees)
        rest: dict[Any, Any] = {
            var: rewriter.rewrite(func) if isinstance(func, Function) else func
            for var, func in mod.functions_items()
            if var.name_hint not in callees
        }
        return self._cleaned(mod.replace(functions={**rest, **kernels}) if callees else mod)

    def _cleaned(self, mod: IRModule) -> IRModule:
        entries = None if self.entry_functions is None else tuple(self.entry_functions)
        return DeadCodeElimination(entries).run(mod)

    def _reached(self, mod: IRModule) -> set[str]:
        """Return the names of the functions that entry functions call."""
        for name in self.entry_functions or ():
            if name not in mod:
                raise UnknownName(kind="function", name=name)
        names = [var.name_hint for var in mod.functions] if self.entry_functions is None else [*self.entry_functions]
        reached: set[str] = set()
        while names:
            name = names.pop()
            if name not in reached and name in mod:
                reached.add(name)
                names += [part.name_hint for part in nodes(mod[name]) if isinstance(part, GlobalVar)]
        return reached

    def _generate(self, name: str, group: Mapping[str, Function]) -> Sequence[Any]:
        """Call a code generator. Raises `UnknownName` and `BadCodegenResult`."""
        codegen = find_codegen(name)
        if codegen is None:
            hint = f'register it: @tvmscript.register_func("relax.ext.{name}")'
            raise UnknownName(kind="code generator", name=name, hint=hint)
        constants = dict.fromkeys(part for func in group.values() for part in nodes(func) if isinstance(part, Constant))
        names = {constant: f"{name}_const_{index}" for index, constant in enumerate(constants)}
        options = (self.target_options or {}).get(name, {})
        implementations = list(codegen(list(group.values()), options, names))
        if len(implementations) != len(group):
            raise BadCodegenResult(
                name=name, expected=f"{len(group)} implementations, one a function", got=len(implementations)
            )
        for symbol, implementation in zip(group, implementations, strict=True):
            if not isinstance(implementation, PrimFunc) and not callable(implementation):
                expected = f"a PrimFunc or a callable for {symbol}"
                raise BadCodegenResult(name=name, expected=expected, got=repr(implementation))
        return implementations


class _CallRewriter(RelaxRewriter):
    """Replaces the calls of functions by calls of their implementations."""

    def __init__(self, callees: Mapping[str, GlobalVar | ExternFunc]) -> None:
        super().__init__()
        self.callees = callees

    @on(Call)
    def call(self, node: Call) -> Call:
        call: Call = self.descend(node)
        callee = self.callees.get(call.op.name_hint) if isinstance(call.op, GlobalVar) else None
        if callee is None or call.struct_info is None:
            return call
        operator = call_tir if isinstance(callee, GlobalVar) else call_dps_packed
        arguments: Any = call.args
        return Call(operator, (callee, Tuple(arguments)), sinfo_args=(call.struct_info,), span=node.span)
