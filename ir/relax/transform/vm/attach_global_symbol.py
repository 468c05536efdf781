"""AttachGlobalSymbol: make all functions public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class AttachGlobalSymbol(Pass):
    """Give every function its name as the attribute `global_symbol`.

    rewrite:
        @R.function(private=True)  -->  @R.function
    """

    name = "relax.AttachGlobalSymbol"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        functions: dict[Any, Any] = {
            var: func.with_attr("global_symbol", var.name_hint)
            if isinstance(func, (PrimFunc, Function)) and func.attrs.get("global_symbol") != var.name_hint
            else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)
