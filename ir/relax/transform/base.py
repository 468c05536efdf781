"""The class `RelaxFunctionPass`. A pass over modules is a `Pass` with a method `run`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.recursion import without_collection
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class RelaxFunctionPass(Pass):
    """A pass that transforms each graph function separately."""

    @abstractmethod
    def transform(self, func: Function, mod: IRModule) -> Function:
        """Return the transformed function of the module; the same object if nothing changes."""

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = {
            var: self.transform(func, mod) if isinstance(func, Function) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)
