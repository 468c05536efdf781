"""Mark the entry function of a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.function_attributes import is_set, symbol_of

IS_ENTRY: Final = "tir.is_entry_func"


@dataclass(frozen=True)
class AnnotateEntryFunc(Pass):
    """Set `tir.is_entry_func` on the only function of a module, or on the only exported one.

    A module with several exported functions, or whose only one is not a PrimFunc, is not changed.

    rewrite:
        T.func_attr({})                   -->    T.func_attr({"tir.is_entry_func": T.bool(True)})
    """

    name = "tir.AnnotateEntryFunc"
    is_idempotent = True
    commutes_with = ("tir.BindTarget", "tir.ConvertForLoopsToSerial", "tir.LowerInitBlock")

    def run(self, mod: IRModule) -> IRModule:
        candidates = [
            var for var, func in mod.functions.items() if len(mod.functions) == 1 or symbol_of(func) is not None
        ]
        if len(candidates) != 1:
            return mod
        entry = mod.functions[candidates[0]]
        if not isinstance(entry, PrimFunc) or is_set(entry, IS_ENTRY):
            return mod
        return mod.replace(functions={**mod.functions, candidates[0]: entry.with_attr(IS_ENTRY, True)})
