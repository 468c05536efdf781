"""BindParams: replace parameters of a graph function by constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, UnknownName, closest
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class BindParams(Pass):
    """Replace parameters of the function `func_name`, given by name or as variables, by arrays.

    Sizes that the shapes of the arrays tell are replaced too. Raises `UnknownName` for a name that is no function or
    no parameter, and `WrongType` for an array that the parameter cannot have.
    """

    name = "relax.BindParams"
    func_name: str
    params: Mapping[Any, Any]

    def run(self, mod: IRModule) -> IRModule:
        graphs = {var.name_hint: var for var, func in mod.items() if isinstance(func, Function)}
        if self.func_name not in graphs:
            raise UnknownName(kind="graph function", name=self.func_name, hint=closest(self.func_name, graphs))
        var = graphs[self.func_name]
        func = mod[var]
        assert isinstance(func, Function)
        return mod.replace(functions={**mod.functions, var: func.bind_params(self.params)})
