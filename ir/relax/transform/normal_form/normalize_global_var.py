"""NormalizeGlobalVar: name functions of the module as their global symbols say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, Rewriter, on
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class NormalizeGlobalVar(Pass):
    """Give each public function the name of its `global_symbol`. Private functions whose names are taken get others."""

    name = "relax.NormalizeGlobalVar"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        symbols = {var: str(_attrs(func)["global_symbol"]) for var, func in mod.functions_items() if _is_public(func)}
        supply = NameSupply()
        names = {var: supply.fresh(symbol) for var, symbol in symbols.items()}
        names |= {var: supply.fresh(var.name_hint) for var in mod.get_global_vars() if var not in names}
        renamed: dict[str, GlobalVar] = {
            var.name_hint: GlobalVar(name, struct_info=getattr(var, "struct_info", None))
            for var, name in names.items()
            if name != var.name_hint
        }
        if not renamed:
            return mod
        renamer = _Renamer(renamed)
        functions: dict[Any, Any] = {
            renamed.get(var.name_hint, var): renamer.rewrite(func) for var, func in mod.functions_items()
        }
        return mod.replace(functions=functions)


def _attrs(func: object) -> Any:
    return getattr(func, "attrs", None) or {}


def _is_public(func: object) -> bool:
    return "global_symbol" in _attrs(func)


class _Renamer(Rewriter):
    """Replaces names of functions."""

    def __init__(self, names: dict[str, GlobalVar]) -> None:
        super().__init__()
        self.names = names

    @on(GlobalVar)
    def name(self, node: GlobalVar) -> GlobalVar:
        return self.names.get(node.name_hint, node)
