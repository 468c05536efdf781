"""Keep the PrimFuncs that satisfy a condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class Filter(Pass):
    """Remove PrimFuncs that do not satisfy a condition. Functions of other kinds are kept.

    Calls of removed functions are not changed.

    rewrite, with Filter(lambda func: "target" in func.attrs):
        def one(): T.func_attr({"target": ...})     --> def one(): ...
        def other(): ...
    """

    name = "tir.Filter"
    is_idempotent = True
    fcond: Callable[[PrimFunc], bool]

    def run(self, mod: IRModule) -> IRModule:
        kept = {var: func for var, func in mod.items() if not isinstance(func, PrimFunc) or self.fcond(func)}
        return mod if len(kept) == len(mod) else mod.replace(functions=kept)
