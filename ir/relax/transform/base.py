"""The classes `RelaxFunctionPass` and `RelaxRewriterPass`. A pass over modules is a `Pass` with a method `run`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
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


@dataclass(frozen=True)
class RelaxRewriterPass(Pass):
    """A pass that rewrites all graph functions by one rewriter, which numbers the variables of a module together."""

    @abstractmethod
    def rewriter(self, mod: IRModule) -> RelaxRewriter:
        """Return the rewriter of the functions of a module."""

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        rewriter = self.rewriter(mod)
        functions: dict[Any, Any] = {
            var: rewriter.rewrite(func) if isinstance(func, Function) else func for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)
