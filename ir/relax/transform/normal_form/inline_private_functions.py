"""InlinePrivateFunctions: put the bodies of private functions in the place of their calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.analysis.recursion import detect_recursion
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class InlinePrivateFunctions(Pass):
    """Inline private graph functions into their callers, except recursive ones. Runs `relax.CanonicalizeBindings`
    afterwards, and removes unused bindings.

    rewrite:
        y = cls.double(x)    -->  y = R.add(x, x)
    """

    name = "relax.InlinePrivateFunctions"

    def run(self, mod: IRModule) -> IRModule:
        recursive = {var for group in detect_recursion(mod) for var in group}
        private = {
            var: func
            for var, func in mod.functions.items()
            if isinstance(func, Function) and "global_symbol" not in func.attrs and var not in recursive
        }
        if not private:
            return mod
        functions: dict[Any, Any] = {
            var: func.inline_functions(private) if isinstance(func, Function) else func
            for var, func in mod.functions.items()
            if var not in private
        }
        inlined = CanonicalizeBindings().run(mod.replace(functions=functions))
        return inlined.replace(
            functions={
                var: remove_all_unused(func) if isinstance(func, Function) else func
                for var, func in inlined.functions.items()
            }
        )
