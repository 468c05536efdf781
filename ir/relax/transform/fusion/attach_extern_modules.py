"""AttachExternModules: make the functions of external modules global functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.expr import ExternFunc
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.fusion.run_codegen import register_implementation
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class AttachExternModules(Pass):
    """Load external modules (`nn.SourceModule`, `nn.ObjectModule`), and register their functions under free names.

    rewrite:
        y = R.call_dps_packed("scale", (x,), out_sinfo=R.Tensor((4,), "float32"))
        -->
        y = R.call_dps_packed("scale_1", (x,), out_sinfo=R.Tensor((4,), "float32"))
    """

    name = "relax.AttachExternModules"
    is_exact = False
    extern_modules: Sequence[Any] = ()

    def run(self, mod: IRModule) -> IRModule:
        names = {
            symbol: register_implementation(symbol, function)
            for extern_mod in self.extern_modules
            for symbol, function in extern_mod.load().items()
        }
        renamed = {symbol: name for symbol, name in names.items() if symbol != name}
        if not renamed:
            return mod
        rewriter = _Renaming(renamed)
        functions: dict[Any, Any] = {
            var: rewriter.rewrite(func) if isinstance(func, Function) else func for var, func in mod.functions.items()
        }
        return mod.replace(functions=functions)


class _Renaming(RelaxRewriter):
    """Replaces names of external functions."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self.names = names

    @on(ExternFunc)
    def extern_func(self, node: ExternFunc) -> ExternFunc:
        name = self.names.get(node.global_symbol)
        return node if name is None else ExternFunc(name, span=node.span)
