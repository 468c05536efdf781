"""DeadCodeElimination: remove unused bindings and unreachable functions."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, UnknownName
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.variables import all_global_vars
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class DeadCodeElimination(Pass):
    """Remove bindings without uses and side effects, and functions that no entry function reaches.

    Entry functions are those with a `global_symbol`, and those named in `entry_functions`. Raises `UnknownName` for
    a name that is no function of the module.

    rewrite:
        lv = R.exp(x)       -->  gv = R.add(x, x)
        gv = R.add(x, x)
    """

    name = "relax.DeadCodeElimination"
    is_idempotent = True
    entry_functions: tuple[str, ...] | list[str] | None = None

    def run(self, mod: IRModule) -> IRModule:
        mod = self._reachable(mod)
        functions = {
            var: remove_all_unused(func) if isinstance(func, Function) else func for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return self._reachable(mod.replace(functions=functions))

    def _reachable(self, mod: IRModule) -> IRModule:
        """Return the module without the functions that no entry function reaches."""
        entries = [
            var for var, func in mod.functions.items() if "global_symbol" in (getattr(func, "attrs", None) or ())
        ]
        for name in self.entry_functions or ():
            if name not in mod:
                raise UnknownName(kind="function", name=name)
            entries.append(mod.get_global_var(name))
        names: set[str] = set()
        stack = [var.name_hint for var in entries]
        while stack:
            name = stack.pop()
            if name not in names and name in mod:
                names.add(name)
                func: BaseFunc = mod[name]
                stack += [var.name_hint for var in all_global_vars(func)]
        functions: dict[GlobalVar, BaseFunc] = {
            var: func for var, func in mod.functions.items() if var.name_hint in names
        }
        return mod if len(functions) == len(mod.functions) else mod.replace(functions=functions)
