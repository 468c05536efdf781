"""BindSymbolicVars: replace size variables of graph functions by values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, UnknownName, closest
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class BindSymbolicVars(Pass):
    """Replace size variables, given by name or as variables, by sizes.

    Changes the function `func_name`; without a name, every function that has one of these sizes. Raises `UnknownName`
    for a name that is no size of these functions.
    """

    name = "relax.BindSymbolicVars"
    binding_map: Mapping[Any, Any]
    func_name: str | None = None

    def run(self, mod: IRModule) -> IRModule:
        chosen = {var: func for var, func in mod.functions.items() if isinstance(func, Function)}
        if self.func_name is not None:
            chosen = {var: func for var, func in chosen.items() if var.name_hint == self.func_name}
        sizes = {var: func.named_sizes() for var, func in chosen.items()}
        names = {name for function_sizes in sizes.values() for name in function_sizes}
        for key in self.binding_map:
            if isinstance(key, str) and key not in names:
                raise UnknownName(kind="size", name=key, hint=closest(key, names))
        functions = dict(mod.functions)
        for var, func in chosen.items():
            function_sizes = sizes[var]
            values = {
                key: value
                for key, value in self.binding_map.items()
                if key in function_sizes or key in function_sizes.values()
            }
            if values:
                functions[var] = func.bind_symbolic_vars(values)
        return mod.replace(functions=functions)
