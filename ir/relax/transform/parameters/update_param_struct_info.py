"""UpdateParamStructInfo: change the struct info of parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass


@dataclass(frozen=True, eq=False)
class UpdateParamStructInfo(RelaxFunctionPass):
    """Replace the struct info of each parameter by `sinfo_func(param)`, unless that is None. Struct info in the body
    follows.
    """

    name = "relax.UpdateParamStructInfo"
    sinfo_func: Callable[[Var], StructInfo | None]

    def transform(self, func: Function, mod: IRModule) -> Function:
        updated: Function = _Updater(self.sinfo_func).rewrite(func)
        return updated


class _Updater(RelaxRewriter):
    """Rewriter of parameters."""

    def __init__(self, sinfo_func: Callable[[Var], StructInfo | None]) -> None:
        super().__init__()
        self.sinfo_func = sinfo_func

    @on(Function)
    def function(self, node: Function) -> Function:
        infos = {param: self.sinfo_func(param) for param in node.params}
        self.renamed.update({param: param.replace(struct_info=info) for param, info in infos.items() if info})
        params = tuple(self.renamed.get(param, param) for param in node.params)
        updated: Function = super().function(node if params == node.params else node.replace(params=params))
        return updated if params == node.params else updated.replace(ret_struct_info=None, struct_info=None)
